/** Makes the call that sends what the box has. */
import type { Message, QuickReply } from '../../../../schemas/generated.js'
import type { NewSend } from '../../hooks/outbox.js'
import type { Mentionable } from '../../hooks/use-inbox.js'

/** Stands for all people of a group. */
export const EVERYONE = 'all'

export type BoxSend =
  | Omit<NewSend<'sendText'>, 'instanceId' | 'chatId'>
  | Omit<NewSend<'sendMedia'>, 'instanceId' | 'chatId'>

interface Written {
  readonly chatId: string
  readonly text: string
  /** A quick reply with a file, whose caption is the text. */
  readonly attached: QuickReply | null
  readonly replyTo: Message | null
  readonly people: readonly Mentionable[]
}

export function makeTextSend({ chatId, text, attached, replyTo, people }: Written): BoxSend {
  const { sent, mentions } = replaceMentions(text, people)
  const common = {
    number: chatId,
    ...(replyTo === null ? {} : { replyid: replyTo.id }),
    ...(mentions.length === 0 ? {} : { mentions: mentions.join(',') }),
  }
  const quoted = replyTo === null ? {} : { quoted: replyTo.messageid }
  if (attached === null || attached.type === 'text')
    return {
      operation: 'sendText',
      body: { ...common, text: sent, ...(/https?:\/\//i.test(sent) ? { linkPreview: true } : {}) },
      shown: { messageType: 'text', text, ...quoted },
    }
  const { type, file = '', docName = '' } = attached
  const hasText = type === 'image' || type === 'video' || type === 'document'
  return {
    operation: 'sendMedia',
    body: {
      ...common,
      type,
      file,
      ...(hasText && sent !== '' ? { text: sent } : {}),
      ...(type === 'document' && docName !== '' ? { docName } : {}),
    },
    shown: {
      messageType: type === 'myaudio' || type === 'ptt' ? 'audio' : type,
      text: text || docName,
      ...quoted,
    },
  }
}

/** Puts numbers in the place of the names of mentioned people, as the network wants them. */
function replaceMentions(
  text: string,
  people: readonly Mentionable[],
): { readonly sent: string; readonly mentions: readonly string[] } {
  if (!text.includes('@')) return { sent: text, mentions: [] }
  let sent = text
  const mentions: string[] = []
  // A longer name may begin with a shorter one.
  for (const { name, number } of [...people].sort((a, b) => b.name.length - a.name.length)) {
    if (!sent.includes(`@${name}`)) continue
    mentions.push(number)
    if (number !== EVERYONE) sent = sent.replaceAll(`@${name}`, `@${number}`)
  }
  return { sent, mentions: mentions.includes(EVERYONE) ? [EVERYONE] : mentions }
}
