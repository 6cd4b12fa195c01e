/** Blocked people. Kept apart from the chats: one may be blocked before there is a chat, which then begins as blocked. */
import type { BlockChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// $1 instance   $2 JIDs
const BLOCK = `
  INSERT INTO blocked (instance_id, jid) SELECT $1, jid FROM unnest($2::text[]) AS u(jid) ON CONFLICT DO NOTHING`
const UNBLOCK = 'DELETE FROM blocked WHERE instance_id = $1 AND jid = ANY($2::text[])'
const UNBLOCK_OTHERS = 'DELETE FROM blocked WHERE instance_id = $1 AND jid <> ALL($2::text[])'
// $1 instances
const BLOCKED_CHATS = 'SELECT instance_id, id FROM chat WHERE instance_id = ANY($1::text[]) AND "wa_isBlocked"'

/** Chats that are stored as blocked, of the instances whose whole list arrived. */
export type BlockedChats = ReadonlyMap<string, readonly number[]>

/** Keeps the lists, in the order of the changes; before the chats of the batch are made. */
export const blocklists = {
  types: ['blocked'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    for (const { instance, changes } of writes) {
      for (const change of changes) {
        if (change.type !== 'blocked') continue
        const jids = textArray(change.people.flatMap(({ pn, lid }) => [pn, lid].filter((jid) => jid !== undefined)))
        if (change.kind === 'list') sent.push(client.query(UNBLOCK_OTHERS, [instance, jids]))
        sent.push(client.query(change.kind === 'unblock' ? UNBLOCK : BLOCK, [instance, jids]))
      }
    }
    return sent
  },
} as const satisfies RowKind

export async function readBlockedChats(client: Statements, writes: readonly Write[]): Promise<BlockedChats> {
  const told = writes.filter(({ changes }) => changes.some((one) => one.type === 'blocked' && one.kind === 'list'))
  const blocked = new Map<string, number[]>()
  if (told.length === 0) return blocked
  const { rows } = await client.query<{ instance_id: string; id: number }>(BLOCKED_CHATS, [
    textArray(told.map(({ instance }) => instance)),
  ])
  for (const { instance_id, id } of rows) {
    const ids = blocked.get(instance_id)
    if (ids === undefined) blocked.set(instance_id, [id])
    else ids.push(id)
  }
  return blocked
}

/** Chats that a change makes blocked or not blocked. */
export function blockedBy(
  { kind, people }: BlockChange,
  instance: InstanceId,
  chats: ChatResolver,
  before: BlockedChats,
): readonly { chatId: number; isBlocked: boolean }[] {
  const known = (person: ChatAddress) => chats.findChat(instance, person) ?? []
  const named = new Set(people.flatMap(known))
  if (kind !== 'list') return [...named].map((chatId) => ({ chatId, isBlocked: kind === 'block' }))
  // The account chooses the length of its list: a search of one list for each entry of the other would block the node.
  const was = new Set(before.get(instance) ?? [])
  return [
    ...[...named].filter((id) => !was.has(id)).map((chatId) => ({ chatId, isBlocked: true })),
    ...[...was].filter((id) => !named.has(id)).map((chatId) => ({ chatId, isBlocked: false })),
  ]
}
