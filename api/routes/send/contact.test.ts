import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', fullName: 'Ana Silva', phoneNumber: '5511999990003' }

it('a contact is taken with its numbers in any spelling', async (t) => {
  const node = await startFakeNode(t)
  const answer = await node.call('/send/contact', {
    json: { ...good, phoneNumber: '+55 (11) 99999-0003, 5511999990004', email: 'ana@example.org', organization: '' },
  })
  assert.equal(answer.status, 200)
  const [command] = node.commands
  assert.deepEqual(command?.type === 'send' && command.content, {
    kind: 'contact',
    fullName: 'Ana Silva',
    phoneNumbers: ['5511999990003', '5511999990004'],
    email: 'ana@example.org',
  })
})

it('a contact that is not one is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/contact', good, [
    ...badSendFields,
    ['fullName', undefined, 'Invalid request: fullName is required.'],
    ['fullName', null, 'Invalid request: fullName must be string.'],
    ['fullName', '', /^Invalid request: fullName must not/],
    ['fullName', 'x'.repeat(501), /^Invalid request: fullName must not/],
    ['phoneNumber', undefined, 'Invalid request: phoneNumber is required.'],
    ['phoneNumber', true, 'Invalid request: phoneNumber must be string.'],
    ['phoneNumber', ['5511999990003'], 'Invalid request: phoneNumber must be string.'],
    ['phoneNumber', '', /^Invalid request: phoneNumber must not/],
    ['phoneNumber', Array(21).fill('5511999990003').join(), /^Invalid request: phoneNumber has an invalid format/],
    ['phoneNumber', '5511999990003,', /^Invalid phoneNumber/, 'INVALID_NUMBER'],
    ['phoneNumber', '5511999990003,abc', /^Invalid phoneNumber/, 'INVALID_NUMBER'],
    ['phoneNumber', '12345', /^Invalid phoneNumber/, 'INVALID_NUMBER'],
    ['organization', 5, 'Invalid request: organization must be string.'],
    ['organization', 'x'.repeat(501), /^Invalid request: organization must not/],
    ['email', false, 'Invalid request: email must be string.'],
    ['email', 'x'.repeat(501), /^Invalid request: email must not/],
    ['url', {}, 'Invalid request: url must be string.'],
    ['url', 'x'.repeat(2001), /^Invalid request: url must not/],
  ])
})
