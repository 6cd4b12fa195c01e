/**
 * The message record in the specification's spelling: the one place that knows its fields.
 * Absent strings are '', as in captured bodies; `ad`, `pinnedUntil`, `starred`, `send_folder_id`, `error` and `provider_code` appear only when there is one.
 */
import type { NewMessage } from '../../schemas/stored-fields.js'
import { recordTime } from './time.js'

// Bound: 1,048,576, 40,000 values, the content of a message.

/** A row of the message table with what its chat knows about its address. */
export interface MessageRow {
  readonly id: string
  readonly messageid: string
  readonly wa_chatid: string
  readonly wa_chatlid: string
  readonly chat_name: string
  readonly fromMe: boolean
  readonly isGroup: boolean
  readonly messageType: string
  readonly mediaType: string
  readonly type: string
  readonly messageTimestamp: number
  readonly sender: string
  readonly sender_pn: string
  readonly sender_lid: string
  readonly sender_username: string
  readonly senderName: string
  readonly source: string
  readonly status: string
  readonly text: string
  readonly quoted: string
  readonly reaction: string
  readonly edited: string
  readonly vote: string
  readonly buttonOrListid: string
  readonly convertOptions: string
  readonly fileURL: string
  /** JSON. */
  readonly content: string
  readonly track_source: string
  readonly track_id: string
  readonly wasSentByApi: boolean
  readonly sendFunction: string
  /** The campaign that it belongs to; null for other messages. */
  readonly send_folder_id: string | null
  readonly error: string
  readonly provider_code: number | null
  /** Until when it is pinned, in milliseconds since 1970; null or 0: it is not. */
  readonly pinned_until: number | null
  readonly starred: boolean | null
  /** JSON of the ad behind it; null for other messages. */
  readonly ad: string | null
  /** JSON of what an agent made it of; null for other messages. */
  readonly ai_metadata: string | null
  readonly created: Date
  readonly updated: Date
}

// The contact of a person is stored under the number as soon as the number of the LID is known, which may be after the message.
const SENDER_USERNAME = `CASE WHEN m."fromMe" THEN '' ELSE COALESCE((SELECT k.username FROM contact AS k
    WHERE k.instance_id = m.instance_id AND k.username <> '' AND k.jid IN (m."sender_pn", m."sender_lid", m."sender",
      (SELECT l.pn FROM lid_mapping AS l WHERE l.instance_id = m.instance_id AND l.lid = m."sender_lid")) LIMIT 1), '') END`

/** Columns for a record; `m` is the message, `c` its chat. */
export const messageColumns = `m.id, m."messageid", c."wa_chatid", c."wa_chatlid", c."name" AS chat_name, m."fromMe", m."isGroup",
  m."messageType", m."mediaType", m."type", COALESCE(m.shown_ms, m."messageTimestamp") AS "messageTimestamp", m."sender", m."sender_pn", m."sender_lid", ${SENDER_USERNAME} AS sender_username, m."senderName",
  m."source", m."status", m."text", m."quoted", m."reaction", m."edited", m."vote", m."buttonOrListid", m."convertOptions",
  m."fileURL", m."content", m."track_source", m."track_id", m."wasSentByApi", m."sendFunction", m.send_folder_id, m."error", m."provider_code",
  m.pinned_until, m.starred, m.ad, m.ai_metadata, m.created, m.updated`

/** Values of fields that are not known, in the order of the record. */
export const messageDefaults: Readonly<Record<string, unknown>> = {
  id: '',
  messageid: '',
  chatid: '',
  chatlid: '',
  fromMe: false,
  isGroup: false,
  groupName: '',
  messageType: '',
  mediaType: '',
  type: '',
  messageTimestamp: 0,
  sender: '',
  sender_pn: '',
  sender_lid: '',
  sender_username: '',
  senderName: '',
  source: '',
  status: '',
  text: '',
  quoted: '',
  reaction: '',
  edited: '',
  vote: '',
  buttonOrListid: '',
  convertOptions: '',
  fileURL: '',
  content: null,
  owner: '',
  track_source: '',
  track_id: '',
  wasSentByApi: false,
  sendFunction: '',
  ai_metadata: {},
  created: '',
  updated: '',
}

/** `owner` is the digits of the instance's own number. */
export function messageRecord(row: MessageRow, owner: string): Record<string, unknown> {
  return makeRecord(row, JSON.parse(row.content) as unknown, owner)
}

/** The record of a message that is being written, without a way through the database. */
export function newMessageRecord(
  message: NewMessage,
  place: {
    id: string
    wa_chatid: string
    wa_chatlid: string
    chat_name: string
    sender_username?: string
    now: Date
    created?: Date
  },
  owner: string,
): Record<string, unknown> {
  return makeRecord(
    {
      id: place.id,
      wa_chatid: place.wa_chatid,
      wa_chatlid: place.wa_chatlid,
      chat_name: place.chat_name,
      messageid: message.messageid,
      fromMe: message.fromMe,
      isGroup: message.isGroup,
      messageType: message.messageType,
      mediaType: message.mediaType ?? '',
      type: message.type ?? '',
      messageTimestamp: message.messageTimestampMs,
      sender: message.sender,
      sender_pn: message.senderPn ?? '',
      sender_lid: message.senderLid ?? '',
      sender_username: place.sender_username ?? '',
      senderName: message.senderName ?? '',
      source: message.source ?? '',
      status: message.status,
      text: message.text,
      quoted: message.quoted ?? '',
      reaction: message.reaction ?? '',
      edited: message.edited ?? '',
      vote: message.vote ?? '',
      buttonOrListid: message.buttonOrListid ?? '',
      convertOptions: message.convertOptions ?? '',
      fileURL: '',
      track_source: message.trackSource ?? '',
      track_id: message.trackId ?? '',
      wasSentByApi: message.wasSentByApi ?? false,
      sendFunction: message.sendFunction ?? '',
      send_folder_id: message.campaign?.folderId ?? null,
      error: '',
      provider_code: null,
      pinned_until: null,
      starred: null,
      ad: message.ad === undefined ? null : JSON.stringify(message.ad),
      ai_metadata: null,
      created: place.created ?? place.now,
      updated: place.now,
    },
    message.content ?? null,
    owner,
  )
}

function makeRecord(row: Omit<MessageRow, 'content'>, content: unknown, owner: string): Record<string, unknown> {
  const [created, updated] = [row.created.getTime(), row.updated.getTime()]
  const createdText = recordTime(row.created)
  // Made as one literal: a spread in an object of this size costs more than all code around it.
  const record: Record<string, unknown> = {
    id: row.id,
    messageid: row.messageid,
    chatid: row.wa_chatid,
    chatlid: row.wa_chatlid,
    fromMe: row.fromMe,
    isGroup: row.isGroup,
    groupName: row.isGroup ? row.chat_name : '',
    messageType: row.messageType,
    mediaType: row.mediaType,
    type: row.type,
    messageTimestamp: row.messageTimestamp,
    sender: row.sender,
    sender_pn: row.sender_pn,
    sender_lid: row.sender_lid,
    sender_username: row.sender_username,
    senderName: row.senderName,
    source: row.source,
    status: row.status,
    text: row.text,
    quoted: row.quoted,
    reaction: row.reaction,
    edited: row.edited,
    vote: row.vote,
    buttonOrListid: row.buttonOrListid,
    convertOptions: row.convertOptions,
    fileURL: row.fileURL,
    content,
    owner,
    track_source: row.track_source,
    track_id: row.track_id,
    wasSentByApi: row.wasSentByApi,
    sendFunction: row.sendFunction,
    ai_metadata: row.ai_metadata === null ? {} : (JSON.parse(row.ai_metadata) as unknown),
    created: createdText,
    updated: created === updated ? createdText : recordTime(row.updated),
  }
  if (row.pinned_until !== null && row.pinned_until > Date.now()) record.pinnedUntil = row.pinned_until
  if (row.starred === true) record.starred = true
  if (row.ad !== null) record.ad = JSON.parse(row.ad) as unknown
  if (row.send_folder_id !== null) record.send_folder_id = row.send_folder_id
  if (row.error !== '') record.error = row.error
  if (row.provider_code !== null) record.provider_code = row.provider_code
  return record
}

/**
 * Only what differs from the defaults, as JSON, with the content as the text that is stored of it. Composed here: an object that gets
 * its fields one by one, as they differ, takes longer to make and to read than all of this.
 */
export function sparseMessageJson(record: Readonly<Record<string, unknown>>, content: string): string {
  const fields: string[] = []
  for (const field in record) {
    const value = record[field]
    if (field === 'ai_metadata' || value === undefined || value === messageDefaults[field]) continue
    fields.push(`"${field}":${field === 'content' ? content : JSON.stringify(value)}`)
  }
  return `{${fields.join(',')}}`
}
