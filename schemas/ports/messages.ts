/** Types only. */
import type { InstanceId } from '../ids.js'
import type { ChatAddress } from '../jid.js'

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

export interface MessagePage {
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
export interface GroupReceiptsView extends NamedMessage {
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

export interface PollVotesView extends NamedMessage {
  readonly poll: string
  readonly voters: number
  readonly options: { readonly option: string; readonly votes: number; readonly voters: string[] }[]
}

export interface ReactionsView extends NamedMessage {
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
