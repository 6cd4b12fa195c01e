/** Emits some events once, however often their change is written: the network repeats a call that was not acknowledged. */
import { createHash } from 'node:crypto'
import type { Change } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'

// Ours: codes of PostgreSQL and our own ids.

type EventChange = Extract<Change, { type: 'event' }>

// By the index of the events of calls. The network does not come back with one after days.
// $1 instances   $2 event ids
const FIND = `
  SELECT e.instance_id, e.event_id FROM event AS e
  WHERE e.kind = 'call' AND e.instance_id = ANY($1::text[]) AND e.created > now() - interval '7 days'
    AND e.event_id::text = ANY($2::text[])`

export class UniqueEvents {
  readonly #ids = new Map<EventChange, string>()
  readonly #instances = new Set<InstanceId>()
  readonly #emitted = new Set<string>()

  add(instance: InstanceId, change: EventChange): void {
    if (change.once === undefined) return
    this.#ids.set(change, deriveEventId(instance, change.once))
    this.#instances.add(instance)
  }

  async apply(client: Statements): Promise<void> {
    if (this.#ids.size === 0) return
    const { rows } = await client.query<{ instance_id: InstanceId; event_id: string }>(FIND, [
      textArray([...this.#instances]),
      textArray([...this.#ids.values()]),
    ])
    for (const { instance_id, event_id } of rows) this.#emitted.add(joinKey(instance_id, event_id))
  }

  /** Returns the id of the event; undefined: any id; null: it was emitted already, in this batch or before. */
  claim(instance: InstanceId, change: EventChange): string | undefined | null {
    const id = this.#ids.get(change)
    if (id === undefined) return undefined
    const key = joinKey(instance, id)
    if (this.#emitted.has(key)) return null
    this.#emitted.add(key)
    return id
  }
}

/** The same for the same key, as a UUID of version 8 (RFC 9562). */
function deriveEventId(instance: InstanceId, once: string): string {
  const bytes = createHash('sha256').update(joinKey(instance, once)).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
