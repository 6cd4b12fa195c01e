/** PostgreSQL and Redis of a bench itself, beside its gateway: the bench fills tables, and measures PostgreSQL by itself. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { startEmbedded } from '../../runtime/embedded/start.js'
import { createLogger } from '../../runtime/logging.js'
import { dataFolder } from './gateway.js'
import { cpuMs } from './processes.js'

export interface BenchStores {
  /** Settings of a gateway on these stores. */
  readonly env: Readonly<Record<string, string>>
  readonly redisUrl: string
  /** The log of PostgreSQL. */
  readonly logFile: string
  rows<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** CPU time of all processes of PostgreSQL so far, in milliseconds. */
  cpuMs(): number
  redisPid(): Promise<number>
  /** Call it behind the end of the gateway. */
  stop(): Promise<void>
}

export async function startStores(postgresSettings: Readonly<Record<string, string>> = {}): Promise<BenchStores> {
  const dataDir = path.join(dataFolder(), 'stores')
  const stores = await startEmbedded({
    dataDir,
    logger: createLogger({ level: 'error' }),
    postgresSettings,
  })
  const { connectionString } = stores.database
  const redisUrl = stores.redis.type === 'socket' ? stores.redis.path : ''
  const client = new pg.Client({ connectionString })
  await client.connect()
  const rows: BenchStores['rows'] = async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row>(text, values === undefined ? undefined : [...values])).rows
  const [own] = await rows<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = findParent(own?.pid ?? 0)
  return {
    env: {
      DATABASE_URL: connectionString,
      REDIS_URL: redisUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      CLUSTER_SECRET: 'the-secret-of-a-bench',
      PEER_PORT: '0',
    },
    redisUrl,
    logFile: path.join(dataDir, 'postgresql.log'),
    rows,
    cpuMs: () => cpuOfFamily(postmaster),
    async redisPid() {
      const redis = new Redis({ path: redisUrl })
      const pid = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]
      redis.disconnect()
      return Number(pid)
    },
    async stop() {
      await client.end()
      await stores.stop()
    },
  }
}

/** The process that started this one. */
export function findParent(pid: number): number {
  return Number(readStat(pid)[1])
}

/** The fields of `/proc/<pid>/stat` behind the name; none if the process has ended. */
function readStat(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

/** Returns the CPU time of a process and its children, those that have ended included. */
export function cpuOfFamily(parent: number): number {
  const living = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(readStat(name)[1]) === parent)
  const own = readStat(parent)
  const ofEnded = (Number(own[13]) + Number(own[14])) * 10
  return living.reduce((sum, pid) => sum + cpuIfLiving(pid), cpuMs(parent) + ofEnded)
}

/** Returns 0 for a process that has ended since its parent was looked at. */
function cpuIfLiving(pid: string): number {
  const [utime, stime] = readStat(pid).slice(11, 13)
  return (Number(utime ?? 0) + Number(stime ?? 0)) * 10
}
