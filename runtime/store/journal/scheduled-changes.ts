/** Writes sends that leave later, in the order of the changes. */
import type { ScheduledChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import { reservedRecordId } from './message-inserts.js'
import type { RowKind } from './row-kind.js'
import type { Value } from './wave.js'

/** Number of record ids of which the first free one is taken. Only ids of earlier releases can be in the way. */
const RECORD_IDS = 8

// A repeated call changes nothing.
// $13 record ids
const KEEP = `
  INSERT INTO scheduled_send (instance_id, messageid, due, asked, zone, expire_after_ms, chat, track_id, has_file, request,
    idempotency_key, request_hash, record_id)
  VALUES ($1, $2, to_timestamp($3::bigint / 1000.0), $4, $5, $6, $7::text[], $8, $9::boolean, $10, $11, $12, COALESCE((
    SELECT free.id FROM unnest($13::text[]) WITH ORDINALITY AS free(id, ordinal)
    WHERE NOT EXISTS (SELECT FROM message AS m WHERE m.instance_id = $1 AND m.id = free.id)
      AND NOT EXISTS (SELECT FROM scheduled_send AS s WHERE s.instance_id = $1 AND s.record_id = free.id AND s.record_id <> '')
    ORDER BY free.ordinal LIMIT 1), ''))
  ON CONFLICT DO NOTHING`
const CHANGE = `
  UPDATE scheduled_send SET due = to_timestamp($3::bigint / 1000.0), asked = $4, zone = $5, expire_after_ms = $6,
    track_id = $7, request = $8, last_change = $9, revision = revision + 1, updated = now()
  WHERE instance_id = $1 AND messageid = $2 AND status = 'scheduled'`
// $1 instance   $2 ids   $3 status   $4 error
const END = `
  UPDATE scheduled_send SET status = $3, error = $4, updated = now()
  WHERE instance_id = $1 AND messageid = ANY($2::text[]) AND status = 'scheduled'`
const REMOVE = 'DELETE FROM scheduled_send WHERE instance_id = $1 AND messageid = ANY($2::text[])'

export const scheduledSends = {
  types: ['scheduled'],
  send(client: Statements, writes: readonly Write[], encryption: Encryption): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    for (const { instance, changes } of writes)
      for (const change of changes)
        if (change.type === 'scheduled') sent.push(client.query(...composeStatement(instance, change, encryption)))
    return sent
  },
} as const satisfies RowKind

function composeStatement(instance: InstanceId, change: ScheduledChange, encryption: Encryption): [string, Value[]] {
  switch (change.kind) {
    case 'keep': {
      const { send } = change
      const { atMs, asked, zone, expireAfterMs } = send.schedule
      const { chat, trackId = '' } = send.row
      const chats = [chat.pn, chat.lid, chat.group].filter((jid) => jid !== undefined)
      const { idempotencyKey = null, requestHash = null } = send.request
      const request = sealed(instance, send, encryption)
      const about: Value[] = [instance, send.messageid, atMs, clean(asked), zone, expireAfterMs, textArray(chats)]
      const ids = textArray(Array.from({ length: RECORD_IDS }, reservedRecordId))
      return [KEEP, [...about, clean(trackId), String(send.hasFile), request, idempotencyKey, requestHash, ids]]
    }
    case 'change': {
      const { send, lastChange } = change
      const { atMs, asked, zone, expireAfterMs } = send.schedule
      const request = sealed(instance, send, encryption)
      const about: Value[] = [instance, send.messageid, atMs, clean(asked), zone, expireAfterMs]
      return [CHANGE, [...about, clean(send.row.trackId ?? ''), request, lastChange]]
    }
    case 'end':
      return [END, [instance, textArray(change.messageids), change.status, clean(change.error ?? '')]]
    case 'remove':
      return [REMOVE, [instance, textArray(change.messageids)]]
    default:
      return change satisfies never
  }
}

type Sealable = Extract<ScheduledChange, { kind: 'change' }>['send']

function sealed(instance: InstanceId, { messageid, row, request }: Sealable, encryption: Encryption): Buffer {
  return encryption.seal(Buffer.from(JSON.stringify({ row, request })), instance, 'scheduled', messageid)
}

/** PostgreSQL refuses NUL in texts. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
