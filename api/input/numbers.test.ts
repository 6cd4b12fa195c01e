import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isObject } from '../../lib/is-object.js'
import { type JsonSchema, loadSchemas } from '../../schemas/schema-registry.js'
import { newNotes } from './fold.js'
import { completedNumber } from './numbers.js'
import { createValidation } from './validation.js'

// Ours: a path of a schema.

const registry = loadSchemas()
const validation = createValidation(registry)

/** Names of fields that hold numbers of people. */
const NAMES = new Set(['number', 'numbers', 'phone', 'phoneNumber', 'participants', 'mentions', 'chat', 'chatid', 'to'])
/** Fields with these names that hold something else: times of a day, parts of numbers that are searched. */
const OTHERS =
  /^(sender\/\w+\.json .*(window|from|to)|message\/scheduled\.json query\/to|chat\/find\.json|webhook\/|globalwebhook\/|trigger\/|admin\/|instance\/(all|find))/

describe('fields that hold numbers', () => {
  it('are all marked, so that an operation reads them as every other does', () => {
    const unmarked = registry.files.flatMap(({ file, schema }) => {
      const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>
      const parts = ['request', 'query'].flatMap((part) =>
        defs[part] === undefined ? [] : [[part, defs[part]] as const],
      )
      return parts.flatMap(([part, one]) => unmarkedFields(one, `${file} ${part}`))
    })
    assert.deepEqual(
      unmarked.filter((place) => !OTHERS.test(place)),
      [],
    )
  })

  it('take JSON numbers, in lists too', () => {
    const read = (file: string, body: object) => validation.body(file, body, newNotes())
    assert.deepEqual(read('send/text.json', { number: 5511987650010, text: 'x' }), {
      number: '5511987650010',
      text: 'x',
    })
    assert.deepEqual(read('chat/check.json', { numbers: [5511987650010, '1'] }), { numbers: ['5511987650010', '1'] })
    assert.deepEqual(read('group/create.json', { name: 'x', participants: [5511987650010] }), {
      name: 'x',
      participants: ['5511987650010'],
    })
    assert.throws(() => read('send/text.json', { number: 5511987650010.5, text: 'x' }), /number must be string/)
  })

  it('are completed in place, and named in errors', () => {
    const body = {
      messages: [{ number: '011 98765-0010', type: 'contact', phoneNumber: '(11) 98765-0010,5511987650011' }],
    }
    validation.completeNumbers('sender/advanced.json', 'request', body, 'BR')
    assert.deepEqual(body.messages, [
      { number: '011 98765-0010', type: 'contact', phoneNumber: '+5511987650010,5511987650011' },
    ])
    const group = { name: 'x', participants: ['5511987650010', '51987654321'] }
    assert.throws(
      () => validation.completeNumbers('group/create.json', 'request', group, 'BR'),
      /Invalid participants\[1\]: it may be \+51987654321 or \+5551987654321/,
    )
  })
})

it('leaves all that is no national number, and completes a text twice as once', () => {
  for (const text of [
    '5511987650010',
    '+51987654321',
    '15550720001',
    '5511987650010@s.whatsapp.net',
    '777@lid',
    '120363000000000001@g.us',
    '@ana.silva',
    '15550720009:15550720001',
    'all',
    'abc',
    '',
  ])
    assert.equal(completedNumber(text, 'BR', 'number'), text)
  const once = completedNumber('(51) 98765-4321', 'AR', 'number')
  assert.equal(completedNumber(once, 'AR', 'number'), once)
  assert.equal(completedNumber('11987650010.0', 'BR', 'number'), '+5511987650010')
})

function unmarkedFields(schema: JsonSchema, place: string): string[] {
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, inner]) => {
    const at = `${place}/${name}`
    const holder = isObject(inner.items) ? (inner.items as JsonSchema) : inner
    const isText = holder.type === 'string'
    const own = NAMES.has(name) && isText && holder['x-number'] === undefined ? [at] : []
    return [...own, ...unmarkedFields(holder, at)]
  })
}
