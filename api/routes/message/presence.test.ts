import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', presence: 'composing' }

it('a presence lasts as long as is asked, five minutes when nothing or more is asked', async (t) => {
  const node = await startFakeNode(t)
  for (const [delay, delayMs] of [
    [undefined, 300_000],
    [0, 300_000],
    [1, 1],
    [299_999, 299_999],
    [300_000, 300_000],
    [300_001, 300_000],
    [2_147_483_647, 300_000],
  ]) {
    const { status, body } = await node.call('/message/presence', { json: { ...good, delay } })
    assert.deepEqual([status, typeof body.response], [200, 'string'])
    assert.deepEqual(node.commands.pop(), { type: 'presence', ...good, delayMs })
  }
})

it('a presence that is none is refused, and nothing is shown', async (t) => {
  await assertRefuses(t, '/message/presence', good, [
    ['number', undefined, 'Invalid request: number is required.'],
    ['number', 'abc', /^Invalid number/, 'INVALID_NUMBER'],
    ['number', 'status@broadcast', /^Not supported: number names status posts/, 'NOT_SUPPORTED', 501],
    ['presence', undefined, 'Invalid request: presence is required.'],
    ['presence', 'dancing', 'Invalid request: presence must be one of: composing, recording, paused.'],
    ['delay', '5 s', 'Invalid request: delay must be integer.'],
    ['delay', -1, /^Invalid request: delay must be >= 0/],
  ])
})
