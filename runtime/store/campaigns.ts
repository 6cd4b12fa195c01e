/** Campaigns as the API makes and reads them. What changes while one runs is written by the actor of its instance. */
import type pg from 'pg'
import {
  type CampaignRow,
  OPEN_CAMPAIGNS_MAX,
  type RecipientRow,
  STORED_CAMPAIGNS_MAX,
  STORED_RECIPIENTS_MAX,
} from '../../schemas/campaign.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { createOwnerTurns } from '../../schemas/owner-turns.js'
import type {
  CampaignDirectory,
  CreatedCampaign,
  NewCampaign,
  NewRecipient,
  RecipientQuery,
} from '../../schemas/ports/campaigns.js'
import { intArray, textArray } from './arrays.js'
import { keepFiles } from './campaign-files.js'
import { CAMPAIGNS } from './campaign-rows.js'
import { inTransaction } from './in-transaction.js'
import { recordTime } from './time.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

type Head = Omit<NewCampaign, 'recipients'>

/** The first half of the advisory locks of creations, which nobody else on this database uses: 'camp' in ASCII. */
const CREATE_LOCK = 0x63616d70
/** One creation of a campaign at a time. `$1`: instance */
export const CREATION_LOCK = `SELECT pg_advisory_xact_lock(${CREATE_LOCK}, hashtext($1))`
/** Recipients that are written with one statement. */
const SLICE = 10_000
/** Maximum of creations of an instance that wait in a node for the one under way. */
const CREATIONS_WAITING_MAX = 50

// The row of the instance is held: one that is being deleted gets no more rows.
const INSTANCE = 'SELECT exported_at IS NOT NULL AS exported FROM instance WHERE id = $1 FOR KEY SHARE'
const KEPT = `
  SELECT count(*)::int AS campaigns, count(*) FILTER (WHERE c.status <> 'done')::int AS open,
    COALESCE(sum(p.total - p.deleted), 0)::bigint AS recipients
  FROM campaign AS c JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id WHERE c.instance_id = $1`
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
const INSERT = `
  INSERT INTO campaign (instance_id, id, folder, unique_name, info, template, variants, options, delay_min_ms, delay_max_ms, scheduled_at,
    source, idempotency_key, request_hash, daily_cap, timezone)
  VALUES ($1, $2, COALESCE($3, $14), $4, $5, $6, $7, $8, $9, $10, now() + $11::bigint * interval '1 millisecond', $15, $12, $13, $16, $17)`
const INSERT_PROGRESS = 'INSERT INTO campaign_progress (instance_id, folder_id, total) VALUES ($1, $2, $3)'
// $1 instance   $2 campaign   $3 ordinals   $4 addresses   $5 contents   $6 values   $7 keys
const INSERT_RECIPIENTS = `
  INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, content, vars, dedupe_key)
  SELECT $1, $2, u.* FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[]) AS u`
// $1 instance   $2 new campaign   $3 source   $4 only those that failed
const COPY_RECIPIENTS = `
  INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, content, vars, timezone)
  SELECT $1, $2, row_number() OVER (ORDER BY r.ordinal) - 1, r.address, r.content, r.vars, r.timezone FROM campaign_recipient AS r
  WHERE r.instance_id = $1 AND r.folder_id = $3 AND (NOT $4 OR r.place = 3)`
// $1 instance   $2 new campaign   $3 source
const COPY_TEMPLATE = `
  UPDATE campaign AS c SET template = s.template, variants = s.variants, options = s.options, info = s.info, delay_min_ms = s.delay_min_ms,
    delay_max_ms = s.delay_max_ms, daily_cap = s.daily_cap, timezone = s.timezone, files_of = COALESCE(NULLIF(s.files_of, ''), s.id),
    folder = CASE WHEN c.unique_name IS NULL THEN s.folder ELSE c.folder END
  FROM campaign AS s WHERE c.instance_id = $1 AND c.id = $2 AND s.instance_id = $1 AND s.id = $3 RETURNING c.id`

const RECIPIENTS = `
  SELECT r.ordinal, r.address, r.place, r.status, r.attempts, r.due_at AS "dueAt", r.messageid, r.variant, r.reason, r.error,
    r.provider_code AS "providerCode", r.content, r.replied_at AS "repliedAt", r.updated
  FROM campaign_recipient AS r WHERE r.instance_id = $1 AND r.folder_id = $2`
const LAST_ORDINAL = `
  SELECT last_ordinal AS "lastOrdinal" FROM campaign_progress WHERE instance_id = $1 AND folder_id = $2`
/**
 * The statuses that a page looks for. `$5` is the ordinal before the next one to be sent. It ends searches, and stands as a value, so that
 * PostgreSQL knows how few rows are before it: otherwise it reads all recipients.
 */
const FILTERS = {
  sent: 'AND r.status BETWEEN 2 AND 5 AND r.ordinal <= $5::int',
  failed: 'AND r.place = 3',
  skipped: 'AND r.place = 4',
  replied: 'AND r.replied_at IS NOT NULL',
} as const
/** Those under way stand shortly before the next one to be sent. */
const UNDER_WAY_AMONG = 1_000
/** Those that wait, are parked, or are under way: an index each. */
const SCHEDULED = [
  'AND r.place = 1',
  'AND r.place = 2',
  `AND r.place = 0 AND r.status = 1 AND r.ordinal > $5::int - ${UNDER_WAY_AMONG} AND r.ordinal <= $5::int`,
]

export function createCampaigns(pool: pg.Pool, searchTimeoutMs?: number): CampaignDirectory {
  const search = createSearch(pool, searchTimeoutMs ?? SEARCH_TIMEOUT_MS)
  // The lock would keep a connection of the pool for each that waits, and all instances share the pool.
  const creations = createOwnerTurns({ max: 1, waitingMax: CREATIONS_WAITING_MAX }, () => {
    const message = 'Too many campaigns of this instance are being created at once.'
    return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: 5 })
  })
  const inTurn = <T>(instance: InstanceId, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
    creations.run(instance, () => inTransaction(pool, work))
  return {
    create: (instance, { recipients, ...head }) =>
      inTurn(instance, async (client) => {
        const former = await beginCampaign(client, instance, head, recipients.length)
        if (former !== null) return former
        const kept = head.dedupe ? withoutDoubles(recipients) : recipients
        await insertCampaign(client, instance, head, kept.length)
        for (let from = 0; from < kept.length; from += SLICE)
          await insertRecipients(client, instance, head, kept.slice(from, from + SLICE), from)
        return { id: head.id, count: kept.length, duplicates: recipients.length - kept.length, isFormer: false }
      }),

    copy: (instance, source, which, campaign) =>
      inTurn(instance, async (client) => {
        const known = await client.query<CampaignRow>(`${CAMPAIGNS} AND c.id = $2`, [instance, source])
        const [of] = known.rows
        if (of === undefined) return null
        const { info, delayMinMs, delayMaxMs } = of
        const head: Head = { ...campaign, info, delayMinMs, delayMaxMs, send: null, variants: [], dedupe: false }
        const former = await beginCampaign(client, instance, head, which === 'failed' ? of.failed : of.total)
        if (former !== null) return former
        await keepFiles(client, instance, source, which)
        await insertHead(client, instance, head, source, recordTime(new Date()))
        await client.query(COPY_TEMPLATE, [instance, head.id, source])
        const { rowCount } = await client.query(COPY_RECIPIENTS, [instance, head.id, source, which === 'failed'])
        await client.query(INSERT_PROGRESS, [instance, head.id, rowCount ?? 0])
        return { id: head.id, count: rowCount ?? 0, duplicates: 0, isFormer: false }
      }),

    async list(instance, which) {
      const filter = which === 'all' ? '' : `AND (c.status = 'done') = ${which === 'archived'}`
      return (await pool.query<CampaignRow>(`${CAMPAIGNS} ${filter} ORDER BY c.created DESC, c.id`, [instance])).rows
    },

    async find(instance, id) {
      return (await pool.query<CampaignRow>(`${CAMPAIGNS} AND c.id = $2`, [instance, id])).rows[0] ?? null
    },

    async recipients(instance, id, query) {
      const { rows: progress } = await pool.query<{ lastOrdinal: number }>(LAST_ORDINAL, [instance, id])
      const { text, values } = pageOf(instance, id, query, progress[0]?.lastOrdinal ?? -1)
      const rows = await search<Omit<RecipientRow, 'trackId'> & { content: string | null }>(text, values)
      return rows.map(({ content, ...row }) => ({ ...row, trackId: trackIdOf(content) }))
    },
  }
}

/** Checks that a campaign may be created. Returns the one that an earlier call with its key created. */
export async function beginCampaign(
  client: pg.PoolClient,
  instance: InstanceId,
  { folder, idempotencyKey, requestHash }: Pick<Head, 'folder' | 'idempotencyKey' | 'requestHash'>,
  recipients: number,
): Promise<CreatedCampaign | null> {
  // One at a time, so that many at once do not make too many.
  await client.query(CREATION_LOCK, [instance])
  const { rows } = await client.query<{ exported: boolean }>(INSTANCE, [instance])
  if (rows[0] === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
  if (rows[0].exported) throw new GatewayError('INSTANCE_EXPORTED')
  const former = idempotencyKey === undefined ? null : await formerOf(client, instance, idempotencyKey, requestHash)
  if (former !== null) return former
  const { rows: kept } = await client.query<{ campaigns: number; open: number; recipients: number }>(KEPT, [instance])
  const { campaigns = 0, open = 0, recipients: stored = 0 } = kept[0] ?? {}
  if (open >= OPEN_CAMPAIGNS_MAX) throw full(`${OPEN_CAMPAIGNS_MAX} unfinished campaigns`)
  if (campaigns >= STORED_CAMPAIGNS_MAX) throw full(`${STORED_CAMPAIGNS_MAX} campaigns`)
  if (stored + recipients > STORED_RECIPIENTS_MAX) throw full(`${stored} of ${STORED_RECIPIENTS_MAX} recipients`)
  if (folder === undefined) return null
  const { rowCount } = await client.query(BY_NAME, [instance, nameKey(folder)])
  if ((rowCount ?? 0) > 0) throw new GatewayError('CAMPAIGN_EXISTS')
  return null
}

/** Stores a campaign whose recipients are written by the caller, in the same transaction or before. */
export async function insertCampaign(
  client: pg.PoolClient,
  instance: InstanceId,
  head: Omit<Head, 'dedupe'>,
  total: number,
): Promise<void> {
  await insertHead(client, instance, head, '', recordTime(new Date()))
  await client.query(INSERT_PROGRESS, [instance, head.id, total])
}

async function formerOf(
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
  return { id: former.id, count: former.total, duplicates: 0, isFormer: true }
}

async function insertHead(
  client: pg.PoolClient,
  instance: InstanceId,
  head: Omit<Head, 'dedupe'>,
  source: string,
  time: string,
): Promise<void> {
  const { id, folder, info, send, variants, delayMinMs, delayMaxMs, startsInMs, idempotencyKey, requestHash } = head
  await client.query(INSERT, [
    instance,
    id,
    clean(folder) ?? null,
    folder === undefined ? null : nameKey(folder),
    clean(info),
    send === null ? null : JSON.stringify(send),
    variants.length === 0 ? null : JSON.stringify(variants),
    JSON.stringify({ window: head.window, frequencyCap: head.frequencyCap }),
    delayMinMs,
    delayMaxMs,
    Math.max(0, Math.round(startsInMs)),
    idempotencyKey ?? null,
    requestHash ?? null,
    clean(info) || time,
    source,
    head.dailyCap ?? null,
    head.timezone ?? 'UTC',
  ])
}

async function insertRecipients(
  client: pg.PoolClient,
  instance: InstanceId,
  { id, dedupe }: Head,
  recipients: readonly NewRecipient[],
  from: number,
): Promise<void> {
  await client.query(INSERT_RECIPIENTS, [
    instance,
    id,
    intArray(recipients.map((_, index) => from + index)),
    textArray(recipients.map(({ address }) => address)),
    textArray(recipients.map(({ send }) => (send === null ? null : JSON.stringify(send)))),
    textArray(recipients.map(({ vars }) => (vars === undefined ? null : JSON.stringify(vars)))),
    textArray(recipients.map(({ address }) => (dedupe ? address : null))),
  ])
}

function withoutDoubles(recipients: readonly NewRecipient[]): readonly NewRecipient[] {
  const seen = new Set<string>()
  return recipients.filter(({ address }) => !seen.has(address) && seen.add(address))
}

/** `$3`: rows   `$4`: offset, or the ordinal after which it looks   `$5`: the ordinal before the next one to be sent, for some filters */
function pageOf(
  instance: InstanceId,
  id: string,
  { filter, limit, offset, after }: RecipientQuery,
  lastOrdinal: number,
): { text: string; values: unknown[] } {
  const values = [
    instance,
    id,
    limit,
    after ?? offset,
    ...(filter === 'sent' || filter === 'scheduled' ? [lastOrdinal] : []),
  ]
  const isKeyset = after !== undefined
  const beyond = isKeyset ? 'AND r.ordinal > $4' : ''
  const skip = isKeyset ? '' : 'OFFSET $4'
  if (filter !== 'scheduled') {
    const where = filter === null ? '' : FILTERS[filter]
    return { text: `${RECIPIENTS} ${where} ${beyond} ORDER BY r.ordinal LIMIT $3 ${skip}`, values }
  }
  const rows = isKeyset ? '$3' : '$3::bigint + $4::bigint'
  const parts = SCHEDULED.map((where) => `(${RECIPIENTS} ${where} ${beyond} ORDER BY r.ordinal LIMIT ${rows})`)
  return { text: `${parts.join(' UNION ALL ')} ORDER BY ordinal LIMIT $3 ${skip}`, values }
}

/** Returns the caller's id of a recipient that has content of its own. */
function trackIdOf(content: string | null): string | null {
  if (content === null) return null
  return (JSON.parse(content) as { options?: { trackId?: string } }).options?.trackId ?? null
}

function full(what: string): GatewayError {
  return new GatewayError('CAMPAIGNS_FULL', {
    message: `The instance has ${what} already; finish or delete some, or call /sender/cleardone.`,
  })
}

function nameKey(folder: string): string {
  return clean(folder)?.toLowerCase() ?? ''
}

/** PostgreSQL takes no NUL characters. */
function clean(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '')
}
