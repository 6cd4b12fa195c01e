/** Messages around messages: what disappears, is viewed once, was sent by an own device, … */
import type { proto } from '@whiskeysockets/baileys'
import type { MessageWithNewer, NewerWrapper } from './newer-parts.js'

export const WRAPPERS = [
  'deviceSentMessage',
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'botTaskMessage',
  'lottieStickerMessage',
  'associatedChildMessage',
  'eventCoverImage',
  'pollCreationMessageV4',
  'pollCreationOptionImageMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'groupStatusMentionMessage',
  'statusMentionMessage',
  'statusAddYours',
  'limitSharingMessage',
  'questionMessage',
  'questionReplyMessage',
  'newsletterAdminProfileMessage',
  'newsletterAdminProfileMessageV2',
  'spoilerMessage',
  'newsletterAdminProfileStatusMessage',
  'botPlatformRegistrationSuccessMessage',
] as const satisfies readonly (keyof proto.IMessage | NewerWrapper)[]

/** Returns the message inside of its wrappers (disappearing, view once, edited, sent by an own device, a picture of an album, …). */
export function unwrap(message: proto.IMessage): proto.IMessage {
  return layersIn(message).at(-1) ?? message
}

/** Returns a message and the messages inside of its wrappers, the innermost last. */
export function layersIn(message: proto.IMessage): readonly proto.IMessage[] {
  const layers = [message]
  for (let depth = 0; depth < 5; depth += 1) {
    const wrapped = layers.at(-1) as MessageWithNewer
    const next = WRAPPERS.find((name) => wrapped[name]?.message)
    if (next === undefined) return layers
    layers.push(wrapped[next]?.message as proto.IMessage)
  }
  return layers
}
