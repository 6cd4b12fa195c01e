/** Ids of messages at the network and in Chatwoot. */
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import { type ChatwootWrite, FENCE, openWrites } from './fenced-writes.js'

/** How far a message has come, as Chatwoot was told. It only grows. */
export const told = { none: 0, sent: 1, delivered: 2, read: 3, failed: 4 } as const
export type Told = (typeof told)[keyof typeof told]

export interface ChatwootMessage {
  readonly messageid: string
  /** Null until Chatwoot has answered. */
  readonly cwId: number | null
  readonly part: number
  readonly conversationId: number
  /** Came from Chatwoot. */
  readonly isReply: boolean
  readonly fromMe: boolean
  readonly told: Told
  readonly isDeleted: boolean
}

export interface ChatwootMessages {
  byId(instance: InstanceId, messageid: string): Promise<ChatwootMessage | null>
  /** The parts of a message of theirs, in order. */
  byCwId(instance: InstanceId, cwId: number): Promise<readonly ChatwootMessage[]>
  /** Writes the row unless there is one. Returns false when there was one. */
  insert(instance: InstanceId, message: Omit<ChatwootMessage, 'told' | 'isDeleted'>): Promise<boolean>
  /** Notes the id of theirs, where it is not known. */
  answered(instance: InstanceId, messageid: string, cwId: number, conversationId: number): Promise<void>
  forget(instance: InstanceId, messageid: string): Promise<void>
  noteTold(instance: InstanceId, messageid: string, state: Told): Promise<void>
  noteDeleted(instance: InstanceId, messageid: string): Promise<void>
  known(instance: InstanceId, cwIds: readonly number[]): Promise<ReadonlySet<number>>
}

interface Row {
  readonly messageid: string
  readonly cw_id: number | null
  readonly part: number
  readonly conversation_id: number
  readonly is_reply: boolean
  readonly from_me: boolean
  readonly told: number
  readonly is_deleted: boolean
}

const OF = 'WHERE instance_id = $1 AND messageid = $2'

export function createChatwootMessages(pool: pg.Pool, write: ChatwootWrite = openWrites(pool)): ChatwootMessages {
  return {
    async byId(instance, messageid) {
      const { rows } = await pool.query<Row>(`SELECT * FROM chatwoot_message ${OF}`, [instance, messageid])
      return rows[0] === undefined ? null : toMessage(rows[0])
    },
    async byCwId(instance, cwId) {
      const { rows } = await pool.query<Row>(
        'SELECT * FROM chatwoot_message WHERE instance_id = $1 AND cw_id = $2 ORDER BY part',
        [instance, cwId],
      )
      return rows.map(toMessage)
    },
    async insert(instance, { messageid, cwId, part, conversationId, isReply, fromMe }) {
      const { rowCount } = await write(
        instance,
        `INSERT INTO chatwoot_message (instance_id, messageid, cw_id, part, conversation_id, is_reply, from_me)
         SELECT $1, $2, $3::bigint, $4::smallint, $5::bigint, $6::boolean, $7::boolean WHERE ${FENCE} ON CONFLICT DO NOTHING`,
        [instance, messageid, cwId, part, conversationId, isReply, fromMe],
      )
      return rowCount === 1
    },
    async answered(instance, messageid, cwId, conversationId) {
      await write(
        instance,
        `UPDATE chatwoot_message SET cw_id = $3, conversation_id = $4 ${OF} AND cw_id IS NULL AND ${FENCE}`,
        [instance, messageid, cwId, conversationId],
      )
    },
    async forget(instance, messageid) {
      await write(instance, `DELETE FROM chatwoot_message ${OF} AND ${FENCE}`, [instance, messageid])
    },
    async noteTold(instance, messageid, state) {
      await write(instance, `UPDATE chatwoot_message SET told = $3 ${OF} AND ${FENCE}`, [instance, messageid, state])
    },
    async noteDeleted(instance, messageid) {
      await write(instance, `UPDATE chatwoot_message SET is_deleted = true ${OF} AND ${FENCE}`, [instance, messageid])
    },
    async known(instance, cwIds) {
      const { rows } = await pool.query<{ cw_id: number }>(
        `SELECT cw_id FROM chatwoot_message WHERE instance_id = $1 AND cw_id = ANY($2::bigint[])
         UNION SELECT cw_id FROM chatwoot_in WHERE instance_id = $1 AND cw_id = ANY($2::bigint[])`,
        [instance, cwIds],
      )
      return new Set(rows.map(({ cw_id: id }) => id))
    },
  }
}

function toMessage(row: Row): ChatwootMessage {
  return {
    messageid: row.messageid,
    cwId: row.cw_id,
    part: row.part,
    conversationId: row.conversation_id,
    isReply: row.is_reply,
    fromMe: row.from_me,
    told: row.told as Told,
    isDeleted: row.is_deleted,
  }
}
