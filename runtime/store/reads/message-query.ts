import type pg from 'pg'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, isLidJid, readUser } from '../../../schemas/jid.js'
import type { MessageStatus } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { findPresentText } from '../../../schemas/stored-message.js'
import type { Encryption } from '../encryption.js'
import { type MessageRow, messageColumns, messageRecord } from '../message-record.js'

// Bound: 1,048,576, 20,000 values, a request that waits in the queue.

/** Selects messages of the instance `$1`. Conditions and further parameters follow. */
export const MESSAGES = `
  SELECT ${messageColumns}, m.proto, m.queued_request, m.request_hash, i.owner_jid, m.position::float8 AS place,
    (extract(epoch FROM now() - CASE WHEN m.outbox = 2 THEN m.updated ELSE m.created END) * 1000)::float8 AS waits
  FROM message AS m
  JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  JOIN instance AS i ON i.id = m.instance_id
  WHERE m.instance_id = $1`
/** Selects the chat that is known under one of the JIDs `$2`. */
export const CHAT_OF_ADDRESS = 'SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($2::text[]) LIMIT 1'

type Row = MessageRow & {
  readonly proto: Buffer | null
  readonly queued_request: string | null
  readonly request_hash: string | null
  readonly owner_jid: string | null
  readonly place: number
  /** Age in milliseconds: since it was accepted, or since it is `pending`. */
  readonly waits: number
}

/** Reads messages with a statement that begins as `MESSAGES` does. */
export type ReadMessages = (
  instance: InstanceId,
  text: string,
  values: readonly unknown[],
) => Promise<MessageForActor[]>

export function createMessageQuery(pool: pg.Pool, encryption: Encryption): ReadMessages {
  return async (instance, text, values) => {
    const { rows } = await pool.query<Row>(text, [instance, ...values])
    return rows.map((row) => toMessage(instance, row, encryption))
  }
}

function toMessage(instance: InstanceId, row: Row, encryption: Encryption): MessageForActor {
  return {
    messageid: row.messageid as MessageId,
    chat: addressOfChat(row),
    fromMe: row.fromMe,
    isGroup: row.isGroup,
    sender: row.sender as Jid,
    messageTimestampMs: row.messageTimestamp,
    position: row.place,
    waitsSinceMs: performance.now() - row.waits,
    status: row.status as MessageStatus,
    proto: row.proto === null ? null : encryption.open(row.proto, instance, 'proto', row.messageid),
    queuedRequest: row.queued_request === null ? null : (JSON.parse(row.queued_request) as unknown),
    requestHash: row.request_hash,
    presentText: findPresentText(row),
    record: messageRecord(row, row.owner_jid === null ? '' : readUser(row.owner_jid)),
  }
}

export function listChatJids({ pn, lid, group }: ChatAddress): Jid[] {
  return [group, pn, lid].filter((jid): jid is Jid => jid !== undefined)
}

export function addressOfChat({ wa_chatid, wa_chatlid }: Pick<MessageRow, 'wa_chatid' | 'wa_chatlid'>): ChatAddress {
  if (wa_chatid.endsWith('@s.whatsapp.net')) {
    return { pn: wa_chatid as Jid, ...(wa_chatlid === '' ? {} : { lid: wa_chatlid as Jid }) }
  }
  return isLidJid(wa_chatid) ? { lid: wa_chatid as Jid } : { group: wa_chatid as Jid }
}
