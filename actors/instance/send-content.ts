/** What is sent, as its row tells it and as it leaves; and what older versions left in rows. */
import type { MessageId } from '../../schemas/ids.js'
import type { SendCommand, SendContent, TextContent } from './commands.js'
import { expandPlaceholders, hasPlaceholders } from './placeholders.js'
import type { NewMessage } from './ports.js'

type Kind = Pick<NewMessage, 'messageType' | 'type' | 'mediaType' | 'sendFunction'>

const KINDS: Readonly<Record<SendContent['kind'], Kind>> = {
  text: { messageType: 'text', type: 'text', sendFunction: 'text' },
  contact: { messageType: 'contact', type: 'media', mediaType: 'vcard', sendFunction: 'contact' },
  location: { messageType: 'location', type: 'media', mediaType: 'location', sendFunction: 'location' },
  reaction: { messageType: 'reaction', type: 'reaction', sendFunction: 'react' },
}

/** The columns of a row that say what kind of message it is and which operation sent it; `text` until the message is made. */
export function rowFieldsOf(content: SendContent): Kind & Pick<NewMessage, 'text' | 'reaction'> {
  const about = content.kind === 'reaction' ? { reaction: bareMessageId(content.id) } : {}
  return { ...KINDS[content.kind], ...about, text: textOf(content) }
}

/** Whether any text of it needs the chat record. */
export function needsChat(content: SendContent): boolean {
  return Object.values(content).some((value) => typeof value === 'string' && hasPlaceholders(value))
}

/** The same with every placeholder filled in. */
export function filled<C extends SendContent>(content: C, chat: Readonly<Record<string, unknown>> | null): C {
  const entries = Object.entries(content).map(([field, value]) => [
    field,
    typeof value === 'string' ? expandPlaceholders(value, chat) : (value as unknown),
  ])
  return Object.fromEntries(entries) as C
}

/** A queued send as its row keeps it. Those of versions that knew only texts have the text beside the options. */
export function queuedSend(request: unknown): SendCommand {
  if ((request as SendCommand).content !== undefined) return request as SendCommand
  const { text, linkPreview, ...common } = request as Omit<SendCommand, 'content'> & Omit<TextContent, 'kind'>
  return { ...common, content: { kind: 'text', text, ...(linkPreview === undefined ? {} : { linkPreview }) } }
}

/** `owner:messageid` or the bare id. */
export function bareMessageId(id: string): MessageId {
  return id.slice(id.lastIndexOf(':') + 1) as MessageId
}

function textOf(content: SendContent): string {
  switch (content.kind) {
    case 'text':
      return content.text
    case 'contact':
      return content.fullName
    case 'location':
      return content.name ?? ''
    case 'reaction':
      return content.emoji
  }
}
