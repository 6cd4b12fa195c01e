/** What is sent, as its row tells it and as it leaves; and what older versions left in rows. */
import type { SendCommand, SendContent, TextContent } from './commands.js'
import { expandPlaceholders, hasPlaceholders } from './placeholders.js'
import type { NewMessage } from './ports.js'

type Kind = Pick<NewMessage, 'messageType' | 'type' | 'mediaType'>

const KINDS: Readonly<Record<SendContent['kind'], Kind>> = {
  text: { messageType: 'text', type: 'text' },
  contact: { messageType: 'contact', type: 'media', mediaType: 'vcard' },
  location: { messageType: 'location', type: 'media', mediaType: 'location' },
}

/** The columns of a row that say what kind of message it is and which operation sent it; `text` until the message is made. */
export function rowFieldsOf(content: SendContent): Kind & Pick<NewMessage, 'text' | 'sendFunction'> {
  return { ...KINDS[content.kind], sendFunction: content.kind, text: textOf(content) }
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

function textOf(content: SendContent): string {
  switch (content.kind) {
    case 'text':
      return content.text
    case 'contact':
      return content.fullName
    case 'location':
      return content.name ?? ''
  }
}
