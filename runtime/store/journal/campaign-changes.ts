/** The campaigns of a batch, in the order of the changes. The actor of an instance is the only writer of what changes while it runs. */

import type { CampaignChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { boolArray, intArray, textArray } from '../arrays.js'
import { personAddressSql } from '../suppressions.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

/** Times of messages that are kept of each person: the maximum that a frequency cap may name. */
const RECENT_MAX = 10

// One statement for all that a batch takes. A recipient who is not waiting ends the transaction: the outcome of an earlier
// commit was unknown, or the recipient was removed meanwhile.
// $1 instances   $2 campaigns   $3 ordinals   $4 message ids   $5 variants   $6 were parked   $7 milliseconds until the next   $8 days
// $9 milliseconds for which they waited because the node was busy
const TAKE = `
  WITH u AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::int[], $6::bool[], $7::int[], $8::int[], $9::int[])
      AS u(instance_id, folder_id, ordinal, messageid, variant, was_parked, next_in, day, node_wait)
  ), taken AS (
    UPDATE campaign_recipient AS r SET place = 0, status = 1, attempts = LEAST(r.attempts + 1, 30000), due_at = NULL,
      messageid = u.messageid, variant = u.variant, reason = NULL, error = NULL, provider_code = NULL, updated = now()
    FROM u WHERE r.instance_id = u.instance_id AND r.folder_id = u.folder_id AND r.ordinal = u.ordinal AND r.place IN (1, 2)
    RETURNING r.instance_id, r.folder_id, r.ordinal, r.address
  ), reached AS (
    INSERT INTO campaign_contact AS c (instance_id, address, last_at, folder_id, ordinal, recent)
    SELECT DISTINCT ON (1, 2) instance_id, ${personAddressSql('address')}, now(), folder_id, ordinal, ARRAY[now()]
    FROM taken ORDER BY 1, 2, ordinal DESC
    ON CONFLICT (instance_id, address) DO UPDATE
      SET last_at = EXCLUDED.last_at, folder_id = EXCLUDED.folder_id, ordinal = EXCLUDED.ordinal, answered = false,
        recent = (EXCLUDED.recent || c.recent)[1:${RECENT_MAX}]
  ), counted AS (
    UPDATE campaign_progress AS p SET taken = p.taken + n.taken, parked = p.parked - n.parked,
      last_ordinal = GREATEST(p.last_ordinal, n.last), next_at = now() + n.next_in * interval '1 millisecond', node_wait_ms = n.node_wait,
      day = CASE WHEN p.day IN (n.day, n.day + 1) THEN p.day ELSE n.day END,
      day_taken = CASE WHEN p.day IN (n.day, n.day + 1) THEN p.day_taken ELSE 0 END + n.taken
    FROM (SELECT instance_id, folder_id, count(*) AS taken, count(*) FILTER (WHERE was_parked) AS parked,
        max(ordinal) FILTER (WHERE NOT was_parked) AS last, max(next_in) AS next_in, max(day) AS day,
        max(node_wait) AS node_wait
      FROM u GROUP BY instance_id, folder_id) AS n
    WHERE p.instance_id = n.instance_id AND p.folder_id = n.folder_id
  )
  SELECT campaign_refuse(u.folder_id, u.ordinal) FROM u
  WHERE NOT EXISTS (SELECT FROM taken AS t WHERE t.instance_id = u.instance_id AND t.folder_id = u.folder_id AND t.ordinal = u.ordinal)`
// A recipient behind others of the same person is due with the last of them.
// $1 instance   $2 campaign   $3 ordinal   $4 place   $5 status   $6 reason   $7 error   $8 milliseconds to park   $9 milliseconds until the next
const CLOSE = `
  WITH former AS (
    SELECT place, address FROM campaign_recipient
    WHERE instance_id = $1 AND folder_id = $2 AND ordinal = $3 AND place IN (1, 2) FOR UPDATE
  ), closed AS (
    UPDATE campaign_recipient SET place = $4::smallint, status = $5::smallint, reason = $6, error = $7, provider_code = NULL,
      due_at = CASE WHEN $4 <> 2 THEN NULL WHEN $6 = 'behind' THEN (
        SELECT CASE WHEN bool_or(b.due_at IS NULL) THEN NULL ELSE COALESCE(max(b.due_at), now()) END FROM campaign_recipient AS b, former
        WHERE b.instance_id = $1 AND b.folder_id = $2 AND b.place = 2 AND b.address = former.address AND b.ordinal < $3)
        ELSE now() + $8::bigint * interval '1 millisecond' END, updated = now()
    WHERE instance_id = $1 AND folder_id = $2 AND ordinal = $3 AND EXISTS (SELECT FROM former)
  )
  UPDATE campaign_progress SET last_ordinal = CASE WHEN former.place = 1 THEN GREATEST(last_ordinal, $3::int) ELSE last_ordinal END,
    failed = failed + ($5::int = 20)::int, skipped = skipped + ($5::int = 21)::int,
    parked = parked + ($4::int = 2)::int - (former.place = 2)::int, next_at = now() + $9::int * interval '1 millisecond'
  FROM former WHERE instance_id = $1 AND folder_id = $2`
// $1 instance   $2 campaign   $3 from   $4 to   $5 reason   $6 account   $7 clears
const MOVE = `
  UPDATE campaign SET status = $4, reason = $5, own_account = COALESCE($6, own_account), clears = clears OR $7::bool,
    hold_reason = '', hold_until = NULL, updated = now(),
    started = CASE WHEN $4 = 'sending' THEN COALESCE(started, now()) ELSE started END,
    ended = CASE WHEN $4 = 'done' THEN COALESCE(ended, now()) ELSE ended END,
    unique_name = CASE WHEN $4 IN ('done', 'deleting') THEN NULL ELSE unique_name END
  WHERE instance_id = $1 AND id = $2 AND status = ANY($3::text[])`
// $1 instance   $2 campaign   $3 milliseconds   $4 reason
const WAIT = `
  WITH held AS (
    UPDATE campaign SET hold_reason = $4, hold_until = now() + $3::bigint * interval '1 millisecond' WHERE instance_id = $1 AND id = $2
  )
  UPDATE campaign_progress SET next_at = now() + $3::bigint * interval '1 millisecond', node_wait_ms = 0
  WHERE instance_id = $1 AND folder_id = $2`
// A campaign that waited for the next day goes on, after its pause. $1 instance   $2 campaign   $3 messages in a day   $4 time zone
const CAP = `
  WITH former AS (SELECT hold_reason FROM campaign WHERE instance_id = $1 AND id = $2 FOR UPDATE), capped AS (
    UPDATE campaign SET daily_cap = $3, timezone = COALESCE($4, timezone), updated = now(),
      hold_until = CASE WHEN hold_reason = 'daily_cap' THEN NULL ELSE hold_until END,
      hold_reason = CASE WHEN hold_reason = 'daily_cap' THEN '' ELSE hold_reason END
    WHERE instance_id = $1 AND id = $2
  )
  UPDATE campaign_progress AS p SET next_at = LEAST(p.next_at, now() + c.delay_max_ms * interval '1 millisecond')
  FROM campaign AS c, former WHERE p.instance_id = $1 AND p.folder_id = $2 AND c.instance_id = $1 AND c.id = $2
    AND former.hold_reason = 'daily_cap'`
// $1 instance   $2 campaign   $3 ordinals   $4 reason   $5 milliseconds
const PARK_NEW = `
  WITH parked AS (
    UPDATE campaign_recipient SET place = 2, due_at = NULL, reason = $4, updated = now()
    WHERE instance_id = $1 AND folder_id = $2 AND ordinal = ANY($3::int[]) AND place = 1 RETURNING 1
  ), held AS (
    UPDATE campaign SET hold_reason = $4, hold_until = now() + $5::bigint * interval '1 millisecond' WHERE instance_id = $1 AND id = $2
  )
  UPDATE campaign_progress SET parked = parked + (SELECT count(*) FROM parked) WHERE instance_id = $1 AND folder_id = $2`
// The pause between two messages has perhaps not passed yet: it begins again.
// $1 instance   $2 campaign   $3 forgets the network's last answers
const RELEASE = `
  WITH released AS (
    UPDATE campaign SET hold_reason = '', hold_until = NULL WHERE instance_id = $1 AND id = $2 RETURNING delay_max_ms
  )
  UPDATE campaign_progress SET next_at = LEAST(next_at, now() + released.delay_max_ms * interval '1 millisecond'),
    recent = CASE WHEN $3::bool THEN '' ELSE recent END, node_wait_ms = 0
  FROM released WHERE instance_id = $1 AND folder_id = $2`
// $1 instance   $2 addresses
const HEARD = `
  WITH due AS (
    UPDATE campaign_recipient AS r SET due_at = now() FROM campaign AS c
    WHERE c.instance_id = $1 AND c.status IN ('scheduled', 'sending', 'paused') AND r.instance_id = $1 AND r.folder_id = c.id
      AND r.place = 2 AND r.address = ANY($2::text[]) AND COALESCE(r.due_at > now(), true) AND r.reason IS DISTINCT FROM 'window'
    RETURNING r.folder_id, c.delay_max_ms
  )
  UPDATE campaign_progress AS p SET next_at = LEAST(p.next_at, now() + d.delay_max_ms * interval '1 millisecond')
  FROM (SELECT DISTINCT folder_id, delay_max_ms FROM due) AS d WHERE p.instance_id = $1 AND p.folder_id = d.folder_id`
// $1 instance   $2 reason
const PAUSE_ALL = `
  UPDATE campaign SET status = 'paused', reason = $2, hold_reason = '', hold_until = NULL, updated = now()
  WHERE instance_id = $1 AND status IN ('scheduled', 'sending')`
// $1 instance   $2 campaign   $3 all of them   $4 rows
const PURGE = `
  WITH gone AS (
    DELETE FROM campaign_recipient AS r WHERE r.instance_id = $1 AND r.folder_id = $2 AND r.ordinal = ANY(ARRAY(
      SELECT ordinal FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND ($3::bool OR place IN (1, 2))
      ORDER BY ordinal LIMIT $4::int))
      AND EXISTS (SELECT FROM campaign WHERE instance_id = $1 AND id = $2 AND status = 'deleting')
    RETURNING r.place, r.status
  )
  UPDATE campaign_progress AS p SET deleted = p.deleted + n.waiting, parked = p.parked - n.parked, taken = p.taken - n.taken
  FROM (SELECT count(*) FILTER (WHERE place IN (1, 2)) AS waiting, count(*) FILTER (WHERE place = 2) AS parked,
      count(*) FILTER (WHERE status = 1) AS taken FROM gone) AS n
  WHERE instance_id = $1 AND folder_id = $2`
// $1 instance   $2 campaign
const GONE = [
  `DELETE FROM campaign_progress WHERE instance_id = $1 AND folder_id = $2`,
  `DELETE FROM campaign WHERE instance_id = $1 AND id = $2 AND status = 'deleting'`,
]

type Taken = Extract<CampaignChange, { type: 'campaign.taken' }>

export const campaigns = {
  types: [
    'campaign.taken',
    'campaign.recipient',
    'campaign.status',
    'campaign.wait',
    'campaign.cap',
    'campaign.parkNew',
    'campaign.release',
    'campaign.heard',
    'campaign.pauseAll',
    'campaign.purge',
    'campaign.gone',
  ],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const taken: { readonly instance: InstanceId; readonly change: Taken }[] = []
    const sent: Promise<unknown>[] = []
    for (const { instance, changes } of writes)
      for (const change of changes)
        if (change.type === 'campaign.taken') taken.push({ instance, change })
        else sent.push(...sendOther(client, instance, change))
    if (taken.length === 0) return sent
    const changes = taken.map(({ change }) => change)
    const values = [
      textArray(taken.map(({ instance }) => instance)),
      textArray(changes.map(({ folderId }) => folderId)),
      intArray(changes.map(({ ordinal }) => ordinal)),
      textArray(changes.map(({ messageid }) => messageid)),
      intArray(changes.map(({ variant }) => variant)),
      boolArray(changes.map(({ wasParked }) => wasParked)),
      intArray(changes.map(({ nextInMs }) => nextInMs)),
      intArray(changes.map(({ day }) => day)),
      intArray(changes.map(({ nodeWaitMs }) => Math.round(nodeWaitMs))),
    ]
    return [...sent, client.query(TAKE, values)]
  },
} as const satisfies RowKind

function sendOther(client: Statements, instance: InstanceId, change: Write['changes'][number]): Promise<unknown>[] {
  switch (change.type) {
    case 'campaign.recipient': {
      const { folderId, ordinal, outcome, nextInMs } = change
      const [place, status] = outcome.kind === 'failed' ? [3, 20] : outcome.kind === 'skipped' ? [4, 21] : [2, 0]
      const isParked = outcome.kind === 'parked'
      const parkMs = isParked && outcome.forMs !== null ? Math.ceil(outcome.forMs) : null
      const why = [outcome.reason, isParked ? null : outcome.error, parkMs]
      return [client.query(CLOSE, [instance, folderId, ordinal, place, status, ...why, nextInMs])]
    }
    case 'campaign.status': {
      const { folderId, from, to, reason = '', ownAccount = null, clears = false } = change
      return [client.query(MOVE, [instance, folderId, textArray(from), to, reason, ownAccount, String(clears)])]
    }
    case 'campaign.wait':
      return [client.query(WAIT, [instance, change.folderId, Math.ceil(change.forMs), change.reason])]
    case 'campaign.cap':
      return [client.query(CAP, [instance, change.folderId, change.dailyCap, change.timezone ?? null])]
    case 'campaign.parkNew': {
      const { folderId, ordinals, reason, forMs } = change
      return [client.query(PARK_NEW, [instance, folderId, intArray(ordinals), reason, Math.ceil(forMs)])]
    }
    case 'campaign.release':
      return [client.query(RELEASE, [instance, change.folderId, String(change.forgets === true)])]
    case 'campaign.heard':
      return [client.query(HEARD, [instance, textArray(change.addresses)])]
    case 'campaign.pauseAll':
      return [client.query(PAUSE_ALL, [instance, change.reason])]
    case 'campaign.purge':
      return [client.query(PURGE, [instance, change.folderId, String(change.all), change.rowsMax])]
    case 'campaign.gone':
      return GONE.map((text) => client.query(text, [instance, change.folderId]))
    default:
      return []
  }
}
