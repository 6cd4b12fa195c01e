/** A scheduled send as it is stored, and its message record. */
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { readUser, toChatId } from '../../schemas/jid.js'
import { parseScheduledContent, type ScheduledSend, type ScheduledStatus } from '../../schemas/scheduled-send.js'
import type { Encryption } from './encryption.js'
import { newMessageRecord } from './message-record.js'

export interface ScheduledRow {
  readonly messageid: string
  readonly status: ScheduledStatus
  readonly due_ms: number
  readonly late: number
  readonly age: number
  readonly asked: string
  readonly zone: string
  readonly expire_after_ms: number
  readonly revision: number
  readonly last_change: string
  readonly error: string
  readonly request: Buffer
  readonly request_hash: string | null
  readonly record_id: string
  readonly created: Date
  readonly updated: Date
  readonly owner_jid: string | null
}

/** Columns of a row; `s` is the send, `i` its instance. */
export const SCHEDULED_COLUMNS = `s.messageid, s.status, (extract(epoch FROM s.due) * 1000)::float8 AS due_ms,
  (extract(epoch FROM now() - s.due) * 1000)::float8 AS late, (extract(epoch FROM now() - s.created) * 1000)::float8 AS age,
  s.asked, s.zone, s.expire_after_ms::float8 AS expire_after_ms, s.revision, s.last_change, s.error, s.request, s.request_hash,
  s.record_id,   s.created, s.updated, i.owner_jid`

/** Returns null if the row cannot be read: its key is gone, or a stranger wrote it. */
export function scheduledSend(instance: InstanceId, row: ScheduledRow, encryption: Encryption): ScheduledSend | null {
  const content = openContent(instance, row, encryption)
  if (content === null) return null
  const schedule = {
    atMs: Math.round(row.due_ms),
    asked: row.asked,
    zone: row.zone,
    expireAfterMs: row.expire_after_ms,
  }
  return {
    ...content,
    messageid: row.messageid as MessageId,
    status: row.status,
    schedule,
    revision: row.revision,
    lastChange: row.last_change,
    lateMs: row.late,
    ageMs: row.age,
    requestHash: row.request_hash,
    recordId: row.record_id,
    record: composeRecord(row, content.row),
  }
}

function openContent(instance: InstanceId, { messageid, request }: ScheduledRow, encryption: Encryption) {
  try {
    return parseScheduledContent(encryption.open(request, instance, 'scheduled', messageid).toString(), messageid)
  } catch {
    return null
  }
}

/** Makes the message record. A send of a former release has no `id` of its own: its message id stands there. */
function composeRecord(row: ScheduledRow, message: NonNullable<ReturnType<typeof openContent>>['row']) {
  const { chat } = message
  const place = {
    id: row.record_id || row.messageid,
    wa_chatid: toChatId(chat),
    wa_chatlid: chat.lid ?? '',
    chat_name: '',
    now: row.created,
  }
  const owner = row.owner_jid === null ? '' : readUser(row.owner_jid)
  return {
    ...newMessageRecord(message, place, owner),
    status: row.status,
    updated: newMessageRecord(message, { ...place, now: row.updated }, owner).updated,
    ...(row.error === '' ? {} : { error: row.error }),
    schedule: {
      send_at: new Date(row.due_ms).toISOString(),
      asked: row.asked,
      timezone: row.zone,
      expires_at: new Date(row.due_ms + row.expire_after_ms).toISOString(),
      revision: row.revision,
    },
  }
}

/** Condition on all addresses that are known of the chat with one of these JIDs. */
export function ofChat(jids: string): string {
  return `s.chat && (${jids}::text[] || ARRAY(
    SELECT other.jid FROM chat_alias AS named JOIN chat_alias AS other USING (instance_id, chat_id)
    WHERE named.instance_id = $1 AND named.jid = ANY(${jids}::text[])))`
}
