/**
 * The journal: all durable writes of a node's actors, in group commits.
 * Writes that are made while one transaction is in flight become the next one, so that thousands of instances share a commit and a
 * quiet node waits for nobody.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InstanceJournal, WriteDelay, WriteResult } from '../../actors/instance/ports.js'
import { entriesMax } from '../../lib/entries-max.js'
import { GatewayError } from '../../schemas/errors.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DatabaseClientConfig } from '../connect/database-place.js'
import type { Encryption } from './encryption.js'
import { StoreClock } from './journal/ahead.js'
import type { Committed, JournalChange, LastCommit } from './journal/batch.js'
import { BatchWriter } from './journal/batch-writer.js'
import { createAliasCache } from './journal/chat-resolver.js'
import { ConnectionKeeper, type ServerCheck } from './journal/connection.js'
import type { DeliveryOutcome } from './journal/delivery-outcomes.js'
import { toStoreError } from './journal/statement-errors.js'
import {
  type Batch,
  countChanges,
  createInstanceWrites,
  failWrites,
  type InstanceWrites,
  Linger,
  rejectedWrite,
  SetAsideInstances,
  WriteQueue,
} from './journal/write-queue.js'
import type { RowContext } from './journal/write-rows.js'
import type { ShardOf } from './shard.js'

export type { Committed, CommittedEvent, CommittedLane, LastCommit } from './journal/batch.js'
export type { DeliveryFailure } from './journal/delivery-attempts.js'
export type { DeliveryOutcome } from './journal/delivery-outcomes.js'

export interface JournalOptions {
  readonly clientConfig: DatabaseClientConfig
  readonly encryption: Encryption
  readonly findShard: ShardOf
  readonly log: Logger
  /** The incarnation that must own the shards of each write. Without it only the epoch counts. */
  readonly owner?: string
  readonly serverCheck?: ServerCheck
  /** Called after each commit, before the writers go on. */
  readonly onCommitted?: (committed: Committed) => void
  readonly onBatch?: (batch: BatchFigures) => void
  /** Bounds of one transaction. */
  readonly batchChangesMax?: number
  readonly batchBytesMax?: number
  /** Maximum of bytes that wait in memory. Above it, writes are refused with STORE_UNAVAILABLE. */
  readonly waitingBytesMax?: number
  readonly statementTimeoutMs?: number
  /** Time that all writers wait for one row that another transaction has locked. After it only the instance of the row waits on. */
  readonly lockTimeoutMs?: number
  /** Maximum time that a write which may wait does so, for others to share its transaction. */
  readonly lingerMs?: Readonly<Record<WriteDelay, number>>
  /** The same for deliveries that were taken. */
  readonly deliveredLingerMs?: number
  /** Makes the ids of records in tests. */
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
  /** Returns the journal of one instance under one epoch. A new owner, and an actor that starts again, take a new one. */
  forInstance(instance: InstanceId, epoch: number): InstanceJournal
  /**
   * Stores the outcomes of deliveries in an instance's lanes. Ignores unknown deliveries.
   * @throws GatewayError NOT_OWNER, INSTANCE_EXPORTED, STORE_UNAVAILABLE, OUTCOME_UNKNOWN
   */
  writeDeliveries(instance: InstanceId, epoch: number, outcomes: readonly DeliveryOutcome[]): Promise<void>
  readonly waitingBytes: number
  /** True when the last batch was not written, for no fault of its own: PostgreSQL is away, or takes no writes (a full disk). */
  readonly isFailing: boolean
  /** Time for which the batch that is being written has not been answered; 0 when there is none. */
  readonly unansweredMs: number
  /** The last commit that PostgreSQL has confirmed; null before the first. */
  readonly lastCommit: LastCommit | null
  /** Refuses later writes, waits for those that were made, then closes the connection. */
  close(): Promise<void>
}

const LOCK_TIMEOUT_MS = 1_000
/**
 * At some forty writes a second, the next one comes in 25 ms. Receipts come seconds after their messages, and alone: at three writes a second,
 * the next one comes in 300 ms.
 */
const LINGER_MS = { soon: 25, later: 300 }
/** Maximum of turns of the event loop in which a batch grows before it is written. */
const GATHER_TURNS_MAX = 8
/** The next message mostly comes later than a receipt. Until it is stored, a crash delivers the event again. */
const DELIVERED_LINGER_MS = 25

interface Delay {
  readonly when: WriteDelay
  readonly maxMs: number
}

export function createJournal(options: JournalOptions): Journal {
  return new GroupCommitJournal(options)
}

class GroupCommitJournal implements Journal {
  readonly #options: JournalOptions
  readonly #connections: ConnectionKeeper
  readonly #setAside: SetAsideInstances
  readonly #queue: WriteQueue
  readonly #writer: BatchWriter
  readonly #linger = new Linger()
  #wake = (): void => {}
  readonly #commits: { last: LastCommit | null } = { last: null }
  #running: Promise<void> | undefined
  #isFailing = false
  #writingSinceMs: number | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    const { clientConfig, log, statementTimeoutMs = 20_000, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
    const timeouts = { statementMs: statementTimeoutMs, lockMs: lockTimeoutMs }
    this.#connections = new ConnectionKeeper(clientConfig, timeouts, options.serverCheck)
    this.#setAside = new SetAsideInstances(statementTimeoutMs)
    const bounds = {
      batchChangesMax: options.batchChangesMax ?? 4_000,
      batchBytesMax: options.batchBytesMax ?? 8 * 2 ** 20,
      waitingBytesMax: options.waitingBytesMax ?? 64 * 2 ** 20,
    }
    this.#queue = new WriteQueue(bounds, this.#setAside)
    this.#writer = new BatchWriter({
      clientConfig,
      connections: this.#connections,
      queue: this.#queue,
      setAside: this.#setAside,
      context: rowContext(options, this.#commits),
      lockTimeoutMs,
      statementTimeoutMs,
      onCommitted: options.onCommitted,
      onAway: () => {
        this.#isFailing = true
      },
      log,
    })
  }

  forInstance(instance: InstanceId, epoch: number): InstanceJournal {
    const { lingerMs = LINGER_MS } = this.#options
    return createInstanceJournal(
      (changes, session, when) =>
        this.#enqueue(instance, epoch, changes, session, when === undefined ? null : { when, maxMs: lingerMs[when] }),
      () => this.#linger.hurry(),
    )
  }

  async writeDeliveries(instance: InstanceId, epoch: number, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    if (outcomes.length === 0) return
    const { deliveredLingerMs = DELIVERED_LINGER_MS } = this.#options
    const mayWait = outcomes.every(({ type }) => type === 'delivered')
    const delay = mayWait ? { when: 'soon' as const, maxMs: deliveredLingerMs } : null
    await this.#enqueue(instance, epoch, [{ type: 'deliveries', outcomes }], createInstanceWrites(), delay)
  }

  get waitingBytes(): number {
    return this.#queue.waitingBytes
  }

  get isFailing(): boolean {
    return this.#isFailing
  }

  get unansweredMs(): number {
    return this.#writingSinceMs === undefined ? 0 : performance.now() - this.#writingSinceMs
  }

  get lastCommit(): LastCommit | null {
    return this.#commits.last
  }

  async close(): Promise<void> {
    this.#queue.close()
    this.#linger.end()
    this.#wake()
    await this.#running
    this.#connections.close()
  }

  /** @param delay time for which the write may wait for others; null: none */
  #enqueue(
    instance: InstanceId,
    epoch: number,
    changes: readonly JournalChange[],
    session: InstanceWrites,
    delay: Delay | null,
  ): Promise<WriteResult> {
    if (session.failure !== undefined) return rejectedWrite(session.failure)
    const bytes = sumBytes(changes)
    if (!this.#queue.hasRoomFor(bytes)) {
      const failure = new GatewayError('STORE_UNAVAILABLE')
      failWrites(session, failure)
      return rejectedWrite(failure)
    }
    const written = new Promise<WriteResult>((resolve, reject) => {
      const state = { isDone: false, isReturned: false }
      const shard = this.#options.findShard(instance)
      this.#queue.add({ instance, shard, epoch, changes, bytes, session, ...state, resolve, reject })
    })
    session.last = written
    // The writer sees a failure where it awaits the write or `settled`. If it awaits neither, the process must not end.
    written.catch(() => {})
    if (delay === null) this.#linger.end()
    else this.#linger.begin(delay.maxMs, delay.when === 'later')
    this.#wake()
    this.#running ??= this.#run()
    return written
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await this.#linger.over()
      await this.#gathered()
      const batch = this.#queue.takeBatch()
      this.#linger.taken()
      if (batch.writes.length > 0) await this.#writeBatch(batch)
      else await this.#untilDue()
    }
    this.#running = undefined
  }

  /**
   * Resolves at the end of a turn of the event loop that has brought no further write, so that the writes of one burst of input are one batch. A
   * transaction costs as much as several messages. On a busy node, each turn brings more.
   */
  async #gathered(): Promise<void> {
    for (let turns = 0; turns < GATHER_TURNS_MAX; turns += 1) {
      const before = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#queue.length === before) return
    }
  }

  async #writeBatch(batch: Batch): Promise<void> {
    const { log, onBatch } = this.#options
    const { writes } = batch
    const started = performance.now()
    const figures = { writes: writes.length, changes: countChanges(writes), events: 0, failed: false }
    this.#queue.begin(writes)
    this.#writingSinceMs = started
    try {
      figures.events = await this.#writer.write(batch)
      this.#isFailing = false
    } catch (error) {
      figures.failed = true
      this.#isFailing = true
      log.warn({ err: error, writes: writes.length }, 'A batch was not written.')
      this.#queue.reject(writes, toStoreError(error))
    }
    this.#writingSinceMs = undefined
    this.#queue.end()
    onBatch?.({ ...figures, durationMs: performance.now() - started })
  }

  /** Waits until an instance that was set aside is due, a write is made, or the journal closes. */
  async #untilDue(): Promise<void> {
    const dueMs = this.#setAside.nextDueMs()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, dueMs - performance.now()))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }
}

function rowContext(
  { encryption, owner = '', makeRecordId }: JournalOptions,
  commits: RowContext['commits'],
): RowContext {
  return {
    encryption,
    owner,
    commits,
    aliases: createAliasCache(),
    activity: new LRUCache<string, number>(entriesMax(20_000)),
    live: new LRUCache<string, number>(entriesMax(20_000)),
    clock: new StoreClock(),
    ...(makeRecordId === undefined ? {} : { makeRecordId }),
  }
}

// Roughly how much memory a write holds while it waits; exact enough to bound the journal.

const CHANGE_BYTES = 200
const MESSAGE_BYTES = 1_500
const KEY_BYTES = 400
const EXCHANGE_BYTES = 3_000

function sumBytes(changes: readonly JournalChange[]): number {
  let bytes = 0
  for (const change of changes) bytes += CHANGE_BYTES + countBytes(change)
  return bytes
}

function bytesOfGroup({ participants, topic }: GroupInfo): number {
  return 1_000 + topic.length * 2 + participants.length * 150
}

function countBytes(change: JournalChange): number {
  switch (change.type) {
    case 'credentials':
      return change.data?.length ?? 0
    case 'keys':
      return change.entries.reduce(
        (sum, { value }) => sum + KEY_BYTES + (value instanceof Uint8Array ? value.length : 0),
        0,
      )
    case 'message':
      return MESSAGE_BYTES + change.message.text.length * 2 + (change.message.proto?.length ?? 0) * 2
    case 'message.update':
      return (
        change.messageids.length * 100 +
        (change.set.text?.length ?? change.set.edited?.text.length ?? 0) * 2 +
        (change.set.proto?.length ?? 0)
      )
    case 'lead':
      return Object.values(change.set).reduce(
        (sum, value) => sum + (typeof value === 'string' ? value.length * 2 : 8),
        0,
      )
    case 'group':
      return change.kind === 'keep'
        ? bytesOfGroup(change.group)
        : change.kind === 'list'
          ? change.groups.reduce((sum, group) => sum + bytesOfGroup(group), 0)
          : 0
    case 'quickReply':
      return change.quickReply.text.length * 2
    case 'scheduled':
      return 'send' in change ? MESSAGE_BYTES + change.send.row.text.length * 6 : change.messageids.length * 100
    case 'status.post':
      return change.post.people.length * 30 + change.post.report.discarded_recipients.length * 60
    case 'channel.counts':
      return change.posts.reduce((sum, { reactionCounts }) => sum + 100 + Object.keys(reactionCounts).length * 60, 0)
    case 'agent.call':
      return (change.row.result?.text.length ?? 0) * 2 + 1_000
    case 'deliveries':
      return change.outcomes.reduce(
        (sum, one) =>
          sum + 500 + (one.type === 'delivered' ? (one.successes?.length ?? 0) * EXCHANGE_BYTES : EXCHANGE_BYTES),
        0,
      )
    default:
      return 0
  }
}

/** Writes that are being joined into one. */
interface Group {
  readonly changes: JournalChange[]
  readonly written: Promise<WriteResult>
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

type Enqueue = (changes: readonly JournalChange[], session: InstanceWrites, when?: WriteDelay) => Promise<WriteResult>

/**
 * Creates the journal of one instance: a session of its own, whose writes go into the queue of the node. Calls `hurry` when somebody waits for
 * all that was written.
 */
function createInstanceJournal(enqueue: Enqueue, hurry: () => void): InstanceJournal {
  const session = createInstanceWrites()
  let group: Group | undefined
  // A plain object: callers spread it to wrap `write`.
  return {
    write(changes, when) {
      if (group === undefined) return enqueue(changes, session, when)
      group.changes.push(...changes)
      return group.written
    },
    settled(when) {
      if (session.failure !== undefined) return Promise.reject(session.failure)
      if (group !== undefined && group.changes.length > 0) return group.written.then(() => {})
      if (session.pending === 0) return undefined
      if (when === undefined) hurry()
      // First in, first out: when the last write is durable, all are.
      return session.last.then(() => {})
    },
    together(work) {
      if (group !== undefined) return work()
      const mine = createGroup()
      group = mine
      try {
        work()
      } catch (error) {
        mine.reject(error)
        throw error
      } finally {
        group = undefined
      }
      if (mine.changes.length > 0) enqueue(mine.changes, session).then(mine.resolve, mine.reject)
    },
  }
}

function createGroup(): Group {
  let resolve: Group['resolve'] = () => {}
  let reject: Group['reject'] = () => {}
  const written = new Promise<WriteResult>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  written.catch(() => {})
  return { changes: [], written, resolve, reject }
}
