/** Attributes by which a stanza describes its message to the server. */
import { normalizeMessageContent, type proto } from '@whiskeysockets/baileys'

/** Kinds in the library's order (`getMediaType` in `Socket/messages-send.js` of 7.0.0-rc14, which it does not export). */
const MEDIA: readonly [part: keyof proto.IMessage, type: string][] = [
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  // The library has no kind for round videos.
  ['ptvMessage', 'ptv'],
  ['audioMessage', 'audio'],
  ['contactMessage', 'vcard'],
  ['documentMessage', 'document'],
  ['contactsArrayMessage', 'contact_array'],
  ['liveLocationMessage', 'livelocation'],
  ['stickerMessage', 'sticker'],
  ['listMessage', 'list'],
  ['listResponseMessage', 'list_response'],
  ['buttonsResponseMessage', 'buttons_response'],
  ['orderMessage', 'order'],
  ['productMessage', 'product'],
  ['interactiveResponseMessage', 'native_flow_response'],
  ['groupInviteMessage', 'url'],
]

function findMediaType(message: proto.IMessage): string | undefined {
  const type = MEDIA.find(([part]) => message[part])?.[1]
  if (type === 'video' && message.videoMessage?.gifPlayback) return 'gif'
  return type === 'audio' && message.audioMessage?.ptt ? 'ptt' : type
}

/** Returns the `type` of the stanza (the library's `getMessageType`). */
export function findStanzaType(message: proto.IMessage): string {
  const content = normalizeMessageContent(message)
  if (!content) return 'text'
  if (content.reactionMessage || content.encReactionMessage) return 'reaction'
  if (
    content.pollCreationMessage ||
    content.pollCreationMessageV2 ||
    content.pollCreationMessageV3 ||
    content.pollUpdateMessage
  )
    return 'poll'
  if (content.eventMessage) return 'event'
  return findMediaType(content) === undefined ? 'text' : 'media'
}

/** Returns the attribute by which the server knows the kind of a file. */
export function mediaAttributes(message: proto.IMessage): Record<string, string> {
  const mediatype = findMediaType(normalizeMessageContent(message) ?? message)
  return mediatype === undefined ? {} : { mediatype }
}

/** Returns the attributes of each ciphertext. Hides reactions that cannot be decrypted, so that they get no placeholder in the chat. */
export function ciphertextAttributes(message: proto.IMessage): Record<string, string> {
  const content = normalizeMessageContent(message)
  // The server drops videos and voice messages to be viewed once that do not say their kind (Baileys pull request 2435); the library looks at
  // the wrapper alone.
  return {
    ...mediaAttributes(message),
    ...(content?.pinInChatMessage || content?.reactionMessage ? { 'decrypt-fail': 'hide' } : {}),
  }
}
