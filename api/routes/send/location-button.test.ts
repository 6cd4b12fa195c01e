import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', text: 'Where are you?' }

it('a button for the location is sent with its text', async (t) => {
  const node = await startFakeNode(t)
  assert.equal((await node.call('/send/location-button', { json: good })).status, 200)
  const command = node.commands.at(-1)
  assert.deepEqual(command?.type === 'send' && command.content, { kind: 'locationRequest', text: good.text })
})

it('a button for the location without a text is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/location-button', good, [
    ...badSendFields,
    ['text', undefined, 'Invalid request: text is required.'],
    ['text', '', /^Invalid request: text must not/],
    ['text', 5, 'Invalid request: text must be string.'],
    ['text', 'x'.repeat(4_097), /^Invalid request: text must not/],
  ])
})
