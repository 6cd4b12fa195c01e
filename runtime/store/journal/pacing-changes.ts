/** The pacing of the instances of a batch. */
import type { PacingFields } from '../../../schemas/pacing.js'
import { bigintArray, textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

// Null keeps a column, but for the times of first use, which may be null. An instance that is gone gets no row.
// $1 instances  $2 delay_min_ms  $3 delay_max_ms  $4 in_use_since  $5 paired_at  $6 next_at  $7 state  $8 instances with in_use_since
// $9 offered_since  $10 instances with offered_since
const SET = `
  INSERT INTO send_pacer AS p (instance_id, delay_min_ms, delay_max_ms, in_use_since, paired_at, next_at, state, offered_since)
  SELECT u.id, u.delay_min, u.delay_max, to_timestamp(u.in_use_since / 1000.0), to_timestamp(u.paired_at / 1000.0),
    to_timestamp(u.next_at / 1000.0), COALESCE(u.state, ''), to_timestamp(u.offered_since / 1000.0)
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $9::bigint[])
    AS u(id, delay_min, delay_max, in_use_since, paired_at, next_at, state, offered_since)
  JOIN instance AS i ON i.id = u.id
  ON CONFLICT (instance_id) DO UPDATE SET
    delay_min_ms = COALESCE(EXCLUDED.delay_min_ms, p.delay_min_ms),
    delay_max_ms = COALESCE(EXCLUDED.delay_max_ms, p.delay_max_ms),
    in_use_since = CASE WHEN EXCLUDED.instance_id = ANY($8::text[]) THEN EXCLUDED.in_use_since ELSE p.in_use_since END,
    offered_since = CASE WHEN EXCLUDED.instance_id = ANY($10::text[]) THEN EXCLUDED.offered_since ELSE p.offered_since END,
    paired_at = COALESCE(EXCLUDED.paired_at, p.paired_at),
    next_at = COALESCE(EXCLUDED.next_at, p.next_at),
    state = CASE WHEN EXCLUDED.state = '' THEN p.state ELSE EXCLUDED.state END`

export function sendPacing(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const fields = new Map<string, PacingFields>()
  for (const { instance, changes } of writes)
    for (const change of changes)
      if (change.type === 'pacing') fields.set(instance, { ...fields.get(instance), ...change.set })
  if (fields.size === 0) return []
  const ids = [...fields.keys()]
  const all = [...fields.values()]
  return [
    client.query(SET, [
      textArray(ids),
      bigintArray(all.map((one) => one.delayMinMs)),
      bigintArray(all.map((one) => one.delayMaxMs)),
      bigintArray(all.map((one) => one.inUseSinceMs)),
      bigintArray(all.map((one) => one.pairedAtMs)),
      bigintArray(all.map((one) => one.nextAtMs)),
      textArray(all.map((one) => one.state)),
      textArray(ids.filter((id) => fields.get(id)?.inUseSinceMs !== undefined)),
      bigintArray(all.map((one) => one.offeredSinceMs)),
      textArray(ids.filter((id) => fields.get(id)?.offeredSinceMs !== undefined)),
    ]),
  ]
}
