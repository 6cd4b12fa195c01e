import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', pixType: 'CPF', pixKey: '529.982.247-25' }
const notAllowed = 'Invalid keyType. Allowed: CPF, CNPJ, PHONE, EMAIL, EVP'

it('a payment key is taken in any case and spelling, under the name Pix unless one is given', async (t) => {
  const node = await startFakeNode(t)
  for (const [body, key] of [
    [
      { pixType: 'cpf', pixName: '' },
      { type: 'CPF', key: '52998224725', name: 'Pix' },
    ],
    [
      { pixType: 'Phone', pixKey: '(11) 99999-9999', pixName: ' Ana ' },
      { type: 'PHONE', key: '+5511999999999', name: 'Ana' },
    ],
  ] as const) {
    assert.equal((await node.call('/send/pix-button', { json: { ...good, ...body } })).status, 200)
    const command = node.commands.at(-1)
    assert.deepEqual(command?.type === 'send' && command.content, { kind: 'pix', key })
  }
})

it('a payment key that is none is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/pix-button', good, [
    ...badSendFields,
    ['pixType', undefined, notAllowed],
    ['pixType', null, notAllowed],
    ['pixType', 5, 'Invalid request: pixType must be string.'],
    ['pixType', '', notAllowed],
    ['pixType', 'IBAN', notAllowed],
    ['pixType', 'x'.repeat(21), /^Invalid request: pixType must not/],
    ['pixKey', undefined, 'Invalid request: pixKey is required.'],
    ['pixKey', null, 'Invalid request: pixKey must be string.'],
    ['pixKey', true, 'Invalid request: pixKey must be string.'],
    ['pixKey', '', /^Invalid request: pixKey must not/],
    ['pixKey', 'x'.repeat(201), /^Invalid request: pixKey must not/],
    ['pixKey', '529.982.247-24', 'Invalid request: pixKey has wrong check digits for a CPF.'],
    ['pixKey', 'ana@example.com', 'Invalid request: pixKey is not a CPF of 11 digits.'],
    ['pixName', 5, 'Invalid request: pixName must be string.'],
    ['pixName', 'x'.repeat(101), /^Invalid request: pixName must not/],
  ])
})

it('a payment key without the right token is answered with Invalid token', async (t) => {
  const node = await startFakeNode(t)
  const answer = await node.call('/send/pix-button', { json: good, headers: { token: 'wrong' } })
  assert.deepEqual([answer.status, answer.body.error], [401, 'Invalid token'])
  assert.deepEqual(node.commands, [])
})
