/**
 * Answers of the network and receipts: changes of a status and nothing else, which nearly all changes of messages are. The statement for all
 * kinds (`message-updates.ts`) costs PostgreSQL twice as much.
 */
import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import { TRANSACTION_TIME } from './fence.js'

// A status moves only forward. Only rows that something really changes are written and returned. Of a chain of changes the furthest status
// is written, and the former one returned, with 'true' if there was a request.
export const updateStatus = prepareStatement(
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

export interface StatusRow {
  readonly ordinal: number
  readonly instance: InstanceId
  readonly messageid: string
  /** Changes of the status in their order: mostly one, the network's answer and the receipt that followed it, or receipts of the members of a group. */
  readonly chain: readonly MessageUpdateChange[]
}

/** Status of a message before a chain of changes, and 'true' if it had a request. */
export type FormerStatus = readonly [status: string, hadRequest: string]

/** As `message_status_rank` of the store, without the states that end a message. */
const RANKS: Readonly<Record<string, number>> = { queued: 1, pending: 2, sent: 3, delivered: 4, read: 5, played: 6 }

/** Returns true when one change of a status can be written together with the next one of the same message. */
export function mayFollow(former: MessageUpdateChange, next: MessageUpdateChange): boolean {
  if (!isOfStatus(former) || !isOfStatus(next) || former.fromMe !== next.fromMe) return false
  return findRank(former) !== undefined && findRank(next) !== undefined
}

/** Returns the place of the status that a change sets among those that follow one another. */
export function findRank({ set }: Pick<MessageUpdateChange, 'set'>): number | undefined {
  return RANKS[set.status ?? '']
}

/** Returns the changes of a chain that had an effect, each with the status that the message had then. */
export function computeEffects(
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
export function isOfStatus({ chat, sender, set: { status, queuedRequest, ...others } }: MessageUpdateChange): boolean {
  return (
    status !== undefined &&
    !queuedRequest &&
    chat === undefined &&
    sender === undefined &&
    Object.keys(others).length === 0
  )
}

/** Returns the columns of a change, in the order of the statement. */
export function statusCells({ ordinal, instance, messageid, chain }: StatusRow): Cells {
  const isOfChain = chain.length > 1
  const { fromMe, set } = chain.reduce((furthest, change) =>
    (findRank(change) ?? 0) > (findRank(furthest) ?? 0) ? change : furthest,
  )
  return [ordinal, instance, messageid, fromMe, set.status, chain.some(isDone), isOfChain]
}
