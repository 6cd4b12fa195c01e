import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', id: 'CA11' }

it('a call is refused by its id', async (t) => {
  const node = await startFakeNode(t)
  for (const json of [good, { id: 'CA11' }]) {
    const { status, body } = await node.call('/call/reject', { json })
    assert.deepEqual([status, body.response], [200, 'Call rejected'])
    assert.deepEqual(node.commands.pop(), { type: 'rejectCall', ...json })
  }
})

it('a call that is named wrongly is refused, and nothing is asked', async (t) => {
  await assertRefuses(t, '/call/reject', good, [
    ['number', [], 'Invalid request: number must be string.'],
    ['number', '', /^Invalid request: number must not/],
    ['number', 'x'.repeat(101), /^Invalid request: number must not/],
    ['number', 'abc', /^Invalid number/, 'INVALID_NUMBER'],
    ['id', undefined, 'Missing call id', 'MISSING_CALL_ID'],
    ['id', null, 'Missing call id', 'MISSING_CALL_ID'],
    ['id', '', /^Invalid request: id must not/],
    ['id', 'x'.repeat(201), /^Invalid request: id must not/],
    ['id', 'a b', 'Invalid request: id has an invalid format.'],
  ])
})
