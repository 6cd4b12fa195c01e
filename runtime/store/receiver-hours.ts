/** Attempts to deliver to each webhook, hour by hour. */
import type pg from 'pg'
import type { ReceiverFigures } from '../../schemas/ports/deliveries.js'
import type { ReceiverCount } from '../metrics/receiver-counts.js'
import type { Search } from './timed-search.js'

// The counts are those of the last five minutes. Rows are taken in one order, so that nodes that share a webhook wait for each other and end in no deadlock.
// A webhook that is gone has no row.
// $1 webhooks   $2 delivered   $3 failed   $4 durations   $5 slowest
const ADD = `
  INSERT INTO receiver_hour AS h (webhook_id, at, instance_id, delivered, failed, duration_ms, slowest_ms)
  SELECT w.id, to_timestamp(floor(extract(epoch FROM now() - interval '150 seconds') / 3600) * 3600), w.instance_id,
    u.delivered, u.failed, u.duration_ms, u.slowest_ms
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    AS u(webhook_id, delivered, failed, duration_ms, slowest_ms)
  JOIN webhook AS w ON w.id = u.webhook_id
  ORDER BY w.id
  ON CONFLICT (webhook_id, at) DO UPDATE SET delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed,
    duration_ms = h.duration_ms + excluded.duration_ms, slowest_ms = GREATEST(h.slowest_ms, excluded.slowest_ms)`

// $1 webhooks   $2 hours
const READ = `
  SELECT webhook_id AS "webhookId", at, delivered::float8 AS delivered, failed::float8 AS failed,
    CASE WHEN delivered > 0 THEN duration_ms::float8 / delivered END AS "averageMs",
    CASE WHEN delivered > 0 THEN slowest_ms::float8 END AS "slowestMs"
  FROM receiver_hour
  WHERE webhook_id = ANY($1::uuid[]) AND at > now() - ($2::int + 1) * interval '1 hour' AND at <= now()
  ORDER BY webhook_id, at`

/** Returns a function that adds counts of a node to those of the hour: all that it is given, or none. */
export function createReceiverWrites(pool: pg.Pool): (counts: readonly ReceiverCount[]) => Promise<void> {
  return async (counts) => {
    await pool.query(ADD, [
      counts.map(({ webhookId }) => webhookId),
      counts.map(({ delivered }) => delivered),
      counts.map(({ failed }) => failed),
      counts.map(({ durationMs }) => durationMs),
      counts.map(({ slowestMs }) => slowestMs),
    ])
  }
}

/** Returns the hours with attempts of each webhook, the oldest first; a webhook without attempts has no hours. */
export async function readReceiverHours(
  search: Search,
  webhookIds: readonly string[],
  hours: number,
): Promise<readonly ReceiverFigures[]> {
  const found = new Map(
    webhookIds.map((webhookId) => [webhookId, { webhookId, hours: [] as ReceiverFigures['hours'][number][] }]),
  )
  type Row = ReceiverFigures['hours'][number] & { readonly webhookId: string }
  for (const { webhookId, ...row } of await search<Row>(READ, [webhookIds, hours]))
    found.get(webhookId)?.hours.push(row)
  return [...found.values()]
}
