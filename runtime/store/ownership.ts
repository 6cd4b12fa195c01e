/** One node owns all shards: it holds a lock of the database for as long as it lives and has raised every epoch. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { OperatorError } from '../../schemas/operator-error.js'
import type { Database } from './database.js'
import { SHARDS } from './shard.js'

export { shardOf } from './shard.js'

export interface Ownership {
  /** Undefined while this node does not own the shard. */
  epochOf(shard: number): number | undefined
  /** The shards that this node owns. */
  owned(): readonly number[]
  /** Gives the lock back. */
  release(): Promise<void>
}

export interface OwnershipEvents {
  /** The connection that holds the lock was lost; it is being made again. Writes stay safe: each checks its epoch. */
  onLost?(): void
  /** The lock is held again. `epochsRaised`: another node had taken over meanwhile, every actor of ours has to start anew. */
  onRegained?(result: { epochsRaised: boolean }): void
}

/** 'own!' in ASCII. */
const OWNER_LOCK = 0x6f776e21
const REGAIN_MS = 1_000
/** PostgreSQL notices within this time that a node that was killed has gone. */
const PATIENCE_MS = 3_000
const POLL_MS = 100

/**
 * @throws OperatorError when another node has the lock.
 */
export async function takeAllShards(
  database: Database,
  owner: string,
  log: Logger,
  events: OwnershipEvents = {},
): Promise<Ownership> {
  let released = false
  let retry: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let epochs: number[] = []

  client = await lockWithin(database, PATIENCE_MS)
  if (client === undefined) {
    throw new OperatorError(
      'Another node runs on this database; only one at a time can. Stop it, or give this one another database.',
    )
  }
  try {
    epochs = await raiseEpochs(client, owner)
  } catch (error) {
    await end(client)
    throw error
  }
  watch(client)

  return {
    epochOf: (shard) => epochs[shard],
    owned: () => [...epochs.keys()],
    async release() {
      released = true
      clearTimeout(retry)
      const held = client
      client = undefined
      if (held) await end(held)
    },
  }

  function watch(held: pg.Client): void {
    held.once('end', () => {
      if (released || client !== held) return
      client = undefined
      log.warn('the connection that holds the owner lock was lost')
      events.onLost?.()
      regainLater()
    })
  }

  function regainLater(): void {
    retry = setTimeout(() => void regain(), REGAIN_MS * (0.5 + Math.random()))
  }

  async function regain(): Promise<void> {
    try {
      const held = await lock(database)
      if (released) {
        if (held) await end(held)
        return
      }
      if (held === undefined) {
        log.error('another node holds the owner lock of this database')
        return regainLater()
      }
      const current = await readEpochs(held, owner)
      const epochsRaised = current === undefined || current.some((epoch, shard) => epoch !== epochs[shard])
      if (epochsRaised) epochs = await raiseEpochs(held, owner)
      client = held
      watch(held)
      log.info({ epochsRaised }, 'the owner lock is held again')
      events.onRegained?.({ epochsRaised })
    } catch (error) {
      log.warn({ err: error }, 'the owner lock could not be taken again yet')
      if (!released) regainLater()
    }
  }
}

async function lockWithin(database: Database, patienceMs: number): Promise<pg.Client | undefined> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const client = await lock(database)
    if (client !== undefined || performance.now() > deadline) return client
    await delay(POLL_MS)
  }
}

async function lock(database: Database): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...database.clientConfig, application_name: 'posthorn owner' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [OWNER_LOCK])
    if (rows[0]?.held) return client
  } catch (error) {
    await end(client)
    throw error
  }
  await end(client)
  return undefined
}

async function raiseEpochs(client: pg.Client, owner: string): Promise<number[]> {
  await client.query('BEGIN')
  // In the order in which writers take their share locks, so that the two cannot wait for each other.
  await client.query('SELECT shard FROM shard_owner ORDER BY shard FOR UPDATE')
  const { rows } = await client.query<{ shard: number; epoch: number }>(
    'UPDATE shard_owner SET owner = $1, epoch = epoch + 1, updated = now() RETURNING shard, epoch',
    [owner],
  )
  await client.query('COMMIT')
  if (rows.length !== SHARDS) throw new Error(`The database has ${rows.length} shards, not ${SHARDS}.`)
  return toEpochs(rows)
}

async function readEpochs(client: pg.Client, owner: string): Promise<number[] | undefined> {
  const { rows } = await client.query<{ shard: number; epoch: number; owner: string | null }>(
    'SELECT shard, epoch, owner FROM shard_owner',
  )
  return rows.every((row) => row.owner === owner) ? toEpochs(rows) : undefined
}

function toEpochs(rows: readonly { shard: number; epoch: number }[]): number[] {
  const epochs: number[] = []
  for (const row of rows) epochs[row.shard] = row.epoch
  return epochs
}

async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {})
}
