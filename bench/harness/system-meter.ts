/** Counts what work costs the whole system: CPU of the gateway, of PostgreSQL and of Redis, and what PostgreSQL writes for it. */
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { cpuMs, type Part } from './processes.js'
import type { BenchStores } from './stores.js'

/** Time after which an idle connection of PostgreSQL hands over what it has counted, and a bit. */
const COUNTS_ARRIVE_MS = 11_000

/** Sums since the start of each part. CPU in milliseconds. */
export interface SystemCounts {
  readonly gatewayMs: number
  readonly postgresMs: number
  readonly redisMs: number
  readonly redisCommands: number
  readonly transactions: number
  readonly inserted: number
  readonly updated: number
  readonly hotUpdated: number
  readonly deleted: number
  /** Entries of indexes that hold all rows of their table. Partial ones, and those of block ranges, are not counted. */
  readonly indexEntries: number
  readonly walBytes: number
  /** Whole pages in the log, one for each page that is changed for the first time since a checkpoint. */
  readonly walPages: number
}

export interface SystemMeter {
  /**
   * Returns the cost of `work`. PostgreSQL counts with a delay, so that `before` and `after` fill the time with work elsewhere: what they
   * cost does not count.
   */
  measure(parts: {
    before(): Promise<unknown>
    work(): Promise<unknown>
    after(): Promise<unknown>
  }): Promise<SystemCounts>
  stop(): void
}

const ROWS = `
  SELECT sum(n_tup_ins)::float8 AS inserted, sum(n_tup_upd)::float8 AS updated, sum(n_tup_hot_upd)::float8 AS "hotUpdated",
    sum(n_tup_del)::float8 AS deleted, sum((n_tup_ins + n_tup_upd - n_tup_hot_upd) * whole.indexes)::float8 AS "indexEntries"
  FROM pg_stat_user_tables AS t CROSS JOIN LATERAL (
    SELECT count(*) AS indexes FROM pg_index AS x JOIN pg_class AS c ON c.oid = x.indexrelid JOIN pg_am AS a ON a.oid = c.relam
    WHERE x.indrelid = t.relid AND x.indpred IS NULL AND a.amname <> 'brin') AS whole`
const WAL = 'SELECT wal_bytes::float8 AS "walBytes", wal_fpi::float8 AS "walPages" FROM pg_stat_wal'
const TRANSACTIONS = `
  SELECT (xact_commit + xact_rollback)::float8 AS transactions FROM pg_stat_database WHERE datname = current_database()`

type Cpu = Pick<SystemCounts, 'gatewayMs' | 'postgresMs' | 'redisMs' | 'redisCommands'>
type Written = Omit<SystemCounts, keyof Cpu>

export function createSystemMeter(gateway: Part, stores: BenchStores): SystemMeter {
  const redis = new Redis({ path: stores.redisUrl })

  async function cpu(): Promise<Cpu> {
    const stats = await redis.info('commandstats')
    const calls = [...stats.matchAll(/^cmdstat_\S+?:calls=(\d+)/gm)].map(([, count]) => Number(count))
    return {
      gatewayMs: cpuMs(gateway.pid),
      postgresMs: stores.cpuMs(),
      redisMs: cpuMs(await redisPid(redis)),
      redisCommands: calls.reduce((sum, count) => sum + count, 0),
    }
  }

  async function written(): Promise<Written> {
    const [rows] = await stores.rows<Omit<Written, 'walBytes' | 'walPages' | 'transactions'>>(ROWS)
    const [wal] = await stores.rows<Pick<Written, 'walBytes' | 'walPages'>>(WAL)
    const [transactions] = await stores.rows<Pick<Written, 'transactions'>>(TRANSACTIONS)
    if (rows === undefined || wal === undefined || transactions === undefined)
      throw new Error('PostgreSQL counts nothing.')
    return { ...rows, ...wal, ...transactions }
  }

  return {
    async measure(parts) {
      await Promise.all([parts.before(), wait(COUNTS_ARRIVE_MS)])
      const before = { ...(await written()), ...(await cpu()) }
      await parts.work()
      const cpuAfter = await cpu()
      await Promise.all([parts.after(), wait(COUNTS_ARRIVE_MS)])
      const after = { ...(await written()), ...cpuAfter }
      const names = Object.keys(after) as (keyof SystemCounts)[]
      return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as SystemCounts
    },
    stop: () => redis.disconnect(),
  }
}

async function redisPid(redis: Redis): Promise<number> {
  return Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1])
}
