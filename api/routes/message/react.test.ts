import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002@s.whatsapp.net', text: '👍', id: '5511999990001:3EB0538DA65A59F6D8A251' }

it('a reaction is answered by the reduced record and by what was done', async (t) => {
  const node = await startFakeNode(t)
  const { status, body } = await node.call('/message/react', { json: good })
  assert.equal(status, 200)
  const [command] = node.commands
  assert.ok(command?.type === 'send')
  assert.deepEqual(command.content, { kind: 'reaction', id: good.id, emoji: '👍' })
  const { messageid } = command
  assert.deepEqual(
    [body.id, body.messageid, body.status, body.success],
    [`5511999990001:${messageid}`, messageid, 'Pending', true],
  )
  assert.deepEqual(body.reaction, { id: messageid, emoji: '👍', timestamp: 1, status: 'sent' })
  const removed = await node.call('/message/react', { json: { ...good, text: '' } })
  const { emoji, status: done } = removed.body.reaction as { emoji: null; status: string }
  assert.deepEqual([emoji, done], [null, 'removed'])
})

it('names the fields that a reaction cannot carry, and sends the reaction', async (t) => {
  const node = await startFakeNode(t)
  const { status, body } = await node.call('/message/react', { json: { ...good, forward: true, mentions: 'all' } })
  const named = ['mentions: a reaction cannot carry it, ignored', 'forward: a reaction cannot carry it, ignored']
  assert.deepEqual([status, body.warnings, node.commands.length], [200, named, 1])
})

it('a reaction that is none is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/message/react', good, [
    ...badSendFields,
    ['id', undefined, 'Missing Id in Payload', 'MISSING_ID'],
    ['id', '', 'Missing Id in Payload', 'MISSING_ID'],
    ['id', 5, 'Invalid request: id must be string.'],
    ['id', ['x'], 'Invalid request: id must be string.'],
    ['id', 'x'.repeat(201), /^Invalid request: id must not/],
    ['id', 'a b', 'Invalid request: id has an invalid format.'],
    ['text', undefined, 'Invalid request: text is required.'],
    ['text', null, 'Invalid request: text must be string.'],
    ['text', 5, 'Invalid request: text must be string.'],
    ['text', 'x'.repeat(101), /^Invalid request: text must not/],
    ['text', 'ok', /must be one emoji/, 'INVALID_EMOJI'],
    ['text', '👍👍', /must be one emoji/, 'INVALID_EMOJI'],
    ['text', ' ', /must be one emoji/, 'INVALID_EMOJI'],
  ])
})
