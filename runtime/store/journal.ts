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
import { commitBatch, type TransactionContext } from './journal/transaction.js'
import { withoutContent } from './journal/without-content.js'
import { sizeOf } from './journal/write-size.js'
import { shardOf } from './shard.js'

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
   * @throws GatewayError NOT_OWNER, INSTANCE_EXPORTED, STORE_UNAVAILABLE
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
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: GatewayError) => void
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

export function createJournal(options: JournalOptions): Journal {
  const { encryption, log, onCommitted, onBatch } = options
  const changesMax = options.batchChangesMax ?? 4_000
  const bytesMax = options.batchBytesMax ?? 8 * 2 ** 20
  const waitingMax = options.waitingBytesMax ?? 64 * 2 ** 20
  const statementTimeoutMs = options.statementTimeoutMs ?? 20_000
  const context: TransactionContext = {
    encryption,
    aliases: createAliasCache(),
    activity: new LRUCache<string, number>({ max: 20_000 }),
    ...(options.makeRecordId === undefined ? {} : { makeRecordId: options.makeRecordId }),
  }
  let queue: Waiting[] = []
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
      queue.push({ instance, shard: shardOf(instance), epoch, changes, bytes, session, isDone: false, resolve, reject })
    })
    waitingBytes += bytes
    session.pending++
    session.last = written
    // The writer hears of a failure where it awaits the write or `settled`; who awaits neither does not end the process.
    written.catch(() => {})
    running ??= startSoon()
    return written
  }

  /** On the next turn, so that what one burst of input causes is one batch. */
  async function startSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) await runBatch(takeBatch())
    running = undefined
  }

  function takeBatch(): Waiting[] {
    let changes = 0
    let bytes = 0
    let count = 0
    for (const write of queue) {
      changes += write.changes.length
      bytes += write.bytes
      if (count > 0 && (changes > changesMax || bytes > bytesMax)) break
      count++
    }
    const batch = queue.slice(0, count)
    queue = count === queue.length ? [] : queue.slice(count)
    return batch
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    const started = performance.now()
    const figures = { writes: batch.length, changes: countChanges(batch), events: 0, failed: false }
    try {
      figures.events = await commitOrSplit(batch)
      isFailing = false
    } catch (error) {
      figures.failed = true
      isFailing = true
      log.warn({ err: error, writes: batch.length }, 'a batch was not written')
      failAll(batch, failureBy(error))
    }
    onBatch?.({ ...figures, durationMs: performance.now() - started })
  }

  /** Commits; a statement that fails is narrowed down to its instance, and the others are written. */
  async function commitOrSplit(batch: readonly Waiting[], isRetry = false): Promise<number> {
    if (batch.length === 0) return 0
    const current = connection?.isAlive ? connection : await connect()
    try {
      return await commit(current, batch)
    } catch (error) {
      if (!(await canGoOn(current, error))) throw error
      if (isTransient(error)) {
        if (isRetry) throw error
        return commitOrSplit(batch, true)
      }
      return await split(batch, error)
    }
  }

  async function split(batch: readonly Waiting[], error: unknown): Promise<number> {
    const instances = [...new Set(batch.map((write) => write.instance))]
    if (instances.length === 1 && isDataFault(error)) return await commitReadable(batch, error)
    if (instances.length === 1) {
      logRefused(error, instances[0])
      failAll(batch, failureBy(error))
      return 0
    }
    const half = new Set(instances.slice(0, instances.length / 2))
    const first = await commitOrSplit(batch.filter((write) => half.has(write.instance)))
    return first + (await commitOrSplit(batch.filter((write) => !half.has(write.instance))))
  }

  /**
   * The data of one write is the fault, and would be at the next attempt: what came from the network with it must not end the
   * connection again and again. In order, one write at a time; the guilty one without what the database does not take.
   */
  async function commitReadable(batch: readonly Waiting[], error: unknown): Promise<number> {
    const [write] = batch
    if (write === undefined) return 0
    if (batch.length > 1) {
      let events = 0
      for (const one of batch) if (!one.isDone) events += await commitOrSplit([one])
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
    return await commitOrSplit(batch)
  }

  function logRefused(error: unknown, instanceId: InstanceId | undefined): void {
    const sentence = isProgramError(error)
      ? 'a write of an instance failed by an error of ours'
      : 'a write of an instance was refused by the database'
    log.error({ err: error, instanceId }, sentence)
  }

  async function commit(current: JournalConnection, batch: readonly Waiting[]): Promise<number> {
    const { results, committed } = await commitBatch(current, batch, context)
    for (const [index, write] of batch.entries()) {
      const result = results[index]
      if (result !== 'exported' && result) finish(write, result)
    }
    const deposed = batch.filter((_, index) => !results[index])
    if (deposed.length > 0) failAll(deposed, new GatewayError('NOT_OWNER'))
    const exported = batch.filter((_, index) => results[index] === 'exported')
    if (exported.length > 0) failAll(exported, new GatewayError('INSTANCE_EXPORTED'))
    tell(committed)
    return committed.events.length
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
    connection = await connectJournal(options.clientConfig, statementTimeoutMs)
    return connection
  }

  function finish(write: Waiting, result: WriteResult): void {
    write.isDone = true
    waitingBytes -= write.bytes
    write.session.pending--
    write.resolve(result)
  }

  /** Also fails what the same instances wrote later and is still waiting: it was made on top of what is lost now. */
  function failAll(batch: readonly Waiting[], failure: GatewayError): void {
    const lost = batch.filter((write) => !write.isDone)
    const sessions = new Set(lost.map((write) => write.session))
    const later = queue.filter((write) => sessions.has(write.session))
    queue = queue.filter((write) => !sessions.has(write.session))
    for (const session of sessions) fail(session, failure)
    for (const write of [...lost, ...later]) {
      write.isDone = true
      waitingBytes -= write.bytes
      write.session.pending--
      write.reject(failure)
    }
  }
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
  return error instanceof pg.DatabaseError && error.code !== undefined && /^(40|55P03)/.test(error.code)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout|Connection terminated|ECONN|EPIPE/i.test(error.message)
}
