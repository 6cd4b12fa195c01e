import pg from 'pg'
import type { Incarnation, NodeId, NodeRow, ShardRow } from './ownership/protocol.js'
import {
  BEGIN_ERA,
  FREE_SHARDS,
  HAS_COMMIT,
  hidesPosition,
  LOCK_SHARDS,
  NEWEST_CHANGE,
  type StoreColumns,
  type StoreHistory,
  type StoreReading,
  storeColumns,
  toReading,
} from './store-reading.js'

// Ours: addresses and errors of our own nodes.

export interface ShardTableOptions {
  /**
   * A pool for these statements, and for some that take no time, so that none waits behind others. It has a `statement_timeout`, so that a
   * statement that was given up is not executed much later either.
   */
  readonly pool: pg.Pool
  readonly incarnation: Incarnation
}

export type AfterWrite =
  | { readonly type: 'row'; readonly row: ShardRow }
  /** The statement was surely not executed. */
  | { readonly type: 'untouched' }
  /** The statement may have been executed. */
  | { readonly type: 'unknown' }

/** `shards`: the number by which this node finds the shard of an instance. */
export type Registration = Pick<NodeRow, 'nodeId' | 'address' | 'version'> & { readonly shards: number }

export interface TableReading {
  readonly shards: readonly ShardRow[]
  readonly nodes: readonly NodeRow[]
  readonly store: StoreReading
}

/**
 * The owners of shards in SQL: the statements of the ownership core (`ownership/protocol.ts` defines each, docs/design/ownership.md says why).
 * Each is executed once, without repeats. All but `handOver` and `raise` throw the errors of the database and of the connection.
 */
export interface ShardTable extends StoreHistory {
  read(): Promise<TableReading>
  /**
   * Registers this node. Declares `over`, a former life of this node, dead in the same moment, if its revision is still that one.
   * Returns false when a living node has this id; nothing was changed then.
   * @throws OtherShards
   */
  register(
    node: Registration,
    over: { readonly incarnation: Incarnation; readonly revision: number } | null,
  ): Promise<boolean>
  /**
   * Gives a sign of life. Returns false when this incarnation was declared dead. Rejects as well when the table has no row of it, as when the
   * store went back to before it had registered: that is no death, and no proof either.
   */
  hold(): Promise<boolean>
  setDraining(): Promise<void>
  leave(): Promise<void>
  declareDead(incarnation: Incarnation, revision: number): Promise<'dead' | 'moved'>
  claim(
    shards: readonly ({ readonly shard: number } & ShardRow)[],
  ): Promise<readonly { readonly shard: number; readonly epoch: number }[]>
  handOver(shard: number, epoch: number, to: Incarnation): Promise<AfterWrite>
  raise(shard: number, epoch: number): Promise<AfterWrite>
  /** Deletes the rows of nodes that died long ago, after `remove` has removed everything else that they left. Nothing depends on it. */
  forgetDead(remove: (node: NodeId) => Promise<void>): Promise<void>
}

/** The number of shards was changed, or an older copy of the store was put in place, since this process has read it. */
export class OtherShards extends Error {
  constructor(options: ErrorOptions) {
    super('The cluster has another number of shards than when this node started.', options)
  }
}

// One statement sees one moment, so that each owner is among the nodes. The rows of shards come only if they may have changed: the counter grows in
// the transaction of each change, and another server, or a copy that was put in its place, has another start or counter.
// $1 the version of the rows that are known, or null
const VERSION = "(SELECT concat_ws(' ', pg_postmaster_start_time(), era, counter) FROM store_history)"
const tableWith = (columns: string): string => `
  SELECT ${columns}, ${VERSION} AS version,
    CASE WHEN $1::text IS DISTINCT FROM ${VERSION} THEN
      (SELECT json_agg(json_build_object('owner', owner, 'epoch', epoch) ORDER BY shard) FROM shard_owner) END AS shards,
    (SELECT json_agg(json_build_object('incarnation', incarnation, 'nodeId', node_id, 'address', address, 'version', version,
      'isDraining', draining, 'isDead', dead, 'revision', revision)) FROM node) AS nodes`

// Dead nodes that own nothing and registered more than a day ago. Whatever they left elsewhere goes too, unless a node of that name lives.
const FORGOTTEN = `
  SELECT n.incarnation, n.node_id AS "nodeId",
    EXISTS (SELECT FROM node AS l WHERE l.node_id = n.node_id AND NOT l.dead) AS "isBack"
  FROM node AS n WHERE n.dead AND n.registered < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM shard_owner AS s WHERE s.owner = n.incarnation)`

// If a former try has landed, this one is a sign of life. The count makes sure that the death comes first.
// $1 us   $2 our node id   $3 address   $4 version   $5 the former, or null   $6 its revision   $7 shards
const REGISTER = `
  WITH former AS (
    UPDATE node SET dead = true WHERE incarnation = $5 AND revision = $6 AND NOT dead RETURNING incarnation
  )
  INSERT INTO node (incarnation, node_id, address, version, reads_sealed_headers, shards)
  SELECT $1, $2, $3, $4, true, $7 FROM (SELECT count(*) FROM former) AS f
  ON CONFLICT (incarnation) DO UPDATE SET revision = node.revision + 1 WHERE NOT node.dead
  RETURNING incarnation`

const HOLD = `
  WITH held AS (UPDATE node SET revision = revision + 1 WHERE incarnation = $1 AND NOT dead RETURNING incarnation)
  SELECT EXISTS (SELECT FROM held) AS held, EXISTS (SELECT FROM node WHERE incarnation = $1) AS known`

// Changes of the first part are not in the snapshot of the second part, hence both conditions.
const DECLARE_DEAD = `
  WITH declared AS (
    UPDATE node SET dead = true WHERE incarnation = $1 AND revision = $2 AND NOT dead RETURNING incarnation
  )
  SELECT EXISTS (SELECT FROM declared) OR NOT EXISTS (SELECT FROM node WHERE incarnation = $1 AND NOT dead) AS dead`

// Locks our own row, so that our death comes before the claim or after it. A former owner that is dead stays dead. Locks rows in the
// order of the shards, as the journals do.
// $1 shards   $2 their owners   $3 their epochs   $4 us
const CLAIM = `
  WITH me AS (
    SELECT incarnation FROM node WHERE incarnation = $4 AND NOT dead FOR SHARE
  ), free AS (
    SELECT s.shard FROM shard_owner AS s
    JOIN unnest($1::smallint[], $2::text[], $3::bigint[]) AS w(shard, owner, epoch)
      ON w.shard = s.shard AND w.epoch = s.epoch AND w.owner IS NOT DISTINCT FROM s.owner
    WHERE EXISTS (SELECT FROM me) AND NOT EXISTS (SELECT FROM node AS n WHERE n.incarnation = s.owner AND NOT n.dead)
    ORDER BY s.shard FOR UPDATE OF s
  )
  UPDATE shard_owner AS s SET owner = $4, epoch = s.epoch + 1, updated = now()
  FROM free WHERE s.shard = free.shard
  RETURNING s.shard, s.epoch`

// $1 shard   $2 epoch   $3 us   $4 the new owner
const HAND_OVER = `
  WITH target AS (
    SELECT incarnation FROM node WHERE incarnation = $4 AND NOT dead FOR SHARE
  )
  UPDATE shard_owner SET owner = $4, epoch = epoch + 1, updated = now()
  WHERE shard = $1 AND epoch = $2 AND owner = $3 AND EXISTS (SELECT FROM target)
  RETURNING owner, epoch`
const RAISE = `
  UPDATE shard_owner SET epoch = epoch + 1, updated = now() WHERE shard = $1 AND epoch = $2 AND owner = $3
  RETURNING owner, epoch`

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

export function createShardTable({ pool, incarnation }: ShardTableOptions): ShardTable {
  let isSilent = false
  let known: { readonly version: string; readonly shards: readonly ShardRow[] } | undefined
  return {
    async read() {
      const former = known
      const ask = () => query<StoredTable>(pool, tableWith(storeColumns(isSilent)), [former?.version ?? null])
      const answered = await ask().catch((error: unknown) => {
        if (isSilent || !hidesPosition(error)) throw error
        isSilent = true
        return ask()
      })
      const [row] = answered.rows
      if (row === undefined) throw new Error('PostgreSQL returned no table of shards.')
      const shards = row.shards ?? (row.version === former?.version ? former.shards : [])
      known = { version: row.version, shards }
      return { shards, nodes: row.nodes ?? [], store: toReading(row) }
    },

    async hasCommit({ shard, epoch, xid }, owner) {
      const lowerHalf = String(BigInt(xid) & 0xffff_ffffn)
      const { rows } = await query<{ isThere: boolean }>(pool, HAS_COMMIT, [shard, epoch, owner, lowerHalf])
      return rows[0]?.isThere === true
    },

    async newestChange() {
      return (await query<{ at: Date | null }>(pool, NEWEST_CHANGE)).rows[0]?.at ?? null
    },

    async beginEra({ over, era, counter, epoch, cause, noticedBy, from, until }) {
      await inTransaction(pool, async (client) => {
        await client.query(LOCK_SHARDS)
        const begun = await client.query(BEGIN_ERA, [over, era, counter, cause, noticedBy, from, until])
        if (begun.rowCount === 1) await client.query(FREE_SHARDS, [epoch])
      })
    },

    async register({ nodeId, address, version, shards }, over) {
      const former = [over?.incarnation ?? null, over?.revision ?? null]
      try {
        return await changesRow(pool, REGISTER, [...[incarnation, nodeId, address, version], ...former, shards])
      } catch (error) {
        const { code } = error as { code?: string }
        if (code === UNIQUE_VIOLATION) return false
        if (code === FOREIGN_KEY_VIOLATION) throw new OtherShards({ cause: error })
        throw error
      }
    },

    async hold() {
      const [row] = (await query<{ held: boolean; known: boolean }>(pool, HOLD, [incarnation])).rows
      if (row?.known !== true) throw new Error('The table of nodes has no row of this one.')
      return row.held
    },

    async setDraining() {
      await query(pool, 'UPDATE node SET draining = true WHERE incarnation = $1', [incarnation])
    },

    async leave() {
      await query(pool, 'UPDATE node SET dead = true WHERE incarnation = $1', [incarnation])
    },

    async declareDead(other, revision) {
      const { rows } = await query<{ dead: boolean }>(pool, DECLARE_DEAD, [other, revision])
      return rows[0]?.dead ? 'dead' : 'moved'
    },

    async claim(shards) {
      const { rows } = await query<{ shard: number; epoch: number }>(pool, CLAIM, [
        shards.map(({ shard }) => shard),
        shards.map(({ owner }) => owner),
        shards.map(({ epoch }) => epoch),
        incarnation,
      ])
      return rows
    },

    handOver: (shard, epoch, to) => writeShard(pool, shard, HAND_OVER, [shard, epoch, incarnation, to]),
    raise: (shard, epoch) => writeShard(pool, shard, RAISE, [shard, epoch, incarnation]),

    async forgetDead(remove) {
      const { rows } = await query<{ incarnation: Incarnation; nodeId: NodeId; isBack: boolean }>(pool, FORGOTTEN)
      for (const { incarnation: dead, nodeId, isBack } of rows) {
        if (!isBack) await remove(nodeId)
        await query(pool, 'DELETE FROM node WHERE incarnation = $1', [dead])
      }
    },
  }
}

interface StoredTable extends StoreColumns {
  readonly version: string
  readonly shards: readonly ShardRow[] | null
  readonly nodes: readonly NodeRow[] | null
}

/** Returns true for an error of PostgreSQL that ends the statement and not the connection. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '')
}

/** Runs a statement. A refusal of it leaves the connection as it is: its session may hold locks. */
async function query<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect()
  try {
    const result = await client.query<Row>(text, [...values])
    client.release()
    return result
  } catch (error) {
    client.release(!isRefusal(error))
    throw error
  }
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await work(client)
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    // What it has locked ends with its connection.
    client.release(true)
    throw error
  }
}

/** Runs a statement. Returns whether it changed a row. */
async function changesRow(pool: pg.Pool, statement: string, values: readonly unknown[]): Promise<boolean> {
  return ((await query(pool, statement, values)).rowCount ?? 0) > 0
}

/** Runs a statement that changes one shard. Returns its row afterwards. Never rejects. */
async function writeShard(
  pool: pg.Pool,
  shard: number,
  statement: string,
  values: readonly unknown[],
): Promise<AfterWrite> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch {
    return { type: 'untouched' }
  }
  try {
    const written = await client.query<ShardRow>(statement, [...values])
    const { rows } =
      written.rows.length > 0
        ? written
        : await client.query<ShardRow>('SELECT owner, epoch FROM shard_owner WHERE shard = $1', [shard])
    client.release()
    const [row] = rows
    return row === undefined ? { type: 'unknown' } : { type: 'row', row }
  } catch (error) {
    client.release(!isRefusal(error))
    return { type: 'unknown' }
  }
}
