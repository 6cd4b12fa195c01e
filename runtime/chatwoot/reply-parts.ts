/** Splits a reply of an agent into the messages that the network takes. */
import type { MediaKind } from '../../schemas/send-content.js'
import { toNetworkText } from './formatting.js'
import type { AgentMessage } from './webhook-facts.js'

// Bound: 150,000, a field of Chatwoot or of a message.

export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file'
      readonly url: string
      readonly kind: MediaKind
      readonly caption: string
      readonly fileName: string
    }

const CAPTIONED: ReadonlySet<MediaKind> = new Set(['image', 'video', 'document'])
const NAME_MAX = 200

/** The text goes with the first file if that can carry it, else before the files. */
export function replyParts(message: AgentMessage, isSigned: boolean, canConvert: boolean): readonly ReplyPart[] {
  const text = signed(message, isSigned)
  const files = message.files.map((file) => ({ ...file, kind: kindOf(file.type, canConvert) }))
  const [first] = files
  const hasCaption = first !== undefined && CAPTIONED.has(first.kind)
  const own: ReplyPart[] = text === '' || hasCaption ? [] : [{ type: 'text', text }]
  return [
    ...own,
    ...files.map(({ url, kind }, index): ReplyPart => {
      const caption = index === 0 && hasCaption ? text : ''
      return { type: 'file', url, kind, caption, fileName: nameOf(url) }
    }),
  ]
}

function signed({ content, agent, isTemplate }: AgentMessage, isSigned: boolean): string {
  const text = toNetworkText(content.trim())
  return isSigned && agent !== '' && !isTemplate && text !== '' ? `*${agent}:*\n${text}` : text
}

/** Recordings of agents become voice notes where sounds can be converted. */
function kindOf(type: string, canConvert: boolean): MediaKind {
  if (type === 'image' || type === 'video') return type
  if (type === 'audio') return canConvert ? 'ptt' : 'audio'
  return 'document'
}

function nameOf(url: string): string {
  try {
    const last = new URL(url).pathname.split('/').at(-1) ?? ''
    return (
      decodeURIComponent(last)
        .replace(/[\p{C}/\\]+/gu, '')
        .slice(0, NAME_MAX) || 'file'
    )
  } catch {
    return 'file'
  }
}
