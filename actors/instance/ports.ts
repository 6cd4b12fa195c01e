/** The things that an instance needs from its node. The runtime provides them. Types only. */

import type { ModelErrorKind } from '../../schemas/agents/models.js'
import type { CallRow } from '../../schemas/agents/tools.js'
import type { AgentTurnChange, EndedTurnState, TurnReason } from '../../schemas/agents/turns.js'
import type { CampaignStatus, HoldReason, PauseReason, RecipientHold, RecipientReason } from '../../schemas/campaign.js'
import type { ChannelPostCounts } from '../../schemas/channel.js'
import type { EventKind } from '../../schemas/generated.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress, NamePerson } from '../../schemas/jid.js'
import type { PacingFields } from '../../schemas/pacing.js'
import type { ScheduledContent } from '../../schemas/scheduled-send.js'
import type { StoredFile } from '../../schemas/send-content.js'
import type { Schedule } from '../../schemas/send-request.js'
import type { StatusPeople } from '../../schemas/status-post.js'
import type {
  AdSource,
  ChatFields,
  ContactFields,
  InstanceFields,
  LabelFields,
  LeadFields,
  MessageStatus,
  NewMessage,
  PhoneQuickReplyFields,
} from '../../schemas/stored-fields.js'
import type { DisconnectCause } from '../network/port/events.js'

/** Something that an instance counts, for metrics. */
export type InstanceMetric =
  | { readonly what: 'undecryptable' | 'opened' }
  /** A message that the network brought. `isOwn`: from another device of the account. */
  | { readonly what: 'inbound'; readonly isOwn: boolean }
  /** A decrypted message has a field that is not known. `kind`: see the event of that name. */
  | { readonly what: 'notUnderstood'; readonly kind: string }
  /** See the event of that name. */
  | { readonly what: 'absentContent'; readonly outcome: 'asked' | 'came' | 'given_up' }
  /** A scheduled send was queued, so long after its time. */
  | { readonly what: 'scheduledDue'; readonly lateMs: number }
  /** The network's answer to a message of ours. */
  | { readonly what: 'ack'; readonly isTaken: boolean }
  | { readonly what: 'closed'; readonly cause: DisconnectCause }
  /** A number that a campaign wants to know: asked of the network, known from an earlier answer, or refused by the budget for now. */
  | { readonly what: 'numberCheck'; readonly outcome: 'asked' | 'cached' | 'refused' }
  /** The turn of a recipient of a campaign, so long after it was due. `nodeWaitMs`: it waited so long because the node was busy. */
  | {
      readonly what: 'campaign'
      readonly outcome: 'taken' | 'failed' | 'skipped' | 'parked'
      readonly lateMs: number
      readonly nodeWaitMs: number
    }
  /** A turn of an agent has ended. */
  | { readonly what: 'agentTurn'; readonly state: EndedTurnState; readonly reason: TurnReason | '' }
  /** A call of a model has ended. */
  | {
      readonly what: 'agentModel'
      readonly outcome: 'answered' | ModelErrorKind
      readonly ms: number
      readonly tokensIn: number
      readonly tokensOut: number
    }

/** One durable fact. All changes of one `write` are in one transaction, with the epoch check and the events they cause. */
export type Change =
  /** The credentials as a whole; encrypted at rest. `null` deletes credentials and all keys, but not `KINDS_AFTER_LOGOUT`. */
  | { readonly type: 'credentials'; readonly data: Uint8Array | null }
  /** Signal keys by kind and id. A function is called when its batch is written, so that only the last value of a batch is encoded. */
  | { readonly type: 'keys'; readonly entries: readonly KeyEntry[] }
  | { readonly type: 'instance'; readonly set: InstanceFields }
  /** Creates the chat if it is new, unless it is `known`. `announce`: an event `chats` with the record. */
  | {
      readonly type: 'chat'
      readonly chat: ChatAddress
      readonly set: ChatFields
      readonly announce?: boolean
      readonly known?: boolean
      /** Part of the history: changes nothing that was reported as a change since the pairing. */
      readonly history?: boolean
    }
  /** Adds a label to a chat, which it creates if needed, or removes it. Changed: an event `chat_labels` with the record. */
  | {
      readonly type: 'chat.label'
      readonly chat: ChatAddress
      readonly labelid: string
      readonly isSet: boolean
    }
  /** A label as the phone has it. A deleted one is removed from its chats. Changed: an event `labels`. */
  | { readonly type: 'label'; readonly label: LabelFields }
  /** The connection has another status, or a new cause of its end. `ageMs`: time since the change. */
  | {
      readonly type: 'connection'
      readonly ageMs: number
      readonly status: string
      readonly state: string
      /** Empty when no connection has ended. */
      readonly cause: string
      readonly code: number
      readonly reason: string
      readonly node: string
    }
  /** The pacing of the instance's sends. */
  | { readonly type: 'pacing'; readonly set: PacingFields }
  /** A quick reply as the phone has it. */
  | { readonly type: 'quickReply'; readonly quickReply: PhoneQuickReplyFields }
  /**
   * Deletes a bounded number of a chat's messages from before then; `isDropped`: and the chat, with its record, if no message is left.
   */
  | { readonly type: 'chat.remove'; readonly chat: ChatAddress; readonly beforeMs: number; readonly isDropped: boolean }
  | StoredGroupChange
  /** The people who are blocked. Each chat that it changes: an event `chats` with the record. */
  | BlockChange
  /**
   * Inserts once per (instance, chat, messageid, fromMe); a known one changes nothing and announces nothing, except that content takes the
   * place of an `unreadable` row without bytes, which keeps its ids, its place and its time, and counts as new. A new one also
   * moves its chat: last message, unread count (+1 when not from me and not history), names.
   * `announce`: an event `messages` with chat and message.
   */
  | {
      readonly type: 'message'
      readonly message: NewMessage
      readonly announce: boolean
      /** If present, the event is this `messages_update` instead. */
      readonly update?: Announcement
      readonly history?: boolean
      readonly traceparent?: string
    }
  /** Sends that leave later. They emit nothing by themselves. */
  | ScheduledChange
  /** Changes known messages; a status only forwards. Nothing changed: nothing announced. */
  | MessageUpdateChange
  /** A message that the network has surely refused goes back into the queue, under its id and with its place. */
  | { readonly type: 'message.requeue'; readonly messageid: MessageId; readonly queuedRequest: unknown }
  /** Upserts a contact and carries its names to the chat. `announce`: an event `contacts`. */
  | {
      readonly type: 'contact'
      readonly contact: ContactFields
      readonly announce?: boolean
      /** Part of the history: likewise. */
      readonly history?: boolean
    }
  /** Stores that a LID and a number are one person. Two chats become one. */
  | { readonly type: 'mapping'; readonly lid: Jid; readonly pn: Jid }
  /**
   * A person has sent a word of opting out. If they got a message of a campaign lately, and campaigns may still write to them, they are
   * suppressed, with an event `suppressions`.
   */
  | { readonly type: 'optOut'; readonly chat: ChatAddress; readonly messageid: MessageId; readonly word: string }
  | CampaignChange
  /** A call of an agent's turn is about to be made, or has its result. */
  | { readonly type: 'agent.call'; readonly row: CallRow }
  | AgentTurnChange
  /** The people of a status post, written with its row. */
  | { readonly type: 'status.post'; readonly messageid: MessageId; readonly post: StatusPeople }
  /** The network has taken a status post for so many of its people. */
  | { readonly type: 'status.reached'; readonly messageid: MessageId; readonly reached: number }
  /** A person has received status posts, or seen them. */
  | {
      readonly type: 'status.receipt'
      readonly messageids: readonly MessageId[]
      readonly person: ChatAddress
      readonly isSeen: boolean
      readonly atMs: number
    }
  /** The network gave a number to a post of a channel. That of a received one is in its message. */
  | {
      readonly type: 'channel.post'
      readonly channel: Jid
      readonly serverid: number
      readonly messageid: MessageId
    }
  /** Views and reactions of posts of a channel have changed. */
  | { readonly type: 'channel.counts'; readonly channel: Jid; readonly posts: readonly ChannelPostCounts[] }
  /** The network was asked for a number. `found`: its JID there; null: no account. */
  | { readonly type: 'numberCheck'; readonly address: Jid; readonly found: Jid | null }
  /**
   * The message before it in the same write is from a person. If they got a message of a campaign lately, and the message is new, it counts as
   * their reply.
   */
  | {
      readonly type: 'campaign.reply'
      readonly chat: ChatAddress
      readonly messageid: MessageId
      readonly sentAtMs: number
    }
  /** A person wrote from an ad. The chat keeps its earliest ad. Changed: an event `leads` with the record. */
  | { readonly type: 'lead.source'; readonly chat: ChatAddress; readonly ad: AdSource; readonly atMs: number }
  /** Lead fields of a known chat. Changed: an event `leads` with the record. */
  | { readonly type: 'lead'; readonly chat: ChatAddress; readonly set: LeadFields }
  /**
   * An event without a row of its own. `chat` chooses its lane; without it, the instance's own lane.
   * `once`: among events of calls with the same text, only one is emitted.
   */
  | {
      readonly type: 'event'
      readonly kind: EventKind
      readonly chat?: ChatAddress
      readonly body: EventBody
      /** People and chats that `body` names. */
      readonly people?: readonly ChatAddress[]
      readonly once?: string
    }

/** A function is called when its batch is written. It gets the other addresses of `people`, as far as the store knows them. */
export type EventBody = Readonly<Record<string, unknown>> | ((named: NamePerson) => Readonly<Record<string, unknown>>)

export type CampaignChange =
  /**
   * A recipient gets a message, whose row is in the same write. If the recipient is not waiting, nothing of the write becomes
   * durable, and the write rejects.
   */
  | {
      readonly type: 'campaign.taken'
      readonly folderId: string
      readonly ordinal: number
      readonly messageid: MessageId
      readonly wasParked: boolean
      readonly variant: number | null
      /** Milliseconds until the next send of the campaign may leave. */
      readonly nextInMs: number
      /** Day in the zone of the campaign, in days since 1970. */
      readonly day: number
      /** Time for which the message waited because the node was busy. */
      readonly nodeWaitMs: number
    }
  /** A recipient who waits, or is parked, is done with, or is parked for a while. */
  | {
      readonly type: 'campaign.recipient'
      readonly folderId: string
      readonly ordinal: number
      readonly wasParked: boolean
      readonly outcome:
        | { readonly kind: 'failed' | 'skipped'; readonly reason: RecipientReason; readonly error: string }
        /** `forMs` null: until the account may write to people who never wrote. `behind`: as long as earlier entries of the person. */
        | { readonly kind: 'parked'; readonly forMs: number | null; readonly reason: RecipientHold }
      readonly nextInMs: number
    }
  /** The campaign is in another state, unless it is in none of `from`. */
  | {
      readonly type: 'campaign.status'
      readonly folderId: string
      readonly from: readonly CampaignStatus[]
      readonly to: CampaignStatus
      /** Why it is paused. */
      readonly reason?: PauseReason
      /** JID of the account that sends it. */
      readonly ownAccount?: string
      /** True if the campaign is deleted with the record of what was sent. */
      readonly clears?: boolean
    }
  /** The campaign sends nothing for that time. */
  | {
      readonly type: 'campaign.wait'
      readonly folderId: string
      readonly forMs: number
      readonly reason: RecipientHold
    }
  /** Parks recipients who wait, until the account may write to people who never wrote. That is so for `forMs`. */
  | {
      readonly type: 'campaign.parkNew'
      readonly folderId: string
      readonly ordinals: readonly number[]
      readonly reason: HoldReason
      readonly forMs: number
    }
  /**
   * Ends the wait of a campaign. Its pause between two messages counts from now, unless it ends earlier. `forgets`: so are the
   * network's last answers to its messages.
   */
  | { readonly type: 'campaign.release'; readonly folderId: string; readonly forgets?: boolean }
  /** A person wrote: what is parked for them may leave. */
  | { readonly type: 'campaign.heard'; readonly addresses: readonly string[] }
  /** The campaign has another maximum of messages in a day, or none (null), and perhaps another time zone. */
  | {
      readonly type: 'campaign.cap'
      readonly folderId: string
      readonly dailyCap: number | null
      readonly timezone?: string
    }
  /** Pauses all campaigns that wait or send. */
  | { readonly type: 'campaign.pauseAll'; readonly reason: PauseReason }
  /** Deletes some recipients of a campaign in `deleting`: those who wait, or all. */
  | { readonly type: 'campaign.purge'; readonly folderId: string; readonly all: boolean; readonly rowsMax: number }
  /** Deletes a campaign in `deleting` that has no recipients. */
  | { readonly type: 'campaign.gone'; readonly folderId: string }

export interface KeyEntry {
  readonly kind: string
  readonly id: string
  readonly value: Uint8Array | (() => Uint8Array) | null
}

export type StoredGroupChange =
  /** The group as it is now. */
  | { readonly type: 'group'; readonly kind: 'keep'; readonly group: GroupInfo }
  /** All groups: these and no others. */
  | { readonly type: 'group'; readonly kind: 'list'; readonly groups: readonly GroupInfo[] }
  /** The account has left the group (`forget`), or the stored group may be out of date (`doubt`). */
  | { readonly type: 'group'; readonly kind: 'forget' | 'doubt'; readonly jid: Jid }

export interface BlockChange {
  readonly type: 'blocked'
  /** `list`: these and nobody else. */
  readonly kind: 'block' | 'unblock' | 'list'
  readonly people: readonly ChatAddress[]
}

export type ScheduledChange =
  /** A new one. Changes nothing if the id is known. */
  | {
      readonly type: 'scheduled'
      readonly kind: 'keep'
      readonly send: ScheduledContent & {
        readonly messageid: MessageId
        readonly schedule: Schedule
        /** True if it was asked with a file that lies in the storage. */
        readonly hasFile: boolean
      }
    }
  /** Replaces time and contents. `lastChange` names the change. */
  | {
      readonly type: 'scheduled'
      readonly kind: 'change'
      readonly send: ScheduledContent & { readonly messageid: MessageId; readonly schedule: Schedule }
      readonly lastChange: string
    }
  /** Ends sends that will never leave. Their rows are kept for a while. */
  | {
      readonly type: 'scheduled'
      readonly kind: 'end'
      readonly messageids: readonly MessageId[]
      readonly status: 'canceled' | 'failed'
      readonly error?: string
    }
  /** Removes sends that have become messages. */
  | { readonly type: 'scheduled'; readonly kind: 'remove'; readonly messageids: readonly MessageId[] }

/** An event `messages_update`. */
export interface Announcement {
  readonly type: string
  readonly state: string
  readonly event: EventBody
  /** People whom `event` names. */
  readonly people?: readonly ChatAddress[]
}

export interface GroupReceipt {
  readonly group: Jid
  /** As the group addresses the member. */
  readonly person: Jid
  readonly atMs: number
}

export interface MessageUpdateChange {
  readonly type: 'message.update'
  readonly messageids: readonly MessageId[]
  /** Only messages of this direction; both when absent. */
  readonly fromMe?: boolean
  /** Only messages of this chat: the ids of messages are chosen by those who send them. */
  readonly chat?: ChatAddress
  /** Only messages of this `messageType`. */
  readonly onlyType?: string
  /** Only messages that are not known to be of somebody else than this person. */
  readonly sender?: ChatAddress
  /** Of a message to a group: one member has received, read or played it. The status is set when all have. */
  readonly member?: GroupReceipt
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
    readonly starred?: boolean
    /** 0: it is not pinned. */
    readonly pinnedUntilMs?: number
    /** Null forgets it. */
    readonly queuedRequest?: unknown
    readonly messageTimestampMs?: number
    /** Milliseconds until a queued message may leave. The earliest time that was set counts. */
    readonly dueInMs?: number
  }
  /**
   * Of a campaign's message that has failed: its recipient is parked for so long, and gets another one. Null: until the account may write
   * to people who never wrote.
   */
  readonly parks?: { readonly forMs: number | null; readonly reason: RecipientHold }
  /** Lowers the unread counts of their chats by the messages that it really changed. */
  readonly lowersUnread?: boolean
  /** The body of an event `messages_update` (without envelope), written for those that changed; `event.MessageIDs` is filled in. */
  readonly announce?: Announcement
  /** A queued message as it leaves now, which emits an event `messages`, too. A change `chat` of its chat is in the same write. */
  readonly leaving?: NewMessage
  /** Trace of the call that caused it. Webhooks continue it. */
  readonly traceparent?: string
}

/** The messages of one write, as they were stored. */
export interface WriteResult {
  readonly messages: ReadonlyMap<MessageId, StoredMessage>
}

/** A message as stored, in the specification's spelling (`schemas/records/message.json`). */
export interface StoredMessage {
  readonly inserted: boolean
  readonly record: Readonly<Record<string, unknown>>
}

/**
 * How long a write may wait for the next one, to share its transaction. `soon`: some milliseconds, since no caller waits for it, and no frame
 * that is in a hurry. `later`: a third of a second, since nobody waits for it at all, and the network repeats it if a crash loses it.
 */
export type WriteDelay = 'soon' | 'later'

/**
 * The journal as one instance sees it, under one epoch.
 * A write is part of the next transaction, in the order of calls; nothing written later can be durable before it. The next transaction begins
 * at once, unless all writes that wait may do so.
 */
export interface InstanceJournal {
  /**
   * Resolves when durable.
   * @throws GatewayError NOT_OWNER (the epoch is over: stop at once), INSTANCE_EXPORTED (it lives elsewhere: likewise), STORE_UNAVAILABLE (nothing was written: destroy the socket), OUTCOME_UNKNOWN (it may have been written: likewise)
   * @param when absent: the next transaction begins at once
   */
  write(changes: readonly Change[], when?: WriteDelay): Promise<WriteResult>
  /**
   * Undefined when everything written so far is durable; else a promise of that. Rejects when any of it was not written.
   * @param when `soon`: writes that may wait go on waiting
   */
  settled(when?: 'soon'): Promise<void> | undefined
  /** Joins all writes that `work` makes, synchronously, to one write: durable together or not at all. */
  together(work: () => void): void
}

/** The storage that all nodes share, as an instance reads what it is to send. */
export interface FilesToSend {
  /** @throws GatewayError MEDIA_FILE_GONE, MEDIA_STORAGE_UNAVAILABLE */
  read(file: StoredFile): AsyncIterable<Uint8Array>
  /** Deletes a file that nobody needs. Never rejects: a later sweep deletes files that are left behind. */
  release(file: StoredFile): Promise<void>
}
