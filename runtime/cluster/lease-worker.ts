/**
 * The thread that proves that this node lives. It has a Redis and a PostgreSQL connection of its own, so that a main thread that stands
 * still, or a pool that is exhausted, loses nothing. `ownership/keeper.ts` decides; this file does the I/O.
 */
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { clientConfigAt, type DatabasePlace } from '../connect/database-place.js'
import { connectRedis } from '../connect/redis.js'
import type { RedisPlace } from '../connect/redis-place.js'
import type { StoreIdentity } from './lease-scripts.js'
import { connectLeases, createLeases } from './leases.js'
import { keep, nextTickMs, startKeeper } from './ownership/keeper.js'
import type { Incarnation, Instant, KeeperCommand, KeeperEvent, Timing } from './ownership/protocol.js'
import { now, Proof } from './proof.js'
import { createShardTable } from './shard-table.js'
import type { MainSample } from './watchdog/main-thread.js'
import { startWatchdog, type WatchdogSettings } from './watchdog/watchdog.js'

/** Notes in PostgreSQL, from the thread of the watchdog, the work during which the process ends itself. `runtime/store/blocked-work.ts` reads it. */

// $1 kind   $2 instance, or an empty text   $3 id   $4 operation   $5 stack
const NOTE = `
  WITH old AS (DELETE FROM blocked_work WHERE at < now() - interval '30 days' AND (kind, instance_id, id) <> ($1, $2, $3))
  INSERT INTO blocked_work (kind, instance_id, id, operation, stack) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (instance_id, kind, id) DO UPDATE
  SET ends = blocked_work.ends + 1, operation = EXCLUDED.operation, stack = EXCLUDED.stack, at = now()`

const STACK_MAX = 4_000

/** @throws the error of PostgreSQL; the end is not counted then */
async function noteEnd(pool: pg.Pool, { described, stack }: MainSample): Promise<void> {
  const work = described as Readonly<Record<string, unknown>> | null
  if (work === null || typeof work !== 'object') return
  const { kind, instance, id, operation } = work
  if (typeof id !== 'string' || id === '') return
  await pool.query(NOTE, [kind, instance, id, operation, stack.join('\n').slice(0, STACK_MAX)])
}

/** Data that the main thread gives to the worker. */
export interface LeaseWorkerData {
  readonly redis: RedisPlace
  readonly replicas: number
  readonly database: DatabasePlace
  readonly incarnation: Incarnation
  readonly timing: Timing
  readonly memory: SharedArrayBuffer
  /** Null if nothing watches the event loop of the main thread. */
  readonly watchdog: WatchdogSettings | null
}

export type ToWorker =
  | { readonly type: 'begin'; readonly sentAt: Instant }
  | { readonly type: 'leave' }
  | { readonly type: 'store'; readonly store: StoreIdentity }
export type FromWorker = { readonly type: 'refused' } | { readonly type: 'left' } | { readonly type: 'outdated' }

const { redis, replicas, database, incarnation, timing, memory, watchdog } = workerData as LeaseWorkerData
const proof = new Proof(memory)
const leases = createLeases({
  redis: connectLeases(connectRedis(redis), timing.commandTimeoutMs),
  incarnation,
  keptMs: timing.leaseKeptMs,
  replicas,
  commandTimeoutMs: timing.commandTimeoutMs,
})
const pool = new pg.Pool({
  ...clientConfigAt(database.direct ?? database),
  max: 1,
  application_name: 'posthorn lease',
  connectionTimeoutMillis: timing.commandTimeoutMs,
  statement_timeout: timing.commandTimeoutMs,
  query_timeout: timing.commandTimeoutMs,
  keepAlive: true,
})
pool.on('error', () => {})
// A connection that dies while it is out of the pool reports here as well as in its query.
pool.on('connect', (client) => client.on('error', () => {}))
const table = createShardTable({ pool, incarnation })

let state = startKeeper(timing)
let store: StoreIdentity | null = null
let timer: NodeJS.Timeout | undefined

function feed(event: KeeperEvent): void {
  proof.count(event.type)
  const result = keep(state, event, now())
  state = result.state
  for (const command of result.commands) run(command)
  clearTimeout(timer)
  timer = setTimeout(tick, nextTickMs(state, now()))
}

function tick(): void {
  feed({ type: 'tick', mainSeenMs: proof.mainSeenMs })
}

function run(command: KeeperCommand): void {
  const sentAt = now()
  switch (command.type) {
    case 'createLease': {
      const { creation } = command
      answer(leases.create(creation), (isMade) =>
        isMade ? { type: 'leaseCreated', creation } : { type: 'leaseFailed' },
      )
      return
    }
    case 'renewLease': {
      const { creation, counter } = command
      answer(leases.renew(creation, counter, store), (result) => {
        if (result === 'renewed') return { type: 'leaseRenewed', creation, sentAt }
        if (result === 'outdated') {
          tell({ type: 'outdated' })
          return { type: 'leaseOutdated' }
        }
        return result === 'lost' ? { type: 'leaseLost', creation } : { type: 'leaseFailed' }
      })
      return
    }
    case 'hold':
      table.hold().then(
        (isHeld) => feed(isHeld ? { type: 'held', sentAt } : { type: 'holdRefused' }),
        () => feed({ type: 'holdFailed' }),
      )
      return
    case 'publish':
      proof.publish(command.until)
      return
    case 'markLeft':
      leases
        .markLeft(state.lease.creation)
        .catch(() => {})
        .finally(() => tell({ type: 'left' }))
      return
    case 'refused':
      tell({ type: 'refused' })
      return
    default:
      command satisfies never
  }
}

function answer<T>(asked: Promise<T>, toEvent: (result: T) => KeeperEvent): void {
  asked.then(
    (result) => feed(toEvent(result)),
    () => feed({ type: 'leaseFailed' }),
  )
}

/** A hold must reach the server that the others read. */
function useStore(used: StoreIdentity): void {
  store = used
  pool.connect().then(
    (client) => client.release(true),
    () => {},
  )
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'store') useStore(message.store)
  else feed(message)
})
tick()
if (watchdog !== null)
  startWatchdog(watchdog, {
    seenMs: () => proof.mainSeenMs,
    nowMs: () => now().monotonicMs,
    isDebugged: () => proof.isDebugged,
    ending: (sample) => noteEnd(pool, sample),
  })
