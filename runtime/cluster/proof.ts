/** Time until which this node can prove that it lives, in memory that the lease worker writes and the guards of all sockets read. */
import { isOpen } from './ownership/keeper.js'
import type { Instant, KeeperEvent, MonotonicMs } from './ownership/protocol.js'

const [UNTIL_MONOTONIC, UNTIL_WALL, MAIN_SEEN, DEBUGGED, COUNTS] = [0, 1, 2, 3, 4] as const

/** Results of the keeper's requests to Redis and SQL, counted for metrics. */
const countedEvents = [
  'leaseCreated',
  'leaseRenewed',
  'leaseLost',
  'leaseFailed',
  'held',
  'holdFailed',
  'holdRefused',
] as const satisfies readonly KeeperEvent['type'][]

export type CountedEvent = (typeof countedEvents)[number]

/** Difference between the clock that all threads of the process share and `performance.now()` of this thread. */
const sharedClockOffsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export function now(): Instant {
  return { monotonicMs: performance.now() + sharedClockOffsetMs, wallMs: Date.now() }
}

export class Proof {
  readonly memory: SharedArrayBuffer
  readonly #values: BigInt64Array

  constructor(memory = new SharedArrayBuffer((COUNTS + countedEvents.length) * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#values = new BigInt64Array(memory)
  }

  /** Publishes a deadline. Both values only grow, so a reader between the two writes sees a guard that closes too early, never too late. */
  publish({ monotonicMs, wallMs }: Instant): void {
    Atomics.store(this.#values, UNTIL_MONOTONIC, BigInt(Math.floor(monotonicMs)))
    Atomics.store(this.#values, UNTIL_WALL, BigInt(Math.floor(wallMs)))
  }

  /** Tells whether bytes may leave now. Takes 0.1 µs, for the last step before they do. */
  isOpen(guardMs: number): boolean {
    return isOpen({ monotonicMs: this.#read(UNTIL_MONOTONIC), wallMs: this.#read(UNTIL_WALL) }, now(), guardMs)
  }

  /** Returns the time at which the request of the last proof was sent; null before the first. */
  provenAtMs(guardMs: number): MonotonicMs | null {
    const untilMs = this.#read(UNTIL_MONOTONIC)
    return untilMs === 0 ? null : untilMs - guardMs
  }

  count(type: KeeperEvent['type']): void {
    const index = countedEvents.indexOf(type as CountedEvent)
    if (index >= 0) Atomics.add(this.#values, COUNTS + index, 1n)
  }

  counts(): Readonly<Record<CountedEvent, number>> {
    const entries = countedEvents.map((type, index) => [type, this.#read(COUNTS + index)])
    return Object.fromEntries(entries) as Record<CountedEvent, number>
  }

  /** Notes a sign of life of the main thread. */
  noteMain(): void {
    Atomics.store(this.#values, MAIN_SEEN, BigInt(Math.floor(now().monotonicMs)))
  }

  /** Notes whether a debugger may attach to the main thread, which then stands for as long as somebody likes. */
  noteDebugger(isOpen: boolean): void {
    Atomics.store(this.#values, DEBUGGED, isOpen ? 1n : 0n)
  }

  get isDebugged(): boolean {
    return this.#read(DEBUGGED) !== 0
  }

  get mainSeenMs(): MonotonicMs {
    return this.#read(MAIN_SEEN)
  }

  #read(index: number): number {
    return Number(Atomics.load(this.#values, index))
  }
}
