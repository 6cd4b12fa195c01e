import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InstanceId, MessageId } from './ids.js'
import { createMessageIds, newMessageId } from './message-id.js'

const HOUR_MS = 60 * 60_000
const SECRET = Buffer.alloc(32, 7)
const [ONE, OTHER] = ['r1', 'r2'] as [InstanceId, InstanceId]

describe('a derived message id', () => {
  it('looks like one that is made by chance', () => {
    const ids = createMessageIds(SECRET)
    const form = /^3EB0[0-9A-F]{36}$/
    assert.match(newMessageId(), form)
    assert.match(ids.ofKey(ONE, 'order-1'), form)
    assert.match(ids.ofRecipient(ONE, { folderId: 'f', ordinal: 0, attempts: 0 }), form)
  })

  it('is the same on each node, and differs by instance, key and secret', () => {
    const at = () => 0
    const ids = createMessageIds(SECRET, at)
    assert.equal(createMessageIds(SECRET, at).ofKey(ONE, 'order-1'), ids.ofKey(ONE, 'order-1'))
    const others = [ids.ofKey(OTHER, 'order-1'), ids.ofKey(ONE, 'order-2')]
    others.push(createMessageIds(Buffer.alloc(32, 8), at).ofKey(ONE, 'order-1'))
    for (const other of others) assert.notEqual(other, ids.ofKey(ONE, 'order-1'))
  })

  it('differs by campaign, recipient and attempt', () => {
    const ids = createMessageIds(SECRET)
    const places = [
      { folderId: 'f', ordinal: 1, attempts: 0 },
      { folderId: 'f', ordinal: 1, attempts: 1 },
      { folderId: 'f', ordinal: 11, attempts: 0 },
      { folderId: 'f1', ordinal: 1, attempts: 0 },
    ]
    assert.equal(new Set(places.map((place) => ids.ofRecipient(ONE, place))).size, places.length)
    assert.equal(new Set(places.map((place) => ids.ofRecipient(ONE, { ...place }))).size, places.length)
  })

  it('differs by turn, message that is answered, part and kind of an answer', () => {
    const ids = createMessageIds(SECRET)
    const answered = '3EB0AA' as MessageId
    const places = [
      { turn: 'r1', answered, part: 0, isFallback: false },
      { turn: 'r1', answered, part: 1, isFallback: false },
      { turn: 'r1', answered, part: 0, isFallback: true },
      { turn: 'r1', answered: '3EB0AB' as MessageId, part: 0, isFallback: false },
      { turn: 'r2', answered, part: 0, isFallback: false },
    ]
    const made = places.map((place) => ids.ofAnswer(ONE, place))
    assert.equal(new Set(made).size, places.length)
    assert.deepEqual(
      places.map((place) => ids.ofAnswer(ONE, { ...place })),
      made,
    )
    for (const id of made) assert.match(id, /^3EB0[0-9A-F]{36}$/)
  })

  it('is another one when a key is used again after its 24 hours', () => {
    let nowMs = 0
    const ids = createMessageIds(SECRET, () => nowMs)
    for (const key of Array.from({ length: 200 }, (_, index) => `key-${index}`)) {
      nowMs = 1_800_000_000_000 + Math.random() * 1_000 * HOUR_MS
      const first = ids.ofKey(ONE, key)
      nowMs += 24 * HOUR_MS
      assert.notEqual(ids.ofKey(ONE, key), first)
    }
  })

  it('stays the same for most repeats, and changes once within the 24 hours of a key', () => {
    const start = 1_800_000_000_000
    let nowMs = start
    const ids = createMessageIds(SECRET, () => nowMs)
    const seen = new Set<string>()
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      nowMs = start + minute * 60_000
      seen.add(ids.ofKey(ONE, 'order-1'))
    }
    assert.ok(seen.size <= 3, `${seen.size} ids`)
  })
})
