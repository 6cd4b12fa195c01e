/** The port through which an instance speaks to the network. Plain data both ways: no type of a network library passes it. Types only. */

import type { GroupChange } from '../../schemas/group-change.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import type {
  FileKind,
  MediaContent,
  MediaKind,
  MenuContent,
  ReactionContent,
  SendContent,
  TextContent,
} from '../../schemas/send-content.js'
import type { AskedRevision } from '../../schemas/send-request.js'
import type { BrowserName, ConnectionHealth } from '../../schemas/session.js'
import type {
  ChatFields,
  ContactFields,
  LabelFields,
  NewMessage,
  QuickReplyFields,
} from '../../schemas/stored-fields.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { InstanceJournal, InstanceReader } from '../instance/ports.js'

export interface Network {
  /** Opens one connection: one object, one life. Never throws; failures arrive as `closed`. */
  open(options: OpenOptions): Connection
  /** Whether stored credentials are those of a finished pairing. */
  isPaired(credentials: Uint8Array): boolean
}

/** Whether this node can prove that it lives; while it cannot, another may own its instances. */
export interface OutputGuard {
  /** Cheap: asked before each frame. */
  isOpen(): boolean
  /** Resolves when it may be open again. */
  opened(): Promise<void>
}

export type Pairing =
  | { readonly by: 'qr'; readonly browser: BrowserName }
  | { readonly by: 'code'; readonly phone: string }

export interface OpenOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** With a pairing the stored credentials are replaced by fresh ones. */
  readonly pairing: Pairing | null
  /** Told at the upgrade, so that a test network can prove who owned the socket. */
  readonly epoch: number
  /** Asked when a phone has scanned, before the network is answered: false refuses it, and the phone links nothing. */
  readonly admit: () => Promise<boolean>
  /** Called in the order in which things happened at the network; what it writes is durable before the network hears of it. */
  readonly on: (event: NetworkEvent) => void
}

export type NetworkEvent =
  /** A QR to show; replaces the former one. */
  | { readonly type: 'qr'; readonly text: string }
  /** The network accepted this pairing code; eight characters. */
  | { readonly type: 'code'; readonly code: string }
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
      /** The network's; 0 when it gave none. */
      readonly code: number
      /** For our logs. */
      readonly message: string
      /** For people, beside the sentence of the cause: the host and the code of an error, say. */
      readonly detail?: string
      /** Behind a `programError`, for our logs. */
      readonly error?: unknown
    }
  | { readonly type: 'message'; readonly message: NewMessage }
  /** A change to a message by who wrote it: edited text, or deleted. */
  | {
      readonly type: 'revised'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      /** Whether this account changed a message of its own, on another device. */
      readonly fromMe: boolean
      readonly sender: ChatAddress
      /** An admin of the group deleted it, whoever wrote it. */
      readonly byAdmin: boolean
      readonly timestampMs: number
      readonly change: Revision
    }
  /** Somebody voted in a poll: what all who voted take now, and by whom it changed. */
  | {
      readonly type: 'tallied'
      readonly messageid: MessageId
      readonly chat: ChatAddress
      /** Whether the poll is ours. */
      readonly fromMe: boolean
      readonly voter: ChatAddress
      readonly byMe: boolean
      readonly timestampMs: number
      /** In the order of the poll. */
      readonly tally: readonly PollOption[]
      /** Of the poll, as its row tells it. */
      readonly content: unknown
    }
  /** The network took (no error) or refused a message of ours. */
  | { readonly type: 'ack'; readonly messageid: MessageId; readonly error: number | null }
  | ReceiptEvent
  | CallEvent
  | {
      readonly type: 'presence'
      readonly chat: ChatAddress
      readonly sender: ChatAddress
      readonly state: PresenceState
      readonly lastSeen?: number
    }
  | { readonly type: 'contacts'; readonly contacts: readonly ContactFields[] }
  | { readonly type: 'chats'; readonly chats: readonly ChatChange[] }
  | { readonly type: 'chatLabel'; readonly chat: ChatAddress; readonly labelid: string; readonly isSet: boolean }
  | { readonly type: 'label'; readonly label: LabelFields }
  | { readonly type: 'quickReply'; readonly quickReply: QuickReplyFields }
  /** All who are blocked, as the network says after a login. */
  | { readonly type: 'blocklist'; readonly blocked: readonly ChatAddress[] }
  | { readonly type: 'blocked'; readonly person: ChatAddress; readonly isBlocked: boolean }
  /** A group as it is now. */
  | { readonly type: 'group'; readonly group: GroupInfo; readonly isAdmin: boolean }
  /** These and no others are the account's groups. */
  | { readonly type: 'groups'; readonly groups: readonly GroupInfo[]; readonly adminOf: readonly Jid[] }
  /** The account is not in it any more. */
  | { readonly type: 'groupGone'; readonly group: Jid }
  /** What is stored of it may not be true any more. */
  | { readonly type: 'groupDoubt'; readonly group: Jid }
  /** Something changed in a group; `group` is the group after it, when that is known. */
  | { readonly type: 'groupNotice'; readonly notice: GroupNotice; readonly group: GroupInfo | null }
  | { readonly type: 'mappings'; readonly mappings: readonly { readonly lid: Jid; readonly pn: Jid }[] }
  /** `recorded` is called with the outcome: a part that is not stored is told again. */
  | { readonly type: 'history'; readonly batch: HistoryBatch; readonly recorded: (error?: unknown) => void }
  | { readonly type: 'profileName'; readonly name: string }
  /** An inbound message that could not be decrypted; the network was asked to send it again. */
  | { readonly type: 'undecryptable'; readonly messageid: string; readonly chat: ChatAddress; readonly reason: string }

export interface PollOption {
  readonly option: string
  /** The number's JID of each where it is known, else the LID. */
  readonly voters: readonly Jid[]
}

export interface GroupNotice {
  readonly group: Jid
  readonly sender: ChatAddress | null
  readonly timestampMs: number
  readonly changes: readonly GroupPatch[]
}

export interface GroupPatch {
  /** The network's word: `subject`, `description`, `announcement`, `locked`, `add`, `remove`, `promote`, … */
  readonly what: string
  readonly people?: readonly Jid[]
}

export interface ChatChange {
  readonly chat: ChatAddress
  readonly set: ChatFields
  /** Nothing that makes a chat which is not known. */
  readonly known?: boolean
}

export type Revision =
  | { readonly kind: 'edited'; readonly text: string; readonly content: unknown }
  | { readonly kind: 'deleted' }
export type PresenceState = 'available' | 'unavailable' | 'composing' | 'recording' | 'paused'

export interface ReceiptEvent {
  readonly type: 'receipt'
  readonly messageids: readonly MessageId[]
  readonly status: 'delivered' | 'read' | 'played'
  readonly chat: ChatAddress
  /** Who received or read; in groups the participant. */
  readonly sender: ChatAddress
  /** True when a device of our own account read messages of others. */
  readonly byMe: boolean
  readonly timestampMs: number
}

/** Somebody rings, or what became of that. */
export interface CallEvent {
  readonly type: 'call'
  readonly kind: 'CallOffer' | 'CallOfferNotice' | 'CallAccept' | 'CallReject' | 'CallTerminate'
  readonly state: CallState
  readonly id: string
  /** Whose device caused it, as the server says; the number of a LID only where the store knows it. */
  readonly from: ChatAddress
  /** Who rings and their other address, as the client that caused it says: of an offer anything may stand here but `from`. */
  readonly creator: Jid
  readonly creatorAlternative?: Jid
  /** Of a call to a group. */
  readonly group?: Jid
  /** Told by offers alone; null else. */
  readonly isVideo: boolean | null
  /** Why it ended, in the network's word; null when it gave none. */
  readonly reason: string | null
  readonly platform: string
  readonly version: string
  readonly timestampMs: number
  /** What the stanza held, bounded. */
  readonly data: { readonly tag: string; readonly attributes: Readonly<Record<string, string>> }
}

export interface RejectedCall {
  readonly id: string
  /** Whom the server named. */
  readonly to: Jid
  /** Who rings, as they said. */
  readonly creator: Jid
}

/** `elsewhere`: by another device of this account. `ended`: who rang gave up, or a call that was held is over. */
export type CallState =
  | 'ringing'
  | 'accepted'
  | 'rejected'
  | 'timeout'
  | 'acceptedElsewhere'
  | 'rejectedElsewhere'
  | 'ended'

export interface HistoryBatch {
  /** Some of it may be stored already, and not be announced: all of it is announced. */
  readonly isAgain: boolean
  readonly chats: readonly ChatChange[]
  readonly contacts: readonly ContactFields[]
  readonly messages: readonly NewMessage[]
  readonly mappings: readonly { readonly lid: Jid; readonly pn: Jid }[]
  readonly progressPercent: number | null
}

/** Our few causes; `disconnects.ts` maps the network's codes to them, each with a sentence for people. */
export type DisconnectCause =
  | 'restart'
  | 'lost'
  | 'unreachable'
  | 'dead'
  | 'unavailable'
  | 'badSession'
  | 'replaced'
  | 'loggedOut'
  | 'forbidden'
  | 'versionRefused'
  | 'multideviceMismatch'
  | 'pairingExpired'
  | 'pairingRefused'
  | 'instanceLimit'
  | 'storeFailed'
  | 'programError'
  | 'ownershipLost'
  | 'asked'

export interface Connection {
  /** Ends it at once, frames in waiting included. Idempotent; `closed` with the cause (`asked` unless given) follows unless it already came. */
  destroy(cause?: DisconnectCause): void
  /** Resolves when the socket is closed. */
  closed(): Promise<void>
  /** Tells the network that this device leaves, then ends. Bounded; never throws. */
  logout(): Promise<void>
  /** Encrypts and hands over. Resolves when handed over; whether the network took it follows as `ack`. */
  relay(messageid: MessageId, to: ChatAddress, message: OutgoingMessage): Promise<void>
  /**
   * Encrypts a file and brings it to the network's media host; it is read once, as a stream. A message can then be composed with it, over
   * this connection or another of the account.
   * @throws GatewayError MEDIA_REFUSED, MEDIA_UPLOAD_FAILED, MEDIA_STORAGE_UNAVAILABLE, INSTANCE_NOT_CONNECTED, INSTANCE_MOVING;
   * and what reading the file throws
   */
  upload(kind: FileKind, file: AsyncIterable<Uint8Array>): Promise<UploadedMedia>
  /**
   * Asks the account's phone to put the file of a message on the media host again; the encoded message that leads to it then.
   * @throws GatewayError MEDIA_UNAVAILABLE when the phone refuses or does not answer in time
   */
  renewMedia(message: MessageForActor): Promise<{ readonly proto: Uint8Array; readonly content: unknown }>
  /**
   * Makes a message ready to be relayed and stored. People are named in it as the chat names them, also after an `@` in the text.
   * @throws GatewayError GROUP_NOT_FOUND when all of a group are mentioned and the account is not in it
   */
  compose(to: ChatAddress, input: MessageInput): Promise<OutgoingMessage>
  /** Makes a change of a message of ours ready to be relayed; `after` is the message as it is then, null when it is deleted. */
  composeRevision(
    target: MessageForActor,
    revision: AskedRevision,
  ): Promise<{ readonly message: OutgoingMessage; readonly after: OutgoingMessage | null }>
  /** A stored message, ready to be relayed again under its id. */
  recall(proto: Uint8Array): OutgoingMessage
  /** Both addresses of a number that has an account; null when it has none. Groups are answered as they are. */
  lookUp(address: ChatAddress): Promise<ChatAddress | null>
  /** Both addresses of the numbers that have an account, by the number that was asked: the network may spell it otherwise. */
  lookUpAll(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, ChatAddress>>
  /** Where the picture of a person or group is; null when there is none, or it is not shown to us. */
  picture(of: ChatAddress, isPreview: boolean): Promise<string | null>
  /** Shows a chat as read or unread on all devices; `last`: its newest message. */
  markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void>
  /** Saves a person in the account's address book, on all devices; null takes them out. */
  saveContact(person: ChatAddress, names: { fullName: string; firstName: string } | null): Promise<void>
  /**
   * Changes what all devices of the account share. Resolves when the network has taken it.
   * @throws GatewayError KEYS_MISSING, CHANGE_FAILED (surely not done)
   */
  change(change: SharedChange): Promise<void>
  block(person: ChatAddress, isBlocked: boolean): Promise<void>
  blocklist(): Promise<readonly ChatAddress[]>
  presence(to: ChatAddress, presence: PresenceKind): Promise<void>
  /**
   * Refuses a call that rings. Resolves when the network has taken it.
   * @throws GatewayError CALL_REJECT_FAILED
   */
  rejectCall(call: RejectedCall, timeoutMs: number): Promise<void>
  markRead(messages: readonly MessageForActor[]): Promise<void>
  /** What passed over it so far. */
  health(): ConnectionHealth
  readonly groups: GroupNetwork
}

/** Refusals are GatewayError GROUP_REFUSED, with the network's code as `provider_code`. */
export interface GroupNetwork {
  /** As known, or as the network says when it is not. @throws GatewayError GROUP_NOT_FOUND */
  get(group: Jid): Promise<GroupInfo>
  /** As the network has it now. @throws GatewayError GROUP_NOT_FOUND */
  fetch(group: Jid): Promise<GroupInfo>
  /** All of the account, as the network has them now. */
  fetchAll(): Promise<readonly GroupInfo[]>
  /** The group behind a code. @throws GatewayError INVALID_INVITE */
  invitation(code: string): Promise<GroupInfo>
  /** False: the admins of the group are asked first. */
  join(code: string): Promise<boolean>
  create(name: string, people: readonly Jid[]): Promise<GroupInfo>
  /** The network makes its announcement group with it. */
  createCommunity(name: string): Promise<GroupInfo>
  /** A group comes to a community, or leaves it. */
  link(community: Jid, group: Jid, isLinked: boolean): Promise<void>
  leave(group: Jid): Promise<void>
  inviteCode(group: Jid, isReset: boolean): Promise<string>
  /** Who ask to come in. */
  requests(group: Jid): Promise<readonly Jid[]>
  /** Answers with the network's code for each person named; 200 is done. */
  change(group: Jid, change: GroupChange): Promise<readonly { readonly jid: Jid; readonly code: number }[]>
}

/** Of a chat `last` is its newest message, which the network wants to know with it. */
export type SharedChange =
  | {
      readonly kind: 'archive'
      readonly chat: ChatAddress
      readonly isSet: boolean
      readonly last: MessageForActor | null
    }
  /** Its messages go, on all devices; `delete`: the chat too. */
  | { readonly kind: 'clear' | 'delete'; readonly chat: ChatAddress; readonly last: MessageForActor | null }
  | { readonly kind: 'pin'; readonly chat: ChatAddress; readonly isSet: boolean }
  /** Milliseconds since 1970; 0 ends it, -1 is for good. */
  | { readonly kind: 'mute'; readonly chat: ChatAddress; readonly endTime: number }
  | { readonly kind: 'label'; readonly label: LabelFields }
  | { readonly kind: 'quickReply'; readonly quickReply: QuickReplyFields }
  | { readonly kind: 'profileName'; readonly name: string }
  | { readonly kind: 'chatLabel'; readonly chat: ChatAddress; readonly labelid: string; readonly isSet: boolean }

export interface MessageInput {
  /** With its placeholders filled in. */
  readonly content: OutgoingContent
  readonly quoted?: MessageForActor
  /** Of a group. `all`: every member but this account. */
  readonly mentions?: 'all' | readonly ChatAddress[]
  readonly forwarded?: boolean
  /** Seconds, as the chat is set; 0 when messages stay. */
  readonly expirationSeconds?: number
}

/** What is sent, with the message that it is about instead of its id. */
export type OutgoingContent =
  | Exclude<SendContent, TextContent | ReactionContent | MediaContent | MenuContent>
  /** `uploaded`: the picture of its preview, when that is to be shown large. */
  | (TextContent & { readonly uploaded?: UploadedMedia })
  | (MediaContent & { readonly uploaded: UploadedMedia })
  /** `uploads`: of its files, in their order. */
  | (MenuContent & { readonly uploads: readonly UploadedMedia[] })
  | { readonly kind: 'reaction'; readonly emoji: string; readonly target: MessageForActor }

/** A file on the network's media host, and what its readers need to fetch, decrypt and verify it. */
export interface UploadedMedia {
  readonly url: string
  readonly directPath: string
  readonly mediaKey: Uint8Array
  /** Of the plain bytes. */
  readonly fileSha256: Uint8Array
  /** Of what lies on the host. */
  readonly fileEncSha256: Uint8Array
  readonly fileLength: number
  readonly mediaKeyTimestampSeconds: number
}

/** The file of a stored message, as the network keeps it. */
export interface NetworkFile extends Omit<UploadedMedia, 'mediaKeyTimestampSeconds'> {
  readonly media: MediaKind
  /** As the sender says. */
  readonly mimetype: string
  /** As the sender says; empty when there is none. */
  readonly fileName: string
}

/** That of the message itself, of the one that it quotes, or of one of its cards; the first card is 1. */
export type WhichFile = 'message' | 'quoted' | { readonly card: number }

/** Files of messages, which every node can fetch: it takes no connection of the account. */
export interface NetworkMedia {
  /** The file of an encoded message, also in the header of a menu; null when there is none that could be fetched. */
  fileOf(proto: Uint8Array, of?: WhichFile): NetworkFile | null
  /**
   * The plain bytes; not to be believed before the end, when they are held against their hashes.
   * @throws GatewayError MEDIA_EXPIRED (the phone may put it there again), MEDIA_UNAVAILABLE
   */
  fetch(file: NetworkFile): AsyncIterable<Uint8Array>
}

export interface OutgoingMessage {
  /** The encoded `proto.Message`. */
  readonly proto: Uint8Array
  /** As a reader of it sees it; of a contact, its parts as lines. */
  readonly text: string
  /** JSON for callers. */
  readonly content: unknown
  /** The labels of what it offers, joined. */
  readonly convertOptions?: string
  /** The library's own object, opaque to everyone else. */
  readonly native: unknown
}
