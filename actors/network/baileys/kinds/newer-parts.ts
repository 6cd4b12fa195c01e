/** The parts of a message that are newer than the library's schema, as `read-message.ts` reads them. Types only. */
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
