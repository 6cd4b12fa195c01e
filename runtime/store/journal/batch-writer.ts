/**
 * Writes one batch of the queue. If a statement fails, narrows the fault down: only the instance at fault is refused or set aside, and
 * the writes of the others are committed.
 */
import type { Logger } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { isProgramError } from '../../../schemas/program-error.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { DatabaseClientConfig } from '../../connect/database-place.js'
import { askOutcome, type UnansweredCommit } from '../transaction-outcome.js'
import type { Committed, JournalChange } from './batch.js'
import type { ConnectionKeeper, JournalConnection } from './connection.js'
import { isDataFault, isDelay, isLockTimeout, isTransient, toStoreError } from './statement-errors.js'
import { commitBatch, type TransactionLimits } from './transaction.js'
import { type Batch, listInstances, type SetAsideInstances, type WaitingWrite, type WriteQueue } from './write-queue.js'
import type { RowContext } from './write-rows.js'

// Ours: writes.

export interface BatchWriterOptions {
  readonly clientConfig: DatabaseClientConfig
  readonly connections: ConnectionKeeper
  readonly queue: WriteQueue
  readonly setAside: SetAsideInstances
  readonly context: RowContext
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly onCommitted: ((committed: Committed) => void) | undefined
  /** Called when PostgreSQL does not answer for the outcome of a commit. */
  readonly onAway: () => void
  readonly log: Logger
}

/** How a batch, or a part of it, is written. */
interface Attempt {
  readonly limits: TransactionLimits | undefined
  /** End of the search for the instance that waits for a lock, if there is one. */
  readonly searchEndMs?: number | undefined
  readonly isRetry?: boolean
}

/** Lock timeout of a search. All other instances wait while it lasts. */
const SEARCH_LOCK_TIMEOUT_MS = 100
const SEARCH_LOCKED_MAX_MS = 2_000

export class BatchWriter {
  readonly #options: BatchWriterOptions
  readonly #searchLimits: TransactionLimits

  constructor(options: BatchWriterOptions) {
    this.#options = options
    this.#searchLimits = {
      lockTimeoutMs: Math.min(SEARCH_LOCK_TIMEOUT_MS, options.lockTimeoutMs),
      statementTimeoutMs: options.statementTimeoutMs / 10,
    }
  }

  /**
   * Answers every write of the batch, or puts it back into the queue. Returns the number of events that were written.
   * @throws the error of PostgreSQL or of the connection; then the writes that are not done are the caller's to refuse
   */
  write({ writes, isOfSetAside }: Batch): Promise<number> {
    return this.#commitOrSplit(writes, { limits: isOfSetAside ? this.#searchLimits : undefined })
  }

  async #commitOrSplit(writes: readonly WaitingWrite[], attempt: Attempt): Promise<number> {
    if (writes.length === 0) return 0
    const { connections } = this.#options
    const connection = connections.living ?? (await connections.connect())
    try {
      return await this.#commit(connection, writes, attempt)
    } catch (error) {
      if (!(await connections.recover(connection, error))) throw error
      if (isDelay(error)) return await this.#searchLocked(writes, error, attempt)
      if (isTransient(error)) {
        if (attempt.isRetry) throw error
        return this.#commitOrSplit(writes, { ...attempt, isRetry: true })
      }
      return await this.#split(writes, error, attempt)
    }
  }

  async #commit(
    connection: JournalConnection,
    writes: readonly WaitingWrite[],
    { limits }: Pick<Attempt, 'limits'>,
  ): Promise<number> {
    const { queue, setAside, context } = this.#options
    const confirm = (unanswered: UnansweredCommit) => this.#confirm(connection, writes, unanswered)
    const { results, committed } = await commitBatch(connection, writes, context, { limits, confirm })
    for (const [index, write] of writes.entries()) {
      const result = results[index]
      if (result !== 'exported' && result) queue.resolve(write, result)
    }
    const deposed = writes.filter((_, index) => !results[index])
    if (deposed.length > 0) queue.reject(deposed, new GatewayError('NOT_OWNER'))
    const exported = writes.filter((_, index) => results[index] === 'exported')
    if (exported.length > 0) queue.reject(exported, new GatewayError('INSTANCE_EXPORTED'))
    if (setAside.size > 0) for (const { instance } of writes) setAside.remove(instance)
    this.#announce(committed)
    return committed.events.length
  }

  /** Returns when the transaction was committed although its COMMIT was not answered. */
  async #confirm(
    connection: JournalConnection,
    writes: readonly WaitingWrite[],
    { xid, cause }: UnansweredCommit,
  ): Promise<void> {
    const { clientConfig, connections, queue, onAway, log } = this.#options
    // PostgreSQL has answered: it refused a statement.
    if (await connections.recover(connection, cause)) throw cause
    const transaction = { xid, server: connection.server }
    const outcome = await askOutcome(clientConfig, transaction, { isEnding: () => queue.isClosed, onAway })
    log.warn({ err: cause, outcome, writes: writes.length }, 'A commit was not answered; its outcome was looked up.')
    if (outcome === 'committed') return
    if (outcome === 'unknown') queue.reject(writes, new GatewayError('OUTCOME_UNKNOWN', { cause }))
    throw cause
  }

  /** Calls the listener. An error of it cannot undo the commit. */
  #announce(committed: Committed): void {
    try {
      this.#options.onCommitted?.(committed)
    } catch (error) {
      this.#options.log.error({ err: error }, 'A listener of the journal failed.')
    }
  }

  async #split(writes: readonly WaitingWrite[], error: unknown, attempt: Attempt): Promise<number> {
    const instances = listInstances(writes)
    if (instances.length === 1 && isDataFault(error)) return await this.#commitReadable(writes, error, attempt)
    if (instances.length === 1) {
      this.#refuse(writes, error)
      return 0
    }
    return await this.#commitHalves(writes, instances, attempt)
  }

  /**
   * Finds the instance whose statement waited for a lock, or took too long, with short limits, and sets it aside. After too long a search
   * sets all aside that may be it: a whole table is locked, for example.
   */
  async #searchLocked(writes: readonly WaitingWrite[], error: unknown, { searchEndMs }: Attempt): Promise<number> {
    const instances = listInstances(writes)
    const nowMs = performance.now()
    const searchMaxMs = isLockTimeout(error) ? SEARCH_LOCKED_MAX_MS : this.#options.statementTimeoutMs
    const endMs = searchEndMs ?? nowMs + searchMaxMs
    if (instances.length > 1 && nowMs < endMs)
      return await this.#commitHalves(writes, instances, { limits: this.#searchLimits, searchEndMs: endMs })
    for (const instance of instances) {
      const own = writes.filter((write) => write.instance === instance)
      this.#setAside(instance, own, error)
    }
    return 0
  }

  async #commitHalves(
    writes: readonly WaitingWrite[],
    instances: readonly InstanceId[],
    { limits, searchEndMs }: Attempt,
  ): Promise<number> {
    const attempt = { limits, searchEndMs }
    const half = new Set(instances.slice(0, instances.length / 2))
    const first = writes.filter((write) => half.has(write.instance))
    const second = writes.filter((write) => !half.has(write.instance))
    return (await this.#commitOrSplit(first, attempt)) + (await this.#commitOrSplit(second, attempt))
  }

  /** Puts the unanswered writes of an instance back to the front of the queue, for a while. Refuses them after too long. */
  #setAside(instance: InstanceId, writes: readonly WaitingWrite[], error: unknown): void {
    const { queue, setAside, log } = this.#options
    const added = queue.isClosed ? null : setAside.add(instance)
    if (added === null) {
      log.error({ err: error, instanceId: instance }, 'A write of an instance failed: its rows stayed locked.')
      setAside.remove(instance)
      queue.reject(writes, new GatewayError('STORE_UNAVAILABLE', { cause: error }))
      return
    }
    if (added.isFirst)
      log.warn({ err: error, instanceId: instance }, 'The writes of an instance wait: its rows are locked by others.')
    queue.returnWritesOf(instance)
  }

  /**
   * Writes one after the other, in order, and the one at fault without the content that the database does not take. The fault is in the
   * data and would be there at the next attempt: it must not end the connection of the instance again and again.
   */
  async #commitReadable(writes: readonly WaitingWrite[], error: unknown, attempt: Attempt): Promise<number> {
    const [write] = writes
    if (write === undefined) return 0
    if (writes.length > 1) {
      let events = 0
      // A write that is refused, or set aside, takes those with it that were made after it.
      for (const one of writes) if (!one.isDone && !one.isReturned) events += await this.#commitOrSplit([one], attempt)
      return events
    }
    const readable = withoutContent(write.changes)
    if (readable === null) {
      this.#refuse(writes, error)
      return 0
    }
    this.#options.log.error(
      { err: error, instanceId: write.instance },
      'A message is stored without its content: the database refuses it.',
    )
    write.changes = readable
    return await this.#commitOrSplit(writes, attempt)
  }

  /** Refuses writes of one instance. */
  #refuse(writes: readonly WaitingWrite[], error: unknown): void {
    const { log, queue } = this.#options
    const sentence = isProgramError(error)
      ? 'A write of an instance failed because of a bug in the gateway.'
      : 'A write of an instance was refused by the database.'
    log.error({ err: error, instanceId: writes[0]?.instance }, sentence)
    queue.reject(writes, toStoreError(error))
  }
}

type MessageUpdate = Extract<JournalChange, { type: 'message.update' }>

/**
 * A write of which the database refuses the values, reduced to what it must take: keys, credentials, and that there was a message.
 * The row keeps the message's place and its encoded bytes. Null when there is nothing to leave out, or when it is a send of ours:
 * its caller must hear of it.
 */
function withoutContent(changes: readonly JournalChange[]): readonly JournalChange[] | null {
  if (changes.some((change) => change.type === 'message' && change.message.wasSentByApi === true)) return null
  const reduced = changes.flatMap((change): JournalChange[] => {
    switch (change.type) {
      case 'message':
        return change.message.messageType === UNREADABLE
          ? [change]
          : [{ ...change, message: unreadable(change.message) }]
      case 'contact':
      case 'chat':
      case 'mapping':
      case 'event':
        return []
      case 'message.update':
        return change.announce === undefined ? [change] : [statusOnly(change)]
      default:
        return [change]
    }
  })
  const isSame = reduced.length === changes.length && reduced.every((change, index) => change === changes[index])
  return isSame ? null : reduced
}

function statusOnly({ announce: _, set, ...change }: MessageUpdate): MessageUpdate {
  return { ...change, set: set.status === undefined ? {} : { status: set.status } }
}

const UNREADABLE = 'unreadable'

function unreadable(message: NewMessage): NewMessage {
  const { messageid, chat, fromMe, isGroup, sender, senderPn, senderLid, status, source, proto } = message
  const isTime = message.messageTimestampMs > 0 && message.messageTimestampMs < 253_402_300_800_000
  return {
    messageid,
    chat,
    fromMe,
    isGroup,
    sender,
    ...(senderPn === undefined ? {} : { senderPn }),
    ...(senderLid === undefined ? {} : { senderLid }),
    status,
    ...(source === undefined ? {} : { source }),
    ...(message.isQuiet ? { isQuiet: true } : {}),
    ...(proto === undefined ? {} : { proto }),
    messageTimestampMs: isTime ? message.messageTimestampMs : Date.now(),
    messageType: UNREADABLE,
    type: UNREADABLE,
    text: '',
    content: null,
  }
}
