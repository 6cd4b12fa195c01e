import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../schemas/entries-max.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootIncomings } from '../store/chatwoot/incoming-rows.js'

/** Maximum of webhooks of an instance that wait, and of bytes with those that failed. Chatwoot shows further replies as failed. */
const WAITING_MAX = 10_000
const BYTES_MAX = 64_000_000
/** Time for which a count of rows is taken for true. Rows that are added here meanwhile are added to it. */
const COUNTED_MS = 2_000

/** Bounds the webhooks of each instance that are stored, without a count of all rows for each of them. */
export class WaitingRoom {
  readonly #incomings: Pick<ChatwootIncomings, 'count'>
  readonly #counts = new LRUCache<InstanceId, Promise<{ waiting: number; bytes: number }>>({
    ...entriesMax(10_000),
    ttl: COUNTED_MS,
  })

  constructor(incomings: Pick<ChatwootIncomings, 'count'>) {
    this.#incomings = incomings
  }

  /** @throws GatewayError QUEUE_FULL */
  async take(instance: InstanceId, bytes: number): Promise<void> {
    const count = await (this.#counts.get(instance) ?? this.#count(instance))
    if (count.waiting >= WAITING_MAX || count.bytes >= BYTES_MAX) throw new GatewayError('QUEUE_FULL')
    count.waiting += 1
    count.bytes += bytes
  }

  #count(instance: InstanceId): Promise<{ waiting: number; bytes: number }> {
    const counted = this.#incomings.count(instance).then(({ waiting, bytes }) => ({
      waiting: Number(waiting),
      bytes: Number(bytes),
    }))
    this.#counts.set(instance, counted)
    counted.catch(() => this.#counts.delete(instance))
    return counted
  }
}
