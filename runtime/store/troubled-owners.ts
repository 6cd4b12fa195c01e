/** Finds the instances whose webhooks or sends need a hand. Each part reads a bounded number of rows. */
import type { TroubledOwner } from '../../schemas/ports/figures.js'
import type { Search } from './timed-search.js'

/** Maximum of owners that are named. */
const OWNERS_MAX = 20
/** Deliveries that wait for less are on their way. */
const WAITING_SECONDS = 60

// $1 rows that one count reads   $2 seconds   $3 owners   $4 true: count failed sends
const TROUBLED = `
  WITH troubles AS (
    SELECT w.instance_id, count(*) AS dead, 0 AS waiting, 0 AS failed
    FROM (SELECT webhook_id FROM dead_letter LIMIT $1) AS d JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT w.instance_id, 0, count(*), 0
    FROM (SELECT webhook_id FROM delivery WHERE created < now() - make_interval(secs => $2) ORDER BY created LIMIT $1) AS d
    JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT instance_id, 0, 0, count(*) FROM message
    WHERE $4 AND created > now() - interval '1 hour' AND "fromMe" AND "status" = 'failed' GROUP BY 1
  )
  SELECT t.instance_id AS id, i.name, sum(t.dead)::int AS "deadLetters", sum(t.waiting)::int AS waiting, sum(t.failed)::int AS failed
  FROM troubles AS t LEFT JOIN instance AS i ON i.id = t.instance_id
  WHERE t.instance_id IS NULL OR i.id IS NOT NULL
  GROUP BY t.instance_id, i.name ORDER BY sum(t.dead) + sum(t.waiting) + sum(t.failed) DESC, t.instance_id LIMIT $3`

/** Returns the owners with the most troubles first. `hasFailedSends` false leaves out a count that would find nothing. */
export function findTroubledOwners(
  search: Search,
  rowsMax: number,
  hasFailedSends: boolean,
): Promise<readonly TroubledOwner[]> {
  return search<TroubledOwner>(TROUBLED, [rowsMax, WAITING_SECONDS, OWNERS_MAX, hasFailedSends])
}
