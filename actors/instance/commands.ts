/** What can be asked of an instance, on whichever node it lives. Plain data: a command may travel between nodes. Types only. */
import type { CallContext } from '../../schemas/call-context.js'
import type { Menu } from '../../schemas/choices/menu.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PixKey } from '../../schemas/pix-key.js'
import type { ConnectionHealth, GroupChange, MemberAction } from '../network/port.js'
import type { ConnectionStatus, LeadFields } from './ports.js'

export type Command =
  /** Starts pairing or connecting; answers when there is a QR, a code, a connection, or after `waitMs`. */
  | { readonly type: 'connect'; readonly phone?: string; readonly browser?: BrowserName; readonly waitMs: number }
  /** Ends the session: logs out when connected, forgets credentials; a new pairing is needed. */
  | { readonly type: 'disconnect' }
  /** Ends the connection and the actor, and keeps the pairing: when it is answered, nothing more is sent or written. */
  | { readonly type: 'pause' }
  /** Drops the socket and connects again with the same credentials. */
  | { readonly type: 'reset' }
  /** As `disconnect`; then the instance's actor is gone. The rows are deleted by the caller. */
  | { readonly type: 'delete' }
  | { readonly type: 'status' }
  | SendCommand
  | ReviseCommand
  | { readonly type: 'queueStatus' }
  /** Cancels the sends that are queued. */
  | { readonly type: 'queueClear' }
  | RenewMediaCommand
  | { readonly type: 'markRead'; readonly ids: readonly string[] }
  /** Without an id: the one call that rings, from `number` if that is given. */
  | { readonly type: 'rejectCall'; readonly number?: string; readonly id?: string }
  /** `id`: the chat by `wa_chatid` or `wa_fastid`. Needs no connection. */
  | { readonly type: 'editLead'; readonly id: string; readonly set: LeadFields }
  /** Which of these have an account. */
  | { readonly type: 'checkNumbers'; readonly numbers: readonly string[] }
  /** What is known of a chat, after a look at its picture. */
  | { readonly type: 'chatDetails'; readonly number: string; readonly preview: boolean }
  /** Marks a chat as read, or as unread. */
  | { readonly type: 'readChat'; readonly number: string; readonly read: boolean }
  /** Saves a contact in the address book; without a name it is taken out. */
  | { readonly type: 'saveContact'; readonly number: string; readonly name: string | null }
  /** Archives, pins or mutes a chat, or ends that. */
  | { readonly type: 'setChat'; readonly number: string; readonly setting: AskedSetting }
  /** Changes which labels a chat has. */
  | { readonly type: 'labelChat'; readonly number: string; readonly edit: AskedLabels }
  | EditLabelCommand
  | EditQuickReplyCommand
  | DeleteChatCommand
  | { readonly type: 'block'; readonly number: string; readonly isBlocked: boolean }
  | { readonly type: 'setProfileName'; readonly name: string }
  /** Makes the stored list of groups true. */
  | { readonly type: 'listGroups'; readonly isFresh: boolean }
  | GroupInfoCommand
  | { readonly type: 'inviteInfo'; readonly code: string }
  | { readonly type: 'joinGroup'; readonly code: string }
  | { readonly type: 'createGroup'; readonly name: string; readonly numbers: readonly string[] }
  | { readonly type: 'createCommunity'; readonly name: string }
  | EditCommunityCommand
  | { readonly type: 'leaveGroup'; readonly group: Jid }
  | { readonly type: 'inviteCode'; readonly group: Jid; readonly isReset: boolean }
  | { readonly type: 'changeGroup'; readonly group: Jid; readonly change: AskedGroupChange }
  /** Who is blocked, as the network says. */
  | { readonly type: 'blocklist' }
  | { readonly type: 'presence'; readonly number: string; readonly presence: PresenceKind; readonly delayMs: number }

export type BrowserName = 'auto' | 'safari' | 'firefox' | 'edge' | 'chrome'
export type PresenceKind = 'composing' | 'recording' | 'paused'

export type AskedSetting =
  | { readonly kind: 'archive' | 'pin'; readonly isSet: boolean }
  /** 0 ends it, -1 is for good. */
  | { readonly kind: 'mute'; readonly hours: number }

export type AskedLabels =
  | { readonly kind: 'replace'; readonly labelids: readonly string[] }
  | { readonly kind: 'add' | 'remove'; readonly labelid: string }

export interface GroupInfoCommand {
  readonly type: 'groupInfo'
  readonly group: Jid
  readonly isFresh: boolean
  readonly withInvite: boolean
  /** Tells who ask to come in, too. */
  readonly withRequests: boolean
}

export interface EditCommunityCommand {
  readonly type: 'editCommunity'
  readonly community: Jid
  readonly isLinked: boolean
  readonly groups: readonly Jid[]
}

export type AskedGroupChange =
  | Exclude<GroupChange, { readonly kind: 'members' }>
  | {
      readonly kind: 'members'
      readonly action: MemberAction
      readonly numbers: readonly string[]
    }

export interface DeleteChatCommand {
  readonly type: 'deleteChat'
  readonly number: string
  /** What goes from the store: the chat goes with its messages. */
  readonly stored: 'chat' | 'messages' | null
  /** What goes from the devices of the account; a group is only cleared. */
  readonly shown: 'delete' | 'clear' | null
}

export interface EditLabelCommand {
  readonly type: 'editLabel'
  /** Null: the next free one, for a new label. */
  readonly labelid: string | null
  /** What is not given stays; a new label needs a name. */
  readonly name?: string
  readonly color?: number
  readonly isDeleted: boolean
}

/** A quick reply of the phone. */
export interface EditQuickReplyCommand {
  readonly type: 'editQuickReply'
  /** Null: a new one. */
  readonly id: string | null
  readonly shortcut: string
  readonly text: string
  readonly isDeleted: boolean
}

/** The common optional fields of every send, checked by the schema. */
export interface SendOptions {
  readonly delayMs?: number
  readonly readChat?: boolean
  readonly readMessages?: boolean
  /** `owner:messageid` or the bare id. */
  readonly replyId?: string
  /** Groups: comma-separated numbers, or `all`. */
  readonly mentions?: string
  readonly forward?: boolean
  readonly trackSource?: string
  readonly trackId?: string
  readonly async?: boolean
}

export interface SendCommand {
  readonly type: 'send'
  /** Made by the node that got the call, so that asking again is safe. */
  readonly messageid: MessageId
  /** Set by the router: it was asked before and nobody knows what became of it, so the owner looks for its row first. */
  readonly isRepeat?: boolean
  readonly number: string
  readonly content: SendContent
  readonly options: SendOptions
  readonly idempotencyKey?: string
  /** SHA-256 of the body as hex; the same key with another hash is refused. */
  readonly requestHash?: string
}

/** Changes a message of this account for everyone who has it. It has no row: whoever does not hear of its end may ask again. */
export interface ReviseCommand {
  readonly type: 'revise'
  /** Of the change itself; made by the node that got the call, so that phones take one that is asked twice for one. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid` or the bare id. */
  readonly id: string
  readonly revision: AskedRevision
}

export type AskedRevision =
  /** `text`: with placeholders still in it. */
  { readonly kind: 'edit'; readonly text: string } | { readonly kind: 'delete' }

/** Has the account's phone put the file of a message on the network's media host again. */
export interface RenewMediaCommand {
  readonly type: 'renewMedia'
  readonly messageid: MessageId
  /** The internal id, for several messages may have the other. An older node leaves it out: then it is the oldest. */
  readonly record?: string
}

/** What is sent, checked by the schema of its operation. Its texts have their placeholders still in them. */
export type SendContent =
  | TextContent
  | ContactContent
  | LocationContent
  | ReactionContent
  | MenuContent
  | PixContent
  | MediaContent

/** How a file is shown, which decides how it is encrypted and where it is sent. `ptt`: a voice note; `ptv`: a round video. */
export type MediaKind = 'image' | 'video' | 'gif' | 'document' | 'audio' | 'ptt' | 'ptv' | 'sticker'

/** All that is brought to the network's media host. `preview`: the large picture of a link preview, which is no message of its own. */
export type FileKind = MediaKind | 'preview'

/** A file in the storage that all nodes share; a command carries this and never the file. */
export interface StoredFile {
  readonly name: string
  readonly sizeBytes: number
}

/** What is known of a file, for those who show it. */
export interface FileFacts {
  readonly mimetype: string
  readonly fileName?: string
  /** JPEG, base64. */
  readonly thumbnail?: string
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
  /** Of a voice note: 64 bytes from 0 to 100, base64. */
  readonly waveform?: string
}

/** A file that is ready to be brought to the network. Made by the node that got the call, which also fetches URLs. */
export interface PreparedFile<Kind extends FileKind = MediaKind> extends FileFacts {
  readonly media: Kind
  readonly file: StoredFile
}

export interface MediaContent extends PreparedFile {
  readonly kind: 'media'
  readonly caption?: string
  readonly viewOnce?: boolean
}

export interface TextContent {
  readonly kind: 'text'
  readonly text: string
  readonly linkPreview?: LinkPreview
  /** What the caller wants shown instead of what the page says; a text of theirs, with placeholders. */
  readonly previewTitle?: string
  readonly previewDescription?: string
}

export interface ContactContent {
  readonly kind: 'contact'
  readonly fullName: string
  /** Digits with country code; at least one. */
  readonly phoneNumbers: readonly string[]
  readonly organization?: string
  readonly email?: string
  readonly url?: string
}

export interface LocationContent {
  readonly kind: 'location'
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
  readonly address?: string
}

export interface ReactionContent {
  readonly kind: 'reaction'
  /** The message that it is about: `owner:messageid` or the bare id. */
  readonly id: string
  /** Empty: the reaction is taken back. */
  readonly emoji: string
}

export interface MenuContent {
  /** The operation that asked for it. */
  readonly kind: 'menu' | 'carousel'
  /** Without what its media are made from; see `files`. */
  readonly menu: Menu
  /** What `mediaOf` asks for, in its order. */
  readonly files?: readonly PreparedFile[]
  /** When the network refuses it, it is sent as a text with numbered choices. */
  readonly textFallback?: boolean
}

export interface PixContent {
  readonly kind: 'pix'
  readonly key: PixKey
}

/** Made by the node that got the call (it fetches through the guard), so that a command carries no URL to fetch. */
export interface LinkPreview {
  readonly url: string
  /** As the page says it: nothing in it is a placeholder. Absent when the caller gives one. */
  readonly title?: string
  readonly description?: string
  /** JPEG, base64. */
  readonly thumbnail?: string
  /** The same picture for those who show it large. */
  readonly picture?: PreparedFile<'preview'>
}

/** The live side of an instance; the stored side is its row. */
export interface LiveStatus {
  readonly status: ConnectionStatus
  /** The machine's state, finer than the status: `pairing`, `waiting`, … */
  readonly state: string
  readonly connected: boolean
  readonly loggedIn: boolean
  /** With device part, when logged in. */
  readonly jid: string | null
  /** The text behind the QR, to be drawn; null when no pairing by QR is under way. */
  readonly qrcodeText: string | null
  readonly paircode: string | null
  /** Why it is not connected, for people; null when connected. */
  readonly reason: string | null
  /** The name that others see; null when it is not known here, absent from a node of release 0.1.0: then the stored one counts. */
  readonly profileName?: string | null
  /** What passed over the connection; null when not connected. */
  readonly health: ConnectionHealth | null
}

export interface CheckedNumber {
  /** As asked. */
  readonly query: string
  /** Null when it has no account, or cannot be a number. */
  readonly address: ChatAddress | null
  /** Of a group with a chat here; else empty. */
  readonly groupName: string
  /** Why it cannot be a number; empty when it can. */
  readonly error: string
}

/** The asynchronous sends of an instance. */
export interface QueueStatus {
  readonly status: 'idle' | 'queued' | 'processing' | 'waiting_connection' | 'resetting'
  readonly pending: number
  /** One of them is being sent. */
  readonly processingNow: boolean
  readonly acceptingNewMessages: boolean
  readonly sessionReady: boolean
  /** They are being canceled. */
  readonly resetting: boolean
}

export interface ReplyOf {
  readonly connect: LiveStatus
  readonly disconnect: LiveStatus
  readonly reset: LiveStatus
  readonly delete: null
  readonly pause: null
  readonly status: LiveStatus
  /** The message record as stored, after the network's ack (status `sent`), after the bounded wait (`pending`), or `queued`. */
  readonly send: { readonly record: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] }
  /** The network has taken it. `messageid`: of the message that was changed; `content`: of the change, as JSON. */
  readonly revise: { readonly messageid: MessageId; readonly timestampMs: number; readonly content: unknown }
  readonly queueStatus: QueueStatus
  readonly queueClear: { readonly canceled: number }
  readonly markRead: {
    readonly results: readonly { message_id: string; status: 'success' | 'failed'; error?: string }[]
  }
  readonly rejectCall: { readonly id: string }
  /** The chat record as it is now. */
  readonly editLead: { readonly record: Readonly<Record<string, unknown>> }
  readonly checkNumbers: readonly CheckedNumber[]
  /** The record; of one who has no chat yet, as far as it is known. */
  readonly chatDetails: Readonly<Record<string, unknown>>
  readonly readChat: null
  readonly saveContact: { readonly jid: Jid }
  /** The message row leads to it now. */
  readonly renewMedia: null
  readonly setChat: null
  /** What was changed, one sentence each. */
  readonly labelChat: { readonly editions: readonly string[] }
  readonly editLabel: { readonly labelid: string; readonly isNew: boolean }
  readonly editQuickReply: null
  /** All who are blocked afterwards. */
  readonly block: readonly Jid[]
  readonly blocklist: readonly Jid[]
  /** The account's own number, which a pairing of a moment ago may not have stored yet. */
  readonly listGroups: { readonly own: string }
  /** The code is empty when it was not asked for, or is not for us to see. */
  readonly groupInfo: { readonly group: GroupInfo; readonly inviteCode: string; readonly requests: readonly Jid[] }
  readonly inviteInfo: GroupInfo
  /** Pending: the admins of the group are asked first; then the group is as the invitation shows it. */
  readonly joinGroup: { readonly group: GroupInfo; readonly isPending: boolean }
  readonly createGroup: GroupInfo
  readonly createCommunity: GroupInfo
  /** The error's code for each that was not linked or taken out. */
  readonly editCommunity: {
    readonly done: readonly Jid[]
    readonly failed: readonly { readonly jid: Jid; readonly code: string }[]
  }
  readonly leaveGroup: null
  readonly inviteCode: { readonly inviteCode: string; readonly group: GroupInfo }
  /** `error`: the network's code for a person, 0 when it is done. */
  readonly changeGroup: {
    readonly group: GroupInfo
    readonly people: readonly { readonly jid: string; readonly error: number }[]
  }
  /** A sentence for each thing done, and for each that failed. */
  readonly deleteChat: { readonly actions: readonly string[]; readonly errors: readonly string[] }
  readonly setProfileName: { readonly updatedAtMs: number }
  readonly presence: null
}

/**
 * Asks an instance to do something, wherever it lives. Resolves within the call's deadline. While the instance moves, the call waits.
 * @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, INVALID_NUMBER, NOT_ON_NETWORK, SEND_REFUSED,
 * CHAT_NOT_FOUND, MISSING_CALL_ID, CALL_REJECT_FAILED, OUTCOME_UNKNOWN, STORE_UNAVAILABLE, IDEMPOTENCY_CONFLICT, PAIRING_FAILED, NODE_BUSY, NODE_FAILED
 */
export interface CommandRouter {
  ask<C extends Command>(instance: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]>
}
