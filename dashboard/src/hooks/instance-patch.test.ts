import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FindInstancesReply, FoundInstance } from '../../../schemas/generated.js'
import { patchPages, readChange } from './instance-patch.js'

const BEFORE = '2026-01-01T00:00:00.000Z'
const atMs = Date.parse('2026-01-02T00:00:00.000Z')

function makePage(status: FoundInstance['instance']['status']): FindInstancesReply {
  const row = { instance: { id: 'i1', status }, paired: true, since: BEFORE, waitingSends: 3 }
  return {
    instances: [row as unknown as FoundInstance],
    next: null,
    counts: { connected: 0, connecting: 0, disconnected: 0, [status]: 1 },
  }
}

function findSince(status: string, more: object = { timestamp: atMs }): unknown {
  const change = readChange({ EventType: 'connection', instanceId: 'i1', instance: { status }, ...more })
  assert.ok(change !== null)
  return patchPages([makePage('connected')], {}, change)?.[0]?.instances[0]?.since
}

it('shows a new status since its event, and one that stays since it began', () => {
  assert.equal(findSince('connecting'), '2026-01-02T00:00:00.000Z')
  assert.equal(findSince('connected'), BEFORE)
})

it('does not know since when a status holds if the event has no time', () => {
  assert.equal(findSince('disconnected', {}), null)
  assert.equal(findSince('disconnected', { timestamp: 1e300 }), null)
})
