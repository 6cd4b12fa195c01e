/** Types only. */
import type { ChatFilter, ChatSort } from '../chat-filter.js'
import type { GroupInfo } from '../group-info.js'
import type { InstanceId, Jid, MessageId } from '../ids.js'
import type { ChatAddress } from '../jid.js'
import type { PlaceholderValues } from '../placeholders.js'
import type { ScheduledStatus } from '../scheduled-send.js'
import type { InstanceRow } from './instances.js'

export interface ChatQuery {
  readonly filters: readonly ChatFilter[]
  readonly operator: 'AND' | 'OR'
  readonly sort: ChatSort
  readonly limit: number
  readonly offset: number
  /** Only this many chats are searched, those with the newest messages. Default: all. */
  readonly newest?: number | undefined
}

export interface ChatDirectory {
  /** Records in the specification's spelling; `total`: how many match; `stats`: how many of several kinds the instance has. */
  find(
    instance: Pick<InstanceRow, 'id' | 'owner'>,
    query: ChatQuery,
  ): Promise<{
    chats: readonly Readonly<Record<string, unknown>>[]
    total: number
    stats: Readonly<Record<string, number>>
  }>
  /** Whether two JIDs name one chat, as far as is known here. */
  isSame(instance: InstanceId, one: Jid, other: Jid): Promise<boolean>
}

/** Groups in parts, in the order of their JIDs: all of a page may be a hundred megabytes. */
export type GroupParts = AsyncIterable<readonly GroupInfo[]>

export interface GroupDirectory {
  /** As stored. */
  all(instance: InstanceId): GroupParts
  /** Finds the groups with the search text in their name, in any case; `total`: their number. */
  page(
    instance: InstanceId,
    query: { readonly search: string; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly groups: GroupParts; readonly total: number }>
}

/** What the chats of an instance hold for placeholders. */
export interface ChatValues {
  /**
   * Returns fields of the chats of these people or groups, by the address that was given. Who has no chat is left out.
   * @param lengthMax number of characters to which each value is cut
   */
  readValues(
    addresses: readonly Jid[],
    fields: readonly string[],
    lengthMax: number,
  ): Promise<ReadonlyMap<Jid, PlaceholderValues>>
}

/** Returns the chats of an instance. */
export type ChatValuesOf = (instance: InstanceId) => ChatValues

export interface ScheduledQuery {
  readonly id?: MessageId
  readonly chat?: ChatAddress
  readonly trackId?: string
  /** All when absent. */
  readonly status?: ScheduledStatus
  /** Unix milliseconds; both included. */
  readonly fromMs?: number
  readonly toMs?: number
  readonly after?: ScheduledPlace
  readonly limit: number
}

/** Place of a send in the order of their times. */
export interface ScheduledPlace {
  readonly atMs: number
  /** Number that grows with each send that is accepted, as digits. */
  readonly position: string
}

export interface ScheduledDirectory {
  /** Returns message records, the first due first, and the place of the last one; `hasMore` when others follow. */
  list(
    instance: InstanceId,
    query: ScheduledQuery,
  ): Promise<{
    readonly messages: readonly Readonly<Record<string, unknown>>[]
    readonly last: ScheduledPlace | null
    readonly hasMore: boolean
  }>
}

export type ContactScope = 'address_book' | 'outside_address_book' | 'all'

export interface ContactRecord {
  readonly jid: string
  readonly contact_name: string
  readonly contact_FirstName: string
  readonly lid: string
  readonly push_name: string
  /** Without `@`; empty when none is known. */
  readonly username: string
}

interface ContactQuery {
  readonly scope: ContactScope
  /** Part of a name, or digits of a number. Empty: all. */
  readonly search: string
  /** ISO code of the country whose national numbers are taken; empty or absent: none are. */
  readonly country?: string
  readonly limit: number
  readonly offset: number
}

export interface PersonAddresses {
  readonly lid: Jid
  readonly pn: Jid
}

export interface ContactDirectory {
  /** In the order of the JIDs. `total`: of the scope and the search; `inBook`: of the address book. */
  page(
    instance: InstanceId,
    query: ContactQuery,
  ): Promise<{ contacts: readonly ContactRecord[]; total: number; inBook: number }>
  /** All, some thousand at a time. */
  all(instance: InstanceId, scope: ContactScope): AsyncIterable<readonly ContactRecord[]>
  /** Both addresses of a person, by one of them; null if only that one is known. */
  mapping(instance: InstanceId, jid: string): Promise<PersonAddresses | null>
  /** People of whom both are known, in the order of their LIDs. */
  lids(
    instance: InstanceId,
    page: { readonly limit: number; readonly after: string },
  ): Promise<{ people: readonly PersonAddresses[]; hasMore: boolean }>
}

export interface MessageQuery {
  readonly id?: string
  /** A JID or number of a chat. */
  readonly chatid?: string
  readonly trackSource?: string
  readonly trackId?: string
  readonly status?: string
  /** Only messages whose text contains this, in any case. */
  readonly text?: string
  /** Only messages that are pinned now. */
  readonly pinned?: true
  /** At most one of these: a cursor, a cursor, or the id of a message. */
  readonly before?: string
  readonly after?: string
  readonly around?: string
  readonly limit: number
  readonly offset: number
}

interface MessagePage {
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  /** True when there is a page after this one, in its direction. */
  readonly hasMore: boolean
  /** Cursor for `before`; null when there are no older messages. */
  readonly older: string | null
  /** Cursor for `after`; null when it is not known. */
  readonly newer: string | null
}

export interface NamedContact {
  readonly person: ChatAddress
  /** In the address book, or of the profile; may be empty. */
  readonly name: string
}

interface NamedMessage {
  readonly messageid: string
  readonly chatid: string
}

/** Members of a group who have received, read and played a message; times in Unix milliseconds. */
interface GroupReceiptsView extends NamedMessage {
  readonly status: string
  /** 0 while it is not known. */
  readonly members: number
  readonly delivered: number
  readonly read: number
  readonly played: number
  readonly people: readonly (NamedContact & {
    readonly deliveredMs: number
    readonly readMs: number | null
    readonly playedMs: number | null
  })[]
}

interface PollVotesView extends NamedMessage {
  readonly poll: string
  readonly voters: number
  readonly options: { readonly option: string; readonly votes: number; readonly voters: string[] }[]
}

interface ReactionsView extends NamedMessage {
  readonly reactions: readonly (NamedContact & {
    readonly emoji: string
    readonly fromMe: boolean
    readonly messageid: string
    readonly timestamp: number
  })[]
}

export interface MessageDirectory {
  /** The receipts of a message of the account to a group. @throws GatewayError MESSAGE_NOT_FOUND */
  receipts(
    instance: InstanceId,
    id: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<GroupReceiptsView>
  /** The votes of a poll, as they were counted last. @throws GatewayError MESSAGE_NOT_FOUND */
  votes(instance: InstanceId, id: string): Promise<PollVotesView>
  /** The last reaction of each person to a message, the newest first. @throws GatewayError MESSAGE_NOT_FOUND */
  reactions(instance: InstanceId, id: string): Promise<ReactionsView>
  /** In the specification's spelling; newest first, by id oldest first. */
  find(instance: InstanceId, query: MessageQuery): Promise<MessagePage>
  /** Whether a send under this Idempotency-Key is stored. */
  isKnownKey(instance: InstanceId, key: string): Promise<boolean>
}
