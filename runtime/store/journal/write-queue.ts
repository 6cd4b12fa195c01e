import type { WriteResult } from '../../../actors/instance/ports.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { SetAsideInstances } from './set-aside.js'
import { failWrites, type WaitingWrite } from './waiting-write.js'

export interface QueueBounds {
  /** Maximum of changes and bytes in one batch. A single write may be larger. */
  readonly batchChangesMax: number
  readonly batchBytesMax: number
  /** Maximum of bytes that wait in memory. */
  readonly waitingBytesMax: number
}

/** The part of the queue that is written next. */
export interface Batch {
  readonly writes: readonly WaitingWrite[]
  /** True when it holds only writes of instances that were set aside and are tried again. */
  readonly isOfSetAside: boolean
}

const NOBODY: ReadonlySet<InstanceId> = new Set()

/** All writes of a node that are not answered yet: those that wait, in their order, and those of the batch under way. */
export class WriteQueue {
  readonly #bounds: QueueBounds
  readonly #setAside: SetAsideInstances
  #queue: WaitingWrite[] = []
  #underWay: readonly WaitingWrite[] = []
  #waitingBytes = 0
  #isClosed = false

  constructor(bounds: QueueBounds, setAside: SetAsideInstances) {
    this.#bounds = bounds
    this.#setAside = setAside
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  /** Number of writes that wait for a batch. */
  get length(): number {
    return this.#queue.length
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Takes no more writes. Those that wait are still written. */
  close(): void {
    this.#isClosed = true
  }

  hasRoomFor(bytes: number): boolean {
    return !this.#isClosed && this.#waitingBytes + bytes <= this.#bounds.waitingBytesMax
  }

  add(write: WaitingWrite): void {
    this.#queue.push(write)
    this.#waitingBytes += write.bytes
    write.session.pending++
  }

  /**
   * Takes the next writes; none when all are of instances that are set aside. If some of those are due, takes their writes only.
   */
  takeBatch(): Batch {
    const setAside = this.#setAside
    const due = setAside.size === 0 ? NOBODY : setAside.due(this.#waitingInstances(), this.#isClosed)
    const isNext = ({ instance }: WaitingWrite): boolean => (due.size > 0 ? due.has(instance) : !setAside.has(instance))
    const candidates = setAside.size === 0 ? this.#queue : this.#queue.filter(isNext)
    const writes = candidates.slice(0, this.#countWithinBounds(candidates))
    if (setAside.size === 0) {
      this.#queue = writes.length === this.#queue.length ? [] : this.#queue.slice(writes.length)
    } else {
      const taken = new Set(writes)
      this.#queue = this.#queue.filter((write) => !taken.has(write))
    }
    for (const write of writes) write.isReturned = false
    return { writes, isOfSetAside: due.size > 0 }
  }

  /** Marks the batch that is being written. A failure then reaches its writes too. */
  begin(writes: readonly WaitingWrite[]): void {
    this.#underWay = writes
  }

  end(): void {
    this.#underWay = []
  }

  /** Puts the unanswered writes of an instance, of the batch under way, back to the front. */
  returnWritesOf(instance: InstanceId): void {
    const back = this.#underWay.filter((write) => write.instance === instance && !write.isDone)
    for (const write of back) write.isReturned = true
    this.#queue = [...back, ...this.#queue]
  }

  resolve(write: WaitingWrite, result: WriteResult): void {
    this.#answered(write)
    write.resolve(result)
  }

  /** Refuses these writes, and all that the same sessions wrote later: it was made on top of what is lost now. */
  reject(writes: readonly WaitingWrite[], failure: GatewayError): void {
    const lost = writes.filter((write) => !write.isDone && !write.isReturned)
    const sessions = new Set(lost.map((write) => write.session))
    // The later writes were not sent, whatever became of the others.
    const unsent =
      failure.code === 'OUTCOME_UNKNOWN' ? new GatewayError('STORE_UNAVAILABLE', { cause: failure }) : failure
    for (const session of sessions) failWrites(session, unsent)
    for (const write of lost) this.#refuse(write, failure)
    for (const write of [...this.#underWay, ...this.#queue])
      if (sessions.has(write.session) && !write.isDone) this.#refuse(write, unsent)
    this.#queue = this.#queue.filter((write) => !write.isDone)
  }

  #waitingInstances(): ReadonlySet<InstanceId> {
    return new Set(this.#queue.map(({ instance }) => instance))
  }

  #countWithinBounds(writes: readonly WaitingWrite[]): number {
    const { batchChangesMax, batchBytesMax } = this.#bounds
    let changes = 0
    let bytes = 0
    let count = 0
    for (const write of writes) {
      changes += write.changes.length
      bytes += write.bytes
      if (count > 0 && (changes > batchChangesMax || bytes > batchBytesMax)) break
      count++
    }
    return count
  }

  #refuse(write: WaitingWrite, failure: GatewayError): void {
    this.#answered(write)
    write.reject(failure)
  }

  #answered(write: WaitingWrite): void {
    write.isDone = true
    this.#waitingBytes -= write.bytes
    write.session.pending--
  }
}
