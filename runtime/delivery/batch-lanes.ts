import type { WebhookBatch } from '../../schemas/ports/webhooks.js'
import { formatBatchKey, laneOfKey } from './lane-key.js'

interface Waiting {
  /** Events of it that are known. */
  readonly events: number
  readonly sinceMs: number
}

/** Lanes of one webhook. */
interface Gathering {
  batch: WebhookBatch
  /** The first has waited longest. */
  readonly waiting: Map<string, Waiting>
  events: number
  /** Lines of batches that send. */
  readonly sending: Set<string>
  timer: NodeJS.Timeout | undefined
}

/** Batches of one webhook that are sent at once. Each takes a place at the receiver. */
const LINES_MAX = 4

/** Lanes of webhooks with batches that have something to send, until a batch takes them. A lane is in one batch at a time. */
export class BatchLanes {
  readonly #wake: (batchKey: string) => void
  readonly #gatherings = new Map<string, Gathering>()
  /** Lanes of batches that are being sent. True: it was noted again meanwhile. */
  readonly #busy = new Map<string, boolean>()
  #size = 0
  #isClosed = false

  /** @param wake runs a line of batches, which takes lanes then */
  constructor(wake: (batchKey: string) => void) {
    this.#wake = wake
  }

  /** Number of lanes that wait for a batch. */
  get size(): number {
    return this.#size
  }

  hasWaiting(webhookId: string): boolean {
    return (this.#gatherings.get(webhookId)?.waiting.size ?? 0) > 0
  }

  /** Returns true while a batch has the lane, and notes it again for afterwards. */
  holds(lane: string): boolean {
    if (!this.#busy.has(lane)) return false
    this.#busy.set(lane, true)
    return true
  }

  isBusy(lane: string): boolean {
    return this.#busy.has(lane)
  }

  /** Lets the lane wait for a batch. @param events those of it that are known, at least one */
  note(lane: string, batch: WebhookBatch, events: number): void {
    const { webhookId } = laneOfKey(lane)
    const known = this.#gatherings.get(webhookId)
    const gathering = known ?? { batch, waiting: new Map(), events: 0, sending: new Set<string>(), timer: undefined }
    this.#gatherings.set(webhookId, gathering)
    gathering.batch = batch
    const former = gathering.waiting.get(lane)
    gathering.waiting.set(lane, { events, sinceMs: former?.sinceMs ?? performance.now() })
    gathering.events += events - (former?.events ?? 0)
    if (former === undefined) this.#size += 1
    this.#look(webhookId, gathering)
  }

  /** Takes the lane out: it sends by itself. */
  remove(lane: string): void {
    const gathering = this.#gatherings.get(laneOfKey(lane).webhookId)
    if (gathering !== undefined) this.#remove(gathering, lane)
  }

  /** Takes lanes for a batch, those that have waited longest. Call `end` when it is settled. */
  take(batchKey: string, max: number): readonly string[] {
    const { webhookId } = laneOfKey(batchKey)
    const gathering = this.#gatherings.get(webhookId)
    if (gathering === undefined) return []
    const lanes: string[] = []
    for (const lane of gathering.waiting.keys()) {
      if (lanes.length >= max) break
      lanes.push(lane)
    }
    for (const lane of lanes) {
      this.#remove(gathering, lane)
      this.#busy.set(lane, false)
    }
    gathering.sending.add(batchKey)
    this.#look(webhookId, gathering)
    return lanes
  }

  /** Returns the lanes of a batch that were noted meanwhile. */
  end(batchKey: string, lanes: readonly string[]): readonly string[] {
    const again = lanes.filter((lane) => this.#busy.get(lane))
    for (const lane of lanes) this.#busy.delete(lane)
    const { webhookId } = laneOfKey(batchKey)
    const gathering = this.#gatherings.get(webhookId)
    gathering?.sending.delete(batchKey)
    if (gathering !== undefined) this.#look(webhookId, gathering)
    return again
  }

  /** Takes all lanes of a webhook out, and returns them. */
  forget(webhookId: string): readonly string[] {
    const gathering = this.#gatherings.get(webhookId)
    if (gathering === undefined) return []
    const lanes = [...gathering.waiting.keys()]
    for (const lane of lanes) this.#remove(gathering, lane)
    this.#look(webhookId, gathering)
    return lanes
  }

  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#gatherings.values()) clearTimeout(timer)
  }

  #remove(gathering: Gathering, lane: string): void {
    const waiting = gathering.waiting.get(lane)
    if (waiting === undefined) return
    gathering.waiting.delete(lane)
    gathering.events -= waiting.events
    this.#size -= 1
  }

  /** Begins a batch if one is full, or if a lane has waited long enough. Otherwise looks again then. */
  #look(webhookId: string, gathering: Gathering): void {
    clearTimeout(gathering.timer)
    gathering.timer = undefined
    const { batch, waiting, events, sending } = gathering
    const [first] = waiting.values()
    if (first === undefined) {
      if (sending.size === 0) this.#gatherings.delete(webhookId)
      return
    }
    const waitMs = events >= batch.max ? 0 : first.sinceMs + batch.waitMs - performance.now()
    if (this.#isClosed) return
    if (waitMs > 0) gathering.timer = setTimeout(() => this.#look(webhookId, gathering), Math.ceil(waitMs))
    else this.#begin(webhookId, sending)
  }

  /** If all lines send, the first that ends looks again. */
  #begin(webhookId: string, sending: ReadonlySet<string>): void {
    const keys = Array.from({ length: LINES_MAX }, (_, line) => formatBatchKey(webhookId, line))
    const free = keys.find((key) => !sending.has(key))
    if (free !== undefined) this.#wake(free)
  }
}
