import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const good = { number: '5511999990002', amount: 10, pixKey: '123e4567-e89b-12d3-a456-426614174000' }
const BOLETO = '03399.02585 97800.000006 00000.101012 1 99990000014990'

it('a request for a payment is taken by Pix, link and boleto, in hundredths', async (t) => {
  const node = await startFakeNode(t)
  const texts = { title: '', text: '', footer: '', item: 'Payment', reference: '' }
  const pix = { type: 'EVP', key: good.pixKey, name: 'Pix' }
  for (const [body, payment] of [
    [{ amount: 0.07 }, { ...texts, amountCents: 7, pix }],
    [{ amount: '1234.56' }, { ...texts, amountCents: 123_456, pix }],
    [
      { title: ' T ', invoiceNumber: 'A-1' },
      { ...texts, title: ' T ', item: 'T', reference: 'A-1', amountCents: 1_000, pix },
    ],
    [
      { pixKey: '', paymentLink: 'https://pay.example/x', boletoCode: BOLETO, itemName: 'Oranges' },
      {
        ...texts,
        item: 'Oranges',
        amountCents: 1_000,
        link: 'https://pay.example/x',
        boleto: BOLETO.replaceAll(/[ .]/g, ''),
      },
    ],
    [
      { pixType: 'phone', pixKey: '+5511999999999', pixName: 'Ana' },
      { ...texts, amountCents: 1_000, pix: { type: 'PHONE', key: '+5511999999999', name: 'Ana' } },
    ],
  ] as const) {
    const answer = await node.call('/send/request-payment', { json: { ...good, ...body } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const command = node.commands.at(-1)
    assert.deepEqual(command?.type === 'send' && command.content, { kind: 'payment', payment })
  }
})

it('a request for a payment that nobody could pay is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/request-payment', good, [
    ...badSendFields,
    ['amount', undefined, 'Invalid request: amount is required.'],
    ['amount', null, 'Invalid request: amount must be number.'],
    ['amount', 'ten', 'Invalid request: amount must be number.'],
    ['amount', 0, /^Invalid request: amount must be >=/],
    ['amount', -5, /^Invalid request: amount must be >=/],
    ['amount', 1e9, /^Invalid request: amount must be <=/],
    ['amount', 1.005, 'Invalid request: amount must have at most two decimals.'],
    ['pixKey', undefined, 'Missing pixKey or pixCode'],
    ['pixKey', ' ', 'Missing pixKey or pixCode'],
    ['pixKey', 'nobody', 'Invalid request: pixKey is not a UUID.'],
    ['pixKey', 'x'.repeat(201), /^Invalid request: pixKey must not/],
    ['pixType', 'IBAN', /^Invalid keyType/],
    ['paymentLink', 'http://pay.example/x', 'Invalid request: paymentLink must be an https address.'],
    ['paymentLink', 'javascript:alert(1)', 'Invalid request: paymentLink must be an https address.'],
    ['paymentLink', 'https://me:secret@pay.example', 'Invalid request: paymentLink must be an https address.'],
    ['paymentLink', `https://pay.example/${'x'.repeat(2_000)}`, /^Invalid request: paymentLink must not/],
    ['boletoCode', '123', 'Invalid request: boletoCode must have 47 or 48 digits.'],
    ['boletoCode', 'x'.repeat(101), /^Invalid request: boletoCode must not/],
    ['invoiceNumber', 'a b', /^Invalid request: invoiceNumber has an invalid format/],
    ['invoiceNumber', 'x'.repeat(36), /^Invalid request: invoiceNumber must not/],
    ['text', 'x'.repeat(4_097), /^Invalid request: text must not/],
    ['title', 5, 'Invalid request: title must be string.'],
    ['itemName', 'x'.repeat(201), /^Invalid request: itemName must not/],
    ['fileUrl', 'a file', 'Invalid request: fileUrl is neither an http or https URL nor base64.'],
  ])
})
