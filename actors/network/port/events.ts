/** Events of the network, as an instance receives them. Types only. */

import type { ChannelPostCounts } from '../../../schemas/channel.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { NoteContent } from '../../../schemas/message-note.js'
import type { PasskeyOptions } from '../../../schemas/session.js'
import type {
  ChatFields,
  ContactFields,
  LabelFields,
  NewMessage,
  PhoneQuickReplyFields,
} from '../../../schemas/stored-fields.js'
import type { CallEvent } from './calls.js'
import type { GroupNotice } from './groups.js'
import type { LimitsEvent } from './limits.js'

export type NetworkEvent =
  /** A new QR code, which replaces the former one. */
  /** `lastsMs`: time until another QR replaces it. */
  | { readonly type: 'qr'; readonly text: string; readonly lastsMs: number }
  /** A pairing code of eight characters that the network has accepted. */
  | { readonly type: 'code'; readonly code: string }
  /** The network asks for a passkey before it links. `publicKey` is for `navigator.credentials.get`. */
  | { readonly type: 'passkey'; readonly publicKey: PasskeyOptions; readonly lastsMs: number }
  /** The network took the signature. The person compares this code with the one on the phone; null if there is nothing to compare. */
  | { readonly type: 'passkeyCode'; readonly code: string | null }
  | {
      readonly type: 'paired'
      readonly jid: Jid
      readonly lid: Jid | null
      readonly platform: string
      readonly isBusiness: boolean
    }
  | { readonly type: 'opened'; readonly jid: string; readonly lid: Jid | null; readonly profileName: string | null }
  | {
      readonly type: 'closed'
      readonly cause: DisconnectCause
      /** The network's code; 0 when it gave none. */
      readonly code: number
      /** Reason, for logs. */
      readonly message: string
      /** Detail for people, beside the sentence of the cause, such as the host and the code of an error. */
      readonly detail?: string
      /** Time for which the network refuses another connection, if it gave one. */
      readonly waitMs?: number
      /** Error behind a `programError`, for logs. */
      readonly error?: unknown
    }
  | { readonly type: 'message'; readonly message: NewMessage }
  /** A change of a message that is not applied, or not yet. */
  | { readonly type: 'note'; readonly message: NewMessage }
  /** The change of a stored note is applied now, or never will be. */
  | {
      readonly type: 'noteSettled'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      readonly fromMe: boolean
      readonly content: NoteContent
    }
  /** A message was edited or deleted. */
  | {
      readonly type: 'revised'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      /** True when this account changed a message of its own, on another device. */
      readonly fromMe: boolean
      readonly sender: ChatAddress
      /** True when an admin of the group deleted a message of any member, or a member added an option to a poll of any. */
      readonly byAdmin: boolean
      readonly timestampMs: number
      /** Time of an edit by the clock of its author, if it has one. */
      readonly authoredMs?: number
      readonly change: Revision
    }
  /** The file of a message was replaced by the same one in high definition. */
  | {
      readonly type: 'refiled'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      readonly fromMe: boolean
      readonly sender: ChatAddress
      readonly timestampMs: number
      readonly content: unknown
      readonly proto: Uint8Array
    }
  /** A vote changed a poll. `tally` has all votes, and `voter` the person who changed theirs. */
  | {
      readonly type: 'tallied'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      /** True when the poll belongs to this account. */
      readonly fromMe: boolean
      readonly voter: ChatAddress
      readonly byMe: boolean
      readonly timestampMs: number
      /** Options in the order of the poll. */
      readonly tally: readonly PollOption[]
      /** Content of the poll's row. */
      readonly content: unknown
    }
  /** The options of a stored vote are known, because its poll has come. */
  | {
      readonly type: 'voteRead'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      readonly fromMe: boolean
      readonly vote: string
      readonly content: unknown
    }
  /** The network accepted a message of this account (no error), or refused it. */
  | {
      readonly type: 'ack'
      readonly messageid: MessageId
      readonly error: number | null
      /** The post of a channel that it made. */
      readonly post?: { readonly channel: Jid; readonly serverid: number }
    }
  /** Views and reactions of posts of a channel have changed. */
  | { readonly type: 'channelCounts'; readonly channel: Jid; readonly posts: readonly ChannelPostCounts[] }
  | ReceiptEvent
  | CallEvent
  | LimitsEvent
  | {
      readonly type: 'presence'
      readonly chat: ChatAddress
      readonly sender: ChatAddress
      readonly state: PresenceState
      readonly lastSeen?: number
      /** True if the person hides when they were last seen. */
      readonly isLastSeenHidden?: boolean
    }
  | { readonly type: 'contacts'; readonly contacts: readonly ContactFields[] }
  | { readonly type: 'chats'; readonly chats: readonly ChatChange[] }
  /** The account starred a message on another device, or took the star away. */
  | {
      readonly type: 'starred'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      readonly fromMe: boolean
      readonly isSet: boolean
    }
  | { readonly type: 'chatLabel'; readonly chat: ChatAddress; readonly labelid: string; readonly isSet: boolean }
  | { readonly type: 'label'; readonly label: LabelFields }
  | { readonly type: 'quickReply'; readonly quickReply: PhoneQuickReplyFields }
  /** Complete blocklist, which the network sends after a login. */
  | { readonly type: 'blocklist'; readonly blocked: readonly ChatAddress[] }
  | { readonly type: 'blocked'; readonly person: ChatAddress; readonly isBlocked: boolean }
  /** Present state of a group. */
  | { readonly type: 'group'; readonly group: GroupInfo; readonly isAdmin: boolean }
  /** Complete list of the account's groups. */
  | { readonly type: 'groups'; readonly groups: readonly GroupInfo[]; readonly adminOf: readonly Jid[] }
  /** The account is not a member. */
  | { readonly type: 'groupGone'; readonly group: Jid }
  /** The stored state of the group may be outdated. */
  | { readonly type: 'groupDoubt'; readonly group: Jid }
  /** A change of a group. `group` is the state after it, when that is known. */
  | { readonly type: 'groupNotice'; readonly notice: GroupNotice; readonly group: GroupInfo | null }
  | { readonly type: 'mappings'; readonly mappings: readonly { readonly lid: Jid; readonly pn: Jid }[] }
  /** The listener calls `recorded` with the outcome. A part that was not stored is emitted again. */
  | { readonly type: 'history'; readonly batch: HistoryBatch; readonly recorded: (error?: unknown) => void }
  | { readonly type: 'profileName'; readonly name: string }
  /** The username of the account itself; empty when it has none. */
  | { readonly type: 'ownUsername'; readonly username: string }
  /**
   * A decrypted message, or a part of one, is of no kind that is known. It is stored all the same. `kinds`: numbers of its fields, `high` for
   * large ones, `malformed` or `empty`.
   */
  | { readonly type: 'notUnderstood'; readonly kinds: readonly string[] }
  /** A message came without content. `waits`: the content may come, as an event `message` with the same id. */
  | { readonly type: 'unreadable'; readonly message: NewMessage; readonly waits: boolean }
  /** The content of such a message will not come. `no_message`: it was a change of the chat, or of another message. */
  | {
      readonly type: 'contentLost'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      readonly fromMe: boolean
      readonly reason: 'no_answer' | 'not_on_phone' | 'no_message'
    }
  /**
   * For metrics. The phone was asked for the content of a message for the first time, the content came, from the phone or its sender, or it was
   * given up.
   */
  | { readonly type: 'absentContent'; readonly outcome: 'asked' | 'came' | 'given_up' }
  /** An inbound message could not be decrypted. The network was asked to send it again. */
  | { readonly type: 'undecryptable'; readonly messageid: string; readonly chat: ChatAddress; readonly reason: string }

export interface PollOption {
  readonly option: string
  /** JID of the number of each voter where it is known, otherwise the LID. */
  readonly voters: readonly Jid[]
}

export interface ChatChange {
  readonly chat: ChatAddress
  readonly set: ChatFields
  /** True when the change applies to known chats only, and must not create one. */
  readonly known?: boolean
}

export type Revision =
  | {
      readonly kind: 'edited'
      readonly text: string
      readonly content: unknown
      /** Of a poll or an event: the whole message after the change, and what of the record follows from it. */
      readonly after?: {
        readonly proto: Uint8Array
        readonly convertOptions?: string
        readonly vote?: string
        /** Options of the poll, if the change is an added one. The text stays. */
        readonly options?: readonly string[]
      }
    }
  | { readonly kind: 'deleted' }

export type PresenceState = 'available' | 'unavailable' | 'composing' | 'recording' | 'paused'

export interface ReceiptEvent {
  readonly type: 'receipt'
  readonly messageids: readonly MessageId[]
  readonly status: 'delivered' | 'read' | 'played'
  readonly chat: ChatAddress
  /** Receiver or reader of the messages; in groups the participant. */
  readonly sender: ChatAddress
  /** The same person by the one address that the receipt names, which is always that of the group's form. */
  readonly reader: Jid
  /** True when a device of our own account read messages of others. */
  readonly byMe: boolean
  readonly timestampMs: number
}

export interface HistoryAnswer {
  readonly id: string
  /** True when the phone has nothing older of the chat. */
  readonly isEnd: boolean
  /** True when another answer to the same request came before. */
  readonly isRepeat?: boolean
}

export interface HistoryBatch {
  /** True when part of the batch may be stored but not announced. Everything in it is announced then. */
  readonly isAgain: boolean
  readonly chats: readonly ChatChange[]
  readonly contacts: readonly ContactFields[]
  readonly messages: readonly NewMessage[]
  readonly mappings: readonly { readonly lid: Jid; readonly pn: Jid }[]
  readonly progressPercent: number | null
  /** The request that it answers. Other parts are sent by the phone of itself. */
  readonly request?: HistoryAnswer
}

/** Causes of the end of a connection. `disconnects.ts` maps the network's codes to them, each with a sentence for people. */
export type DisconnectCause =
  | 'restart'
  | 'lost'
  | 'unreachable'
  | 'proxyFailed'
  | 'dead'
  | 'unavailable'
  | 'badSession'
  | 'replaced'
  | 'loggedOut'
  | 'forbidden'
  | 'temporarilyBanned'
  | 'versionRefused'
  | 'clientRefused'
  | 'loginNotFound'
  | 'loginRefused'
  | 'multideviceMismatch'
  | 'pairingExpired'
  | 'pairingRefused'
  | 'passkeyRequired'
  | 'passkeyExpired'
  | 'passkeyFailed'
  | 'instanceLimit'
  | 'storeFailed'
  | 'programError'
  | 'ownershipLost'
  | 'asked'
  | 'stopped'
