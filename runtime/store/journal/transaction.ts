/**
 * One transaction: many writes of many instances.
 * Statements travel in waves, each sent as a whole: fence; chats and rows; chats moved by what is new; events and commit. Mostly the first three
 * are one (`ahead.ts`).
 */
import type { StoredMessage, WriteResult } from '../../../actors/instance/ports.js'
import type { MessageId } from '../../../schemas/ids.js'
import { messageRecord } from '../message-record.js'
import { UnansweredCommit } from '../transaction-outcome.js'
import { expectedFacts, mayRunAhead } from './ahead.js'
import type { Committed, Write } from './batch.js'
import type { Statements } from './connection.js'
import { sendEvents } from './event-log.js'
import { type BatchRows, composeEvents, recordOfNew } from './events.js'
import { type FencePassage, hasPassed, isOfExported, passFence, passFenceAhead } from './fence.js'
import type { Insertion } from './message-inserts.js'
import { isConnectionLost, isDelay, isTransient } from './statement-errors.js'
import { type RowContext, writeRows } from './write-rows.js'

export interface TransactionOutcome {
  /** In the order of the writes. Null when the epoch is over, or the instance was deleted. */
  readonly results: readonly (WriteResult | 'exported' | null)[]
  readonly committed: Committed
}

/** Shorter limits for one transaction than those of the connection. */
export interface TransactionLimits {
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

export interface CommitOptions {
  readonly limits: TransactionLimits | undefined
  readonly confirm: (unanswered: UnansweredCommit) => Promise<void>
}

type Rows = Awaited<ReturnType<typeof writeRows>>

const NOTHING: Committed = { events: [], lanes: [], mergedLanes: [], changedInstances: [] }

/**
 * Commits all writes that pass the fence. If the COMMIT was sent and not answered with success, calls `confirm`, which returns when the
 * transaction was committed all the same.
 * @throws the error of the database, and then nothing is written; the error of `confirm`
 */
export async function commitBatch(
  connection: Statements,
  writes: readonly Write[],
  context: RowContext,
  how: CommitOptions,
): Promise<TransactionOutcome> {
  const announces = writes.some((write) => write.changes.some(isHeard))
  if (how.limits === undefined && mayRunAhead(writes)) {
    const written = await writeAhead(connection, writes, announces, context)
    if (written !== null) {
      const { client, passage, rows } = written
      return await failingFirst(client, () => finish(client, writes, writes, { passage, rows, context, how }))
    }
  }
  const client = untilFailure(connection)
  return await failingFirst(client, () => commitInSteps(client, writes, announces, { context, how }))
}

/** Throws the first failure: statements behind it fail because of it, and their errors may arrive first. */
async function failingFirst<T>(client: Failing, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw client.failure() ?? error
  }
}

interface WrittenAhead {
  readonly client: Failing
  readonly passage: FencePassage
  readonly rows: Rows
}

/** Returns null, with the transaction rolled back, when something was not as expected: then it is to be made in steps. */
async function writeAhead(
  connection: Statements,
  writes: readonly Write[],
  announces: boolean,
  context: RowContext,
): Promise<WrittenAhead | null> {
  const client = untilFailure(connection)
  try {
    void client.query('BEGIN')
    const passing = passFenceAhead(client, writes, context.owner, announces)
    const time = { now: context.clock.now(), isAhead: true }
    const [passage, rows] = await Promise.all([
      passing,
      writeRows(client, writes, expectedFacts(writes), context, time),
    ])
    return { client, passage, rows }
  } catch (error) {
    const cause = client.failure() ?? error
    if (isConnectionLost(cause) || isDelay(cause) || isTransient(cause)) throw cause
    client.end(cause)
    await connection.query('ROLLBACK')
    return null
  }
}

async function commitInSteps(
  client: Failing,
  writes: readonly Write[],
  announces: boolean,
  { context, how }: Pick<Finish, 'context' | 'how'>,
): Promise<TransactionOutcome> {
  const { limits } = how
  void client.query('BEGIN')
  if (limits !== undefined) {
    void client.query(`SET LOCAL lock_timeout = ${Math.trunc(limits.lockTimeoutMs)}`, [])
    void client.query(`SET LOCAL statement_timeout = ${Math.trunc(limits.statementTimeoutMs)}`, [])
  }
  const passage = await passFence(client, writes, context.owner, announces)
  const { facts, now } = passage
  const passed = writes.filter((write) => hasPassed(facts, write))
  if (passed.length === 0) {
    await client.query('ROLLBACK')
    return { results: writes.map((write) => findRefusal(facts, write)), committed: NOTHING }
  }
  const rows = await writeRows(client, passed, facts, context, { now, isAhead: false })
  return await finish(client, writes, passed, { passage, rows, context, how })
}

interface Finish {
  readonly passage: FencePassage
  readonly rows: Rows
  readonly context: RowContext
  readonly how: CommitOptions
}

/** Appends the events of what was written, and commits. */
async function finish(
  client: Statements,
  writes: readonly Write[],
  passed: readonly Write[],
  { passage, rows: written, context, how: { confirm } }: Finish,
): Promise<TransactionOutcome> {
  const { facts, xid, now, webhooks } = passage
  const rows = { ...written, facts, now }
  const appended = sendEvents(client, composeEvents(passed, rows), facts, webhooks, now)
  await commit(client, appended.sent).catch((error: unknown) => confirm(new UnansweredCommit(xid, error)))

  context.clock.note(now)
  const [first] = passed
  if (first !== undefined) context.commits.last = { xid, shard: first.shard, epoch: first.epoch, at: now }
  rows.chats.remember()
  for (const instance of rows.instances.activeInstances()) context.activity.set(instance, now.getTime())
  rows.beginnings.remember()
  return {
    results: writes.map((write) => (hasPassed(facts, write) ? composeResult(write, rows) : findRefusal(facts, write))),
    committed: {
      events: appended.events,
      lanes: appended.lanes,
      mergedLanes: rows.chats.merged,
      changedInstances: rows.instances.changedInstances(),
    },
  }
}

interface Failing extends Statements {
  failure(): unknown
  /** Sends no more statements: the transaction is to be rolled back. */
  end(cause: unknown): void
}

function findRefusal(facts: FencePassage['facts'], write: Write): 'exported' | null {
  return isOfExported(facts, write) ? 'exported' : null
}

/**
 * Sends no more statements after one has failed. Parts of a transaction that run side by side go on when one of them has failed. A later
 * statement of theirs must not reach the connection, which may have ended the transaction meanwhile: it would be committed by itself.
 */
function untilFailure(connection: Statements): Failing {
  let failed: Promise<never> | undefined
  let failure: unknown
  return {
    failure: () => failure,
    end(cause) {
      failed ??= Promise.reject(cause)
      failed.catch(() => {})
    },
    query: (text, values) => {
      if (failed !== undefined) return failed
      const answered = connection.query<never>(text, values)
      answered.catch((error: unknown) => {
        failed ??= answered as Promise<never>
        failure ??= error
      })
      return answered
    },
  }
}

/** Sends COMMIT behind `sent`, on the same connection. If `sent` fails, COMMIT fails too, with an error that says less. */
async function commit(client: Statements, sent: Promise<unknown>): Promise<void> {
  const [, { command }] = await Promise.all([sent, client.query('COMMIT')])
  // A transaction that failed answers COMMIT with ROLLBACK, without an error.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back.')
}

/** Returns true when the change may become an event for webhooks. */
function isHeard(change: Write['changes'][number]): boolean {
  switch (change.type) {
    case 'event':
    case 'lead':
    case 'lead.source':
    case 'label':
    case 'chat.label':
    case 'blocked':
    case 'optOut':
      return true
    case 'message':
    case 'chat':
    case 'contact':
      return change.announce === true
    case 'message.update':
      return change.announce !== undefined
    default:
      return false
  }
}

function composeResult(write: Write, rows: BatchRows): WriteResult {
  const messages = new Map<MessageId, StoredMessage>()
  for (const change of write.changes) {
    if (change.type !== 'message') continue
    const insertion = rows.insertions.get(change)
    if (insertion !== undefined) messages.set(change.message.messageid, storedMessage(insertion, rows))
  }
  return { messages }
}

function storedMessage(insertion: Insertion, rows: BatchRows): StoredMessage {
  let record: Readonly<Record<string, unknown>> | undefined
  return {
    inserted: insertion.sameAs === null && insertion.known === null,
    // Made on demand: the record of a received message is not read.
    get record() {
      record ??= makeRecord(insertion, rows)
      return record
    },
  }
}

function makeRecord(insertion: Insertion, rows: BatchRows): Readonly<Record<string, unknown>> {
  if (insertion.sameAs !== null) return makeRecord(insertion.sameAs, rows)
  if (insertion.known === null) return recordOfNew(insertion, rows)
  return messageRecord(insertion.known, rows.facts.get(insertion.instance)?.owner ?? '')
}
