import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

it('a deletion is answered by the id of the message and a time', async (t) => {
  const node = await startFakeNode(t)
  const { status, body } = await node.call('/message/delete', { json: { id: '3EB0538DA65A59F6D8A251' } })
  assert.deepEqual([status, body], [200, { timestamp: 1, id: '3EB0538DA65A59F6D8A251' }])
  const [command] = node.commands
  assert.deepEqual(command?.type === 'revise' && command.revision, { kind: 'delete' })
})

it('a deletion that is none is refused, and nothing is asked', async (t) => {
  await assertRefuses(t, '/message/delete', { id: 'A' }, [
    ['id', undefined, 'Missing Id in Payload', 'MISSING_ID'],
    ['id', '', 'Missing Id in Payload', 'MISSING_ID'],
    ['id', 5, 'Invalid request: id must be string.'],
    ['id', ['A'], 'Invalid request: id must be string.'],
    ['id', 'x'.repeat(201), /^Invalid request: id must not/],
    ['id', 'ä', 'Invalid request: id has an invalid format.'],
  ])
})
