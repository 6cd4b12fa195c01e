/** Types only. */
import type { ChatFilter, ChatSort } from '../chat-filter.js'
import type { InstanceId, Jid } from '../ids.js'
import type { InstanceRow } from './instances.js'

export interface ChatQuery {
  readonly filters: readonly ChatFilter[]
  readonly operator: 'AND' | 'OR'
  readonly sort: ChatSort
  readonly limit: number
  readonly offset: number
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
