import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { id: '3EB0538DA65A59F6D8A251', text: 'better' }

it('answers an edit with the reduced record, under a new id', async (t) => {
  const node = await startFakeNode(t)
  const { status, body } = await node.call('/message/edit', { json: good })
  assert.equal(status, 200)
  const [command] = node.commands
  assert.ok(command?.type === 'revise')
  assert.deepEqual([command.id, command.revision], [good.id, { kind: 'edit', text: 'better' }])
  assert.match(command.messageid, /^3EB0[0-9A-F]{36}$/)
  assert.deepEqual([body.messageid, body.edited, body.status], [command.messageid, good.id, 'Pending'])
})

it('an edit that is none is refused, and nothing is asked', async (t) => {
  await assertRefuses(t, '/message/edit', good, [
    ['id', undefined, 'Missing Id in Payload', 'MISSING_ID'],
    ['id', '', 'Missing Id in Payload', 'MISSING_ID'],
    ['id', 5, 'Invalid request: id must be string.'],
    ['id', 'x'.repeat(201), /^Invalid request: id must not/],
    ['id', 'a b', 'Invalid request: id has an invalid format.'],
    ['text', undefined, 'Invalid request: text is required.'],
    ['text', null, 'Invalid request: text must be string.'],
    ['text', ['a'], 'Invalid request: text must be string.'],
    ['text', '', /^Invalid request: text must not/],
    ['text', 'x'.repeat(65_537), /^Invalid request: text must not/],
  ])
})
