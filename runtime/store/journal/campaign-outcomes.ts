/** Carries the states of messages that were sent for campaigns to their recipients and to the counters of the campaigns. */
import { recipientStatus } from '../../../schemas/campaign.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import type { Statements } from './connection.js'
import type { CampaignMessage } from './message-updates.js'

// A status is only raised, and each recipient is counted by the statuses that were left, so that a receipt that comes twice, or out of
// order, counts once. A recipient who got another message meanwhile is not that of this one. The owner of an instance is the only one who
// changes these rows, so that `former` is what the update meets, and needs no lock. A recipient whom the network refuses for now is parked,
// unless the campaign has ended meanwhile. `recent` keeps the network's last answers to messages that it did not refuse for now.
// $1 instances   $2 campaigns   $3 ordinals   $4 message ids   $5 statuses   $6 errors   $7 codes   $8 milliseconds to park   $9 reasons to park
const RAISE = `
  WITH u AS (
    SELECT instance_id, folder_id, ordinal, messageid, max(status) AS status, max(error) AS error, max(code) AS code,
      max(park_ms) AS park_ms, max(park_reason) AS park_reason
    FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::int[], $6::text[], $7::int[], $8::bigint[], $9::text[])
      AS u(instance_id, folder_id, ordinal, messageid, status, error, code, park_ms, park_reason)
    GROUP BY instance_id, folder_id, ordinal, messageid
  ), judged AS (
    SELECT u.*, u.status = 20 AND u.park_reason IS NOT NULL AND EXISTS (SELECT FROM campaign AS c
      WHERE c.instance_id = u.instance_id AND c.id = u.folder_id AND c.status IN ('scheduled', 'sending', 'paused')) AS parks
    FROM u
  ), raised AS (
    UPDATE campaign_recipient AS r SET status = CASE WHEN u.parks THEN 0 ELSE u.status END,
      place = CASE WHEN u.parks THEN 2 WHEN u.status = 20 THEN 3 ELSE 0 END,
      reason = CASE WHEN u.parks THEN u.park_reason WHEN u.status = 20 THEN 'refused' WHEN former.reason = 'opted_out' THEN 'opted_out' END, error = u.error, provider_code = u.code,
      due_at = CASE WHEN u.parks THEN now() + u.park_ms * interval '1 millisecond' END,
      messageid = CASE WHEN u.parks THEN NULL ELSE r.messageid END, updated = now()
    FROM judged AS u JOIN campaign_recipient AS former
      ON former.instance_id = u.instance_id AND former.folder_id = u.folder_id AND former.ordinal = u.ordinal AND former.messageid = u.messageid
    WHERE r.instance_id = u.instance_id AND r.folder_id = u.folder_id AND r.ordinal = u.ordinal AND former.status BETWEEN 1 AND 5
      AND (u.status > former.status AND u.status <= 5 OR u.status = 20 AND former.status = 1)
    RETURNING r.instance_id, r.folder_id, former.status AS before, r.status AS after
  )
  UPDATE campaign_progress AS p SET taken = p.taken - n.taken, sent = p.sent + n.sent, delivered = p.delivered + n.delivered,
    "read" = p."read" + n.seen, played = p.played + n.played, failed = p.failed + n.failed,
    parked = p.parked + n.parked, recent = right(p.recent || n.recent, 50)
  FROM (
    SELECT instance_id, folder_id, count(*) FILTER (WHERE before = 1) AS taken,
      count(*) FILTER (WHERE before < 2 AND after BETWEEN 2 AND 5) AS sent,
      count(*) FILTER (WHERE before < 3 AND after BETWEEN 3 AND 5) AS delivered,
      count(*) FILTER (WHERE before < 4 AND after BETWEEN 4 AND 5) AS seen,
      count(*) FILTER (WHERE before < 5 AND after = 5) AS played,
      count(*) FILTER (WHERE after = 20) AS failed, count(*) FILTER (WHERE after = 0) AS parked,
      COALESCE(string_agg((after = 20)::int::text, '') FILTER (WHERE before = 1 AND after > 0), '') AS recent
    FROM raised GROUP BY instance_id, folder_id
  ) AS n
  WHERE p.instance_id = n.instance_id AND p.folder_id = n.folder_id`

/** States of a message that mean something for its recipient. One that was deleted for everyone was sent before. */
const STATUSES: Readonly<Record<string, number>> = {
  sent: recipientStatus.sent,
  delivered: recipientStatus.delivered,
  read: recipientStatus.read,
  played: recipientStatus.played,
  failed: recipientStatus.failed,
  deleted: recipientStatus.sent,
}

export function sendCampaignOutcomes(client: Statements, changed: readonly CampaignMessage[]): Promise<unknown>[] {
  const outcomes = changed.filter(({ message }) => STATUSES[message.status] !== undefined)
  if (outcomes.length === 0) return []
  const messages = outcomes.map(({ message }) => message)
  const sets = outcomes.map(({ change }) => change.set)
  const isFailed = (index: number): boolean => messages[index]?.status === 'failed'
  const values = [
    textArray(outcomes.map(({ instance }) => instance)),
    textArray(messages.map((message) => message.send_folder_id)),
    intArray(messages.map((message) => message.send_ordinal)),
    textArray(messages.map(({ messageid }) => messageid)),
    intArray(messages.map(({ status }) => STATUSES[status])),
    textArray(sets.map(({ error }, index) => (isFailed(index) ? error : null))),
    intArray(sets.map(({ providerCode }, index) => (isFailed(index) ? providerCode : null))),
    bigintArray(outcomes.map(({ change: { parks } }) => (parks?.forMs == null ? null : Math.ceil(parks.forMs)))),
    textArray(outcomes.map(({ change }) => change.parks?.reason)),
  ]
  return [client.query(RAISE, values)]
}
