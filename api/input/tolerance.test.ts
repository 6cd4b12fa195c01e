import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import { newNotes } from './fold.js'
import { createValidation } from './validation.js'

const validation = createValidation(loadSchemas())
const text = { number: '5511999990001', text: 'Olá' }

function taken(file: string, body: Readonly<Record<string, unknown>>) {
  const notes = newNotes()
  return { body: validation.body(file, body, notes) as Record<string, unknown>, ...notes }
}

describe('a body', () => {
  it('may hold null for optional fields, which count as absent without a warning', () => {
    const { body, warnings, unknown } = taken('send/text.json', { ...text, delay: null, replyid: null, async: null })
    assert.deepEqual(body, text)
    assert.deepEqual([warnings, unknown], [[], []])
  })

  it('is refused for its length alone if it is far too long, whatever else is wrong with its parts', () => {
    const wrongParts = Array.from({ length: 500 }, () => false)
    const menu = { number: '5511999990001', type: 'list', text: 'Menu', choices: wrongParts }
    assert.throws(
      () => taken('send/menu.json', menu),
      (error) => {
        assert.ok(error instanceof GatewayError)
        assert.match(error.message, /choices must not have more than 200 items/)
        assert.doesNotMatch(JSON.stringify(error.details ?? []), /choices\[/)
        return true
      },
    )
  })

  it('may not hold null for a required field', () => {
    assert.throws(() => taken('send/text.json', { ...text, text: null }), /text must be string/)
  })

  it('may hold a phone number as a JSON number', () => {
    assert.equal(taken('send/text.json', { ...text, number: 5511999990001 }).body.number, '5511999990001')
    assert.equal(taken('instance/connect.json', { phone: 5511999990001 }).body.phone, '5511999990001')
    for (const [file, body, field, taken_] of [
      ['chat/check.json', { numbers: [5511999990001, '5511999990002'] }, 'numbers', ['5511999990001', '5511999990002']],
      ['sender/simple.json', { numbers: [5511999990001], type: 'text' }, 'numbers', ['5511999990001']],
      ['suppression/add.json', { numbers: [5511999990001] }, 'numbers', ['5511999990001']],
      ['group/create.json', { name: 'Team', participants: [5511999990001] }, 'participants', ['5511999990001']],
      ['send/text.json', { ...text, mentions: 5511999990001 }, 'mentions', '5511999990001'],
      ['send/contact.json', { ...text, fullName: 'A', phoneNumber: 5511999990001 }, 'phoneNumber', '5511999990001'],
      ['message/find.json', { chatid: 5511999990001 }, 'chatid', '5511999990001'],
      ['instance/keys-create.json', { name: 'A', scopes: ['read'], chat: 5511999990001 }, 'chat', '5511999990001'],
      ['chat/edit-lead.json', { id: 5511999990001, lead_name: 'A' }, 'id', '5511999990001'],
      ['chat/labels.json', { number: 5511999990001, labelids: [1, 20] }, 'labelids', ['1', '20']],
      ['mcp/send-message.json', { to: 5511999990001, text: 'a' }, 'to', '5511999990001'],
    ] as const)
      assert.deepEqual(taken(file, body).body[field], taken_, file)
    for (const number of [1.5, -5, 2 ** 60, true])
      assert.throws(() => taken('send/text.json', { ...text, number }), /number must be string/)
  })

  it('may hold numbers and truth values as text, with a warning that says how they were read', () => {
    const { body, warnings } = taken('send/text.json', { ...text, delay: ' 1500 ', readchat: 'TRUE', async: 'false' })
    assert.deepEqual([body.delay, body.readchat, body.async], [1500, true, false])
    assert.deepEqual(warnings, [
      'delay: the text "1500" was read as the number 1500',
      'readchat: the text "TRUE" was read as true',
      'async: the text "false" was read as false',
    ])
    const place = { number: '5511999990001', latitude: '-23.5505', longitude: '-46.6333' }
    assert.equal(taken('send/location.json', place).body.latitude, -23.5505)
  })

  it('may not hold texts whose meaning is not certain', () => {
    for (const [field, value, why] of [
      ['delay', '1,5', 'must be integer'],
      ['delay', '1.5', 'must be integer'],
      ['delay', '1e3', 'must be integer'],
      ['delay', '9'.repeat(30), 'must be integer'],
      ['delay', true, 'must be integer'],
      ['readchat', 'sim', 'must be boolean'],
      ['readchat', '1', 'must be boolean'],
      ['readchat', 1, 'must be boolean'],
    ] as const)
      assert.throws(() => taken('send/text.json', { ...text, [field]: value }), new RegExp(`${field} ${why}`))
    assert.throws(() => taken('send/text.json', { ...text, delay: '-5' }), /delay must be >= 0/)
  })

  it('may leave numbers and truth values empty, with a warning', () => {
    const { body, warnings } = taken('send/text.json', { ...text, delay: '', readchat: ' ' })
    assert.deepEqual(body, text)
    assert.equal(warnings.length, 2, warnings.join())
  })

  it('with a field that is known and cannot be served is refused with 501 and a sentence', () => {
    for (const [file, body, field] of [
      ['instance/connect.json', { PROXY_MANAGED_COUNTRY: 'br' }, 'PROXY_MANAGED_COUNTRY'],
      ['instance/connect.json', { proxy_managed_country: 'br' }, 'proxy_managed_country'],
    ] as const)
      assert.throws(
        () => taken(file, body),
        (error) =>
          error instanceof GatewayError && error.code === 'NOT_SUPPORTED' && error.message.startsWith(`${field}: `),
      )
    assert.doesNotThrow(() => taken('send/text.json', { ...text, send_at: null }))
    assert.doesNotThrow(() => taken('instance/connect.json', { proxy_managed_country: '' }))
  })

  it('of thousands of odd fields gets a bounded list of notes', () => {
    const odd = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`odd${index}`, 1]))
    assert.ok(taken('send/text.json', { ...text, ...odd }).unknown.length <= 50)
  })
})
