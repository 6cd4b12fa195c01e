import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import { textArray } from '../arrays.js'
import { CHAT_OF_ADDRESS, listChatJids } from './message-query.js'

/** Number of the newest messages of a chat that are searched for one of the other side. */
export const LOOKED_AT = 1_000

const PACING = `
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
    (extract(epoch FROM i.created) * 1000)::float8 AS created_ms,
    (extract(epoch FROM p.paired_at) * 1000)::float8 AS paired_ms,
    (extract(epoch FROM p.in_use_since) * 1000)::float8 AS in_use_ms,
    (extract(epoch FROM p.offered_since) * 1000)::float8 AS offered_ms,
    (extract(epoch FROM p.next_at) * 1000)::float8 AS next_ms,
    p.delay_min_ms, p.delay_max_ms, COALESCE(p.state, '') AS state
  FROM instance AS i LEFT JOIN send_pacer AS p ON p.instance_id = i.id WHERE i.id = $1`
// $2 JIDs of the chat
const HAS_WRITTEN = `
  SELECT EXISTS (
    SELECT FROM (
      SELECT "fromMe" FROM message WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS})
      ORDER BY "messageTimestamp" DESC, position DESC LIMIT ${LOOKED_AT}) AS newest
    WHERE NOT "fromMe") AS found`

interface PacingRow {
  readonly now_ms: number
  readonly created_ms: number
  readonly paired_ms: number | null
  readonly in_use_ms: number | null
  readonly offered_ms: number | null
  readonly next_ms: number | null
  readonly delay_min_ms: number | null
  readonly delay_max_ms: number | null
  readonly state: string
}

/** Reads the pacing of an instance, and whether a person has written to it. */
export function pacingReads(pool: pg.Pool): Pick<InstanceReader, 'pacing' | 'hasWritten'> {
  return {
    async pacing(instance) {
      const { rows } = await pool.query<PacingRow>(PACING, [instance])
      const [row] = rows
      if (row === undefined) throw new Error('There is no such instance.')
      return {
        nowMs: row.now_ms,
        createdAtMs: row.created_ms,
        pairedAtMs: row.paired_ms,
        inUseSinceMs: row.in_use_ms,
        offeredSinceMs: row.offered_ms,
        delayMinMs: row.delay_min_ms,
        delayMaxMs: row.delay_max_ms,
        nextAtMs: row.next_ms,
        state: row.state,
      }
    },

    async hasWritten(instance, chat) {
      const { rows } = await pool.query<{ found: boolean }>(HAS_WRITTEN, [instance, textArray(listChatJids(chat))])
      return rows[0]?.found ?? false
    },
  }
}
