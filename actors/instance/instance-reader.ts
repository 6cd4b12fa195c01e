/** Reads of an instance from the store of its node. The runtime provides them. Types only. */

import type { AgentConfig } from '../../schemas/agents/records.js'
import type { CallRow } from '../../schemas/agents/tools.js'
import type {
  DayUsage,
  HistoryMessage,
  OpenTurn,
  StepRecord,
  TurnChat,
  TurnReply,
  TurnState,
} from '../../schemas/agents/turns.js'
import type { ActiveCampaign, CampaignRow, FrequencyCap, WaitingRecipient } from '../../schemas/campaign.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { StoredPacing } from '../../schemas/pacing.js'
import type { AccountPresence } from '../../schemas/presence-kind.js'
import type { ProxySettings } from '../../schemas/proxy.js'
import type { ScheduledSend } from '../../schemas/scheduled-send.js'
import type { StatusView, StoredStatusPost } from '../../schemas/status-post.js'
import type { LabelFields } from '../../schemas/stored-fields.js'
import type { MessageForActor } from '../../schemas/stored-message.js'

/** A queued message that waits for its time. */
export interface DelayedSend {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  /** The delay that its caller asked for; 0 if it only waits behind another of its chat. */
  readonly delayMs: number
  /** 0 or less: it is due. */
  readonly dueInMs: number
  readonly isVoice: boolean
}

/** The fields of an event `call`. */
export interface StoredCall {
  readonly id: string
  readonly state: string
  /** The person whose device caused it, by the address that the server used; for some calls to groups, the group. */
  readonly from: Jid
  /** The person who rings, and their other address, as their client reported. */
  readonly creator: Jid
  readonly creatorAlternative: Jid | null
  readonly group: Jid | null
}

/** The options of a poll that a person chose, from the row of the vote. */
export interface StoredVote {
  readonly messageid: MessageId
  readonly voter: ChatAddress
  /** JSON, as callers see it. */
  readonly content: unknown
  readonly messageTimestampMs: number
}

/** Reads of one node's store. A read sees what is durable, not what is still under way. */
export interface InstanceReader {
  credentials(instance: InstanceId): Promise<Uint8Array | null>
  /** Returns the proxy of the instance; null if it has none. @throws Error if what is stored cannot be read */
  proxy(instance: InstanceId): Promise<ProxySettings | null>
  keys(instance: InstanceId, kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Returns keys of several kinds, by `kind:id`. */
  keysNamed(
    instance: InstanceId,
    names: readonly { readonly kind: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, Uint8Array>>
  /** Returns the keys of a kind, in the order of their ids, after that id. */
  keyPage(instance: InstanceId, kind: string, after: string, limit: number): Promise<ReadonlyMap<string, Uint8Array>>
  messagesById(instance: InstanceId, messageids: readonly MessageId[]): Promise<readonly MessageForActor[]>
  /** Returns the account that the instance is paired with; null if there is none. */
  owner(instance: InstanceId): Promise<ChatAddress | null>
  /** Finds messages as callers name them: the network's id, `owner:messageid`, or the id of the record. */
  messagesNamed(instance: InstanceId, ids: readonly string[]): Promise<readonly MessageForActor[]>
  messageByIdempotencyKey(instance: InstanceId, key: string): Promise<MessageForActor | null>
  /** Returns the newest readable vote of each voter and address in a poll, in the order of arrival. */
  pollVotes(instance: InstanceId, poll: MessageId): Promise<readonly StoredVote[]>
  /** Returns the newest received messages of a chat that are not read yet, newest first. `among`: looks only at so many. */
  lastReceived(
    instance: InstanceId,
    chat: ChatAddress,
    count: number,
    among?: number,
  ): Promise<readonly MessageForActor[]>
  /** Returns the newest message of a chat. */
  lastMessage(instance: InstanceId, chat: ChatAddress): Promise<MessageForActor | null>
  /** Returns the oldest message of a chat that is at the network. */
  firstMessage(instance: InstanceId, chat: ChatAddress): Promise<MessageForActor | null>
  /** Returns sent messages with status `pending` (relayed, or about to be, when the former owner ended), oldest first. */
  pendingSends(instance: InstanceId): Promise<readonly MessageForActor[]>
  /** Counts messages with status `queued`. */
  queuedCount(instance: InstanceId): Promise<number>
  /** Returns messages with status `queued`, in the order in which they were accepted; delayed ones only if asked. `after`: only those behind that position. */
  queuedSends(
    instance: InstanceId,
    limit: number,
    which?: { readonly withDelayed?: boolean; readonly except?: readonly ChatAddress[]; readonly after?: number },
  ): Promise<readonly MessageForActor[]>
  /** Returns true if messages of the same chat with status `queued`, which are not delayed, were accepted before this one. */
  hasQueuedBefore(instance: InstanceId, messageid: MessageId): Promise<boolean>
  /** Returns true if messages to the chat are queued. */
  hasQueued(instance: InstanceId, chat: ChatAddress): Promise<boolean>
  /** Returns messages with status `queued` that are delayed, in the order in which they were accepted. */
  delayedSends(instance: InstanceId): Promise<readonly DelayedSend[]>
  /** Returns scheduled sends by their ids, canceled and failed ones included. */
  scheduledSends(instance: InstanceId, messageids: readonly MessageId[]): Promise<readonly ScheduledSend[]>
  /** Returns the first scheduled sends that are due, in their order. Those that cannot be read come as ids alone. */
  dueSends(
    instance: InstanceId,
    limit: number,
  ): Promise<{ readonly due: readonly ScheduledSend[]; readonly unreadable: readonly MessageId[] }>
  /** Returns the time until the next scheduled send is due, by PostgreSQL's clock; null if none waits. */
  nextDueMs(instance: InstanceId): Promise<number | null>
  /**
   * Returns when a scheduled send and those before it are due, by Unix milliseconds: the last `limit` of them, the first first.
   * @param windowMs sends that are due longer before it are left out
   */
  duesUpTo(instance: InstanceId, messageid: MessageId, limit: number, windowMs: number): Promise<readonly number[]>
  scheduledByIdempotencyKey(instance: InstanceId, key: string): Promise<ScheduledSend | null>
  /** Counts sends that are scheduled. */
  scheduledCount(instance: InstanceId): Promise<number>
  /** Returns the first scheduled sends to a chat, or with an id of the caller. */
  listScheduled(
    instance: InstanceId,
    which: { readonly chat?: ChatAddress; readonly trackId?: string },
    limit: number,
  ): Promise<readonly ScheduledSend[]>
  /** Returns the campaigns that wait, send or are being deleted. */
  activeCampaigns(instance: InstanceId): Promise<readonly ActiveCampaign[]>
  /**
   * Returns the recipients whose turn is next: parked ones that are due, then those that wait after that ordinal.
   * @param which `withNew`: those too who are parked until the account may write to people who never wrote
   */
  nextRecipients(
    instance: InstanceId,
    folderId: string,
    after: number,
    limit: number,
    which: { readonly withNew: boolean; readonly cap: FrequencyCap | null; readonly withWritten: boolean },
  ): Promise<readonly WaitingRecipient[]>
  /** Returns those recipients among the next who wait after that ordinal to whom no message of the person is known. Groups are not among them. */
  strangersAmong(
    instance: InstanceId,
    folderId: string,
    after: number,
    limit: number,
  ): Promise<readonly { readonly ordinal: number; readonly address: string }[]>
  /** Returns the parked recipient whose turn is first, and the time until then; null if it depends on the pacing. Null: none is parked. */
  firstParked(
    instance: InstanceId,
    folderId: string,
  ): Promise<{ readonly inMs: number | null; readonly reason: string } | null>
  /** Returns the recipient of a campaign for whom this message is under way; null if there is none, or the campaign has ended. */
  findRecipient(
    instance: InstanceId,
    messageid: MessageId,
  ): Promise<{ readonly address: Jid; readonly attempts: number } | null>
  /** Returns true if a campaign in `deleting` has recipients that are to be deleted. */
  hasRecipientsToDelete(instance: InstanceId, folderId: string, all: boolean): Promise<boolean>
  campaign(instance: InstanceId, folderId: string): Promise<CampaignRow | null>
  /** Returns the JID of the account that sends a campaign; empty before its first send. */
  accountOfCampaign(instance: InstanceId, folderId: string): Promise<string>
  /** Returns true if a campaign of the instance has sent something lately, so that people may reply. */
  awaitsReplies(instance: InstanceId): Promise<boolean>
  /** Returns the JID that the network had lately for a number (null: no account); null if it was not asked. */
  numberCheck(instance: InstanceId, address: Jid): Promise<{ readonly found: Jid | null } | null>
  /** Returns how many numbers were looked up on this UTC day, and within the last minute. */
  numberChecks(instance: InstanceId): Promise<{ readonly today: number; readonly lastMinute: number }>
  /** Returns the people of a status post of this account; null if it is not known. */
  statusPost(instance: InstanceId, messageid: MessageId): Promise<StoredStatusPost | null>
  /** Returns the same without the people. */
  statusReport(instance: InstanceId, messageid: MessageId): Promise<StoredStatusPost | null>
  /** Returns who has received a status post, those who have seen it first, and how many have. */
  statusViews(
    instance: InstanceId,
    messageid: MessageId,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly delivered: number; readonly seen: number; readonly views: readonly StatusView[] }>
  /** Returns the id of the post with that number in a channel; null if it is not known. */
  postOfNumber(instance: InstanceId, channel: Jid, serverid: number): Promise<MessageId | null>
  /** Returns people of the account's address book, in the order of their JIDs. */
  addressBook(instance: InstanceId, limit: number): Promise<readonly ChatAddress[]>
  /** Returns the other address of each of these people whose other address is known. */
  mappings(instance: InstanceId, jids: readonly Jid[]): Promise<ReadonlyMap<Jid, Jid>>
  /** Returns the calls of a turn of an agent, in their order. */
  agentCalls(instance: InstanceId, turn: string, generation: number): Promise<readonly CallRow[]>
  /** Returns all campaigns of the instance. */
  campaigns(instance: InstanceId): Promise<readonly CampaignRow[]>
  /** Returns the first turns of agents that have not ended, in the order in which they are due. */
  openTurns(instance: InstanceId, limit: number): Promise<readonly OpenTurn[]>
  /** Returns a turn; null if it has ended. */
  openTurn(instance: InstanceId, id: string): Promise<OpenTurn | null>
  /** Returns whether calls of models have a reservation. Those of a former owner have ended. */
  hasLostCalls(instance: InstanceId): Promise<boolean>
  /** Returns the state of a turn; null if there is none. */
  turnState(instance: InstanceId, id: string): Promise<TurnState | null>
  /** Returns the stored answers of the model since the turn began, in their order. */
  turnSteps(instance: InstanceId, id: string, generation: number): Promise<readonly StepRecord[]>
  turnReplies(instance: InstanceId, id: string): Promise<readonly TurnReply[]>
  /** Returns what decides whether an agent answers in a chat; null if there is no such chat. */
  turnChat(instance: InstanceId, chat: ChatAddress): Promise<TurnChat | null>
  /**
   * Returns the newest messages of a chat, oldest first.
   * @param which at most `max`, from after `afterMs`, and not from before `sinceMs` unless they are among the newest `min`
   */
  chatHistory(
    instance: InstanceId,
    chat: ChatAddress,
    which: { readonly max: number; readonly min: number; readonly sinceMs: number; readonly afterMs: number },
  ): Promise<readonly HistoryMessage[]>
  /** Returns the work of the instance's agents on this UTC day. */
  dayUsage(instance: InstanceId): Promise<DayUsage>
  /** Returns the number of a LID, or the LID of a number, if it is known. */
  mapping(instance: InstanceId, jid: Jid): Promise<Jid | null>
  /**
   * Returns what a send needs of a chat that is known under this JID: the other address of a person, if it is known, and the seconds after which
   * its messages disappear (0: never).
   */
  sendTarget(
    instance: InstanceId,
    jid: Jid,
  ): Promise<{ readonly other: Jid | null; readonly expirationSeconds: number }>
  /** Returns the seconds after which messages of a chat disappear; 0 if they stay, or the chat is not known. */
  expirationSeconds(instance: InstanceId, chat: ChatAddress): Promise<number>
  /** Returns the name of the note of a chat in the app state; empty if it has none, or the chat is not known. */
  noteId(instance: InstanceId, chat: ChatAddress): Promise<string>
  /** Returns the last known restrictions of the account, as JSON; empty when there are none. */
  limits(instance: InstanceId): Promise<string>
  /** Returns the pacing of the instance's sends. */
  pacing(instance: InstanceId): Promise<StoredPacing>
  /** Returns true if any message from the person is stored. Of a long chat only the newest messages are searched. */
  hasWritten(instance: InstanceId, chat: ChatAddress): Promise<boolean>
  /** Returns the presence that the account is to show. */
  presence(instance: InstanceId): Promise<AccountPresence>
  /** Returns the stored words of opting out, one in a line; empty for the default ones. */
  optOutWords(instance: InstanceId): Promise<string>
  /** Returns null if the chatbot is off, or no trigger is active. */
  agentConfig(instance: InstanceId): Promise<AgentConfig | null>
  /** Returns the people whose presence the account watches, as JSON; empty when there are none. */
  watched(instance: InstanceId): Promise<string>
  /** Returns the stored settings of calls, as JSON; empty when there are none. */
  callSettings(instance: InstanceId): Promise<string>
  /** Returns the stored settings of what is read by itself, as JSON; empty when there are none. */
  readingSettings(instance: InstanceId): Promise<string>
  /** Returns the events `call` of the last milliseconds, by PostgreSQL's clock, oldest first. */
  calls(instance: InstanceId, withinMs: number): Promise<readonly StoredCall[]>
  /**
   * Returns the values of placeholders: the fields of the chat record, and in `fieldsMap` the names of custom lead fields.
   * Without such a chat every field is empty. Read for each send, so that an edit of a lead counts at once.
   */
  placeholderValues(instance: InstanceId, chat: ChatAddress): Promise<Readonly<Record<string, unknown>>>
  /** Returns the stored group; null if there is none, or if it may be outdated. */
  group(instance: InstanceId, group: Jid): Promise<GroupInfo | null>
  /** Returns true if any stored group may be outdated. */
  hasDoubtfulGroups(instance: InstanceId): Promise<boolean>
  /** Returns the time by PostgreSQL's clock, in Unix milliseconds, for comparison with stored times. */
  timeMs(): Promise<number>
  /** Returns true if a chat has messages from before then that are not waiting to be sent. */
  hasMessages(instance: InstanceId, chat: ChatAddress, beforeMs: number): Promise<boolean>
  /** Returns the labels of the account. */
  labels(instance: InstanceId): Promise<readonly LabelFields[]>
  /** Returns the phone's quick replies: their ids on the network, and the sizes of their texts. */
  quickReplies(instance: InstanceId): Promise<readonly { readonly id: string; readonly bytes: number }[]>
  /** Returns the chat record (specification's spelling); null if there is no such chat. */
  chat(instance: InstanceId, chat: ChatAddress): Promise<Readonly<Record<string, unknown>> | null>
}
