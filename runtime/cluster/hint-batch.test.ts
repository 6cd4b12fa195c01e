import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import { HintBatch, type HintMessage } from './hint-batch.js'

const NAMES_MAX = 1_000

function readContent(batch: HintBatch): HintMessage {
  return JSON.parse(batch.toText('one')) as HintMessage
}

function ids(count: number): InstanceId[] {
  return Array.from({ length: count }, (_, index) => `i${index}` as InstanceId)
}

describe('a batch of hints', () => {
  it('holds each name once, and only the kinds that were added', () => {
    const batch = new HintBatch()
    assert.equal(batch.isEmpty, true)
    batch.events.add(ids(2))
    batch.events.add(ids(1))
    batch.table = true
    assert.equal(batch.isEmpty, false)
    assert.deepEqual(readContent(batch), { from: 'one', events: ['i0', 'i1'], table: true })
  })

  it('says "all" above the maximum number of names', () => {
    const batch = new HintBatch()
    batch.events.add(ids(NAMES_MAX))
    batch.instances.add(ids(NAMES_MAX + 1))
    batch.instances.add(ids(1))
    const { events, instances } = readContent(batch)
    assert.equal(events?.length, NAMES_MAX)
    assert.equal(instances, 'all')
  })

  it('says "all" of every kind on demand', () => {
    const batch = new HintBatch()
    batch.addAll()
    assert.deepEqual(readContent(batch), {
      from: 'one',
      events: 'all',
      instances: 'all',
      webhooks: 'all',
      table: true,
      administrators: true,
    })
  })
})
