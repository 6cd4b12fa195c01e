import type pg from 'pg'
import { inTransaction } from '../in-transaction.js'
import { laneFor } from '../shared-pool.js'

/** Recipients of one campaign from which PostgreSQL needs new statistics. */
const MANY = 20_000
const STATEMENT_TIMEOUT_MS = 10_000

// However many campaigns the tenants of a cluster import, it is done once a minute.
const IS_FRESH = `
  SELECT FROM pg_stat_user_tables WHERE relid = 'campaign_recipient'::regclass
    AND GREATEST(last_analyze, last_autoanalyze) > clock_timestamp() - interval '1 minute'`
// Reads a sample, which does not grow with the table. Leaves it to another ANALYZE or VACUUM that is under way.
const ANALYZE = 'ANALYZE (SKIP_LOCKED) campaign_recipient'

/**
 * Renews the statistics of the recipients after so many were added to one campaign. Until autovacuum comes, PostgreSQL would plan each query of
 * the campaign for a few rows. Never rejects: the campaign exists already.
 */
export async function analyzeRecipients(pool: pg.Pool, added: number): Promise<void> {
  if (added < MANY) return
  const work = inTransaction(laneFor(pool, 'long'), async (client) => {
    const { rowCount } = await client.query(IS_FRESH)
    if ((rowCount ?? 0) > 0) return
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
    await client.query(ANALYZE)
  })
  await work.catch(() => {})
}

/** Columns of campaigns and their recipients, as the API and the actors read them. */

/** Columns of the counters and of the daily maximum; `c` is the campaign, `p` its progress. */
export const counterColumns = `p.total, p.taken, p.parked, p.sent, p.delivered, p."read", p.played, p.replied, p.failed, p.skipped, p.deleted,
  c.daily_cap AS "dailyCap", c.timezone, p.day, p.day_taken AS "dayTaken"`

/** Columns of `CampaignRow`; `c` is the campaign, `p` its progress. */
const campaignColumns = `c.id, c.folder, c.info, c.status, c.reason, c.hold_reason AS "holdReason", c.hold_until AS "holdUntil",
  c.source, c.options, c.delay_min_ms AS "delayMinMs", c.delay_max_ms AS "delayMaxMs", c.scheduled_at AS "scheduledAt", p.next_at AS "nextAt", p.node_wait_ms AS "nodeWaitMs",
  c.created, c.updated, c.started, c.ended, ${counterColumns}`

export const CAMPAIGNS = `
  SELECT ${campaignColumns} FROM campaign AS c
  JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
  WHERE c.instance_id = $1`
