/** Webhooks of Chatwoot that wait to be handled. */
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import { type ChatwootWrite, FENCE, openWrites } from './fenced-writes.js'

export interface ChatwootIncoming {
  readonly cwId: number
  /** `created`, `deleted` or `retry-n`. */
  readonly kind: string
  readonly conversationId: number
  /** The webhook as JSON. */
  readonly body: string
  readonly attempts: number
  /** Since it was received. */
  readonly ageMs: number
  /** 0 or less when it is due. */
  readonly dueInMs: number
}

export interface ChatwootLane {
  readonly instance: InstanceId
  readonly conversationId: number
}

export interface ChatwootIncomings {
  /** Stores it unless it is known: waiting, failed, or handled and mapped. Returns false when it is known. */
  insert(
    instance: InstanceId,
    row: Pick<ChatwootIncoming, 'cwId' | 'kind' | 'conversationId' | 'body'>,
  ): Promise<boolean>
  /** Of a conversation, in the order of their ids. */
  waiting(lane: ChatwootLane, limit: number): Promise<readonly ChatwootIncoming[]>
  /** Lanes with something that waits, of instances of these shards. */
  lanes(shards: readonly number[], limit: number): Promise<readonly ChatwootLane[]>
  /** `bytes` are those of all of them. */
  count(instance: InstanceId): Promise<{ waiting: number; failed: number; bytes: number }>
  done(instance: InstanceId, cwId: number, kind: string): Promise<void>
  postpone(instance: InstanceId, cwId: number, kind: string, waitMs: number): Promise<void>
  fail(instance: InstanceId, cwId: number, kind: string): Promise<void>
  /** Returns the kinds that failed, the newest first. */
  failed(instance: InstanceId, cwId: number): Promise<readonly { kind: string; body: string; conversationId: number }[]>
  /** True while the message waits to be sent. */
  isWaiting(instance: InstanceId, cwId: number): Promise<boolean>
}

interface Row {
  readonly cw_id: number
  readonly kind: string
  readonly conversation_id: number
  readonly body: string
  readonly attempts: number
  readonly age: number
  readonly due_in: number
}

// Of a message that was handled the map has a row. Deletions and retries follow one.
// $1 instance   $2 message   $3 kind   $4 conversation   $5 body
const INSERT = `
  INSERT INTO chatwoot_in (instance_id, cw_id, kind, conversation_id, body)
  SELECT $1, $2::bigint, $3, $4, $5
  WHERE $3 <> 'created' OR NOT EXISTS (SELECT FROM chatwoot_message WHERE instance_id = $1 AND cw_id = $2::bigint)
  ON CONFLICT DO NOTHING`
const MS = (span: string) => `(extract(epoch FROM ${span}) * 1000)::float8`
// $1 instance   $2 conversation   $3 limit
const WAITING = `
  SELECT cw_id, kind, conversation_id, body, attempts, ${MS('clock_timestamp() - created')} AS age,
    ${MS('next_at - clock_timestamp()')} AS due_in
  FROM chatwoot_in WHERE instance_id = $1 AND conversation_id = $2 AND NOT is_failed ORDER BY cw_id, kind LIMIT $3`
// Takes one lane of each instance, then a second one: an instance with many lanes leaves room to the others.
// $1 shards   $2 limit
const LANES = `
  SELECT instance, "conversationId" FROM (
    SELECT w.instance_id AS instance, w.conversation_id AS "conversationId",
      row_number() OVER (PARTITION BY w.instance_id ORDER BY w.conversation_id) AS place
    FROM chatwoot_in AS w JOIN instance AS i ON i.id = w.instance_id
    WHERE NOT w.is_failed AND i.shard = ANY($1::smallint[]) GROUP BY 1, 2) AS lane
  ORDER BY place LIMIT $2`
const OF = 'WHERE instance_id = $1 AND cw_id = $2 AND kind = $3'

export function createChatwootIncomings(pool: pg.Pool, write: ChatwootWrite = openWrites(pool)): ChatwootIncomings {
  return {
    async insert(instance, { cwId, kind, conversationId, body }) {
      const { rowCount } = await pool.query(INSERT, [instance, cwId, kind, conversationId, body.replaceAll('\0', '')])
      return rowCount === 1
    },
    async waiting({ instance, conversationId }, limit) {
      const { rows } = await pool.query<Row>(WAITING, [instance, conversationId, limit])
      return rows.map((row) => ({
        cwId: row.cw_id,
        kind: row.kind,
        conversationId: row.conversation_id,
        body: row.body,
        attempts: row.attempts,
        ageMs: row.age,
        dueInMs: row.due_in,
      }))
    },
    async lanes(shards, limit) {
      return (await pool.query<ChatwootLane>(LANES, [shards, limit])).rows
    },
    async count(instance) {
      const { rows } = await pool.query<{ waiting: number; failed: number; bytes: number }>(
        `SELECT count(*) FILTER (WHERE NOT is_failed) AS waiting, count(*) FILTER (WHERE is_failed) AS failed,
           coalesce(sum(octet_length(body)), 0)::bigint AS bytes
         FROM chatwoot_in WHERE instance_id = $1`,
        [instance],
      )
      return rows[0] ?? { waiting: 0, failed: 0, bytes: 0 }
    },
    async done(instance, cwId, kind) {
      await write(instance, `DELETE FROM chatwoot_in ${OF} AND ${FENCE}`, [instance, cwId, kind])
    },
    async postpone(instance, cwId, kind, waitMs) {
      await write(
        instance,
        `UPDATE chatwoot_in SET attempts = attempts + 1, next_at = clock_timestamp() + $4::float8 * interval '1 millisecond' ${OF} AND ${FENCE}`,
        [instance, cwId, kind, waitMs],
      )
    },
    async fail(instance, cwId, kind) {
      await write(instance, `UPDATE chatwoot_in SET is_failed = true, attempts = attempts + 1 ${OF} AND ${FENCE}`, [
        instance,
        cwId,
        kind,
      ])
    },
    async failed(instance, cwId) {
      const { rows } = await pool.query<{ kind: string; body: string; conversation_id: number }>(
        'SELECT kind, body, conversation_id FROM chatwoot_in WHERE instance_id = $1 AND cw_id = $2 AND is_failed ORDER BY created DESC',
        [instance, cwId],
      )
      return rows.map(({ kind, body, conversation_id: conversationId }) => ({ kind, body, conversationId }))
    },
    async isWaiting(instance, cwId) {
      const { rowCount } = await pool.query(
        'SELECT FROM chatwoot_in WHERE instance_id = $1 AND cw_id = $2 AND NOT is_failed LIMIT 1',
        [instance, cwId],
      )
      return (rowCount ?? 0) > 0
    },
  }
}
