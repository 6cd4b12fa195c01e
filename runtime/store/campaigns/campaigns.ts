/** Campaigns as the API makes and reads them. What changes while one runs is written by the actor of its instance. */
import type pg from 'pg'
import type { CampaignRow, CampaignSend, RecipientRow } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type {
  CampaignCourse,
  CampaignDirectory,
  CourseReason,
  CourseRow,
  CreatedCampaign,
  NewCampaign,
  NewRecipient,
  RecipientQuery,
} from '../../../schemas/ports/campaigns.js'
import { listContentFiles } from '../../../schemas/send-content.js'
import { intArray, textArray } from '../arrays.js'
import { personAddressesSql, personAddressSql } from '../suppressions.js'
import { recordTime } from '../time.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from '../timed-search.js'
import { beginCampaign, type CreationSlots, createCreationSlots, nameKey, storable } from './creation.js'
import { hasWrittenSql } from './reads.js'
import { analyzeRecipients, CAMPAIGNS } from './rows.js'

// Bound: 1,048,576, 20,000 values, what a request sends to one recipient.

type Head = Omit<NewCampaign, 'recipients' | 'skipRecentDays'>

/** Reasons for which a copy would have no recipients. */
const NOBODY = {
  failed: 'is "failed", and no message of the campaign failed: nothing was created',
  all: 'is "all", and the campaign has no recipients: nothing was created',
} as const

export interface CampaignsOptions {
  readonly searchTimeoutMs?: number
  /** Shared with imports, which create campaigns too. */
  readonly inSlot?: CreationSlots
}

/** The person of each address. */
type Persons = ReadonlyMap<string, string>

/** Recipients that are written with one statement. */
const SLICE = 10_000
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
// $1 instance   $2 addresses
const PERSONS = `
  SELECT DISTINCT ON (u.address) u.address, ${personAddressSql('COALESCE(m.pn, u.address)')} AS person
  FROM unnest($2::text[]) AS u(address) LEFT JOIN lid_mapping AS m ON m.instance_id = $1 AND m.lid = u.address`
// $1 instance   $2 addresses   $3 days
const RECENT = `
  SELECT u.address FROM unnest($2::text[]) AS u(address) WHERE EXISTS (
    SELECT FROM campaign_contact AS c WHERE c.instance_id = $1 AND c.address = ANY(${personAddressesSql('u.address')})
      AND c.last_at > now() - $3::int * interval '1 day')`

const RECIPIENTS = `
  SELECT r.ordinal, r.address, r.place, r.status, r.attempts, r.due_at AS "dueAt", r.messageid, r.variant, r.reason, r.error,
    r.provider_code AS "providerCode", r.content, r.replied_at AS "repliedAt", r.updated
  FROM campaign_recipient AS r WHERE r.instance_id = $1 AND r.folder_id = $2`
const LAST_ORDINAL = `
  SELECT last_ordinal AS "lastOrdinal" FROM campaign_progress WHERE instance_id = $1 AND folder_id = $2`
/** Recipients of a new campaign of whom it is looked who wrote. */
const LOOKED_AT_FIRST = 1_000
// $2 campaign
const FIRST_STORED = `
  SELECT address FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 ORDER BY ordinal LIMIT ${LOOKED_AT_FIRST}`
// $2 addresses
const GIVEN = 'SELECT * FROM unnest($2::text[]) AS u(address)'
/** Groups and channels are known chats. */
const strangersAmong = (recipients: string) => `
  SELECT avg((r.address NOT LIKE '%@g.us' AND r.address NOT LIKE '%@newsletter' AND NOT ${hasWrittenSql('r.address')})::int)::float8 AS share
  FROM (${recipients}) AS r`
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

export function createCampaigns(
  pool: pg.Pool,
  { searchTimeoutMs = SEARCH_TIMEOUT_MS, inSlot = createCreationSlots(pool) }: CampaignsOptions = {},
): CampaignDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  return {
    preview: (instance, campaign) =>
      inSlot(instance, async (client) => {
        const { made, kept } = await prepared(client, instance, campaign)
        return { ...made, kept }
      }),

    create: (instance, campaign) =>
      inSlot(instance, async (client) => {
        const { made, kept, persons } = await prepared(client, instance, campaign)
        if (made.isFormer) return made
        const { recipients: _, skipRecentDays: __, ...head } = campaign
        await insertCampaign(client, instance, head, kept.length)
        for (let from = 0; from < kept.length; from += SLICE)
          await insertRecipients(client, instance, { id: head.id, persons }, kept.slice(from, from + SLICE), from)
        return made
      }),

    async copy(instance, source, which, campaign) {
      const copied = await inSlot(instance, async (client) => {
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
        if (rowCount === 0) throw invalidField('recipients', NOBODY[which])
        await client.query(INSERT_PROGRESS, [instance, head.id, rowCount ?? 0])
        return { id: head.id, count: rowCount ?? 0, duplicates: 0, recent: 0, isFormer: false }
      })
      if (copied?.isFormer === false) await analyzeRecipients(pool, copied.count)
      return copied
    },

    async list(instance, which) {
      const filter = which === 'all' ? '' : `AND (c.status = 'done') = ${which === 'archived'}`
      return (await pool.query<CampaignRow>(`${CAMPAIGNS} ${filter} ORDER BY c.created DESC, c.id`, [instance])).rows
    },

    async strangers(instance, of) {
      const isStored = typeof of === 'string'
      const statement = strangersAmong(isStored ? FIRST_STORED : GIVEN)
      const [row] = await search<{ share: number | null }>(statement, [instance, isStored ? of : textArray(of)])
      return row?.share ?? 0
    },

    async find(instance, id) {
      return (await pool.query<CampaignRow>(`${CAMPAIGNS} AND c.id = $2`, [instance, id])).rows[0] ?? null
    },

    course: (instance, campaign) => readCourse(search, instance, campaign),

    async recipients(instance, id, query) {
      const { rows: progress } = await pool.query<{ lastOrdinal: number }>(LAST_ORDINAL, [instance, id])
      const { text, values } = composePage(instance, id, query, progress[0]?.lastOrdinal ?? -1)
      const rows = await search<Omit<RecipientRow, 'trackId'> & { content: string | null }>(text, values)
      return rows.map(({ content, ...row }) => ({ ...row, trackId: readTrackId(content) }))
    },
  }
}

interface Prepared {
  readonly made: CreatedCampaign
  readonly kept: readonly NewRecipient[]
  readonly persons: Persons | null
}

/** Checks that a campaign may be created, and leaves out recipients by its rules. */
async function prepared(
  client: pg.PoolClient,
  instance: InstanceId,
  { recipients, skipRecentDays, ...head }: NewCampaign,
): Promise<Prepared> {
  const former = await beginCampaign(client, instance, head, recipients.length)
  if (former !== null) return { made: former, kept: [], persons: null }
  const persons = head.dedupe ? await readPersons(client, instance, recipients) : null
  // An import leaves them out in this order too, so that both count the same.
  const others = await withoutRecent(client, instance, recipients, skipRecentDays)
  const kept = persons === null ? others : withoutDoubles(others, persons)
  const left = { duplicates: others.length - kept.length, recent: recipients.length - others.length }
  return { made: { id: head.id, count: kept.length, ...left, isFormer: false }, kept, persons }
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

async function insertHead(
  client: pg.PoolClient,
  instance: InstanceId,
  head: Omit<Head, 'dedupe'>,
  source: string,
  time: string,
): Promise<void> {
  const { id, folder, info, send, variants, delayMinMs, delayMaxMs, startsInMs, idempotencyKey, requestHash } = head
  const { window, frequencyCap, errorRateMax, weight } = head
  await client.query(INSERT, [
    instance,
    id,
    folder === undefined ? null : storable(folder),
    folder === undefined ? null : nameKey(folder),
    storable(info),
    send === null ? null : JSON.stringify(send),
    variants.length === 0 ? null : JSON.stringify(variants),
    JSON.stringify({ window, frequencyCap, errorRateMax, weight }),
    delayMinMs,
    delayMaxMs,
    Math.max(0, Math.round(startsInMs)),
    idempotencyKey ?? null,
    requestHash ?? null,
    storable(info) || time,
    source,
    head.dailyCap ?? null,
    head.timezone ?? 'UTC',
  ])
}

async function insertRecipients(
  client: pg.PoolClient,
  instance: InstanceId,
  { id, persons }: { readonly id: string; readonly persons: Persons | null },
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
    textArray(recipients.map(({ address }) => persons?.get(address) ?? null)),
  ])
}

/** Returns one name for each person, however their number is written. */
async function readPersons(
  client: pg.PoolClient,
  instance: InstanceId,
  recipients: readonly NewRecipient[],
): Promise<Persons> {
  const addresses = textArray(recipients.map(({ address }) => address))
  const { rows } = await client.query<{ address: string; person: string }>(PERSONS, [instance, addresses])
  return new Map(rows.map(({ address, person }) => [address, person]))
}

function withoutDoubles(recipients: readonly NewRecipient[], persons: Persons): readonly NewRecipient[] {
  const seen = new Set<string>()
  return recipients.filter(({ address }) => {
    const person = persons.get(address) ?? address
    return !seen.has(person) && seen.add(person)
  })
}

async function withoutRecent(
  client: pg.PoolClient,
  instance: InstanceId,
  recipients: readonly NewRecipient[],
  days: number | undefined,
): Promise<readonly NewRecipient[]> {
  if (days === undefined) return recipients
  const addresses = textArray(recipients.map(({ address }) => address))
  const { rows } = await client.query<{ address: string }>(RECENT, [instance, addresses, days])
  const recent = new Set(rows.map(({ address }) => address))
  return recipients.filter(({ address }) => !recent.has(address))
}

/** `$3`: rows   `$4`: offset, or the ordinal after which it looks   `$5`: the ordinal before the next one to be sent, for some filters */
function composePage(
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
function readTrackId(content: string | null): string | null {
  if (content === null) return null
  return (JSON.parse(content) as { options?: { trackId?: string } }).options?.trackId ?? null
}

// Files of a campaign that is copied: the copy sends the same ones.

// Recipients have contents of their own only if the campaign has none. $2 campaign   $3 only recipients that failed
const CONTENTS = `
  SELECT template AS content FROM campaign WHERE instance_id = $1 AND id = $2 AND template IS NOT NULL
  UNION
  SELECT r.content FROM campaign AS c JOIN campaign_recipient AS r ON r.instance_id = c.instance_id AND r.folder_id = c.id
  WHERE c.instance_id = $1 AND c.id = $2 AND c.template IS NULL AND r.content IS NOT NULL AND (NOT $3 OR r.place = 3)`
// From now on they count as new: the sweep leaves them until the copy is stored. $2 names
const KEEP = 'UPDATE media_file SET created = now() WHERE owner_id = $1 AND name = ANY($2::text[]) AND stored'

/**
 * Keeps the files of a campaign for a copy of it.
 * @throws GatewayError MEDIA_FILE_GONE if one of them is not in the storage
 */
async function keepFiles(
  client: pg.PoolClient,
  instance: InstanceId,
  campaign: string,
  which: 'failed' | 'all',
): Promise<void> {
  const { rows } = await client.query<{ content: string }>(CONTENTS, [instance, campaign, which === 'failed'])
  const sends = rows.map(({ content }) => JSON.parse(content) as CampaignSend)
  const names = new Set(sends.flatMap(({ content }) => listContentFiles(content).map(({ file }) => file.name)))
  if (names.size === 0) return
  const { rowCount } = await client.query(KEEP, [instance, textArray([...names])])
  if (rowCount === names.size) return
  throw new GatewayError('MEDIA_FILE_GONE', {
    message: 'A file of the campaign is no longer kept: create a new campaign with it. Nothing was created.',
  })
}

// The course of a campaign over time, and why recipients failed, were left out or wait.

const ROWS_MAX = 200
const REASONS_MAX = 50
const STEPS_MINUTES = [1, 5, 15, 60, 360] as const
const DAY_MINUTES = 1_440

// A recipient changes again with each receipt: the message says when it was sent. Old messages are deleted before their campaign.
// $1 instance   $2 campaign   $3 seconds of a step   $4 rows
const ROWS = `
  WITH change AS (
    SELECT COALESCE(m.created, r.updated) AS at, 1 AS sent, 0 AS replied, 0 AS failed, 0 AS skipped
    FROM campaign_recipient AS r LEFT JOIN message AS m
      ON m.instance_id = r.instance_id AND m.messageid = r.messageid AND m."fromMe" AND m.send_folder_id = r.folder_id
    WHERE r.instance_id = $1 AND r.folder_id = $2 AND r.status BETWEEN 2 AND 5
    UNION ALL
    SELECT replied_at, 0, 1, 0, 0 FROM campaign_recipient
    WHERE instance_id = $1 AND folder_id = $2 AND replied_at IS NOT NULL
    UNION ALL
    SELECT updated, 0, 0, (place = 3)::int, (place = 4)::int FROM campaign_recipient
    WHERE instance_id = $1 AND folder_id = $2 AND place IN (3, 4)
  )
  SELECT (floor(extract(epoch FROM at) / $3::int) * $3::int)::float8 AS at, sum(sent)::int AS sent, sum(replied)::int AS replied,
    sum(failed)::int AS failed, sum(skipped)::int AS skipped
  FROM change WHERE at IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT $4`
// $3 rows
const REASONS = `
  SELECT CASE place WHEN 2 THEN 'parked' WHEN 3 THEN 'failed' ELSE 'skipped' END AS state, COALESCE(reason, '') AS reason, count(*)::int AS count
  FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND place IN (2, 3, 4)
  GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT $3`

/** @throws GatewayError RATE_LIMITED when it takes too long */
async function readCourse(search: Search, instance: InstanceId, campaign: CampaignRow): Promise<CampaignCourse> {
  const stepMinutes = chooseStep(campaign)
  const rows = await search<Omit<CourseRow, 'at'> & { at: number }>(ROWS, [
    instance,
    campaign.id,
    stepMinutes * 60,
    ROWS_MAX,
  ])
  const reasons = await search<CourseReason>(REASONS, [instance, campaign.id, REASONS_MAX])
  const shown = rows.toReversed().map(({ at, ...counts }) => ({ at: new Date(at * 1_000), ...counts }))
  return { stepMinutes, rows: shown, reasons }
}

/** Returns the shortest step with which a campaign has some dozens of rows. */
function chooseStep({ started, ended, created }: CampaignRow): number {
  const fromMs = (started ?? created).getTime()
  const minutes = ((ended?.getTime() ?? Date.now()) - fromMs) / 60_000
  return STEPS_MINUTES.find((step) => minutes / step <= ROWS_MAX / 2) ?? DAY_MINUTES
}
