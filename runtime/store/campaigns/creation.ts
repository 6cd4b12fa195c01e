/** The checks of a new campaign, and the order in which an instance creates its campaigns. */
import type pg from 'pg'
import { createOwnerSlots } from '../../../lib/owner-slots.js'
import { OPEN_CAMPAIGNS_MAX, STORED_CAMPAIGNS_MAX, STORED_RECIPIENTS_MAX } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { CreatedCampaign, NewCampaign } from '../../../schemas/ports/campaigns.js'
import { runInTransaction } from '../in-transaction.js'

/** Does this work in a transaction, one after the other for each instance of a node. */
export type CreationSlots = <T>(instance: InstanceId, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

/** The first half of the advisory locks of creations, which nobody else on this database uses: 'camp' in ASCII. */
const CREATE_LOCK = 0x63616d70
/** One creation of a campaign at a time. `$1`: instance */
export const CREATION_LOCK = `SELECT pg_advisory_xact_lock(${CREATE_LOCK}, hashtext($1))`
/** Maximum of creations of an instance that wait in a node for the one under way. */
const CREATIONS_WAITING_MAX = 50

// The row of the instance is held: one that is being deleted gets no more rows.
const INSTANCE = 'SELECT exported_at IS NOT NULL AS exported FROM instance WHERE id = $1 FOR KEY SHARE'
const KEPT = `
  SELECT count(*)::int AS campaigns, count(*) FILTER (WHERE status <> 'done')::int AS open FROM campaign WHERE instance_id = $1`
// Recipients of imports that have not ended count too, also while they are being deleted: they are on the disk.
const STORED = `
  SELECT (SELECT COALESCE(sum(total - deleted), 0) FROM campaign_progress WHERE instance_id = $1)::float8 AS campaigns,
    (SELECT COALESCE(sum(count), 0) FROM campaign_import WHERE instance_id = $1)::float8 AS imports`
// $2 key
const BY_KEY = `
  SELECT c.id, c.request_hash AS hash, p.total, c.options FROM campaign AS c
  JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
  WHERE c.instance_id = $1 AND c.idempotency_key = $2`
// An Idempotency-Key is valid for 24 hours.
const FORGET_KEY = `
  UPDATE campaign SET idempotency_key = NULL, request_hash = NULL
  WHERE instance_id = $1 AND idempotency_key = $2 AND created < now() - interval '24 hours'`
const BY_NAME = 'SELECT id FROM campaign WHERE instance_id = $1 AND unique_name = $2'

/** Creates the turns. Without them each creation that waits for the lock would hold a connection of the pool that all instances share. */
export function createCreationSlots(pool: pg.Pool): CreationSlots {
  const creations = createOwnerSlots({ max: 1, waitingMax: CREATIONS_WAITING_MAX }, () => {
    const message = 'Too many campaigns of this instance are being created at once.'
    return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: 5 })
  })
  return (instance, work) => creations.run(instance, () => runInTransaction(instance, pool, work))
}

/** Checks that a campaign with so many new recipients may be created. Returns the one that an earlier call with its key created. */
export async function beginCampaign(
  client: pg.PoolClient,
  instance: InstanceId,
  { folder, idempotencyKey, requestHash }: Pick<NewCampaign, 'folder' | 'idempotencyKey' | 'requestHash'>,
  recipients: number,
): Promise<CreatedCampaign | null> {
  // One at a time, so that many at once do not make too many.
  await client.query(CREATION_LOCK, [instance])
  const { rows } = await client.query<{ exported: boolean }>(INSTANCE, [instance])
  if (rows[0] === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
  if (rows[0].exported) throw new GatewayError('INSTANCE_EXPORTED')
  const former = idempotencyKey === undefined ? null : await findFormer(client, instance, idempotencyKey, requestHash)
  if (former !== null) return former
  const { rows: kept } = await client.query<{ campaigns: number; open: number }>(KEPT, [instance])
  const { campaigns = 0, open = 0 } = kept[0] ?? {}
  if (open >= OPEN_CAMPAIGNS_MAX) throw full(`${OPEN_CAMPAIGNS_MAX} unfinished campaigns`)
  if (campaigns >= STORED_CAMPAIGNS_MAX) throw full(`${STORED_CAMPAIGNS_MAX} campaigns`)
  await checkStored(client, instance, recipients)
  if (folder === undefined) return null
  const { rowCount } = await client.query(BY_NAME, [instance, nameKey(folder)])
  if ((rowCount ?? 0) > 0) throw new GatewayError('CAMPAIGN_EXISTS')
  return null
}

/** Checks that an instance may store this many further recipients. @throws GatewayError CAMPAIGNS_FULL */
export async function checkStored(client: pg.PoolClient, instance: InstanceId, more: number): Promise<void> {
  const { rows } = await client.query<{ campaigns: number; imports: number }>(STORED, [instance])
  const { campaigns = 0, imports = 0 } = rows[0] ?? {}
  if (campaigns + imports + more <= STORED_RECIPIENTS_MAX) return
  const ofImports = imports === 0 ? '' : ` (${imports} of them in imports that have not ended)`
  throw new GatewayError('CAMPAIGNS_FULL', {
    message: `The instance would have ${campaigns + imports + more} recipients${ofImports}, and may have ${STORED_RECIPIENTS_MAX}; delete campaigns, or call /sender/cleardone.`,
  })
}

/** Returns the name by which two unfinished campaigns of an instance are the same. */
export function nameKey(folder: string): string {
  return storable(folder).toLowerCase()
}

/** Removes NUL characters, which PostgreSQL does not take. */
export function storable(text: string): string {
  return text.replaceAll('\0', '')
}

async function findFormer(
  client: pg.PoolClient,
  instance: InstanceId,
  key: string,
  hash: string | undefined,
): Promise<CreatedCampaign | null> {
  await client.query(FORGET_KEY, [instance, key])
  const { rows } = await client.query<{ id: string; hash: string; total: number; options: string }>(BY_KEY, [
    instance,
    key,
  ])
  const [former] = rows
  if (former === undefined) return null
  if (former.hash !== hash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
  return { id: former.id, count: former.total, duplicates: 0, recent: 0, isFormer: true }
}

function full(what: string): GatewayError {
  return new GatewayError('CAMPAIGNS_FULL', {
    message: `The instance has ${what} already; finish or delete some, or call /sender/cleardone.`,
  })
}
