/** The parts of a message that are newer than the library's schema, as `read-message.ts` reads them. */
import type { proto } from '@whiskeysockets/baileys'

export interface SplitParticipant {
  readonly jid?: string
  readonly amount?: proto.IMoney
}

/** Parts of a message that have content of their own. */
export interface NewerContents {
  readonly eventInviteMessage: {
    readonly title?: string
    readonly startTime?: number
    readonly endTime?: number
    readonly caption?: string
    readonly isCanceled?: boolean
    readonly callLink?: string
  }
  readonly paymentReminderMessage: { readonly description?: string; readonly amount?: proto.IMoney }
  readonly splitPaymentMessage: {
    readonly totalAmount?: proto.IMoney
    readonly description?: string
    readonly participants?: readonly SplitParticipant[]
  }
  readonly splitPaymentUpdateMessage: { readonly participant?: SplitParticipant }
  readonly musicMessage: {
    readonly embeddedMusic?: { readonly author?: string; readonly title?: string }
    readonly songUri?: string
  }
  readonly pollAddOptionMessage: {
    readonly pollCreationMessageKey?: proto.IMessageKey
    readonly addOption?: proto.Message.PollCreationMessage.IOption
  }
  readonly conditionalRevealMessage: object
  readonly groupRootKeyShareMessage: object
  readonly rootSecretDistributeMessage: object
  readonly statusLinkPreviewMetadataMessage: object
}

/** Messages around another message. */
export type NewerWrapper =
  | 'newsletterAdminProfileMessage'
  | 'newsletterAdminProfileMessageV2'
  | 'spoilerMessage'
  | 'newsletterAdminProfileStatusMessage'
  | 'botPlatformRegistrationSuccessMessage'

export type MessageWithNewer = proto.IMessage &
  Partial<NewerContents> & {
    readonly [Name in NewerWrapper]?: proto.Message.IFutureProofMessage
  } & { readonly pollCreationMessageV6?: proto.Message.IPollCreationMessage }

/** Messages around messages: what disappears, is viewed once, was sent by an own device, … */
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
