import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { Jid } from '../../../schemas/ids.js'

/** Days for which an answer of the network holds. A person without an account may open one. */
const FOUND_DAYS = 30
const ABSENT_DAYS = 7

const FIND = `
  SELECT found FROM number_check WHERE instance_id = $1 AND address = $2
    AND checked_at > now() - CASE WHEN found IS NULL THEN interval '${ABSENT_DAYS} days' ELSE interval '${FOUND_DAYS} days' END`
const COUNT = `
  SELECT count(*) FILTER (WHERE checked_at >= date_trunc('day', now(), 'UTC'))::int AS today,
    count(*) FILTER (WHERE checked_at > now() - interval '1 minute')::int AS "lastMinute"
  FROM number_check WHERE instance_id = $1`

/** Reads the numbers that campaigns have looked up. */
export function numberCheckReads(pool: pg.Pool): Pick<InstanceReader, 'numberCheck' | 'numberChecks'> {
  return {
    async numberCheck(instance, address) {
      const { rows } = await pool.query<{ found: Jid | null }>(FIND, [instance, address])
      return rows[0] ?? null
    },

    async numberChecks(instance) {
      const { rows } = await pool.query<{ today: number; lastMinute: number }>(COUNT, [instance])
      return rows[0] ?? { today: 0, lastMinute: 0 }
    },
  }
}
