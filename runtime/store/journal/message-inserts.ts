/** New messages of a batch: finds out which are new, and gives each a record id of its own. */

import type { InstanceId } from '../../../schemas/ids.js'
import { randomHex } from '../../../schemas/random.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import { bigintArray, boolArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { type Cells, givenRows, statementOf } from '../given-rows.js'
import { type MessageRow, messageColumns } from '../message-record.js'
import { Unexpected } from './ahead.js'
import { keyOf } from './batch.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'
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
const given = givenRows({ alias: 'u', columns: COLUMNS })
// Conflicts of any kind insert nothing; which it was is looked up afterwards, for the few.
const insert = statementOf(
  given,
  (source) => `
  INSERT INTO message (${COLUMNS.map(([name]) => name).join(', ')}, created, updated)
  SELECT u.*, ${TRANSACTION_TIME}, ${TRANSACTION_TIME}
  FROM ${source}
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

const ATTEMPTS_MAX = 5

/** A message on its way into the table. */
export interface Insertion {
  readonly instance: InstanceId
  readonly message: NewMessage
  readonly chatId: number
  /** JSON, for the row and for the event. */
  readonly content: string
  /** `r` and 7 hex digits, unique in the instance. */
  id: string
  isNew: boolean
  /** The row that was there before, when it is not new. */
  known: MessageRow | null
  /** The same message in the same batch, before this one. */
  readonly sameAs: Insertion | null
}

export class MessageInserts {
  readonly #makeId: () => string
  readonly #all: Insertion[] = []
  readonly #byIdentity = new Map<string, Insertion>()
  readonly #byKey = new Map<string, Insertion>()
  /** Record ids that this batch has tried: two equal ones in one statement would look as if both were inserted. */
  readonly #tried = new Set<string>()

  constructor(makeId: () => string = randomRecordId) {
    this.#makeId = makeId
  }

  add(instance: InstanceId, message: NewMessage, chatId: number): Insertion {
    const identity = keyOf(instance, chatId, message.messageid, String(message.fromMe))
    const key = message.idempotencyKey === undefined ? undefined : keyOf(instance, message.idempotencyKey)
    const sameAs = this.#byIdentity.get(identity) ?? (key === undefined ? undefined : this.#byKey.get(key)) ?? null
    const content = JSON.stringify(message.content ?? null)
    const id = sameAs === null ? this.#untriedId(instance) : sameAs.id
    const insertion: Insertion = { instance, message, chatId, content, id, isNew: false, known: null, sameAs }
    if (sameAs === null) {
      this.#byIdentity.set(identity, insertion)
      if (key !== undefined) this.#byKey.set(key, insertion)
      this.#all.push(insertion)
    }
    return insertion
  }

  /**
   * Inserts messages that are all expected to be new, as they are at once: others may send what follows from it in the same wave.
   * @throws Unexpected when one was there before, or its record id was taken
   */
  async applyAhead(client: Statements, encryption: Encryption): Promise<void> {
    if (this.#all.length === 0) return
    for (const insertion of this.#all) insertion.isNew = true
    const { rows } = await client.query(...insertOf(this.#all, encryption))
    if (rows.length < this.#all.length) throw new Unexpected('A message was there before.')
  }

  async apply(client: Statements, encryption: Encryption): Promise<void> {
    let waiting: readonly Insertion[] = this.#all
    for (let attempt = 1; waiting.length > 0; attempt++) {
      if (attempt > ATTEMPTS_MAX) throw new Error('No free record id was found.')
      const { rows } = await client.query<{ instance_id: string; id: string }>(...insertOf(waiting, encryption))
      const inserted = new Set(rows.map((row) => keyOf(row.instance_id, row.id)))
      const refused: Insertion[] = []
      for (const insertion of waiting) {
        if (inserted.has(keyOf(insertion.instance, insertion.id))) insertion.isNew = true
        else refused.push(insertion)
      }
      if (refused.length === 0) return
      waiting = await this.#findKnown(client, refused)
      // The remaining rows met record ids that are taken. They get others.
      for (const insertion of waiting) insertion.id = this.#untriedId(insertion.instance)
    }
  }

  #untriedId(instance: InstanceId): string {
    for (;;) {
      const id = this.#makeId()
      const key = keyOf(instance, id)
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

/** `r` and 7 hex digits, as the specification has it. */
function randomRecordId(): string {
  return `r${randomHex(4).slice(0, 7)}`
}

/** Returns the statement that inserts messages, with its values. */
function insertOf(all: readonly Insertion[], encryption: Encryption): [text: string, values: Value[]] {
  return insert(all.map((one) => cellsOf(one, encryption)))
}

/** Returns the cells of the row, in the order of `COLUMNS`. */
function cellsOf({ instance, id, chatId, message, content }: Insertion, encryption: Encryption): Cells {
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
  ]
}
