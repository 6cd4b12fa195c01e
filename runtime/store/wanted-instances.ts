/** Instances that should be connected, and the limits of how many may be. Counts under a lock of the database, for all nodes together. */
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { inTransaction } from './in-transaction.js'

export interface ConnectionLimits {
  /** Maximum of paired instances that should be connected, in the whole installation (INSTANCES_MAX). */
  readonly instancesMax: number
  /** Maximum of instances that are being paired (QR_INSTANCES_MAX). */
  readonly pairingsMax: number
  /** Time after which a pairing does not count, even if its node is gone. */
  readonly pairingMaxMs: number
}

interface WantedCounts {
  readonly connected: number
  readonly pairing: number
}

interface WantedInstance {
  readonly exported: boolean
  readonly paired: boolean
  readonly counted: boolean
}

/** Advisory lock under which wanted connections are counted: 'inst' in ASCII. */
const DESIRED_LOCK = 0x696e7374
/** Condition on a row of `instance`: its account is known, so it is not being paired. */
const IS_PAIRED = '(owner_jid IS NOT NULL OR owner_lid IS NOT NULL)'
/** The account is stored a moment after the scan. */
const ADMITTED_MS = 60_000
/** Time after which a pairing is likely to have ended. */
const PAIRING_RETRY_S = 10

const LOCK = 'SELECT pg_advisory_xact_lock($1)'
// Both counts leave out the instance itself. The clock is PostgreSQL's, and read after the lock was waited for.
// $1 id
const COUNT_WANTED = `
  SELECT count(*) FILTER (WHERE ${IS_PAIRED} OR admitted_until > clock_timestamp())::int AS connected,
    count(*) FILTER (WHERE NOT ${IS_PAIRED} AND pairing_ends > clock_timestamp())::int AS pairing
  FROM instance WHERE desired_connected AND id <> $1`
// $1 id
const LOCK_INSTANCE = `SELECT exported_at IS NOT NULL AS exported, ${IS_PAIRED} AS paired,
    desired_connected AND (${IS_PAIRED} OR pairing_ends > clock_timestamp()) AS counted
  FROM instance WHERE id = $1 FOR NO KEY UPDATE`
// $1 id   $2 milliseconds in which a pairing ends; null for one that is paired
const WANT = `UPDATE instance SET desired_connected = true, is_stopped = false, updated = now(),
    pairing_ends = clock_timestamp() + $2::bigint * interval '1 millisecond'
  WHERE id = $1`
// $1 id
const UNWANT = 'UPDATE instance SET desired_connected = false, updated = now() WHERE id = $1'
// $1 id
const STOP = 'UPDATE instance SET desired_connected = false, is_stopped = true, updated = now() WHERE id = $1'
// $1 id   $2 milliseconds
const ADMIT = `UPDATE instance SET admitted_until = clock_timestamp() + $2::bigint * interval '1 millisecond' WHERE id = $1`
// $1 shards
const TO_CONNECT = `
  SELECT id, COALESCE(extract(epoch FROM last_activity_at) * 1000, 0)::float8 AS "activeAtMs"
  FROM instance WHERE desired_connected AND shard = ANY($1::smallint[])
  ORDER BY last_activity_at DESC NULLS LAST, created`

export interface InstanceToConnect {
  readonly id: InstanceId
  /** When its last live message came or went; 0 for none. */
  readonly activeAtMs: number
}

/** Returns the most recently active ones first. */
export async function readInstancesToConnect(
  pool: pg.Pool,
  shards: readonly number[],
): Promise<readonly InstanceToConnect[]> {
  return (await pool.query<InstanceToConnect>(TO_CONNECT, [shards])).rows
}

/** @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED, INSTANCE_LIMIT, PAIRING_LIMIT */
export async function wantConnected(pool: pg.Pool, id: InstanceId, limits: ConnectionLimits): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Before the row: another transaction that counts must not wait for the lock while it holds the row.
    await client.query(LOCK, [DESIRED_LOCK])
    const [wanted] = (await client.query<WantedInstance>(LOCK_INSTANCE, [id])).rows
    if (wanted === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
    if (wanted.exported) throw new GatewayError('INSTANCE_EXPORTED')
    if (!wanted.counted) await checkLimits(client, id, wanted, limits)
    await client.query(WANT, [id, wanted.paired ? null : limits.pairingMaxMs])
  })
}

/** @throws GatewayError INSTANCE_NOT_FOUND */
export async function wantDisconnected(pool: pg.Pool, id: InstanceId): Promise<void> {
  const { rowCount } = await inTransaction(pool, (client) => client.query(UNWANT, [id]))
  if (rowCount === 0) throw new GatewayError('INSTANCE_NOT_FOUND')
}

/** @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED, INSTANCE_NOT_PAIRED */
export async function wantStopped(pool: pg.Pool, id: InstanceId): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [stopped] = (await client.query<WantedInstance>(LOCK_INSTANCE, [id])).rows
    if (stopped === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
    if (stopped.exported) throw new GatewayError('INSTANCE_EXPORTED')
    if (!stopped.paired) throw new GatewayError('INSTANCE_NOT_PAIRED')
    await client.query(STOP, [id])
  })
}

/** Holds a place for an instance whose phone has just scanned. Returns false when there are `instancesMax` without it. */
export async function admitInstance(pool: pg.Pool, id: InstanceId, instancesMax: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(LOCK, [DESIRED_LOCK])
    const { rows } = await client.query<WantedCounts>(COUNT_WANTED, [id])
    if ((rows[0]?.connected ?? 0) >= instancesMax) return false
    await client.query(ADMIT, [id, ADMITTED_MS])
    return true
  })
}

async function checkLimits(
  client: pg.PoolClient,
  id: InstanceId,
  { paired }: WantedInstance,
  { instancesMax, pairingsMax }: ConnectionLimits,
): Promise<void> {
  const [counts] = (await client.query<WantedCounts>(COUNT_WANTED, [id])).rows
  if ((counts?.connected ?? 0) >= instancesMax) throw new GatewayError('INSTANCE_LIMIT')
  if (!paired && (counts?.pairing ?? 0) >= pairingsMax)
    throw new GatewayError('PAIRING_LIMIT', { retryAfterSeconds: PAIRING_RETRY_S })
}
