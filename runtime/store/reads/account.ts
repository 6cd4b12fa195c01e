import type pg from 'pg'
import type { InstanceReader, StoredCall } from '../../../actors/instance/instance-reader.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { isLidJid, readUser, toChatAddress } from '../../../schemas/jid.js'
import { textArray } from '../arrays.js'
import { type ChatRow, chatColumns, chatRecord } from '../chat-record.js'
import { keptStatement, queryKept } from '../kept-statements.js'
import { CHAT_OF_ADDRESS, listChatJids } from './message-query.js'

// Bound: 200,000, 10,000 values, what is known of a group, a call or the fields of a lead.

/** Maximum of calls that are read: a client may ring without end. */
const CALLS_LOOKED_AT = 1_000

const OWNER = 'SELECT owner_jid, owner_lid FROM instance WHERE id = $1'
const PRESENCE = 'SELECT presence FROM instance WHERE id = $1'
const OPT_OUT_WORDS = 'SELECT opt_out_words FROM instance WHERE id = $1'
const WATCHED = 'SELECT watched FROM instance WHERE id = $1'
const READING_SETTINGS = 'SELECT reading_settings FROM instance WHERE id = $1'
const CALL_SETTINGS = 'SELECT call_settings FROM instance WHERE id = $1'
const LIMITS = 'SELECT limits FROM instance WHERE id = $1'
const NUMBER_OF_LID = 'SELECT pn AS jid FROM lid_mapping WHERE instance_id = $1 AND lid = $2'
const LID_OF_NUMBER =
  'SELECT lid AS jid FROM lid_mapping WHERE instance_id = $1 AND pn = $2 ORDER BY updated DESC LIMIT 1'
// $2 milliseconds
const CALLS = `
  SELECT body FROM event WHERE instance_id = $1 AND kind = 'call' AND created >= now() - $2::bigint * interval '1 millisecond'
  ORDER BY sequence DESC LIMIT ${CALLS_LOOKED_AT}`
const NOW = 'SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms'
const LABELS = 'SELECT labelid, name, color FROM label WHERE instance_id = $1'
const QUICK_REPLIES = `
  SELECT id, octet_length(shortcut) + octet_length(text) AS bytes FROM quick_reply WHERE instance_id = $1 AND is_of_phone`
// $2 JIDs of the chat
const PLACEHOLDER_VALUES = `
  SELECT ${chatColumns}, i.fields_map FROM instance AS i
  LEFT JOIN chat AS c ON c.instance_id = i.id AND c.id = (${CHAT_OF_ADDRESS}) WHERE i.id = $1`
const GROUP = 'SELECT info FROM group_info WHERE instance_id = $1 AND jid = $2 AND NOT is_doubtful'
const DOUBTFUL_GROUPS = 'SELECT FROM group_info WHERE instance_id = $1 AND is_doubtful LIMIT 1'
// $2 JIDs of the chat
const CHAT = `
  SELECT ${chatColumns}, i.owner_jid FROM chat AS c JOIN instance AS i ON i.id = c.instance_id
  WHERE c.instance_id = $1 AND c.id = (${CHAT_OF_ADDRESS})`
// $2 JIDs of the chat
const NOTE_ID = `SELECT wa_note_id FROM chat WHERE instance_id = $1 AND id = (${CHAT_OF_ADDRESS})`
const EXPIRATION = keptStatement(
  'expiration',
  `SELECT "wa_ephemeralExpiration" AS expiration FROM chat WHERE instance_id = $1 AND id = (${CHAT_OF_ADDRESS})`,
)
const sendTarget = (other: string) => `
  SELECT o.jid AS other, (
    SELECT "wa_ephemeralExpiration" FROM chat WHERE instance_id = $1 AND id = (
      SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid IN ($2, o.jid) LIMIT 1)) AS expiration
  FROM (SELECT (${other}) AS jid) AS o`
// $2 JID of the person
const TARGET_OF_NUMBER = keptStatement('target_of_number', sendTarget(LID_OF_NUMBER))
const TARGET_OF_LID = keptStatement('target_of_lid', sendTarget(NUMBER_OF_LID))

/** Reads the account of an instance: its own addresses, mappings, calls, labels and quick replies. */
export function accountReads(
  pool: pg.Pool,
): Pick<
  InstanceReader,
  | 'owner'
  | 'mapping'
  | 'calls'
  | 'callSettings'
  | 'readingSettings'
  | 'optOutWords'
  | 'limits'
  | 'presence'
  | 'watched'
  | 'timeMs'
  | 'labels'
  | 'quickReplies'
> {
  return {
    async owner(instance) {
      const { rows } = await pool.query<{ owner_jid: string | null; owner_lid: string | null }>(OWNER, [instance])
      const [row] = rows
      return row === undefined || row.owner_jid === null ? null : toChatAddress(row.owner_jid, row.owner_lid)
    },

    async mapping(instance, jid) {
      const { rows } = await pool.query<{ jid: Jid }>(isLidJid(jid) ? NUMBER_OF_LID : LID_OF_NUMBER, [instance, jid])
      return rows[0]?.jid ?? null
    },

    async calls(instance, withinMs) {
      const { rows } = await pool.query<{ body: string }>(CALLS, [instance, withinMs])
      return rows.map(({ body }) => toldCall(body)).reverse()
    },

    async limits(instance) {
      const { rows } = await pool.query<{ limits: string }>(LIMITS, [instance])
      return rows[0]?.limits ?? ''
    },

    async optOutWords(instance) {
      const { rows } = await pool.query<{ opt_out_words: string }>(OPT_OUT_WORDS, [instance])
      return rows[0]?.opt_out_words ?? ''
    },

    async callSettings(instance) {
      const { rows } = await pool.query<{ call_settings: string }>(CALL_SETTINGS, [instance])
      return rows[0]?.call_settings ?? ''
    },

    async readingSettings(instance) {
      const { rows } = await pool.query<{ reading_settings: string }>(READING_SETTINGS, [instance])
      return rows[0]?.reading_settings ?? ''
    },

    async presence(instance) {
      const { rows } = await pool.query<{ presence: string }>(PRESENCE, [instance])
      return rows[0]?.presence === 'available' ? 'available' : 'unavailable'
    },

    async watched(instance) {
      const { rows } = await pool.query<{ watched: string }>(WATCHED, [instance])
      return rows[0]?.watched ?? ''
    },

    async timeMs() {
      const { rows } = await pool.query<{ now_ms: number }>(NOW)
      return rows[0]?.now_ms ?? 0
    },

    async labels(instance) {
      const { rows } = await pool.query<{ labelid: string; name: string; color: number }>(LABELS, [instance])
      return rows.map((row) => ({ ...row, isDeleted: false }))
    },

    async quickReplies(instance) {
      const { rows } = await pool.query<{ id: string; bytes: number }>(QUICK_REPLIES, [instance])
      return rows
    },
  }
}

/** Reads chats and groups of an instance. */
export function chatReads(
  pool: pg.Pool,
): Pick<
  InstanceReader,
  'placeholderValues' | 'group' | 'hasDoubtfulGroups' | 'chat' | 'noteId' | 'sendTarget' | 'expirationSeconds'
> {
  return {
    async placeholderValues(instance, chat) {
      const values = [instance, textArray(listChatJids(chat))]
      const { rows } = await pool.query<Record<string, unknown> & { fields_map: string }>(PLACEHOLDER_VALUES, values)
      const { fields_map = '{}', ...fields } = rows[0] ?? {}
      return { ...fields, fieldsMap: JSON.parse(fields_map) as unknown }
    },

    async group(instance, group) {
      const { rows } = await pool.query<{ info: string }>(GROUP, [instance, group])
      return rows[0] === undefined ? null : (JSON.parse(rows[0].info) as GroupInfo)
    },

    async hasDoubtfulGroups(instance) {
      const { rows } = await pool.query(DOUBTFUL_GROUPS, [instance])
      return rows.length > 0
    },

    async chat(instance, chat) {
      const values = [instance, textArray(listChatJids(chat))]
      const { rows } = await pool.query<ChatRow & { owner_jid: string | null }>(CHAT, values)
      const row = rows[0]
      return row === undefined ? null : chatRecord(row, row.owner_jid === null ? '' : readUser(row.owner_jid))
    },

    async noteId(instance, chat) {
      const { rows } = await pool.query<{ wa_note_id: string }>(NOTE_ID, [instance, textArray(listChatJids(chat))])
      return rows[0]?.wa_note_id ?? ''
    },

    async sendTarget(instance, jid) {
      const statement = isLidJid(jid) ? TARGET_OF_LID : TARGET_OF_NUMBER
      const [row] = await queryKept<{ other: Jid | null; expiration: number | null }>(pool, statement, [instance, jid])
      return { other: row?.other ?? null, expirationSeconds: row?.expiration ?? 0 }
    },

    async expirationSeconds(instance, chat) {
      const values = [instance, textArray(listChatJids(chat))]
      const [row] = await queryKept<{ expiration: number }>(pool, EXPIRATION, values)
      return row?.expiration ?? 0
    },
  }
}

function toldCall(body: string): StoredCall {
  const { state, event } = JSON.parse(body) as { state: string; event: Readonly<Record<string, string>> }
  return {
    id: event.CallID ?? '',
    state,
    from: ((event.AddressingMode === 'pn' ? event.sender_pn : event.sender_lid) || event.From || '') as Jid,
    creator: (event.CallCreator ?? '') as Jid,
    creatorAlternative: (event.CallCreatorAlt || null) as Jid | null,
    group: (event.GroupJID || null) as Jid | null,
  }
}
