/**
 * The order of an instance's messages. The time of a message that we send is of this node's clock, in milliseconds; that of a received one is of the
 * network's clock, in seconds. So the stored time of a live message is at least that of the message before it, and that of a message of a history
 * comes before the first live message of the pairing. `shown_ms` keeps the time that callers see.
 */
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, textArray } from '../arrays.js'
import type { InstanceFacts, Write } from './batch.js'
import type { Statements } from './connection.js'

/** The newest place in the order of an instance; null without messages. It is one step into `message_of_instance`. */
export const newestPlace = (instance: string): string => `(
  SELECT newest."messageTimestamp" FROM message AS newest WHERE newest.instance_id = ${instance}
  ORDER BY newest."messageTimestamp" DESC, newest.position DESC LIMIT 1)`

/** The end of the history in the order of an instance; null if the pairing has no live message yet. */
export const historyEnd = (instance: string): string => `(
  SELECT i.live_from - 1 FROM instance AS i WHERE i.id = ${instance} AND i.live_pairing = i.pairing)`

/** Whether a chat has a live message of the pairing. */
export const hasLive = (instance: string, chat: string): string => `EXISTS (
  SELECT FROM instance AS i JOIN message AS late ON late.instance_id = i.id AND late."messageTimestamp" >= i.live_from
  WHERE i.id = ${instance} AND i.live_pairing = i.pairing AND late.chat_id = ${chat})`

// $1 instances   $2 times of their first live messages in this batch
const BEGIN_LIVE = `
  UPDATE instance AS i SET live_pairing = i.pairing, live_from = GREATEST(u.time, 1 + ${newestPlace('u.id')})
  FROM unnest($1::text[], $2::bigint[]) AS u(id, time)
  WHERE i.id = u.id AND i.live_pairing IS DISTINCT FROM i.pairing`

/** Epochs of instances whose live messages have begun, as this node has stored it. */
export type LiveEpochs = {
  get(instance: string): number | undefined
  set(instance: string, epoch: number): void
  delete(instance: string): void
}

/** Notes where the live messages of a pairing begin, once for each pairing and owner. */
export class LiveBeginnings {
  readonly #first = new Map<InstanceId, number>()
  readonly #ended: readonly InstanceId[]
  readonly #facts: ReadonlyMap<string, InstanceFacts>
  readonly #known: LiveEpochs

  constructor(writes: readonly Write[], facts: ReadonlyMap<string, InstanceFacts>, known: LiveEpochs) {
    this.#facts = facts
    this.#known = known
    this.#ended = writes.flatMap(({ instance, changes }) =>
      changes.some((change) => change.type === 'credentials' && change.data === null) ? [instance] : [],
    )
    for (const { instance, changes } of writes)
      for (const change of changes) {
        if (change.type !== 'message' || change.history || this.#first.has(instance)) continue
        if (known.get(instance) !== facts.get(instance)?.epoch || this.#ended.includes(instance))
          this.#first.set(instance, change.message.messageTimestampMs)
      }
  }

  /** Call it before the messages of the batch are sent. */
  send(client: Statements): Promise<unknown>[] {
    if (this.#first.size === 0) return []
    return [client.query(BEGIN_LIVE, [textArray([...this.#first.keys()]), bigintArray([...this.#first.values()])])]
  }

  /** Call it after the commit. */
  remember(): void {
    for (const instance of this.#first.keys()) {
      const epoch = this.#facts.get(instance)?.epoch
      if (epoch !== undefined) this.#known.set(instance, epoch)
    }
    for (const instance of this.#ended) this.#known.delete(instance)
  }
}
