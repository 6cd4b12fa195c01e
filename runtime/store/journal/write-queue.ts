import type { WriteResult } from '../../../actors/instance/ports.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { JournalChange, Write } from './batch.js'

/** A write that waits for its commit. */
export interface WaitingWrite extends Write {
  readonly bytes: number
  readonly session: InstanceWrites
  changes: readonly JournalChange[]
  /** True once it is answered. A batch that was split may fail in one part after another part was committed. */
  isDone: boolean
  /** True while it is back in the queue because its instance was set aside. */
  isReturned: boolean
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: GatewayError) => void
}

/** The writes of one InstanceJournal that are under way. */
export interface InstanceWrites {
  pending: number
  last: Promise<unknown>
  failure: GatewayError | undefined
}

export function createInstanceWrites(): InstanceWrites {
  return { pending: 0, last: Promise.resolve(), failure: undefined }
}

/**
 * Refuses further writes of the session until all its waiting callers have seen the failure: otherwise a write made in between could
 * become durable without what it builds on. A deposed owner is refused for ever.
 */
export function failWrites(session: InstanceWrites, failure: GatewayError): void {
  session.failure = failure
  if (failure.code === 'NOT_OWNER') return
  setImmediate(() => {
    if (session.failure === failure) session.failure = undefined
  })
}

/** Returns a rejected promise that does not end the process when nobody awaits it. */
export function rejectedWrite(failure: GatewayError): Promise<never> {
  const promise = Promise.reject(failure)
  promise.catch(() => {})
  return promise
}

export function listInstances(writes: readonly WaitingWrite[]): readonly InstanceId[] {
  return [...new Set(writes.map((write) => write.instance))]
}

export function countChanges(writes: readonly WaitingWrite[]): number {
  return writes.reduce((sum, write) => sum + write.changes.length, 0)
}

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

interface SetAside {
  dueMs: number
  waitMs: number
  /** Time at which its writes are refused. */
  readonly untilMs: number
}

const FIRST_WAIT_MS = 100
const WAIT_MAX_MS = 1_000

/** Instances whose rows another transaction has locked: their writes stay in the queue while those of others pass. */
export class SetAsideInstances {
  readonly #instances = new Map<InstanceId, SetAside>()
  readonly #totalMaxMs: number

  /** @param totalMaxMs time from the first failure of an instance until its writes are given up */
  constructor(totalMaxMs: number) {
    this.#totalMaxMs = totalMaxMs
  }

  get size(): number {
    return this.#instances.size
  }

  has(instance: InstanceId): boolean {
    return this.#instances.has(instance)
  }

  /** Sets the instance aside for a while, longer each time. Returns null when its time is over. */
  add(instance: InstanceId): { readonly isFirst: boolean } | null {
    const nowMs = performance.now()
    const known = this.#instances.get(instance)
    if (known !== undefined && nowMs >= known.untilMs) return null
    const waitMs = Math.min(WAIT_MAX_MS, 2 * (known?.waitMs ?? FIRST_WAIT_MS / 2))
    this.#instances.set(instance, {
      waitMs,
      dueMs: nowMs + waitMs,
      untilMs: known?.untilMs ?? nowMs + this.#totalMaxMs,
    })
    return { isFirst: known === undefined }
  }

  remove(instance: InstanceId): void {
    this.#instances.delete(instance)
  }

  /** Returns the instances to try again now, all of them when `isHurried`. Forgets those that have no waiting writes. */
  due(withWrites: ReadonlySet<InstanceId>, isHurried: boolean): ReadonlySet<InstanceId> {
    const nowMs = performance.now()
    const due = new Set<InstanceId>()
    for (const [instance, { dueMs }] of this.#instances) {
      // Its writes were refused, with their session.
      if (!withWrites.has(instance)) this.#instances.delete(instance)
      else if (isHurried || dueMs <= nowMs) due.add(instance)
    }
    return due
  }

  /** Returns the time, by `performance.now()`, at which the first of them is due. */
  nextDueMs(): number {
    return Math.min(...[...this.#instances.values()].map(({ dueMs }) => dueMs))
  }
}

interface Wait {
  readonly endsAtMs: number
  readonly timer: NodeJS.Timeout
  readonly ended: Promise<void>
  readonly resolve: () => void
}

/** Maximum of writes that wait for others. So many fill a transaction by themselves. */
const WAITING_MAX = 8
/** The same of writes that may wait longer. A crash loses as many, and the network delivers them all again. */
const PATIENT_MAX = 64

/** The time for which a journal that has nothing urgent to write waits for more. */
export class Linger {
  /** True when a write that is not taken yet must not wait. */
  #isUrgent = false
  #waiting: Wait | undefined
  /** Numbers of writes that wait since the last batch was taken. */
  #brief = 0
  #patient = 0

  /** Resolves when nothing waits. */
  async over(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting.ended
  }

  /** Lets a write wait for at most this time, unless another must not wait, or waits for less, or too many wait. */
  begin(maxMs: number, isPatient = false): void {
    if (isPatient) this.#patient += 1
    else this.#brief += 1
    if (this.#brief > WAITING_MAX || this.#patient > PATIENT_MAX) this.end()
    else this.#wait(maxMs)
  }

  /** Ends the wait, and lets nothing wait until the next batch is taken. */
  end(): void {
    this.#isUrgent = true
    this.#drop()
  }

  /** Ends the wait, if there is one: somebody needs what waits. */
  hurry(): void {
    if (this.#waiting !== undefined) this.end()
  }

  /** Call it when a batch was taken: nothing of it waits. */
  taken(): void {
    this.#isUrgent = false
    this.#brief = 0
    this.#patient = 0
    this.#drop()
  }

  #wait(maxMs: number): void {
    const endsAtMs = performance.now() + maxMs
    if (this.#isUrgent || (this.#waiting !== undefined && this.#waiting.endsAtMs <= endsAtMs)) return
    const longer = this.#waiting
    const timer = setTimeout(() => this.#drop(), maxMs)
    let resolve = (): void => {}
    const ended = new Promise<void>((onEnd) => {
      resolve = onEnd
    })
    this.#waiting = { endsAtMs, timer, ended, resolve }
    // Waiting callers look again.
    if (longer !== undefined) end(longer)
  }

  #drop(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) end(waiting)
  }
}

function end({ timer, resolve }: Wait): void {
  clearTimeout(timer)
  resolve()
}
