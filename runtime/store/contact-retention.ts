import type pg from 'pg'

// Ours: a cursor of ours.

export interface ContactRetentionOptions {
  readonly batchRows: number
  readonly signal: AbortSignal
}

/** Days for which a person is kept after the last message of a campaign. Rules look back 365 days at most. */
const KEPT_DAYS = 366
/** Batches of one round. The next round goes on behind them, so that a round costs the same however many people there are. */
const BATCHES_MAX = 100
const CURSOR = 'campaign_contact'

const READ_CURSOR = 'SELECT value FROM meta WHERE key = $1'
const WRITE_CURSOR = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value'
const IS_OLD = `last_at < now() - interval '${KEPT_DAYS} days'`
// Reads a page of the key, whether something in it is old or not: an index of the time would be written with each send of a campaign. A person
// who gets a message meanwhile is not old.
// $1 instance and $2 address after which the page begins   $3 rows
const DELETE_PAGE = `
  WITH page AS (
    SELECT ctid, instance_id, address, ${IS_OLD} AS is_old FROM campaign_contact
    WHERE (instance_id, address) > ($1, $2) ORDER BY instance_id, address LIMIT $3
  ), gone AS (
    DELETE FROM campaign_contact WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM campaign_contact WHERE ctid = ANY(ARRAY(SELECT ctid FROM page WHERE is_old)) AND ${IS_OLD} FOR UPDATE SKIP LOCKED))
  )
  SELECT instance_id AS instance, address FROM page ORDER BY instance_id, address`

/** Deletes people who got no message of a campaign for a year, in batches by PostgreSQL's clock. Call it on one node at a time. */
export async function purgeContacts(pool: pg.Pool, { batchRows, signal }: ContactRetentionOptions): Promise<void> {
  const { rows: stored } = await pool.query<{ value: string }>(READ_CURSOR, [CURSOR])
  let after = cursorOf(stored[0]?.value)
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
    const { rows } = await pool.query<{ instance: string; address: string }>(DELETE_PAGE, [...after, batchRows])
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < batchRows
    after = isEnd ? ['', ''] : [last.instance, last.address]
    if (isEnd) break
  }
  await pool.query(WRITE_CURSOR, [CURSOR, JSON.stringify(after)])
}

function cursorOf(value: string | undefined): [instance: string, address: string] {
  if (value === undefined) return ['', '']
  const [instance = '', address = ''] = JSON.parse(value) as string[]
  return [instance, address]
}
