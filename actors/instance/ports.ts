/** What an instance needs from its node, said by the instance; the runtime fills it. Types only. */

import type { EventKind } from '../../schemas/generated.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { StoredFile } from '../../schemas/send-content.js'
import type {
  ChatFields,
  ContactFields,
  InstanceFields,
  LabelFields,
  LeadFields,
  MessageStatus,
  NewMessage,
  QuickReplyFields,
} from '../../schemas/stored-fields.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { DisconnectCause } from '../network/port/connection.js'

/** Something that an instance counts, for metrics. */
export type InstanceMetric =
  | { readonly what: 'inbound' | 'undecryptable' | 'opened' }
  /** The network's answer to a message of ours. */
  | { readonly what: 'ack'; readonly isTaken: boolean }
  | { readonly what: 'closed'; readonly cause: DisconnectCause }

/** One durable fact. All changes of one `write` are in one transaction, with the epoch check and the events they cause. */
export type Change =
  /** The credentials as a whole; encrypted at rest. `null` deletes credentials and all keys. */
  | { readonly type: 'credentials'; readonly data: Uint8Array | null }
  /** Signal keys by kind and id. A function is called when its batch is written, so that only the last value of a batch is encoded. */
  | { readonly type: 'keys'; readonly entries: readonly KeyEntry[] }
  | { readonly type: 'instance'; readonly set: InstanceFields }
  /** Creates the chat when it is new, unless it is `known`. `announce`: an event `chats` with the record. */
  | {
      readonly type: 'chat'
      readonly chat: ChatAddress
      readonly set: ChatFields
      readonly announce?: boolean
      readonly known?: boolean
      /** Of a part of the history: changes nothing that was told as a change since the pairing. */
      readonly history?: boolean
    }
  /** A label is put on a chat or taken off; creates the chat for it. Changed: an event `chat_labels` with the record. */
  | {
      readonly type: 'chat.label'
      readonly chat: ChatAddress
      readonly labelid: string
      readonly isSet: boolean
    }
  /** A label as the phone has it; a deleted one leaves its chats too. Changed: an event `labels`. */
  | { readonly type: 'label'; readonly label: LabelFields }
  /** A quick reply as the phone has it. */
  | { readonly type: 'quickReply'; readonly quickReply: QuickReplyFields }
  /**
   * A bounded number of a chat's messages from before then are deleted; `isDropped`: and the chat, with what callers know of it, when no
   * message is left.
   */
  | { readonly type: 'chat.remove'; readonly chat: ChatAddress; readonly beforeMs: number; readonly isDropped: boolean }
  | GroupKept
  /** Who is blocked. Each chat that it changes: an event `chats` with the record. */
  | BlockChange
  /**
   * Inserts once per (instance, chat, messageid, fromMe); a known one changes nothing and announces nothing. A new one also
   * moves its chat: last message, unread count (+1 when not from me and not history), names.
   * `announce`: an event `messages` with chat and message.
   */
  | {
      readonly type: 'message'
      readonly message: NewMessage
      readonly announce: boolean
      readonly history?: boolean
      readonly traceparent?: string
    }
  /** Changes known messages; a status only forwards. Nothing changed: nothing announced. */
  | MessageUpdateChange
  /** Upserts a contact and carries its names to the chat. `announce`: an event `contacts`. */
  | {
      readonly type: 'contact'
      readonly contact: ContactFields
      readonly announce?: boolean
      /** Of a part of the history: likewise. */
      readonly history?: boolean
    }
  /** A LID and a number are one person: kept, and two chats become one. */
  | { readonly type: 'mapping'; readonly lid: Jid; readonly pn: Jid }
  /** Lead fields of a known chat. Changed: an event `leads` with the record. */
  | { readonly type: 'lead'; readonly chat: ChatAddress; readonly set: LeadFields }
  /**
   * An event that is no row of its own. `chat` chooses its lane; without one, the instance's own lane.
   * `once`: of those of calls that are written with the same text, one is told.
   */
  | {
      readonly type: 'event'
      readonly kind: EventKind
      readonly chat?: ChatAddress
      readonly body: Readonly<Record<string, unknown>>
      readonly once?: string
    }

export interface KeyEntry {
  readonly kind: string
  readonly id: string
  readonly value: Uint8Array | (() => Uint8Array) | null
}

export type GroupKept =
  /** As it is now. */
  | { readonly type: 'group'; readonly kind: 'keep'; readonly group: GroupInfo }
  /** These and no others. */
  | { readonly type: 'group'; readonly kind: 'list'; readonly groups: readonly GroupInfo[] }
  /** The account is not in it any more; or what is stored may not be true any more. */
  | { readonly type: 'group'; readonly kind: 'forget' | 'doubt'; readonly jid: Jid }

export interface BlockChange {
  readonly type: 'blocked'
  /** `list`: these and nobody else. */
  readonly kind: 'block' | 'unblock' | 'list'
  readonly people: readonly ChatAddress[]
}

export interface MessageUpdateChange {
  readonly type: 'message.update'
  readonly messageids: readonly MessageId[]
  /** Only messages of this direction; both when absent. */
  readonly fromMe?: boolean
  /** Only messages of this chat: the ids of messages are chosen by those who send them. */
  readonly chat?: ChatAddress
  /** Only messages that are not known to be of somebody else than this person. */
  readonly sender?: ChatAddress
  readonly set: {
    readonly status?: MessageStatus
    readonly error?: string
    readonly providerCode?: number
    readonly text?: string
    /** Joins the history of edits; the text stays. Of anything but a text the content stays too. */
    readonly edited?: { readonly text: string; readonly atMs: number }
    readonly content?: unknown
    readonly proto?: Uint8Array
    readonly messageType?: string
    readonly type?: string
    readonly vote?: string
    readonly convertOptions?: string
    /** Null forgets it. */
    readonly queuedRequest?: unknown
    readonly messageTimestampMs?: number
    /** In how many milliseconds a queued message may leave; the earliest time that was set counts. */
    readonly dueInMs?: number
  }
  /** Lowers the unread counts of their chats by the messages that it really changed. */
  readonly lowersUnread?: boolean
  /** The body of an event `messages_update` (without envelope), written for those that changed; `event.MessageIDs` is filled in. */
  readonly announce?: {
    readonly type: string
    readonly state: string
    readonly event: Readonly<Record<string, unknown>>
  }
  /** Of the call that caused it; webhooks go on with it. */
  readonly traceparent?: string
}

/** What became of the messages of one write. */
export interface WriteResult {
  readonly messages: ReadonlyMap<MessageId, StoredMessage>
}

/** A message as stored, in the specification's spelling (`schemas/records/message.json`). */
export interface StoredMessage {
  readonly inserted: boolean
  readonly record: Readonly<Record<string, unknown>>
}

/**
 * The journal as one instance sees it, under one epoch.
 * A write is part of the next transaction at once, in the order of calls; nothing written later can be durable before it.
 */
export interface InstanceJournal {
  /**
   * Resolves when durable.
   * @throws GatewayError NOT_OWNER (the epoch is over: stop at once), INSTANCE_EXPORTED (it lives elsewhere: likewise), STORE_UNAVAILABLE (nothing was written: destroy the socket), OUTCOME_UNKNOWN (it may have been written: likewise)
   */
  write(changes: readonly Change[]): Promise<WriteResult>
  /** Undefined when everything written so far is durable; else a promise of that. Rejects when any of it was not written. */
  settled(): Promise<void> | undefined
  /** All writes that `work` makes, synchronously, become one write: durable together or not at all. */
  together(work: () => void): void
}

/** The storage that all nodes share, as an instance reads what it is to send. */
export interface FilesToSend {
  /** @throws GatewayError MEDIA_FILE_GONE, MEDIA_STORAGE_UNAVAILABLE */
  read(file: StoredFile): AsyncIterable<Uint8Array>
  /** It is not needed any more. Never rejects: what is left behind is swept up. */
  release(file: StoredFile): Promise<void>
}

/** A queued message that waits for its time. */
export interface DelayedSend {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  /** What its caller asked for; 0 of one that only waits behind another of its chat. */
  readonly delayMs: number
  /** 0 or less: it is due. */
  readonly dueInMs: number
  readonly isVoice: boolean
}

/** What an event `call` said. */
export interface ToldCall {
  readonly id: string
  readonly state: string
  /** Whose device caused it, by the address that the server used for them; of some calls to groups the group. */
  readonly from: Jid
  /** Who rings, and their other address, as they said. */
  readonly creator: Jid
  readonly creatorAlternative: Jid | null
  readonly group: Jid | null
}

/** What a person takes of the options of a poll, from the row of a vote. */
export interface StoredVote {
  readonly messageid: MessageId
  readonly voter: ChatAddress
  /** JSON, as it is told to callers. */
  readonly content: unknown
  readonly messageTimestampMs: number
}

/** Reads of one node's store. A read sees what is durable, not what is still under way. */
export interface InstanceReader {
  credentials(instance: InstanceId): Promise<Uint8Array | null>
  keys(instance: InstanceId, kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** The keys of a kind, in the order of their ids, from after that id. */
  keyPage(instance: InstanceId, kind: string, after: string, limit: number): Promise<ReadonlyMap<string, Uint8Array>>
  messagesById(instance: InstanceId, messageids: readonly MessageId[]): Promise<readonly MessageForActor[]>
  /** The account that the instance is paired with; null when it is not. */
  owner(instance: InstanceId): Promise<ChatAddress | null>
  /** As callers name them: the network's id, `owner:messageid`, or the id of the record. */
  messagesNamed(instance: InstanceId, ids: readonly string[]): Promise<readonly MessageForActor[]>
  messageByIdempotencyKey(instance: InstanceId, key: string): Promise<MessageForActor | null>
  /** Of the votes of a poll that were read the newest of each voter and address, in the order in which they came. */
  pollVotes(instance: InstanceId, poll: MessageId): Promise<readonly StoredVote[]>
  /** The newest received messages of a chat that are not read yet, newest first; `among`: of so many, whatever became of them. */
  lastReceived(
    instance: InstanceId,
    chat: ChatAddress,
    count: number,
    among?: number,
  ): Promise<readonly MessageForActor[]>
  /** The newest message of a chat. */
  lastMessage(instance: InstanceId, chat: ChatAddress): Promise<MessageForActor | null>
  /** Sent messages with status `pending` (relayed or about to be when the former owner ended), oldest first. */
  pendingSends(instance: InstanceId): Promise<readonly MessageForActor[]>
  /** How many messages have status `queued`. */
  queuedCount(instance: InstanceId): Promise<number>
  /** Messages with status `queued`, in the order in which they were accepted; those that wait for their time only when asked. */
  queuedSends(
    instance: InstanceId,
    limit: number,
    which?: { readonly withDelayed?: boolean; readonly except?: readonly ChatAddress[] },
  ): Promise<readonly MessageForActor[]>
  /** Whether messages of the same chat with status `queued`, which do not wait for a time of their own, were accepted before this one. */
  hasQueuedBefore(instance: InstanceId, messageid: MessageId): Promise<boolean>
  /** Messages with status `queued` that wait for their time, in the order in which they were accepted. */
  delayedSends(instance: InstanceId): Promise<readonly DelayedSend[]>
  /** The number of a LID and the reverse, when the mapping is known. */
  mapping(instance: InstanceId, jid: Jid): Promise<Jid | null>
  /** The events `call` of so many milliseconds up to now, by PostgreSQL's clock; oldest first. */
  calls(instance: InstanceId, withinMs: number): Promise<readonly ToldCall[]>
  /**
   * What placeholders are filled from: the fields of the chat record, and in `fieldsMap` the names of custom lead fields.
   * Without such a chat every field is empty. Read for each send, so that an edit of a lead is seen at once.
   */
  placeholderValues(instance: InstanceId, chat: ChatAddress): Promise<Readonly<Record<string, unknown>>>
  /** What is known of a group; null when nothing, or when it may not be true any more. */
  group(instance: InstanceId, group: Jid): Promise<GroupInfo | null>
  /** Whether something changed in a group in a way that is not known. */
  hasDoubtfulGroups(instance: InstanceId): Promise<boolean>
  /** The time by PostgreSQL's clock, in Unix milliseconds: what stored times are compared with. */
  timeMs(): Promise<number>
  /** Whether a chat has messages from before then that are not waiting to be sent. */
  hasMessages(instance: InstanceId, chat: ChatAddress, beforeMs: number): Promise<boolean>
  /** The labels of the account. */
  labels(instance: InstanceId): Promise<readonly LabelFields[]>
  /** The phone's quick replies: what the network calls them, and how much their texts hold. */
  quickReplies(instance: InstanceId): Promise<readonly { readonly id: string; readonly bytes: number }[]>
  /** The chat record (specification's spelling); null when there is no such chat. */
  chat(instance: InstanceId, chat: ChatAddress): Promise<Readonly<Record<string, unknown>> | null>
}
