/** The course of a campaign over time, and why recipients failed, were left out or wait. */
import type { CampaignRow } from '../../schemas/campaign.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { CampaignCourse, CourseReason, CourseRow } from '../../schemas/ports/campaigns.js'
import type { Search } from './timed-search.js'

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
export async function readCourse(search: Search, instance: InstanceId, campaign: CampaignRow): Promise<CampaignCourse> {
  const stepMinutes = stepOf(campaign)
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
function stepOf({ started, ended, created }: CampaignRow): number {
  const fromMs = (started ?? created).getTime()
  const minutes = ((ended?.getTime() ?? Date.now()) - fromMs) / 60_000
  return STEPS_MINUTES.find((step) => minutes / step <= ROWS_MAX / 2) ?? DAY_MINUTES
}
