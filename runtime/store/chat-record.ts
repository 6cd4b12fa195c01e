/**
 * The chat record in the specification's spelling: the one place that knows its fields.
 * Absent strings are '', numbers 0, booleans false, as in captured bodies.
 */
import { readUser } from '../../schemas/jid.js'
import { recordTime } from './time.js'

/** A row of the chat table; its columns are spelled as the record's fields. */
export type ChatRow = { id: number; instance_id: string; created: Date; updated: Date } & Record<string, unknown>

/** Values of fields that are not known, in the order of the record. */
export const chatDefaults: Readonly<Record<string, unknown>> = {
  id: '',
  wa_fastid: '',
  wa_chatid: '',
  wa_chatlid: '',
  name: '',
  image: '',
  imagePreview: '',
  phone: '',
  owner: '',
  wa_archived: false,
  wa_contactName: '',
  wa_name: '',
  wa_username: '',
  wa_ephemeralExpiration: 0,
  wa_isBlocked: false,
  wa_isGroup: false,
  wa_isGroup_admin: false,
  wa_isGroup_announce: false,
  wa_isGroup_community: false,
  wa_isGroup_member: false,
  wa_isPinned: false,
  wa_label: '[]',
  wa_lastMessageTextVote: '',
  wa_lastMessageType: '',
  wa_lastMsgTimestamp: 0,
  wa_lastMessageSender: '',
  wa_muteEndTime: 0,
  wa_notes: '',
  wa_unreadCount: 0,
  wa_common_groups: '',
  lead_name: '',
  lead_fullName: '',
  lead_email: '',
  lead_personalid: '',
  lead_status: '',
  lead_tags: '',
  lead_notes: '',
  lead_isTicketOpen: false,
  lead_assignedAttendant_id: '',
  lead_kanbanOrder: 0,
  lead_adSource: '',
  lead_adSourceId: '',
  lead_adSourceUrl: '',
  lead_adSourceApp: '',
  lead_adTitle: '',
  lead_adClickId: '',
  lead_adRef: '',
  lead_adAt: 0,
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`lead_field${String(index + 1).padStart(2, '0')}`, '']),
  ),
  chatbot_agentResetMemoryAt: 0,
  chatbot_lastTrigger_id: '',
  chatbot_lastTriggerAt: 0,
  chatbot_disableUntil: 0,
  created: '',
  updated: '',
}

const fields = Object.keys(chatDefaults)

/** Columns to select for a record: all but those that are made of others. */
export const chatColumns: string = [
  'instance_id',
  ...fields.filter((field) => field !== 'wa_fastid' && field !== 'owner'),
]
  .map((field) => `c."${field}"`)
  .join(', ')

/** Only what differs from the defaults; `owner` is the digits of the instance's own number. */
export function sparseChatRecord(row: ChatRow, owner: string): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field of fields) {
    const value = row[field]
    if (value !== undefined && value !== chatDefaults[field]) record[field] = value
  }
  return Object.assign(record, madeFields(row, owner))
}

/** All fields. */
export function chatRecord(row: ChatRow, owner: string): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field of fields) record[field] = row[field] ?? chatDefaults[field]
  return { ...record, ...madeFields(row, owner) }
}

/** Fields that are made of columns. */
function madeFields(row: ChatRow, owner: string): Record<string, unknown> {
  return {
    id: chatRecordId(row.id),
    wa_fastid: `${owner}:${readUser(String(row.wa_chatid))}`,
    owner,
    created: recordTime(row.created),
    updated: recordTime(row.updated),
  }
}

/** `r` and at least 7 hex digits, as everywhere in records; made of the internal id, so that it survives merges too. */
function chatRecordId(id: number): string {
  return `r${id.toString(16).padStart(7, '0')}`
}
