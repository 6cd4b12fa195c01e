/** Kinds of changes that write rows of their instance, and need nothing of other kinds. */
import type { PacingFields } from '../../../schemas/pacing.js'
import { bigintArray, textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// $1 instances   $2 addresses   $3 addresses at the network; null: no account
const KEEP = `
  INSERT INTO number_check AS n (instance_id, address, found)
  SELECT DISTINCT ON (instance_id, address) * FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, address, found)
  ON CONFLICT (instance_id, address) DO UPDATE SET found = EXCLUDED.found, checked_at = now()`

/** The numbers that the instances of a batch have looked up. */
export const numberChecks = {
  types: ['numberCheck'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const checks = writes.flatMap(({ instance, changes }) =>
      changes.flatMap((change) => (change.type === 'numberCheck' ? [{ instance, change }] : [])),
    )
    if (checks.length === 0) return []
    const values = [
      textArray(checks.map(({ instance }) => instance)),
      textArray(checks.map(({ change }) => change.address)),
      textArray(checks.map(({ change }) => change.found)),
    ]
    return [client.query(KEEP, values)]
  },
} as const satisfies RowKind

// The one way back of a status. A message that the network has taken, or that is final, stays as it is.
// $1 instances  $2 ids of the messages  $3 requests
const REQUEUE = `
  UPDATE message AS m SET "status" = 'queued', queued_request = u.request, updated = now()
  FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, messageid, request)
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND m."fromMe" AND m."status" = 'pending'`

/** Messages that go back into the queue, because WhatsApp has refused them for now. */
export const requeues = {
  types: ['message.requeue'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const requeued = writes.flatMap(({ instance, changes }) =>
      changes.flatMap((change) =>
        change.type === 'message.requeue'
          ? [{ instance, messageid: change.messageid, request: JSON.stringify(change.queuedRequest) }]
          : [],
      ),
    )
    if (requeued.length === 0) return []
    return [
      client.query(REQUEUE, [
        textArray(requeued.map(({ instance }) => instance)),
        textArray(requeued.map(({ messageid }) => messageid)),
        textArray(requeued.map(({ request }) => request)),
      ]),
    ]
  },
} as const satisfies RowKind

const ROWS_MAX = 200
const REASON_MAX = 1_000

// $1 instance   $2 age, ms   $3 status   $4 state   $5 cause   $6 code   $7 reason   $8 node
const ADD = `
  INSERT INTO connection_history (instance_id, at, status, state, cause, code, reason, node)
  VALUES ($1, clock_timestamp() - $2::bigint * interval '1 millisecond', $3, $4, $5, $6, $7, $8)`
// $1 instances
const TRIM = `
  DELETE FROM connection_history AS h USING unnest($1::text[]) AS i(id)
  WHERE h.instance_id = i.id AND h.position < (
    SELECT position FROM connection_history WHERE instance_id = i.id ORDER BY position DESC OFFSET ${ROWS_MAX - 1} LIMIT 1)`

/** The connections of instances over time. Each instance keeps its newest rows only, so that one that flaps takes no room. */
export const connectionHistory = {
  types: ['connection'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const changed = new Set<string>()
    const added = writes.flatMap(({ instance, changes }) =>
      changes.flatMap((change) => {
        if (change.type !== 'connection') return []
        const { ageMs, status, state, cause, code, reason, node } = change
        changed.add(instance)
        const age = String(Math.max(0, Math.round(ageMs)))
        return [client.query(ADD, [instance, age, status, state, cause, code, reason.slice(0, REASON_MAX), node])]
      }),
    )
    return changed.size === 0 ? [] : [...added, client.query(TRIM, [textArray([...changed])])]
  },
} as const satisfies RowKind

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

/** The pacing of instances. */
export const pacing = {
  types: ['pacing'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
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
  },
} as const satisfies RowKind
