import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', latitude: -23.55, longitude: -46.63 }

it('a place is taken up to the ends of the world, and at its middle', async (t) => {
  const node = await startFakeNode(t)
  for (const [latitude, longitude] of [
    [90, 180],
    [-90, -180],
    [0, 0],
  ]) {
    const answer = await node.call('/send/location', { json: { ...good, latitude, longitude, name: '', address: 'A' } })
    assert.equal(answer.status, 200)
    const command = node.commands.at(-1)
    const content = { kind: 'location', latitude, longitude, address: 'A' }
    assert.deepEqual(command?.type === 'send' && command.content, content)
  }
})

it('a place that is none is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/location', good, [
    ...badSendFields,
    ['latitude', undefined, 'Invalid request: latitude is required.'],
    ['latitude', null, 'Invalid request: latitude must be number.'],
    ['latitude', '1,5', 'Invalid request: latitude must be number.'],
    ['latitude', 90.001, 'Invalid request: latitude must be <= 90.'],
    ['latitude', -90.001, 'Invalid request: latitude must be >= -90.'],
    ['longitude', undefined, 'Invalid request: longitude is required.'],
    ['longitude', [1], 'Invalid request: longitude must be number.'],
    ['longitude', 180.001, 'Invalid request: longitude must be <= 180.'],
    ['longitude', -1e99, 'Invalid request: longitude must be >= -180.'],
    ['name', 5, 'Invalid request: name must be string.'],
    ['name', 'x'.repeat(1001), /^Invalid request: name must not/],
    ['address', true, 'Invalid request: address must be string.'],
    ['address', 'x'.repeat(1001), /^Invalid request: address must not/],
  ])
})
