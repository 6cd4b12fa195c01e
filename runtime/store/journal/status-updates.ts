/**
 * Answers of the network and receipts: changes of a status and nothing else, which nearly all changes of messages are. The statement for all
 * kinds (`message-updates.ts`) costs PostgreSQL twice as much.
 */
import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { boolArray, intArray, textArray } from '../arrays.js'
import { TRANSACTION_TIME } from './fence.js'
import type { Value } from './wave.js'

// A status moves only forward. Only rows that something really changes are written and returned.
// $1 ordinals   $2 instances   $3 message ids   $4 from me, or null   $5 statuses   $6 the request is done with
export const UPDATE_STATUS = `
  UPDATE message AS m SET
    "status" = CASE WHEN message_status_rank(u.status) > message_status_rank(m."status") THEN u.status ELSE m."status" END,
    queued_request = CASE WHEN u.is_done THEN NULL ELSE m.queued_request END,
    updated = ${TRANSACTION_TIME}
  FROM unnest($1::int[], $2::text[], $3::text[], $4::bool[], $5::text[], $6::bool[])
    AS u(ordinal, instance_id, messageid, from_me, status, is_done)
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND (u.from_me IS NULL OR m."fromMe" = u.from_me)
    AND (message_status_rank(u.status) > message_status_rank(m."status") OR u.is_done AND m.queued_request IS NOT NULL)
  RETURNING u.ordinal, m.id, m."messageid", m.chat_id, m."status", m.send_folder_id, m.send_ordinal, NULL::bool AS "isLast",
    (SELECT ARRAY[c."wa_chatid", c."wa_chatlid"] FROM chat AS c WHERE c.instance_id = m.instance_id AND c.id = m.chat_id) AS "chatJids"`

interface Row {
  readonly ordinal: number
  readonly instance: InstanceId
  readonly messageid: string
  readonly change: MessageUpdateChange
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

export function statusArrays(rows: readonly Row[]): Value[] {
  return [
    intArray(rows.map((row) => row.ordinal)),
    textArray(rows.map((row) => row.instance)),
    textArray(rows.map((row) => row.messageid)),
    boolArray(rows.map((row) => row.change.fromMe)),
    textArray(rows.map((row) => row.change.set.status)),
    boolArray(rows.map((row) => row.change.set.queuedRequest === null)),
  ]
}
