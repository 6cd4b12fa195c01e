/** Two PostgreSQL servers, a primary and its standby, and a switch before them, which says whom the gateway reaches. On loopback only. */
import type { NetConnectOpts } from 'node:net'
import pg from 'pg'
import type { Cleanup } from './cleanup.js'
import { type TestPostgres, testPostgres, testStandby } from './embedded.js'
import { eventually } from './eventually.js'
import { type CuttableProxy, databasePlace, startProxy } from './proxy.js'

export interface ReplicatedPostgres {
  /** Leads through the switch. */
  readonly connectionString: string
  readonly first: TestPostgres
  readonly second: TestPostgres
  /** The server to which the switch leads new connections. */
  readonly current: TestPostgres
  /** Where the switch leads now, for a switch of the test's own. */
  at(): NetConnectOpts
  /** Of one server, for a switch of the test's own. */
  readPlace(server: TestPostgres): NetConnectOpts
  /** From now on the standby gets nothing of what is committed: a promotion loses it. A synchronous commit waits. */
  holdBack(): void
  /** The standby gets everything again. */
  follow(): Promise<void>
  /** From now on a commit waits for the standby. */
  setSynchronous(): Promise<void>
  /**
   * Makes the standby the primary and leads the switch there; `ways` are cut meanwhile. Unless it was held back, it first gets everything. The
   * former primary is killed, unless it lives on.
   */
  promote(how?: { readonly oldLivesOn?: boolean; readonly ways?: readonly CuttableProxy[] }): Promise<void>
  /** Kills the server that the switch leads to, puts an older copy (`first.backup`) in its place, and starts it. */
  restore(putBack: () => Promise<void>, ways?: readonly CuttableProxy[]): Promise<void>
  rows<Row>(text: string, values?: unknown[], server?: TestPostgres): Promise<Row[]>
}

export async function startReplicatedPostgres(t: Cleanup): Promise<ReplicatedPostgres> {
  const settings = { wal_level: 'replica', max_wal_senders: '5', wal_keep_size: '256MB', wal_sender_timeout: '5s' }
  const first = await testPostgres(t, () => settings)
  const firstPlace = databasePlace(first.connectionString)
  const replication = await startProxy(t, () => firstPlace.target)
  const second = await testStandby(t, first, { primaryPort: replication.port, settings })
  let current = first
  let isHeldBack = false
  const readPlace = (server: TestPostgres): NetConnectOpts => databasePlace(server.connectionString).target
  const way = await startProxy(t, () => readPlace(current))

  async function rows<Row>(text: string, values: unknown[] = [], server = current): Promise<Row[]> {
    const client = new pg.Client({ connectionString: server.connectionString })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows as Row[]
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Waits until the standby has everything that the primary has written so far. */
  async function caughtUp(): Promise<void> {
    const [end] = await rows<{ at: string }>('SELECT pg_current_wal_flush_lsn()::text AS at', [], first)
    await eventually(
      () => rows<{ has: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has', [end?.at], second),
      ([row]) => row?.has === true,
    )
  }

  await caughtUp()
  return {
    connectionString: firstPlace.through(way.port),
    first,
    second,
    get current() {
      return current
    },
    at: () => readPlace(current),
    readPlace,
    holdBack() {
      isHeldBack = true
      replication.cut()
    },
    async follow() {
      isHeldBack = false
      replication.mend()
      await caughtUp()
    },
    async setSynchronous() {
      await rows("ALTER SYSTEM SET synchronous_standby_names = '*'", [], first)
      await rows('SELECT pg_reload_conf()', [], first)
      await eventually(
        () => rows<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication', [], first),
        (all) => all.some(({ sync_state }) => sync_state === 'sync'),
      )
    },
    async promote({ oldLivesOn = false, ways = [] } = {}) {
      for (const one of [way, ...ways]) one.cut()
      if (!isHeldBack) await caughtUp()
      replication.cut()
      if (!oldLivesOn) await first.kill()
      await rows('SELECT pg_promote(true, 60)', [], second)
      current = second
      for (const one of [way, ...ways]) one.mend()
    },
    async restore(putBack, ways = []) {
      for (const one of [way, ...ways]) one.cut()
      await putBack()
      for (const one of [way, ...ways]) one.mend()
    },
    rows,
  }
}
