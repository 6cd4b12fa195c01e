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
