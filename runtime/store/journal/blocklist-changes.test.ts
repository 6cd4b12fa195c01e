import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../../schemas/ids.js'
import { blockedBy, readBlockedChats } from './blocklist-changes.js'

const INSTANCE = 'i1' as InstanceId
const ENTRIES = 60_000

it('compares long lists of blocked contacts without blocking the event loop', async () => {
  const rows = Array.from({ length: ENTRIES }, (_, id) => ({ instance_id: INSTANCE, id }))
  const client = { query: async () => ({ rows }) } as unknown as Parameters<typeof readBlockedChats>[0]
  const write = { instance: INSTANCE, changes: [{ type: 'blocked', kind: 'list', people: [] }] }
  const people = Array.from({ length: ENTRIES }, (_, index) => ({ id: index + ENTRIES / 2 }))
  const chats = { findChat: (_: InstanceId, person: unknown) => (person as { id: number }).id }
  const change = { type: 'blocked', kind: 'list', people } as unknown as Parameters<typeof blockedBy>[0]

  const began = process.cpuUsage()
  const before = await readBlockedChats(client, [write] as unknown as Parameters<typeof readBlockedChats>[1])
  const changes = blockedBy(change, INSTANCE, chats as unknown as Parameters<typeof blockedBy>[2], before)
  const { user } = process.cpuUsage(began)

  assert.equal(changes.filter(({ isBlocked }) => isBlocked).length, ENTRIES / 2)
  assert.equal(changes.filter(({ isBlocked }) => !isBlocked).length, ENTRIES / 2)
  // Linear it takes 20 ms or so, else seconds.
  assert.ok(user < 500_000, `${user} µs`)
})
