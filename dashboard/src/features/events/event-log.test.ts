import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutExcerpt, EVENTS_MAX, EventLog } from './event-log.js'

describe('the log of events', () => {
  it('keeps the newest ones, finds by kind and text, and counts what came while it was paused', () => {
    const log = new EventLog()
    for (let count = 1; count <= 5_000; count += 1)
      log.add({ EventType: count % 2 === 0 ? 'messages' : 'presence', text: `Number ${count}.` }, count)
    assert.equal(log.find(new Set(), '').length, EVENTS_MAX)
    assert.equal(log.find(new Set(), '')[0]?.number, 5_000)
    assert.equal(log.find(new Set(['messages']), '').length, EVENTS_MAX / 2)
    assert.deepEqual(
      log.find(new Set(['messages']), 'number 4998.').map(({ number }) => number),
      [4_998],
    )
    log.pause(true)
    log.add({ EventType: 'messages' }, 1)
    assert.equal(cutExcerpt(`${'x'.repeat(500)}Found`, 'found', 70), `…${'x'.repeat(60)}Found`)
    assert.deepEqual([log.count, log.missed, log.find(new Set(), '')[0]?.number], [5_001, 1, 5_000])
  })
})
