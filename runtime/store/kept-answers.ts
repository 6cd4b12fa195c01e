/** Answers of calls with an `Idempotency-Key`, in PostgreSQL, so that every node gives the same. */
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { FirstCall, KeptAnswers, KeyedCall } from '../../schemas/ports/requests.js'
import { CountedRoom } from './counted-room.js'
import type { Encryption } from './encryption.js'

// Bound: 1,048,576, 40,000 values, an answer to a call that creates something.

/** Maximum of answers of one instance, or of the administrator, within 24 hours, and of their bytes. */
const ANSWERS_MAX = 20_000
const BYTES_MAX = 64 * 2 ** 20
const RETRY_SECONDS = 3_600

const COUNT =
  'SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes FROM kept_answer WHERE instance_id = $1'
// $1 instance   $2 key   $3 hash
const BEGIN = `
  INSERT INTO kept_answer AS a (instance_id, idempotency_key, request_hash) VALUES ($1, $2, $3)
  ON CONFLICT (instance_id, idempotency_key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, status = NULL, reply = NULL, bytes = 0, created = now()
    WHERE a.created < now() - interval '24 hours'
  RETURNING true`
const FIRST = `
  SELECT request_hash, status, reply FROM kept_answer
  WHERE instance_id = $1 AND idempotency_key = $2 AND created > now() - interval '24 hours'`
// $3 status   $4 reply   $5 bytes
const KEEP =
  'UPDATE kept_answer SET status = $3, reply = $4, bytes = $5 WHERE instance_id = $1 AND idempotency_key = $2'
const RELEASE = 'DELETE FROM kept_answer WHERE instance_id = $1 AND idempotency_key = $2 AND status IS NULL'

interface Row {
  readonly request_hash: string
  readonly status: number | null
  readonly reply: Buffer | null
}

export function createKeptAnswers(pool: pg.Pool, encryption: Encryption): KeptAnswers {
  async function first([instance, key]: readonly [string, string]): Promise<FirstCall | null> {
    const [row] = (await pool.query<Row>(FIRST, [instance, key])).rows
    if (row === undefined) return null
    const { request_hash: requestHash, status, reply } = row
    if (status === null || reply === null) return { requestHash, answer: null }
    const text = encryption.open(reply, instance, 'answer', key).toString()
    return { requestHash, answer: { status, reply: JSON.parse(text) as unknown } }
  }

  const room = new CountedRoom<string>({
    rowsMax: ANSWERS_MAX,
    bytesMax: BYTES_MAX,
    async count(instance) {
      return (await pool.query<{ rows: number; bytes: number }>(COUNT, [instance])).rows[0] ?? { rows: 0, bytes: 0 }
    },
  })

  /** Returns true if this is the first call. */
  async function isBegun(place: readonly [string, string], requestHash: string): Promise<boolean> {
    if (await room.isFull(place[0])) return false
    const { rowCount } = await pool.query(BEGIN, [...place, requestHash])
    if (rowCount === 1) await room.note(place[0], 1, 0)
    return rowCount === 1
  }

  return {
    async begin(call) {
      const place = toPlace(call)
      if (await isBegun(place, call.requestHash)) return null
      const found = await first(place)
      if (found !== null) return found
      // The first call has ended without effect since then, or there is no room.
      if (await isBegun(place, call.requestHash)) return null
      const message = `Too many calls with an Idempotency-Key: up to ${ANSWERS_MAX} answers are kept within 24 hours.`
      throw new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_SECONDS })
    },

    async keep(call, { status, reply }) {
      const place = toPlace(call)
      const sealed = encryption.seal(Buffer.from(JSON.stringify(reply)), place[0], 'answer', place[1])
      await pool.query(KEEP, [...place, status, sealed, sealed.length])
      await room.note(place[0], 0, sealed.length)
    },

    async release(call) {
      const place = toPlace(call)
      const { rowCount } = await pool.query(RELEASE, [...place])
      await room.note(place[0], -(rowCount ?? 0), 0)
    },
  }
}

function toPlace({ instance, idempotencyKey }: KeyedCall): readonly [instance: string, key: string] {
  return [instance ?? '', idempotencyKey]
}
