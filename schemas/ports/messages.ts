/** Types only. */
import type { InstanceId } from '../ids.js'

export interface MessageQuery {
  readonly id?: string
  /** A JID or number of a chat. */
  readonly chatid?: string
  readonly trackSource?: string
  readonly trackId?: string
  readonly status?: string
  readonly limit: number
  readonly offset: number
}

export interface MessageDirectory {
  /** In the specification's spelling; newest first, by id oldest first. `hasMore` when there is a page after this one. */
  find(
    instance: InstanceId,
    query: MessageQuery,
  ): Promise<{ messages: readonly Readonly<Record<string, unknown>>[]; hasMore: boolean }>
  /** Whether a send under this Idempotency-Key is stored. */
  isKnownKey(instance: InstanceId, key: string): Promise<boolean>
}
