/** New messages of a batch: finds out which are new, and gives each a record id of its own. */

import { randomHex } from '../../../lib/random.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { MessageStatus, NewMessage } from '../../../schemas/stored-fields.js'
import { bigintArray, boolArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import { type MessageRow, messageColumns } from '../message-record.js'
import { Unexpected } from './ahead.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'
import { historyEnd, newestPlace } from './message-order.js'
import type { Value } from './wave.js'

const COLUMNS = [
  ['instance_id', 'text'],
  ['id', 'text'],
  ['chat_id', 'bigint'],
  ['"messageid"', 'text'],
  ['"fromMe"', 'bool'],
  ['"isGroup"', 'bool'],
  ['"messageType"', 'text'],
  ['"mediaType"', 'text'],
  ['"type"', 'text'],
  ['"messageTimestamp"', 'bigint'],
  ['"sender"', 'text'],
  ['"sender_pn"', 'text'],
  ['"sender_lid"', 'text'],
  ['"senderName"', 'text'],
  ['"source"', 'text'],
  ['"status"', 'text'],
  ['"text"', 'text'],
  ['"quoted"', 'text'],
  ['"reaction"', 'text'],
  ['"edited"', 'text'],
  ['"vote"', 'text'],
  ['"buttonOrListid"', 'text'],
  ['"convertOptions"', 'text'],
  ['"content"', 'text'],
  ['ad', 'text'],
  ['"track_source"', 'text'],
  ['"track_id"', 'text'],
  ['"wasSentByApi"', 'bool'],
  ['"sendFunction"', 'text'],
  ['proto', 'bytea'],
  ['queued_request', 'text'],
  ['idempotency_key', 'text'],
  ['request_hash', 'text'],
  ['send_folder_id', 'text'],
  ['send_ordinal', 'int'],
] as const
/** Lowest place of a live message; null for one of a history. */
const FLOOR = ['floor', 'bigint'] as const
const given = givenRows({ alias: 'u', columns: [...COLUMNS, FLOOR] })
// Conflicts of any kind insert nothing; which it was is looked up afterwards, for the few.
const insert = prepareStatement(
  given,
  (source) => `
  INSERT INTO message (${COLUMNS.map(([name]) => name).join(', ')}, shown_ms, created, updated)
  SELECT ${COLUMNS.map(([name]) => (name === '"messageTimestamp"' ? 'p.place' : `u.${name}`)).join(', ')},
    NULLIF(u."messageTimestamp", p.place), ${TRANSACTION_TIME}, ${TRANSACTION_TIME}
  FROM ${source} CROSS JOIN LATERAL (SELECT CASE WHEN u.floor IS NULL
    THEN LEAST(u."messageTimestamp", ${historyEnd('u.instance_id')})
    ELSE GREATEST(u.floor, 1 + ${newestPlace('u.instance_id')}) END AS place OFFSET 0) AS p
  ON CONFLICT DO NOTHING
  RETURNING instance_id, id`,
)
// Finds the message that was there before: the same one, or another under the same Idempotency-Key.
// $1 instances   $2 chats   $3 message ids   $4 from me   $5 idempotency keys
const FIND_KNOWN = `
  SELECT u.ordinal::int, (m.idempotency_key IS NOT DISTINCT FROM u.idempotency_key AND u.idempotency_key IS NOT NULL
      AND m."messageid" <> u.messageid) AS "byKey",
    m.created < now() - interval '24 hours' AS "isOld", ${messageColumns}
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bool[], $5::text[])
    WITH ORDINALITY AS u(instance_id, chat_id, messageid, from_me, idempotency_key, ordinal)
  JOIN LATERAL (
    SELECT * FROM message WHERE instance_id = u.instance_id AND "messageid" = u.messageid AND chat_id = u.chat_id AND "fromMe" = u.from_me
    UNION ALL
    SELECT * FROM message WHERE instance_id = u.instance_id AND idempotency_key = u.idempotency_key AND "messageid" <> u.messageid
  ) AS m ON true
  JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id`
// An Idempotency-Key is good for 24 hours; then it may be used again.
// $1 instances   $2 keys
const FORGET_KEYS = `
  UPDATE message AS m SET idempotency_key = NULL
  FROM unnest($1::text[], $2::text[]) AS u(instance_id, idempotency_key)
  WHERE m.instance_id = u.instance_id AND m.idempotency_key = u.idempotency_key`

// Content takes the place of a message that could not be read, which keeps its ids, its place, its time and its edits.
const replace = prepareStatement(
  given,
  (source) => `
  UPDATE message AS m SET "messageType" = u."messageType", "mediaType" = u."mediaType", "type" = u."type",
    "sender_pn" = COALESCE(NULLIF(u."sender_pn", ''), m."sender_pn"), "sender_lid" = COALESCE(NULLIF(u."sender_lid", ''), m."sender_lid"),
    "senderName" = COALESCE(NULLIF(u."senderName", ''), m."senderName"), "text" = u."text", "quoted" = u."quoted",
    "reaction" = u."reaction", "vote" = u."vote", "buttonOrListid" = u."buttonOrListid", "convertOptions" = u."convertOptions",
    "content" = u."content", ad = u.ad, proto = u.proto, "error" = '', updated = ${TRANSACTION_TIME}
  FROM ${source}
  WHERE m.instance_id = u.instance_id AND m."messageid" = u."messageid" AND m.chat_id = u.chat_id AND m."fromMe" = u."fromMe"
    AND m."messageType" = '${UNREADABLE}' AND m.proto IS NULL
  RETURNING m.instance_id, m.chat_id, m."messageid", m."fromMe", m.id, m.created, COALESCE(m.shown_ms, m."messageTimestamp") AS "messageTimestamp", m."status", m."edited",
    m.position = (SELECT last.position FROM message AS last WHERE last.instance_id = m.instance_id AND last.chat_id = m.chat_id
      ORDER BY last."messageTimestamp" DESC, last.position DESC LIMIT 1) AS "isLast"`,
)

const ATTEMPTS_MAX = 5

/** Beginning of ids that are promised before their messages are stored. */
const RESERVED = 'rf'

/** Kind of a message whose content has not come, or was refused by the database. */
const UNREADABLE = 'unreadable'

/** A message on its way into the table. */
export interface Insertion {
  readonly instance: InstanceId
  message: NewMessage
  readonly chatId: number
  /** The latest time of a live message of the batch up to this one; null for one of a history. */
  readonly floor: number | null
  /** JSON, for the row and for the event. */
  readonly content: string
  /** `r` and 7 hex digits, unique in the instance. */
  id: string
  isNew: boolean
  /** The row that was there before, when it is not new. */
  known: MessageRow | null
  /** The same message in the same batch, before this one. */
  readonly sameAs: Insertion | null
  /** Set when it took the place of a message without content. */
  replaced: { readonly isLast: boolean; readonly created: Date } | null
}

interface ReplacedRow {
  readonly instance_id: InstanceId
  readonly chat_id: number
  readonly messageid: string
  readonly fromMe: boolean
  readonly id: string
  readonly created: Date
  readonly messageTimestamp: number
  readonly status: MessageStatus
  readonly edited: string
  readonly isLast: boolean
}

export class MessageInserts {
  readonly #makeId: () => string
  readonly #all: Insertion[] = []
  /** Contents of messages without content in the same batch. */
  readonly #contents: Insertion[] = []
  readonly #byIdentity = new Map<string, Insertion>()
  readonly #byKey = new Map<string, Insertion>()
  readonly #floors = new Map<InstanceId, number>()
  /** Record ids that this batch has tried: two equal ones in one statement would look as if both were inserted. */
  readonly #tried = new Set<string>()

  constructor(makeId: () => string = randomRecordId) {
    this.#makeId = makeId
  }

  add(instance: InstanceId, message: NewMessage, chatId: number, isHistory = false): Insertion {
    const identity = joinKey(instance, chatId, message.messageid, String(message.fromMe))
    const key = message.idempotencyKey === undefined ? undefined : joinKey(instance, message.idempotencyKey)
    const former = this.#byIdentity.get(identity) ?? (key === undefined ? undefined : this.#byKey.get(key)) ?? null
    const isContent = former !== null && isPlaceholder(former.message) && !isPlaceholder(message)
    const sameAs = isContent ? null : former
    const content = JSON.stringify(message.content ?? null)
    const id = sameAs === null ? this.#idFor(instance, message) : sameAs.id
    const floor = isHistory ? null : this.#raiseFloor(instance, message.messageTimestampMs)
    const insertion: Insertion = {
      instance,
      message,
      chatId,
      floor,
      content,
      id,
      isNew: false,
      known: null,
      sameAs,
      replaced: null,
    }
    if (sameAs === null) {
      this.#byIdentity.set(identity, insertion)
      if (key !== undefined) this.#byKey.set(key, insertion)
      if (isContent) this.#contents.push(insertion)
      else this.#all.push(insertion)
    }
    return insertion
  }

  /**
   * Inserts messages that are all expected to be new, as they are at once: others may send what follows from it in the same wave.
   * @throws Unexpected when one was there before, or its record id was taken
   */
  async applyAhead(client: Statements, encryption: Encryption): Promise<void> {
    if (this.#contents.length > 0) throw new Unexpected('A message and its place are in one batch.')
    if (this.#all.length === 0) return
    for (const insertion of this.#all) insertion.isNew = true
    const { rows } = await client.query(...composeInsert(this.#all, encryption))
    if (rows.length < this.#all.length) throw new Unexpected('A message was there before.')
  }

  async apply(client: Statements, encryption: Encryption): Promise<void> {
    await this.#insert(client, encryption, this.#all)
    if (this.#contents.length > 0) await this.#insert(client, encryption, this.#contents)
    await this.#replace(client, encryption, [...this.#all, ...this.#contents])
  }

  async #replace(client: Statements, encryption: Encryption, all: readonly Insertion[]): Promise<void> {
    const contents = all.filter(
      ({ known, message }) =>
        known?.messageType === UNREADABLE && known.messageid === message.messageid && !isPlaceholder(message),
    )
    if (contents.length === 0) return
    const { rows } = await client.query<ReplacedRow>(...replace(contents.map((one) => toCells(one, encryption))))
    const formatPlace = (instance: InstanceId, chatId: number, messageid: string, fromMe: boolean): string =>
      joinKey(instance, chatId, messageid, String(fromMe))
    const places = new Map(
      rows.map((row) => [formatPlace(row.instance_id, row.chat_id, row.messageid, row.fromMe), row]),
    )
    for (const insertion of contents) {
      const { instance, chatId, message } = insertion
      const row = places.get(formatPlace(instance, chatId, message.messageid, message.fromMe))
      if (row === undefined) continue
      const { id, created, messageTimestamp, status, edited, isLast } = row
      insertion.id = id
      insertion.isNew = true
      insertion.known = null
      insertion.replaced = { isLast, created }
      insertion.message = { ...message, messageTimestampMs: Number(messageTimestamp), status, edited }
    }
  }

  async #insert(client: Statements, encryption: Encryption, all: readonly Insertion[]): Promise<void> {
    let waiting = all
    for (let attempt = 1; waiting.length > 0; attempt++) {
      if (attempt > ATTEMPTS_MAX) throw new Error('No free record id was found.')
      const { rows } = await client.query<{ instance_id: string; id: string }>(...composeInsert(waiting, encryption))
      const inserted = new Set(rows.map((row) => joinKey(row.instance_id, row.id)))
      const refused: Insertion[] = []
      for (const insertion of waiting) {
        if (inserted.has(joinKey(insertion.instance, insertion.id))) insertion.isNew = true
        else refused.push(insertion)
      }
      if (refused.length === 0) return
      waiting = await this.#findKnown(client, refused)
      // The remaining rows met record ids that are taken. They get others.
      for (const insertion of waiting) insertion.id = this.#untriedId(insertion.instance)
    }
  }

  #raiseFloor(instance: InstanceId, time: number): number {
    const floor = Math.max(time, this.#floors.get(instance) ?? time)
    this.#floors.set(instance, floor)
    return floor
  }

  #idFor(instance: InstanceId, { recordId }: NewMessage): string {
    if (recordId === undefined || this.#tried.has(joinKey(instance, recordId))) return this.#untriedId(instance)
    this.#tried.add(joinKey(instance, recordId))
    return recordId
  }

  #untriedId(instance: InstanceId): string {
    for (;;) {
      const id = this.#makeId()
      const key = joinKey(instance, id)
      if (this.#tried.has(key)) continue
      this.#tried.add(key)
      return id
    }
  }

  async #findKnown(client: Statements, refused: readonly Insertion[]): Promise<Insertion[]> {
    const { rows } = await client.query<MessageRow & { ordinal: number; byKey: boolean; isOld: boolean }>(FIND_KNOWN, [
      textArray(refused.map((one) => one.instance)),
      bigintArray(refused.map((one) => one.chatId)),
      textArray(refused.map((one) => one.message.messageid)),
      boolArray(refused.map((one) => one.message.fromMe)),
      textArray(refused.map((one) => one.message.idempotencyKey)),
    ])
    const forgotten: Insertion[] = []
    for (const row of rows) {
      const insertion = refused[row.ordinal - 1]
      if (insertion === undefined) continue
      if (row.byKey && row.isOld) forgotten.push(insertion)
      else if (insertion.known === null || !row.byKey) insertion.known = row
    }
    if (forgotten.length > 0) {
      await client.query(FORGET_KEYS, [
        textArray(forgotten.map((one) => one.instance)),
        textArray(forgotten.map((one) => one.message.idempotencyKey)),
      ])
    }
    return refused.filter((one) => one.known === null)
  }
}

/** Returns whether it is the place of a message whose content has not come. */
function isPlaceholder({ messageType, proto }: NewMessage): boolean {
  return messageType === UNREADABLE && proto === undefined
}

/** Returns `r` and 7 hex digits, as the specification has it. None begins as a reserved one does. */
function randomRecordId(): string {
  for (;;) {
    const id = `r${randomHex(4).slice(0, 7)}`
    if (!id.startsWith(RESERVED)) return id
  }
}

/** Returns the id of a record that is not stored yet. No other message takes it meanwhile. */
export function reservedRecordId(): string {
  return `${RESERVED}${randomHex(3)}`
}

/** Returns the statement that inserts messages, with its values. */
function composeInsert(all: readonly Insertion[], encryption: Encryption): [text: string, values: Value[]] {
  return insert(all.map((one) => toCells(one, encryption)))
}

/** Returns the cells of the row, in the order of `COLUMNS` and `FLOOR`. */
function toCells({ instance, id, chatId, message, content, floor }: Insertion, encryption: Encryption): Cells {
  const { proto, queuedRequest, campaign } = message
  return [
    instance,
    id,
    chatId,
    message.messageid,
    message.fromMe,
    message.isGroup,
    message.messageType,
    message.mediaType ?? '',
    message.type ?? '',
    message.messageTimestampMs,
    message.sender ?? '',
    message.senderPn ?? '',
    message.senderLid ?? '',
    message.senderName ?? '',
    message.source ?? '',
    message.status ?? '',
    message.text ?? '',
    message.quoted ?? '',
    message.reaction ?? '',
    message.edited ?? '',
    message.vote ?? '',
    message.buttonOrListid ?? '',
    message.convertOptions ?? '',
    content,
    message.ad === undefined ? null : JSON.stringify(message.ad),
    message.trackSource ?? '',
    message.trackId ?? '',
    message.wasSentByApi ?? false,
    message.sendFunction ?? '',
    proto === undefined ? null : encryption.seal(proto, instance, 'proto', message.messageid),
    queuedRequest === undefined ? null : JSON.stringify(queuedRequest),
    message.idempotencyKey ?? null,
    message.requestHash ?? null,
    campaign?.folderId ?? null,
    campaign?.ordinal ?? null,
    floor,
  ]
}
