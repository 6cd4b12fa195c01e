/** Types only. */
import type { InstanceId } from '../ids.js'

export interface MessageQuery {
  readonly id?: string
  /** A JID or number of a chat. */
  readonly chatid?: string
  readonly trackSource?: string
  readonly trackId?: string
  readonly status?: string
  /** Only messages whose text contains this, in any case. */
  readonly text?: string
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

export interface MessageDirectory {
  /** In the specification's spelling; newest first, by id oldest first. */
  find(instance: InstanceId, query: MessageQuery): Promise<MessagePage>
  /** Whether a send under this Idempotency-Key is stored. */
  isKnownKey(instance: InstanceId, key: string): Promise<boolean>
}
