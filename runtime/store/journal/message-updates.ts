/** Changes of known messages in a batch. Several of one message are applied one after the other, as rounds. */
import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { bigintArray, boolArray, bytesArray, intArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import type { JournalChange } from './batch.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'
import { newestPlace } from './message-order.js'
import type { Value } from './wave.js'

// A status moves only forward; null keeps a column. Only rows that something really changes are written and returned. An edit that the
// history has already changes nothing. An edited caption is told without the file, whose content stays. Polls and events are edited as a whole.
const UPDATE = `
  UPDATE message AS m SET
    "status" = CASE WHEN u.status IS NOT NULL AND message_status_rank(u.status) > message_status_rank(m."status") THEN u.status ELSE m."status" END,
    "error" = COALESCE(u.error, m."error"),
    "provider_code" = COALESCE(u.provider_code, m."provider_code"),
    "text" = COALESCE(u.text, m."text"),
    "edited" = CASE WHEN u.edited IS NULL THEN m."edited" ELSE edit_history(m."edited", m."text", u.edited, u.edited_ms) END,
    "content" = CASE WHEN u.edited IS NULL OR m."messageType" IN ('text', 'poll', 'event') THEN COALESCE(u.content, m."content") ELSE m."content" END,
    proto = COALESCE(u.proto, m.proto),
    "messageType" = COALESCE(u.message_type, m."messageType"),
    "messageTimestamp" = CASE WHEN u.timestamp_ms IS NULL THEN m."messageTimestamp"
      ELSE GREATEST(u.timestamp_ms, 1 + ${newestPlace('m.instance_id')}) END,
    shown_ms = COALESCE(u.timestamp_ms, m.shown_ms),
    "type" = COALESCE(u.type, m."type"),
    "vote" = COALESCE(u.vote, m."vote"),
    "convertOptions" = COALESCE(u.convert_options, m."convertOptions"),
    pinned_until = COALESCE(u.pinned_until, m.pinned_until),
    starred = COALESCE(u.starred, m.starred),
    due = LEAST(m.due, now() + u.due_in * interval '1 millisecond'),
    queued_request = CASE WHEN u.sets_request THEN u.queued_request ELSE m.queued_request END,
    updated = ${TRANSACTION_TIME}
  FROM unnest($1::int[], $2::text[], $3::text[], $4::bool[], $5::text[], $6::text[], $7::int[], $8::text[], $9::text[],
    $10::text[], $11::bytea[], $12::text[], $13::bigint[], $14::bool[], $16::text[], $17::text[], $18::text[], $19::text[],
    $20::text[], $21::text[], $22::bigint[], $23::bigint[], $24::bigint[], $15::bigint[], $25::text[], $26::bigint[], $27::bool[])
    AS u(ordinal, instance_id, messageid, from_me, status, error, provider_code, text, edited, content, proto, message_type,
      timestamp_ms, sets_request, sender_pn, sender_lid, type, vote, convert_options, queued_request, chat,
      other_chat, edited_ms, due_in, only_type, pinned_until, starred)
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND (u.from_me IS NULL OR m."fromMe" = u.from_me)
    AND (u.chat IS NULL OR m.chat_id IN (u.chat, u.other_chat)) AND (u.only_type IS NULL OR m."messageType" = u.only_type)
    AND (u.sender_pn IS NULL OR m."sender_pn" IN ('', u.sender_pn)) AND (u.sender_lid IS NULL OR m."sender_lid" IN ('', u.sender_lid))
    AND (message_status_rank(u.status) > message_status_rank(m."status") AND u.status IS NOT NULL
      OR u.error <> m."error" OR u.provider_code IS DISTINCT FROM COALESCE(m."provider_code", u.provider_code)
      OR u.provider_code IS NOT NULL AND m."provider_code" IS NULL
      OR u.text <> m."text" OR u.proto IS NOT NULL
      OR CASE WHEN u.edited IS NULL THEN u.content <> m."content"
        ELSE position(edit_entry(u.edited, u.edited_ms) in m."edited") = 0 END
      OR u.message_type <> m."messageType" OR u.timestamp_ms <> m."messageTimestamp"
      OR u.due_in IS NOT NULL AND (m.due IS NULL OR m.due > now() + u.due_in * interval '1 millisecond')
      OR u.pinned_until <> COALESCE(m.pinned_until, 0) OR u.starred <> COALESCE(m.starred, false)
      OR u.type <> m."type" OR u.vote <> m."vote" OR u.convert_options <> m."convertOptions"
      OR u.sets_request AND u.queued_request IS DISTINCT FROM m.queued_request)
  RETURNING u.ordinal, m.id, m."messageid", m.chat_id, m."status", m.shown_ms, m.created, m.send_folder_id, m.send_ordinal, CASE WHEN u.edited IS NOT NULL THEN m.position = (
    SELECT last.position FROM message AS last WHERE last.instance_id = m.instance_id AND last.chat_id = m.chat_id
      AND last."messageType" <> 'note'
    ORDER BY last."messageTimestamp" DESC, last.position DESC LIMIT 1) END AS "isLast",
    (SELECT ARRAY[c."wa_chatid", c."wa_chatlid", c."wa_username", c."name"] FROM chat AS c WHERE c.instance_id = m.instance_id AND c.id = m.chat_id) AS "chatNames"`

/** A message that an update really changed. */
export interface ChangedMessage {
  readonly id: string
  readonly messageid: string
  readonly chat_id: number
  readonly status: string
  /** Not of an update that sets the status only. */
  readonly shown_ms?: number | null
  readonly created?: Date
  /** The recipient of a campaign that it was sent for. */
  readonly send_folder_id: string | null
  readonly send_ordinal: number | null
  /** True when the edited message is the last of its chat. */
  readonly isLast: boolean | null
  /** The chat's JID for callers, and its LID, username and name or empty strings. */
  readonly chatNames: readonly [chatid: string, chatlid: string, username: string, name: string] | null
}

interface ChangedRow extends ChangedMessage {
  readonly ordinal: number
  readonly former?: FormerStatus | null
}

interface Answered {
  readonly rows: readonly Row[]
  readonly changed: readonly ChangedRow[]
}

/** A changed message that was sent for a campaign. */
export interface CampaignMessage {
  readonly instance: InstanceId
  readonly change: MessageUpdateChange
  readonly message: ChangedMessage
}

interface Row {
  readonly ordinal: number
  readonly instance: InstanceId
  readonly messageid: string
  readonly change: MessageUpdateChange
  /** The change, and those of the status that follow it at once. */
  readonly chain: MessageUpdateChange[]
}

/** A row with the chats that its message may be in; none where any will do. */
type PlacedRow = Row & { readonly chats: readonly number[] }

type ChatOf = (instance: InstanceId, address: ChatAddress) => number | null

/** The addresses of a chat, each by itself. */
export function listAddresses(chat: ChatAddress | undefined): ChatAddress[] {
  const { group, pn, lid } = chat ?? {}
  return [...(group ? [{ group }] : []), ...(pn ? [{ pn }] : []), ...(lid ? [{ lid }] : [])]
}

/** Without those of chats that are not known: nothing is in them. */
function placed(rows: readonly Row[], findChat: ChatOf): PlacedRow[] {
  return rows.flatMap((row) => {
    const chats = listAddresses(row.change.chat).flatMap((address) => findChat(row.instance, address) ?? [])
    return row.change.chat !== undefined && chats.length === 0 ? [] : [{ ...row, chats }]
  })
}

export class MessageUpdates {
  readonly #rounds: Row[][] = []
  readonly #lastRows = new Map<string, { readonly round: number; readonly row: Row }>()
  readonly #changed = new Map<JournalChange, ChangedMessage[]>()
  readonly #ofCampaigns: CampaignMessage[] = []
  #count = 0

  add(instance: InstanceId, change: MessageUpdateChange): void {
    for (const messageid of new Set(change.messageids)) {
      const key = joinKey(instance, messageid)
      const last = this.#lastRows.get(key)
      const former = last?.row.chain.at(-1)
      if (last !== undefined && former !== undefined && mayFollow(former, change)) {
        last.row.chain.push(change)
        continue
      }
      const round = last === undefined ? 0 : last.round + 1
      const row = { ordinal: this.#count++, instance, messageid, change, chain: [change] }
      this.#lastRows.set(key, { round, row })
      this.#rounds[round] ??= []
      this.#rounds[round]?.push(row)
    }
  }

  /** Sent behind the inserts of the same batch, so that a message may be written and changed in one. */
  async apply(client: Statements, encryption: Encryption, findChat: ChatOf): Promise<void> {
    const send = (round: readonly Row[]): Promise<Answered>[] => {
      const statuses = round.filter(({ change }) => isOfStatus(change))
      const others = round.filter(({ change }) => !isOfStatus(change))
      const sent = (rows: readonly Row[], statement: () => [text: string, values: Value[]]) =>
        rows.length === 0
          ? []
          : [client.query<ChangedRow>(...statement()).then((answer) => ({ rows, changed: answer.rows }))]
      return [
        ...sent(statuses, () => updateStatus(statuses.map(statusCells))),
        ...sent(others, () => [UPDATE, toArrays(placed(others, findChat), encryption)]),
      ]
    }
    for (const { rows, changed } of await Promise.all(this.#rounds.flatMap(send))) {
      const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]))
      for (const row of changed) {
        const asked = byOrdinal.get(row.ordinal)
        if (asked !== undefined) this.#noteAll(asked, row)
      }
    }
  }

  #noteAll({ instance, change, chain }: Row, row: ChangedRow): void {
    const effects = row.former == null ? [{ change, status: row.status }] : computeEffects(chain, row.former)
    for (const { change: one, status } of effects) this.note(instance, one, { ...row, status })
  }

  /** Notes that a change had this effect on a message. */
  note(instance: InstanceId, change: MessageUpdateChange, message: ChangedMessage): void {
    if (message.send_folder_id !== null) this.#ofCampaigns.push({ change, instance, message })
    const changed = this.#changed.get(change)
    if (changed === undefined) this.#changed.set(change, [message])
    else changed.push(message)
  }

  /** Returns the changed messages that were sent for campaigns. */
  ofCampaigns(): readonly CampaignMessage[] {
    return this.#ofCampaigns
  }

  changedBy(change: MessageUpdateChange): readonly ChangedMessage[] {
    return this.#changed.get(change) ?? []
  }
}

function toArrays(round: readonly PlacedRow[], encryption: Encryption): Value[] {
  const sets = round.map((row) => row.change.set)
  return [
    intArray(round.map((row) => row.ordinal)),
    textArray(round.map((row) => row.instance)),
    textArray(round.map((row) => row.messageid)),
    boolArray(round.map((row) => row.change.fromMe)),
    textArray(sets.map((set) => set.status)),
    textArray(sets.map((set) => set.error)),
    intArray(sets.map((set) => set.providerCode)),
    textArray(sets.map((set) => set.text)),
    textArray(sets.map((set) => set.edited?.text)),
    textArray(sets.map((set) => (set.content === undefined ? null : JSON.stringify(set.content)))),
    bytesArray(
      round.map(({ instance, messageid, change: { set } }) =>
        set.proto === undefined ? null : encryption.seal(set.proto, instance, 'proto', messageid),
      ),
    ),
    textArray(sets.map((set) => set.messageType)),
    bigintArray(sets.map((set) => set.messageTimestampMs)),
    boolArray(sets.map((set) => set.queuedRequest !== undefined)),
    bigintArray(sets.map((set) => set.dueInMs)),
    textArray(round.map((row) => row.change.sender?.pn)),
    textArray(round.map((row) => row.change.sender?.lid)),
    textArray(sets.map((set) => set.type)),
    textArray(sets.map((set) => set.vote)),
    textArray(sets.map((set) => set.convertOptions)),
    textArray(sets.map(({ queuedRequest }) => (queuedRequest == null ? null : JSON.stringify(queuedRequest)))),
    bigintArray(round.map(({ chats }) => chats[0])),
    bigintArray(round.map(({ chats }) => chats[1])),
    bigintArray(sets.map((set) => set.edited?.atMs)),
    textArray(round.map((row) => row.change.onlyType)),
    bigintArray(sets.map((set) => set.pinnedUntilMs)),
    boolArray(sets.map((set) => set.starred)),
  ]
}

// Answers of the network and receipts: changes of a status and nothing else, which nearly all changes of messages are. The statement for all
// kinds costs PostgreSQL twice as much. Only rows that something really changes are written and returned. Of a chain of changes the furthest status
// is written, and the former one returned, with 'true' if there was a request.
const updateStatus = prepareStatement(
  givenRows({
    alias: 'u',
    columns: [
      ['ordinal', 'int'],
      ['instance_id', 'text'],
      ['messageid', 'text'],
      // Null: whoever sent it.
      ['from_me', 'bool'],
      ['status', 'text'],
      // The request of the message is done with.
      ['is_done', 'bool'],
      ['is_chain', 'bool'],
    ],
  }),
  (source) => `
  UPDATE message AS m SET
    "status" = CASE WHEN message_status_rank(u.status) > message_status_rank(m."status") THEN u.status ELSE m."status" END,
    queued_request = CASE WHEN u.is_done THEN NULL ELSE m.queued_request END,
    updated = ${TRANSACTION_TIME}
  FROM ${source}
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND (u.from_me IS NULL OR m."fromMe" = u.from_me)
    AND (message_status_rank(u.status) > message_status_rank(m."status") OR u.is_done AND m.queued_request IS NOT NULL)
  RETURNING u.ordinal, m.id, m."messageid", m.chat_id, m."status", m.send_folder_id, m.send_ordinal, NULL::bool AS "isLast",
    (SELECT ARRAY[c."wa_chatid", c."wa_chatlid", c."wa_username", c."name"] FROM chat AS c WHERE c.instance_id = m.instance_id AND c.id = m.chat_id) AS "chatNames",
    CASE WHEN u.is_chain THEN (SELECT ARRAY[o."status", (o.queued_request IS NOT NULL)::text] FROM message AS o
      WHERE o.instance_id = m.instance_id AND o.id = m.id) END AS former`,
)

interface StatusRow {
  readonly ordinal: number
  readonly instance: InstanceId
  readonly messageid: string
  /** Changes of the status in their order: mostly one, the network's answer and the receipt that followed it, or receipts of the members of a group. */
  readonly chain: readonly MessageUpdateChange[]
}

/** Status of a message before a chain of changes, and 'true' if it had a request. */
type FormerStatus = readonly [status: string, hadRequest: string]

/** As `message_status_rank` of the store, without the states that end a message. */
const RANKS: Readonly<Record<string, number>> = { queued: 1, pending: 2, sent: 3, delivered: 4, read: 5, played: 6 }

/** Returns true when one change of a status can be written together with the next one of the same message. */
function mayFollow(former: MessageUpdateChange, next: MessageUpdateChange): boolean {
  if (!isOfStatus(former) || !isOfStatus(next) || former.fromMe !== next.fromMe) return false
  return findRank(former) !== undefined && findRank(next) !== undefined
}

/** Returns the place of the status that a change sets among those that follow one another. */
export function findRank({ set }: Pick<MessageUpdateChange, 'set'>): number | undefined {
  return RANKS[set.status ?? '']
}

/** Returns the changes of a chain that had an effect, each with the status that the message had then. */
function computeEffects(
  chain: readonly MessageUpdateChange[],
  [formerStatus, hadRequest]: FormerStatus,
): readonly { readonly change: MessageUpdateChange; readonly status: string }[] {
  let status = formerStatus
  let hasRequest = hadRequest === 'true'
  const effects: { change: MessageUpdateChange; status: string }[] = []
  for (const change of chain) {
    const moves = (findRank(change) ?? 0) > (RANKS[status] ?? Number.POSITIVE_INFINITY)
    const ends = hasRequest && isDone(change)
    if (moves) status = change.set.status ?? status
    if (ends) hasRequest = false
    if (moves || ends) effects.push({ change, status })
  }
  return effects
}

function isDone({ set }: MessageUpdateChange): boolean {
  return set.queuedRequest === null
}

/** Returns true when the change sets a status, and maybe ends the request of its message, wherever the message is. */
function isOfStatus({ chat, sender, set: { status, queuedRequest, ...others } }: MessageUpdateChange): boolean {
  return (
    status !== undefined &&
    !queuedRequest &&
    chat === undefined &&
    sender === undefined &&
    Object.keys(others).length === 0
  )
}

/** Returns the columns of a change, in the order of the statement. */
function statusCells({ ordinal, instance, messageid, chain }: StatusRow): Cells {
  const isOfChain = chain.length > 1
  const { fromMe, set } = chain.reduce((furthest, change) =>
    (findRank(change) ?? 0) > (findRank(furthest) ?? 0) ? change : furthest,
  )
  return [ordinal, instance, messageid, fromMe, set.status, chain.some(isDone), isOfChain]
}
