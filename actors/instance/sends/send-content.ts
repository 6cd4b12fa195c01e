/** The content of a send: in its row, with its placeholders filled in, and as older versions stored it. */
import { checkFilledMenu } from '../../../schemas/choices/limits.js'
import { type FillableContent, withTexts } from '../../../schemas/content-texts.js'
import type { MessageId } from '../../../schemas/ids.js'
import { expandPlaceholders, hasPlaceholders, unknownPlaceholders } from '../../../schemas/placeholders.js'
import type { MediaKind, SendContent, TextContent } from '../../../schemas/send-content.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'

type Kind = Pick<NewMessage, 'messageType' | 'type' | 'mediaType' | 'sendFunction'>

const KINDS: Readonly<Record<Exclude<SendContent['kind'], 'media' | 'forward'>, Kind>> = {
  text: { messageType: 'text', type: 'text', sendFunction: 'text' },
  contact: { messageType: 'contact', type: 'media', mediaType: 'vcard', sendFunction: 'contact' },
  contacts: { messageType: 'contact', type: 'media', mediaType: 'vcard', sendFunction: 'contact' },
  location: { messageType: 'location', type: 'media', mediaType: 'location', sendFunction: 'location' },
  reaction: { messageType: 'reaction', type: 'reaction', sendFunction: 'react' },
  vote: { messageType: 'poll', type: 'poll', sendFunction: 'vote' },
  product: { messageType: 'product', type: 'product', sendFunction: 'product' },
  album: { messageType: 'album', type: 'album', sendFunction: 'album' },
  menu: { messageType: 'button', type: 'text', sendFunction: 'menu' },
  carousel: { messageType: 'button', type: 'text', sendFunction: 'carousel' },
  event: { messageType: 'event', type: 'event', sendFunction: 'event' },
  channelInvite: { messageType: 'invite', type: 'invite', sendFunction: 'channel-invite' },
  groupInvite: { messageType: 'invite', type: 'invite', sendFunction: 'group-invite' },
  pix: { messageType: 'button', type: 'text', sendFunction: 'pix-button' },
  locationRequest: { messageType: 'button', type: 'text', sendFunction: 'location-button' },
  payment: { messageType: 'button', type: 'text', sendFunction: 'request-payment' },
}

const MEDIA_TYPES: Readonly<Record<MediaKind, string>> = {
  image: 'image',
  video: 'video',
  gif: 'video',
  ptv: 'video',
  audio: 'audio',
  ptt: 'audio',
  document: 'document',
  sticker: 'sticker',
}

/** Returns the columns that tell the kind of the message and the operation that sent it, and a text until the message is composed. */
export function describeRow(content: SendContent): Kind & Pick<NewMessage, 'text' | 'reaction' | 'quoted' | 'vote'> {
  const about =
    content.kind === 'reaction'
      ? { reaction: bareMessageId(content.id) }
      : content.kind === 'vote'
        ? { quoted: bareMessageId(content.id), vote: content.options.join(', ') }
        : {}
  return { ...describeKind(content), ...menuKind(content), ...about, text: findText(content) }
}

function menuKind(content: SendContent): Partial<Kind> {
  if (content.kind !== 'menu') return {}
  const { type } = content.menu
  return type === 'list' ? { messageType: 'list' } : type === 'poll' ? { messageType: 'poll', type: 'poll' } : {}
}

function describeKind(content: SendContent): Kind {
  if (content.kind === 'forward') {
    const { messageType, type, mediaType } = content
    return { messageType, type, ...(mediaType === '' ? {} : { mediaType }), sendFunction: 'forward' }
  }
  if (content.kind !== 'media') return KINDS[content.kind]
  const { media } = content
  return { messageType: MEDIA_TYPES[media], type: 'media', mediaType: media, sendFunction: 'media' }
}

/** Returns true if any text of it needs the chat record. */
function needsChat(content: FillableContent): boolean {
  if (content.kind === 'menu' || content.kind === 'carousel') return hasPlaceholders(JSON.stringify(content.menu))
  if (content.kind === 'contacts') return hasPlaceholders(JSON.stringify(content.cards))
  if (content.kind === 'pix') return hasPlaceholders(content.key.name)
  if (content.kind === 'payment') return hasPlaceholders(JSON.stringify(content.payment))
  return Object.values(content).some((value) => typeof value === 'string' && hasPlaceholders(value))
}

/**
 * Fills all placeholders from the chat record, which is read only if there are any. Returns warnings for the caller about unknown
 * placeholders and about texts that became too long.
 * @throws GatewayError INVALID_REQUEST if a menu becomes invalid
 */
export async function fillContent<C extends FillableContent>(
  content: C,
  chatRecord: () => Promise<Readonly<Record<string, unknown>> | null>,
): Promise<{ readonly content: C; readonly warnings: readonly string[] }> {
  if (!needsChat(content)) return { content, warnings: [] }
  const chat = await chatRecord()
  const unknown = new Set<string>()
  const whole = withTexts(content, (text) => expandPlaceholders(text, chat, unknown))
  const tooLong = 'menu' in whole ? checkFilledMenu(whole.menu) : []
  return { content: whole, warnings: [...unknownPlaceholders(unknown, chat), ...tooLong] }
}

/** Reads a queued send from its row. Versions that knew only texts stored the text beside the options. */
export function queuedSend(request: unknown): SendCommand {
  if ((request as SendCommand).content !== undefined) return request as SendCommand
  const { text, linkPreview, ...common } = request as Omit<SendCommand, 'content'> & Omit<TextContent, 'kind'>
  return { ...common, content: { kind: 'text', text, ...(linkPreview === undefined ? {} : { linkPreview }) } }
}

/** Returns the id without its owner, from `owner:messageid` or the bare id. */
export function bareMessageId(id: string): MessageId {
  return id.slice(id.lastIndexOf(':') + 1) as MessageId
}

function findText(content: SendContent): string {
  switch (content.kind) {
    case 'text':
    case 'locationRequest':
    case 'forward':
      return content.text
    case 'event':
    case 'channelInvite':
      return content.name
    case 'groupInvite':
      return content.text ?? content.groupName
    case 'contact':
      return content.fullName
    case 'contacts':
      return content.cards.map(({ fullName }) => fullName).join('\n')
    case 'location':
      return content.name ?? ''
    case 'reaction':
      return content.emoji
    case 'vote':
    case 'album':
      return ''
    case 'product':
      return content.text ?? content.product.name
    case 'menu':
    case 'carousel':
      return content.menu.text
    case 'pix':
      return content.key.name
    case 'payment':
      return content.payment.text || content.payment.item
    case 'media':
      return content.caption ?? (content.media === 'document' ? (content.fileName ?? '') : '')
  }
}
