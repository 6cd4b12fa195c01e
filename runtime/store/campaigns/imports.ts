/**
 * Recipients of a campaign that is being imported. They are stored in slices under the id of a campaign that does not exist yet, so a half
 * import never starts. The campaign is created when all are there. An import that ended halfway goes on where it was, or the retention
 * deletes it.
 */
import type pg from 'pg'
import { CAMPAIGN_RECIPIENTS_MAX } from '../../../schemas/campaign.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  CampaignImport,
  CampaignImports,
  ImportedRecipient,
  ImportRules,
  SortedRecipient,
} from '../../../schemas/ports/campaign-imports.js'
import { intArray, textArray } from '../arrays.js'
import { runInTransaction, writeOnce } from '../in-transaction.js'
import { personAddressSql, spellingsSql } from '../suppressions.js'
import { insertCampaign } from './campaigns.js'
import { beginCampaign, type CreationSlots, checkStored, createCreationSlots } from './creation.js'
import { analyzeRecipients } from './rows.js'

/** Maximum of imports of an instance that have not ended. */
const IMPORTS_MAX = 5
/** Recipients that are deleted with one statement. */
const ROWS_AT_ONCE = 5_000

const COLUMNS =
  'i.folder_id AS "folderId", i.last_line AS "lastLine", i.count, i.duplicates, i.opted_out AS "optedOut", i.recent'
// $2 key
const FORMER = `SELECT ${COLUMNS}, i.request_hash AS hash FROM campaign_import AS i WHERE instance_id = $1 AND idempotency_key = $2`
const OPEN = 'SELECT count(*)::int AS open FROM campaign_import WHERE instance_id = $1'
const BEGIN = `
  INSERT INTO campaign_import AS i (instance_id, folder_id, idempotency_key, request_hash) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`
// The row is held until the slice is durable. A second call does not wait for it: it would hold a connection meanwhile.
// $2 campaign   $3 line after which the slice begins
const HOLD = `SELECT FROM campaign_import WHERE instance_id = $1 AND folder_id = $2 AND last_line = $3 FOR UPDATE SKIP LOCKED`
// $1 instance   $2 lines   $3 addresses   $4 addresses as lists of people have them   $5 values   $6 zones
// $7 leave out those who got a campaign within so many days; null: nobody
const PEOPLE = `
  u AS (
    SELECT line, u.address, COALESCE(${personAddressSql('m.pn')}, person) AS person, vars, timezone
    FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[]) AS u(line, address, person, vars, timezone)
    LEFT JOIN lid_mapping AS m ON m.instance_id = $1 AND m.lid = u.person
  ), known AS (
    SELECT u.*,
      EXISTS (SELECT FROM suppression AS s WHERE s.instance_id = $1 AND s.address = ANY(${spellingsSql('u.person')} || u.address)
        AND (s.until IS NULL OR s.until > clock_timestamp())) AS has_opted_out,
      $7::int IS NOT NULL AND EXISTS (SELECT FROM campaign_contact AS c WHERE c.instance_id = $1 AND c.address = ANY(${spellingsSql('u.person')})
        AND c.last_at > now() - $7::int * interval '1 day') AS is_recent
    FROM u
  )`
const FATE = "CASE WHEN has_opted_out THEN 'optedOut' WHEN is_recent THEN 'recent' ELSE 'kept' END"
const SORT = `WITH ${PEOPLE} SELECT person, ${FATE} AS fate FROM known ORDER BY line`
// Entries of people that a former slice has stored are found by the unique index itself. A query for them would read all that is stored, for each
// slice, until PostgreSQL has new statistics of the table.
// $8 campaign   $9 first ordinal   $10 leave out doubles   $11 last line
const ADD = `
  WITH ${PEOPLE}, sorted AS (
    SELECT *, ${FATE} AS fate FROM known
  ), marked AS (
    SELECT *, fate = 'kept' AND (NOT $10::bool OR row_number() OVER (PARTITION BY person, fate ORDER BY line) = 1) AS is_first FROM sorted
  ), added AS (
    INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, vars, timezone, dedupe_key)
    SELECT $1, $8, $9::int + row_number() OVER (ORDER BY line) - 1, address, vars, timezone, CASE WHEN $10::bool THEN person END
    FROM marked WHERE is_first
    ON CONFLICT (instance_id, folder_id, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
    RETURNING 1
  ), n AS (
    SELECT count(*) FILTER (WHERE fate = 'optedOut')::int AS opted_out, count(*) FILTER (WHERE fate = 'recent')::int AS recent,
      count(*) FILTER (WHERE fate = 'kept')::int AS kept, count(*) FILTER (WHERE is_first)::int AS first,
      (SELECT count(*) FROM added)::int AS added FROM marked
  )
  UPDATE campaign_import AS i SET last_line = $11, count = i.count + n.added, duplicates = i.duplicates + n.kept - n.added,
    opted_out = i.opted_out + n.opted_out, recent = i.recent + n.recent, updated = clock_timestamp()
  FROM n WHERE i.instance_id = $1 AND i.folder_id = $8
  RETURNING ${COLUMNS}, n.first > n.added AS "hasGaps"`
// Ordinals are dense: who is left out takes none.
// $2 campaign   $3 first ordinal
const CLOSE_GAPS = `
  WITH gone AS (
    DELETE FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND ordinal >= $3::int RETURNING *
  )
  INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, vars, timezone, dedupe_key)
  SELECT instance_id, folder_id, $3::int + row_number() OVER (ORDER BY ordinal) - 1, address, vars, timezone, dedupe_key FROM gone`
// Recipients are found by the ids of imports. So the row of one goes last; until then it is out of reach of `begin` and `add`.
const FORGET = `
  UPDATE campaign_import SET idempotency_key = NULL, last_line = -1, updated = to_timestamp(0) WHERE instance_id = $1 AND folder_id = $2`
// No call can continue an import without a key: its node has ended, or it is under way.
const OLD = `
  SELECT instance_id AS instance, folder_id AS "folderId" FROM campaign_import
  WHERE updated < clock_timestamp() - CASE WHEN idempotency_key IS NULL THEN interval '1 hour' ELSE interval '1 day' END LIMIT 100`
// In the order of the key: otherwise PostgreSQL may read the table from its beginning for each batch. $3 rows
const REMOVE = `
  DELETE FROM campaign_recipient WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 ORDER BY ordinal LIMIT $3))`
const GONE = 'DELETE FROM campaign_import WHERE instance_id = $1 AND folder_id = $2 AND last_line = -1'
const END = 'DELETE FROM campaign_import WHERE instance_id = $1 AND folder_id = $2 AND last_line = $3'

/** `inSlot` is shared with other creations of campaigns. */
export function createCampaignImports(
  pool: pg.Pool,
  inSlot: CreationSlots = createCreationSlots(pool),
): CampaignImports {
  return {
    begin: (instance, key) =>
      inSlot(instance, async (client) => {
        const made = await beginCampaign(client, instance, key, 0)
        if (made !== null) return { former: made }
        const { id, idempotencyKey = null, requestHash = '' } = key
        const known = await client.query<CampaignImport & { hash: string }>(FORMER, [instance, idempotencyKey])
        const [former] = known.rows
        if (former !== undefined) {
          if (former.hash !== requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
          return { running: former }
        }
        await checkOpen(client, instance)
        const begun = await client.query<CampaignImport>(BEGIN, [instance, id, idempotencyKey, requestHash])
        return { running: begun.rows[0] as CampaignImport }
      }),

    check: (instance, { folder }) =>
      inSlot(instance, async (client) => {
        await beginCampaign(client, instance, { ...(folder === undefined ? {} : { folder }) }, 0)
        await checkOpen(client, instance)
      }),

    async sort(instance, people, rules) {
      return (await pool.query<SortedRecipient>(SORT, peopleValues(instance, people, rules))).rows
    },

    add: (instance, { folderId, lastLine, count }, slice, rules) =>
      runInTransaction(instance, pool, async (client) => {
        const held = await client.query(HOLD, [instance, folderId, lastLine])
        if (held.rowCount === 0) throw new GatewayError('IMPORT_RUNNING')
        const values = [...peopleValues(instance, slice.people, rules), folderId, count, rules.dedupe, slice.lastLine]
        const { rows } = await client.query<CampaignImport & { hasGaps: boolean }>(ADD, values)
        const { hasGaps, ...after } = rows[0] as (typeof rows)[0]
        if (hasGaps) await client.query(CLOSE_GAPS, [instance, folderId, count])
        if (after.count > CAMPAIGN_RECIPIENTS_MAX) throw tooManyRecipients()
        // Imports that are never finished fill the disk too.
        await checkStored(client, instance, 0)
        return after
      }),

    async finish(instance, { folderId, lastLine, count, duplicates, recent }, head) {
      const created = await inSlot(instance, async (client) => {
        // The recipients are stored already, and are counted with those of imports.
        const made = await beginCampaign(client, instance, head, 0)
        if (made !== null) return made
        const { rowCount } = await client.query(END, [instance, folderId, lastLine])
        if (rowCount === 0) throw new GatewayError('IMPORT_RUNNING')
        await insertCampaign(client, instance, { ...head, id: folderId }, count)
        return { id: folderId, count, duplicates, recent, isFormer: false }
      })
      if (!created.isFormer) await analyzeRecipients(pool, created.count)
      return created
    },

    async discard(instance, folderId) {
      const { rowCount } = await writeOnce(pool, FORGET, [instance, folderId])
      if (rowCount === 1) await removeRecipients(pool, instance, folderId)
    },
  }
}

/** @throws GatewayError CAMPAIGNS_FULL */
async function checkOpen(client: pg.PoolClient, instance: string): Promise<void> {
  const { rows } = await client.query<{ open: number }>(OPEN, [instance])
  if ((rows[0]?.open ?? 0) >= IMPORTS_MAX) throw tooManyImports()
}

/** Deletes imports that ended halfway: those with a key after a day, others after an hour. */
export async function purgeImports(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ instance: string; folderId: string }>(OLD)
  for (const { instance, folderId } of rows) {
    await writeOnce(pool, FORGET, [instance, folderId])
    await removeRecipients(pool, instance, folderId)
  }
}

/** Deletes the recipients of a campaign that was not created. */
async function removeRecipients(pool: pg.Pool, instance: string, folderId: string): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; )
    deleted = (await pool.query(REMOVE, [instance, folderId, ROWS_AT_ONCE])).rowCount ?? 0
  await pool.query(GONE, [instance, folderId])
}

function peopleValues(instance: string, people: readonly ImportedRecipient[], { recentDays }: ImportRules): unknown[] {
  return [
    instance,
    intArray(people.map(({ line }) => line)),
    textArray(people.map(({ address }) => address)),
    textArray(people.map(({ person }) => person)),
    textArray(people.map(({ vars }) => vars)),
    textArray(people.map(({ timezone }) => (timezone === '' ? null : timezone))),
    recentDays,
  ]
}

function tooManyImports(): GatewayError {
  return new GatewayError('CAMPAIGNS_FULL', {
    message: `The instance has ${IMPORTS_MAX} imports that have not ended; repeat one with its Idempotency-Key, or wait a day until they are forgotten.`,
  })
}

function tooManyRecipients(): GatewayError {
  return new GatewayError('CAMPAIGNS_FULL', {
    message: `A campaign has at most ${CAMPAIGN_RECIPIENTS_MAX} recipients; split the list.`,
  })
}
