/**
 * The journal: all durable writes of a node's actors, in group commits.
 * What is written while one transaction is in flight becomes the next, so that thousands of instances share a commit and a
 * quiet node waits for nobody.
 */
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Change, InstanceJournal, WriteResult } from '../../actors/instance/ports.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { isProgramError } from '../../schemas/program-error.js'
import type { Encryption } from './encryption.js'
import type { Committed, JournalChange, Write } from './journal/batch.js'
import { createAliasCache } from './journal/chat-resolver.js'
import { connectJournal, type JournalConnection } from './journal/connection.js'
import type { DeliveryOutcome } from './journal/delivery-outcomes.js'
import { commitBatch, type Limits, type TransactionContext } from './journal/transaction.js'
import { withoutContent } from './journal/without-content.js'
import { sizeOf } from './journal/write-size.js'
import { shardOf } from './shard.js'
import { askOutcome, type UnansweredCommit } from './transaction-outcome.js'

export type { Committed, CommittedEvent, CommittedLane } from './journal/batch.js'
export type { DeliveryFailure, DeliveryOutcome } from './journal/delivery-outcomes.js'

export interface JournalOptions {
  readonly clientConfig: pg.ClientConfig
  readonly encryption: Encryption
  readonly log: Logger
  /** Called after each commit, before the writers go on. */
  readonly onCommitted?: (committed: Committed) => void
  readonly onBatch?: (batch: BatchFigures) => void
  /** Bounds of one transaction. */
  readonly batchChangesMax?: number
  readonly batchBytesMax?: number
  /** What may wait in memory; above it, writes are refused with STORE_UNAVAILABLE. */
  readonly waitingBytesMax?: number
  readonly statementTimeoutMs?: number
  /** How long all writers wait for one row that another transaction has locked. Then only the instance whose row it is waits on. */
  readonly lockTimeoutMs?: number
  /** For tests: where record ids come from. */
  readonly makeRecordId?: () => string
}

export interface BatchFigures {
  readonly durationMs: number
  readonly writes: number
  readonly changes: number
  readonly events: number
  readonly failed: boolean
}

export interface Journal {
  /** The journal of one instance under one epoch; a new owner, or an actor that starts anew, takes a new one. */
  forInstance(instance: InstanceId, epoch: number): InstanceJournal
  /**
   * What became of deliveries of an instance's lanes. Unknown deliveries are ignored.
   * @throws GatewayError NOT_OWNER, INSTANCE_EXPORTED, STORE_UNAVAILABLE, OUTCOME_UNKNOWN
   */
  writeDeliveries(instance: InstanceId, epoch: number, outcomes: readonly DeliveryOutcome[]): Promise<void>
  readonly waitingBytes: number
  /** The last batch was not written, for no fault of its own: PostgreSQL is away, or it is there and takes no writes (a full disk). */
  readonly isFailing: boolean
  /** Waits for what was written, then closes; later writes are refused. */
  close(): Promise<void>
}

interface Waiting extends Write {
  readonly bytes: number
  readonly session: Session
  changes: readonly JournalChange[]
  /** Answered. A batch that was split may fail in one part after another part was committed. */
  isDone: boolean
  /** Back in the queue, since its instance has been set aside. */
  isReturned: boolean
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: GatewayError) => void
}

/** An instance whose rows another transaction has locked: its writes stay in the queue while those of others pass. */
interface Aside {
  dueMs: number
  waitMs: number
  /** Its writes are refused then. */
  readonly untilMs: number
}

/** What one InstanceJournal has under way. */
interface Session {
  pending: number
  last: Promise<unknown>
  failure: GatewayError | undefined
}

/** Writes that are being made into one. */
interface Group {
  readonly changes: JournalChange[]
  readonly written: Promise<WriteResult>
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

const LOCK_TIMEOUT_MS = 1_000
/** While the instance that waits for a lock is searched, all others wait as well. */
const SEARCH_LOCK_TIMEOUT_MS = 100
const SEARCH_LOCKED_MAX_MS = 2_000
const ASIDE_FIRST_MS = 100
const ASIDE_STEP_MAX_MS = 1_000

export function createJournal(options: JournalOptions): Journal {
  const { encryption, log, onCommitted, onBatch } = options
  const changesMax = options.batchChangesMax ?? 4_000
  const bytesMax = options.batchBytesMax ?? 8 * 2 ** 20
  const waitingMax = options.waitingBytesMax ?? 64 * 2 ** 20
  const statementTimeoutMs = options.statementTimeoutMs ?? 20_000
  const timeouts = { statementMs: statementTimeoutMs, lockMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS }
  const context: TransactionContext = {
    encryption,
    aliases: createAliasCache(),
    activity: new LRUCache<string, number>({ max: 20_000 }),
    ...(options.makeRecordId === undefined ? {} : { makeRecordId: options.makeRecordId }),
  }
  const searchLimits: Limits = {
    lockTimeoutMs: Math.min(SEARCH_LOCK_TIMEOUT_MS, timeouts.lockMs),
    statementTimeoutMs: statementTimeoutMs / 10,
  }
  const aside = new Map<InstanceId, Aside>()
  let queue: Waiting[] = []
  let underWay: readonly Waiting[] = []
  let wake = (): void => {}
  let waitingBytes = 0
  let connection: JournalConnection | undefined
  let running: Promise<void> | undefined
  let closed = false
  let isFailing = false

  return {
    forInstance(instance, epoch) {
      const session = newSession()
      let group: Group | undefined
      return {
        write(changes) {
          if (group === undefined) return enqueue(instance, epoch, changes, session)
          group.changes.push(...changes)
          return group.written
        },
        settled() {
          if (session.failure !== undefined) return Promise.reject(session.failure)
          if (group !== undefined && group.changes.length > 0) return group.written.then(() => {})
          // First in, first out: when the last write is durable, all are.
          return session.pending === 0 ? undefined : session.last.then(() => {})
        },
        together(work) {
          if (group !== undefined) return work()
          const mine = newGroup()
          group = mine
          try {
            work()
          } catch (error) {
            mine.reject(error)
            throw error
          } finally {
            group = undefined
          }
          if (mine.changes.length > 0) enqueue(instance, epoch, mine.changes, session).then(mine.resolve, mine.reject)
        },
      }
    },
    async writeDeliveries(instance, epoch, outcomes) {
      if (outcomes.length > 0) await enqueue(instance, epoch, [{ type: 'deliveries', outcomes }], newSession())
    },
    get waitingBytes() {
      return waitingBytes
    },
    get isFailing() {
      return isFailing
    },
    async close() {
      closed = true
      wake()
      await running
      connection?.close()
    },
  }

  function enqueue(
    instance: InstanceId,
    epoch: number,
    changes: readonly JournalChange[],
    session: Session,
  ): Promise<WriteResult> {
    if (session.failure !== undefined) return refused(session.failure)
    const bytes = sizeOf(changes)
    if (closed || waitingBytes + bytes > waitingMax) {
      const failure = new GatewayError('STORE_UNAVAILABLE')
      fail(session, failure)
      return refused(failure)
    }
    const written = new Promise<WriteResult>((resolve, reject) => {
      const isDone = false
      queue.push({
        ...{ instance, shard: shardOf(instance), epoch, changes, bytes, session, isDone, isReturned: false },
        ...{ resolve, reject },
      })
    })
    waitingBytes += bytes
    session.pending++
    session.last = written
    // The writer hears of a failure where it awaits the write or `settled`; who awaits neither does not end the process.
    written.catch(() => {})
    wake()
    running ??= startSoon()
    return written
  }

  /** On the next turn, so that what one burst of input causes is one batch. */
  async function startSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const batch = takeBatch()
      if (batch.writes.length > 0) await runBatch(batch)
      else await untilDue()
    }
    running = undefined
  }

  /** The next writes, or none when all are of instances that are set aside. Those of which it is time again go together, by themselves. */
  function takeBatch(): Batch {
    const due = aside.size === 0 ? NOBODY : dueInstances()
    const isNext = ({ instance }: Waiting): boolean => (due.size > 0 ? due.has(instance) : !aside.has(instance))
    const candidates = aside.size === 0 ? queue : queue.filter(isNext)
    let changes = 0
    let bytes = 0
    let count = 0
    for (const write of candidates) {
      changes += write.changes.length
      bytes += write.bytes
      if (count > 0 && (changes > changesMax || bytes > bytesMax)) break
      count++
    }
    const writes = candidates.slice(0, count)
    if (aside.size === 0) queue = count === queue.length ? [] : queue.slice(count)
    else {
      const taken = new Set(writes)
      queue = queue.filter((write) => !taken.has(write))
    }
    for (const write of writes) write.isReturned = false
    return { writes, limits: due.size > 0 ? searchLimits : undefined }
  }

  function dueInstances(): ReadonlySet<InstanceId> {
    const nowMs = performance.now()
    const waiting = new Set(queue.map(({ instance }) => instance))
    const due = new Set<InstanceId>()
    for (const [instance, { dueMs }] of aside) {
      // Its writes were refused, with their session.
      if (!waiting.has(instance)) aside.delete(instance)
      else if (closed || dueMs <= nowMs) due.add(instance)
    }
    return due
  }

  async function untilDue(): Promise<void> {
    const dueMs = Math.min(...[...aside.values()].map((one) => one.dueMs))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, dueMs - performance.now()))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wake = () => {}
  }

  async function runBatch({ writes: batch, limits }: Batch): Promise<void> {
    const started = performance.now()
    const figures = { writes: batch.length, changes: countChanges(batch), events: 0, failed: false }
    underWay = batch
    try {
      figures.events = await commitOrSplit(batch, { limits })
      isFailing = false
    } catch (error) {
      figures.failed = true
      isFailing = true
      log.warn({ err: error, writes: batch.length }, 'a batch was not written')
      failAll(batch, failureBy(error))
    }
    underWay = []
    onBatch?.({ ...figures, durationMs: performance.now() - started })
  }

  /** Commits; a statement that fails is narrowed down to its instance, and the others are written. */
  async function commitOrSplit(batch: readonly Waiting[], attempt: Attempt): Promise<number> {
    if (batch.length === 0) return 0
    const current = connection?.isAlive ? connection : await connect()
    try {
      return await commit(current, batch, attempt)
    } catch (error) {
      if (!(await canGoOn(current, error))) throw error
      if (isDelay(error)) return await narrow(batch, error, attempt)
      if (isTransient(error)) {
        if (attempt.isRetry) throw error
        return commitOrSplit(batch, { ...attempt, isRetry: true })
      }
      return await split(batch, error, attempt)
    }
  }

  async function split(batch: readonly Waiting[], error: unknown, attempt: Attempt): Promise<number> {
    const instances = instancesOf(batch)
    if (instances.length === 1 && isDataFault(error)) return await commitReadable(batch, error, attempt)
    if (instances.length === 1) {
      logRefused(error, instances[0])
      failAll(batch, failureBy(error))
      return 0
    }
    return await commitHalves(batch, instances, attempt)
  }

  /**
   * A statement waited for a lock, or took too long. The instance that it was for is found with short limits, and set aside; after too
   * long a search so are all that may be it: a whole table is locked, say.
   */
  async function narrow(batch: readonly Waiting[], error: unknown, { searchEndMs }: Attempt): Promise<number> {
    const instances = instancesOf(batch)
    const nowMs = performance.now()
    const endMs = searchEndMs ?? nowMs + (isLockTimeout(error) ? SEARCH_LOCKED_MAX_MS : statementTimeoutMs)
    if (instances.length > 1 && nowMs < endMs)
      return await commitHalves(batch, instances, { limits: searchLimits, searchEndMs: endMs })
    for (const instance of instances) {
      setAside(
        instance,
        batch.filter((write) => write.instance === instance),
        error,
      )
    }
    return 0
  }

  async function commitHalves(
    batch: readonly Waiting[],
    instances: readonly InstanceId[],
    { limits, searchEndMs }: Attempt,
  ): Promise<number> {
    const attempt = { limits, searchEndMs }
    const half = new Set(instances.slice(0, instances.length / 2))
    const first = batch.filter((write) => half.has(write.instance))
    const second = batch.filter((write) => !half.has(write.instance))
    return (await commitOrSplit(first, attempt)) + (await commitOrSplit(second, attempt))
  }

  /** Puts what is not written of an instance back to the front of the queue, for a while; after too long it is refused. */
  function setAside(instance: InstanceId, batch: readonly Waiting[], error: unknown): void {
    const nowMs = performance.now()
    const known = aside.get(instance)
    if (closed || (known !== undefined && nowMs >= known.untilMs)) {
      log.error({ err: error, instanceId: instance }, 'a write of an instance was given up: its rows stayed locked')
      aside.delete(instance)
      failAll(batch, new GatewayError('STORE_UNAVAILABLE', { cause: error }))
      return
    }
    const waitMs = Math.min(ASIDE_STEP_MAX_MS, 2 * (known?.waitMs ?? ASIDE_FIRST_MS / 2))
    aside.set(instance, { waitMs, dueMs: nowMs + waitMs, untilMs: known?.untilMs ?? nowMs + statementTimeoutMs })
    if (known === undefined)
      log.warn({ err: error, instanceId: instance }, 'the writes of an instance wait: its rows are locked by others')
    const back = underWay.filter((write) => write.instance === instance && !write.isDone)
    for (const write of back) write.isReturned = true
    queue = [...back, ...queue]
  }

  /**
   * The data of one write is the fault, and would be at the next attempt: what came from the network with it must not end the
   * connection again and again. In order, one write at a time; the guilty one without what the database does not take.
   */
  async function commitReadable(batch: readonly Waiting[], error: unknown, attempt: Attempt): Promise<number> {
    const [write] = batch
    if (write === undefined) return 0
    if (batch.length > 1) {
      let events = 0
      // One that is refused, or set aside, takes those with it that were written after it.
      for (const one of batch) if (!one.isDone && !one.isReturned) events += await commitOrSplit([one], attempt)
      return events
    }
    const readable = withoutContent(write.changes)
    if (readable === null) {
      logRefused(error, write.instance)
      failAll(batch, failureBy(error))
      return 0
    }
    log.error(
      { err: error, instanceId: write.instance },
      'a message is stored without its content: the database does not take it',
    )
    write.changes = readable
    return await commitOrSplit(batch, attempt)
  }

  function logRefused(error: unknown, instanceId: InstanceId | undefined): void {
    const sentence = isProgramError(error)
      ? 'a write of an instance failed by an error of ours'
      : 'a write of an instance was refused by the database'
    log.error({ err: error, instanceId }, sentence)
  }

  async function commit(
    current: JournalConnection,
    batch: readonly Waiting[],
    { limits }: Pick<Attempt, 'limits'>,
  ): Promise<number> {
    const confirm = (unanswered: UnansweredCommit) => confirmCommit(current, batch, unanswered)
    const { results, committed } = await commitBatch(current, batch, context, { limits, confirm })
    for (const [index, write] of batch.entries()) {
      const result = results[index]
      if (result !== 'exported' && result) finish(write, result)
    }
    const deposed = batch.filter((_, index) => !results[index])
    if (deposed.length > 0) failAll(deposed, new GatewayError('NOT_OWNER'))
    const exported = batch.filter((_, index) => results[index] === 'exported')
    if (exported.length > 0) failAll(exported, new GatewayError('INSTANCE_EXPORTED'))
    if (aside.size > 0) for (const { instance } of batch) aside.delete(instance)
    tell(committed)
    return committed.events.length
  }

  /** Returns when the transaction was committed all the same. */
  async function confirmCommit(
    current: JournalConnection,
    batch: readonly Waiting[],
    { xid, cause }: UnansweredCommit,
  ): Promise<void> {
    // It was answered: PostgreSQL has refused a statement.
    if (await canGoOn(current, cause)) throw cause
    const outcome = await askOutcome(
      options.clientConfig,
      { xid, server: current.server },
      {
        isEnding: () => closed,
        onAway() {
          isFailing = true
        },
      },
    )
    log.warn({ err: cause, outcome, writes: batch.length }, 'a commit was not answered; its outcome was asked for')
    if (outcome === 'committed') return
    if (outcome === 'unknown') failAll(batch, new GatewayError('OUTCOME_UNKNOWN', { cause }))
    throw cause
  }

  /** What is told after a commit cannot undo it. */
  function tell(committed: Committed): void {
    try {
      onCommitted?.(committed)
    } catch (error) {
      log.error({ err: error }, 'a listener of the journal failed')
    }
  }

  /** Whether the connection is in order again, after an error that concerns a statement only. */
  async function canGoOn(current: JournalConnection, error: unknown): Promise<boolean> {
    const ended = !current.isAlive || (error instanceof pg.DatabaseError ? isOutage(error.code) : isTimeout(error))
    if (!ended) {
      try {
        await current.query('ROLLBACK')
        return true
      } catch {}
    }
    current.close()
    if (connection === current) connection = undefined
    return false
  }

  async function connect(): Promise<JournalConnection> {
    connection = await connectJournal(options.clientConfig, timeouts)
    return connection
  }

  function finish(write: Waiting, result: WriteResult): void {
    write.isDone = true
    waitingBytes -= write.bytes
    write.session.pending--
    write.resolve(result)
  }

  /** Also refuses what the same sessions wrote later and is still waiting: it was made on top of what is lost now. */
  function failAll(batch: readonly Waiting[], failure: GatewayError): void {
    const lost = batch.filter((write) => !write.isDone && !write.isReturned)
    const sessions = new Set(lost.map((write) => write.session))
    // Nothing of it was sent, whatever became of the others.
    const unsent =
      failure.code === 'OUTCOME_UNKNOWN' ? new GatewayError('STORE_UNAVAILABLE', { cause: failure }) : failure
    for (const session of sessions) fail(session, unsent)
    for (const write of lost) refuse(write, failure)
    for (const write of [...underWay, ...queue]) if (sessions.has(write.session) && !write.isDone) refuse(write, unsent)
    queue = queue.filter((write) => !write.isDone)
  }

  function refuse(write: Waiting, failure: GatewayError): void {
    write.isDone = true
    waitingBytes -= write.bytes
    write.session.pending--
    write.reject(failure)
  }
}

/** A part of the queue, and the limits under which it is written. */
interface Batch {
  readonly writes: readonly Waiting[]
  readonly limits: Limits | undefined
}

/** How a batch or a part of it is written. */
interface Attempt {
  readonly limits: Limits | undefined
  /** The end of the search for an instance that is waited for, if there is one. */
  readonly searchEndMs?: number | undefined
  readonly isRetry?: boolean
}

const NOBODY: ReadonlySet<InstanceId> = new Set()

function instancesOf(batch: readonly Waiting[]): readonly InstanceId[] {
  return [...new Set(batch.map((write) => write.instance))]
}

function newSession(): Session {
  return { pending: 0, last: Promise.resolve(), failure: undefined }
}

function newGroup(): Group {
  let resolve: Group['resolve'] = () => {}
  let reject: Group['reject'] = () => {}
  const written = new Promise<WriteResult>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  written.catch(() => {})
  return { changes: [], written, resolve, reject }
}

/**
 * Refuses further writes until everyone who waits has heard of the failure: otherwise a write made in between could become
 * durable without what it builds on. A deposed owner is refused for ever.
 */
function fail(session: Session, failure: GatewayError): void {
  session.failure = failure
  if (failure.code === 'NOT_OWNER') return
  setImmediate(() => {
    if (session.failure === failure) session.failure = undefined
  })
}

function refused(failure: GatewayError): Promise<never> {
  const promise = Promise.reject(failure)
  promise.catch(() => {})
  return promise
}

function countChanges(batch: readonly { changes: readonly (Change | JournalChange)[] }[]): number {
  return batch.reduce((sum, write) => sum + write.changes.length, 0)
}

/** Nothing was written either way. The caller of an error of ours must not be sent to repair a store that is in order. */
function failureBy(error: unknown): GatewayError {
  return new GatewayError(isProgramError(error) ? 'INTERNAL' : 'STORE_UNAVAILABLE', { cause: error })
}

/**
 * Not a statement's fault: connection exceptions, resources exhausted (a full disk), an operator's stop, a read-only standby, and
 * a prepared statement that a change of the schema made invalid (it is prepared anew on the next connection).
 */
function isOutage(code: string | undefined): boolean {
  if (code === QUERY_CANCELED) return false
  return code !== undefined && (/^(08|53|57|58)/.test(code) || ['25006', '0A000', '26000', 'XX000'].includes(code))
}

/** The values of the statement are the fault: data exceptions, constraints, limits of the program (an entry too large for an index). */
function isDataFault(error: unknown): boolean {
  // Nested deeper than it can be written as JSON.
  if (error instanceof RangeError) return true
  return error instanceof pg.DatabaseError && error.code !== undefined && /^(22|23|54)/.test(error.code)
}

/** Serialization failures, deadlocks: once more may do. */
function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && /^40/.test(error.code)
}

const LOCK_NOT_AVAILABLE = '55P03'
const QUERY_CANCELED = '57014'

function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
}

/** The lock timeout or the statement timeout. */
function isDelay(error: unknown): boolean {
  return isLockTimeout(error) || (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout|Connection terminated|ECONN|EPIPE/i.test(error.message)
}
