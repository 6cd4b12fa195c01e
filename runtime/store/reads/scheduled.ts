import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { InstanceId, MessageId } from '../../../schemas/ids.js'
import type { ScheduledSend } from '../../../schemas/scheduled-send.js'
import { textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { ofChat, SCHEDULED_COLUMNS, type ScheduledRow, scheduledSend } from '../scheduled-row.js'
import { listChatJids } from './message-query.js'

/** Selects scheduled sends of the instance `$1`. Conditions and further parameters follow. */
const SENDS = `
  SELECT ${SCHEDULED_COLUMNS} FROM scheduled_send AS s JOIN instance AS i ON i.id = s.instance_id WHERE s.instance_id = $1`
const BY_IDS = `${SENDS} AND (s.messageid = ANY($2::text[]) OR s.record_id = ANY($2::text[]) AND s.record_id <> '')`
const DUE = `${SENDS} AND s.status = 'scheduled' AND s.due <= now() ORDER BY s.due, s.position LIMIT $2`
const NEXT = `
  SELECT (extract(epoch FROM due - now()) * 1000)::float8 AS in_ms FROM scheduled_send
  WHERE instance_id = $1 AND status = 'scheduled' ORDER BY due LIMIT 1`
// $2 message id  $3 limit  $4 milliseconds
const DUES_UP_TO = `
  SELECT (extract(epoch FROM s.due) * 1000)::float8 AS due_ms
  FROM (SELECT due, position FROM scheduled_send WHERE instance_id = $1 AND messageid = $2 AND status = 'scheduled') AS own
  CROSS JOIN LATERAL (
    SELECT due, position FROM scheduled_send
    WHERE instance_id = $1 AND status = 'scheduled' AND (due, position) <= (own.due, own.position)
      AND due >= own.due - $4::float8 * interval '1 millisecond'
    ORDER BY due DESC, position DESC LIMIT $3) AS s
  ORDER BY s.due, s.position`
const BY_KEY = `
  ${SENDS} AND s.idempotency_key = $2 AND s.created > now() - interval '24 hours' ORDER BY s.position LIMIT 1`
const COUNT = `SELECT count(*)::int AS count FROM scheduled_send WHERE instance_id = $1 AND status = 'scheduled'`
const OF_CHAT = `${SENDS} AND s.status = 'scheduled' AND ${ofChat('$3')} ORDER BY s.due, s.position LIMIT $2`
const OF_TRACK = `${SENDS} AND s.status = 'scheduled' AND s.track_id = $3 ORDER BY s.due, s.position LIMIT $2`

/** Reads scheduled sends. */
export function scheduledReads(
  pool: pg.Pool,
  encryption: Encryption,
): Pick<
  InstanceReader,
  | 'scheduledSends'
  | 'dueSends'
  | 'nextDueMs'
  | 'duesUpTo'
  | 'scheduledByIdempotencyKey'
  | 'scheduledCount'
  | 'listScheduled'
> {
  async function read(instance: InstanceId, text: string, values: readonly unknown[]) {
    const { rows } = await pool.query<ScheduledRow>(text, [instance, ...values])
    const sends = rows.map((row) => scheduledSend(instance, row, encryption))
    return {
      due: sends.filter((send) => send !== null),
      unreadable: rows.filter((_, index) => sends[index] === null).map(({ messageid }) => messageid as MessageId),
    }
  }
  return {
    async scheduledSends(instance, messageids): Promise<readonly ScheduledSend[]> {
      return messageids.length === 0 ? [] : (await read(instance, BY_IDS, [textArray(messageids)])).due
    },

    dueSends: (instance, limit) => read(instance, DUE, [limit]),

    async nextDueMs(instance) {
      const { rows } = await pool.query<{ in_ms: number }>(NEXT, [instance])
      return rows[0]?.in_ms ?? null
    },

    async duesUpTo(instance, messageid, limit, windowMs) {
      const { rows } = await pool.query<{ due_ms: number }>(DUES_UP_TO, [instance, messageid, limit, windowMs])
      return rows.map(({ due_ms }) => due_ms)
    },

    async scheduledByIdempotencyKey(instance, key) {
      return (await read(instance, BY_KEY, [key])).due[0] ?? null
    },

    async scheduledCount(instance) {
      const { rows } = await pool.query<{ count: number }>(COUNT, [instance])
      return rows[0]?.count ?? 0
    },

    async listScheduled(instance, { chat, trackId }, limit) {
      if (chat !== undefined) return (await read(instance, OF_CHAT, [limit, textArray(listChatJids(chat))])).due
      return trackId === undefined ? [] : (await read(instance, OF_TRACK, [limit, trackId])).due
    },
  }
}
