import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FunctionParameter } from '../../../schemas/function-rules.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import { toCallRecord } from './answer-text.js'
import { checkArguments } from './arguments.js'
import { functionTools } from './definitions.js'
import { fillRequest, ValueRefused } from './request.js'

const row = (more: Partial<FunctionRow> = {}): FunctionRow => ({
  id: 'r1',
  name: 'find_order',
  description: 'Finds an order.',
  method: 'POST',
  endpoint: 'https://api.example/orders',
  active: true,
  headers: '',
  body: '',
  parameters: [],
  undocumented: '',
  headerError: false,
  bodyError: false,
  retrySafe: false,
  created: new Date(0),
  updated: new Date(0),
  ...more,
})
const listParameters = (parameters: readonly FunctionParameter[], more: Partial<FunctionRow> = {}) =>
  functionTools([row({ parameters, ...more })], null).tools[0]?.parameters ?? []

describe('functions as tools', () => {
  it('are the active ones that the agent may call', () => {
    const rows = [row(), row({ id: 'r2', name: 'other' }), row({ id: 'r3', name: 'off', active: false })]
    const names = (chosen: readonly string[] | null) => functionTools(rows, chosen).tools.map(({ model }) => model.name)
    assert.deepEqual(names(null), ['find_order', 'other'])
    assert.deepEqual(names(['r2', 'r3']), ['other'])
    assert.deepEqual(names(['find_order']), ['find_order'])
    assert.deepEqual(names([]), [])
  })

  it('have names, parameters and descriptions that all providers take', () => {
    const parameters = [
      { name: 'número', type: 'integer', description: 'Amount', minimum: 1, maximum: 9 },
      { name: 'numero', type: 'string', enum: 'a, b' },
      { name: 'constructor', type: 'boolean' },
      { name: 'chat.phone', type: 'string', required: true },
      { name: '2nd', type: 'string', required: true },
    ]
    const rows = [
      row({ name: '2x', parameters, description: 'd'.repeat(3_000) }),
      row({ name: 'transfer_to_human', description: '' }),
      row({
        name: 'f_2x',
        endpoint: 'https://api.example/{{a}}?b={{b}}',
        parameters: [
          { name: 'a', type: 'string' },
          { name: 'b', type: 'string' },
        ],
      }),
    ]
    const [first, second, third] = functionTools(rows, null).tools.map(({ model }) => model)
    assert.equal(first?.name, 'f_2x')
    assert.equal(first?.description.length, 1_024)
    assert.deepEqual(first?.parameters, {
      type: 'object',
      properties: {
        numero: { type: 'integer', description: 'Amount Minimum: 1. Maximum: 9.' },
        numero_2: { type: 'string', enum: ['a', 'b'] },
        p_constructor: { type: 'boolean' },
        p_2nd: { type: 'string' },
      },
      required: ['p_2nd'],
      additionalProperties: false,
    })
    assert.deepEqual(
      [second?.name, second?.description],
      ['transfer_to_human_2', 'Calls the function transfer_to_human.'],
    )
    assert.equal(third?.name, 'f_2x_2')
    // A path without a part leads elsewhere.
    assert.deepEqual((third?.parameters as { required: unknown } | undefined)?.required, ['a'])
  })

  it('are at most as many as a provider takes, with a warning', () => {
    const rows = Array.from({ length: 200 }, (_, index) => row({ id: `r${index}`, name: `f${index}` }))
    const { tools, warnings } = functionTools(rows, null)
    assert.equal(tools.length, 126)
    assert.match(warnings[0] ?? '', /74 are left out/)
  })
})

describe('arguments of a model', () => {
  const parameters = listParameters([
    { name: 'order', type: 'string', required: true },
    { name: 'limit', type: 'integer', minimum: 1, maximum: 10 },
    { name: 'price', type: 'number' },
    { name: 'gift', type: 'boolean' },
    { name: 'kind', type: 'string', enum: 'open,closed' },
  ])
  const taken = (given: unknown) => {
    const checked = checkArguments(typeof given === 'string' ? given : JSON.stringify(given), parameters)
    return checked.isValid ? Object.fromEntries(checked.values) : checked.text
  }

  it('are taken in the types of the definition, also if they were only written in another', () => {
    assert.deepEqual(taken({ order: 'A', limit: 10, price: 1.5, gift: false, kind: 'open' }), {
      order: 'A',
      limit: 10,
      price: 1.5,
      gift: false,
      kind: 'open',
    })
    assert.deepEqual(taken({ order: 12, limit: '3', price: ' -1.5 ', gift: 'true', kind: null }), {
      order: '12',
      limit: 3,
      price: -1.5,
      gift: true,
    })
  })

  it('are refused with words that name the parameter and its limits', () => {
    for (const [given, words] of [
      [{}, '"order" is missing'],
      [{ order: null }, '"order" is missing'],
      [{ order: 'A', limit: 11 }, '"limit" must be at most 10'],
      [{ order: 'A', limit: 0 }, '"limit" must be at least 1'],
      [{ order: 'A', limit: 1.5 }, '"limit" must be a whole number'],
      [{ order: 'A', price: 'cheap' }, '"price" must be a number'],
      [{ order: 'A', kind: 'lost' }, '"kind" must be one of "open", "closed"'],
      [{ order: ['A'] }, '"order" must be a string'],
      [{ order: 'A', other: 1 }, '"other" is not a parameter'],
      ['{"order":12345678901234567890}', '"order" must be a string: as a number it loses digits'],
      ['{"order":"A","price":1e999}', '"price" must be a number'],
      ['{"order":"A"', 'not one valid JSON object'],
      ['["A"]', 'not one valid JSON object'],
      [`{"order":"${'x'.repeat(40_000)}"}`, 'longer than'],
    ] as const) {
      const text = taken(given)
      assert.ok(
        typeof text === 'string' && text.includes(words),
        `${JSON.stringify(given).slice(0, 80)}: ${String(text)}`,
      )
    }
  })

  it('cannot reach what every object has', () => {
    assert.match(String(taken('{"order":"A","__proto__":{"limit":3}}')), /"__proto__" is not a parameter/)
    assert.match(String(taken('{"constructor":"A"}')), /"order" is missing/)
    const hostile = listParameters([
      { name: '__proto__', type: 'string', required: true },
      { name: 'toString', type: 'string', required: true },
    ])
    assert.equal(checkArguments('{}', hostile).isValid, false)
    const checked = checkArguments('{"p___proto__":"a","p_toString":"b"}', hostile)
    assert.deepEqual(checked.isValid && [...checked.values], [
      ['__proto__', 'a'],
      ['toString', 'b'],
    ])
  })

  it('may be nothing where nothing is needed', () => {
    assert.equal(checkArguments('', listParameters([])).isValid, true)
  })
})

describe('the request of a function', () => {
  const none = new Map<string, string>()
  const fill = (
    more: Partial<FunctionRow>,
    values: Record<string, string | number | boolean>,
    reserved: Record<string, string> = {},
  ) => fillRequest(row(more), new Map(Object.entries(values)), new Map(Object.entries(reserved)))
  const refusedBy = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      if (error instanceof ValueRefused) return error.message
      throw error
    }
    return 'taken'
  }

  it('has values encoded for path and query, and no pair of an absent one', () => {
    const endpoint = 'https://api.example/a/{{ id }}/b.{{kind}}?q={{q}}&fixed=1&x={{x}}-{{q}}#{{id}}'
    const { url } = fill({ endpoint }, { id: 'A/B ?#%2e', kind: 'ü', q: 'a&b=c' })
    assert.equal(url.href, 'https://api.example/a/A%2FB%20%3F%23%252e/b.%C3%BC?q=a%26b%3Dc&fixed=1')
    assert.equal(fill({ endpoint: 'https://api.example/x?q={{q}}' }, {}).url.href, 'https://api.example/x')
    assert.equal(fill({ endpoint: 'https://api.example/?q={{q}}' }, { q: '\ud800' }).url.search, '?q=%EF%BF%BD')
  })

  it('never leads to another path or host', () => {
    const endpoint = 'https://api.example/users/{{id}}/orders'
    for (const id of ['..', '.', ''])
      assert.notEqual(
        refusedBy(() => fill({ endpoint }, { id })),
        'taken',
        JSON.stringify(id),
      )
    assert.notEqual(
      refusedBy(() => fill({ endpoint: 'https://api.example/.{{id}}/x' }, { id: '.' })),
      'taken',
    )
    assert.notEqual(
      refusedBy(() => fill({ endpoint }, {})),
      'taken',
    )
    for (const id of ['../admin', '..%2fadmin', '\\..\\admin', '//evil.example', '@evil.example'])
      assert.equal(fill({ endpoint }, { id }).url.pathname, `/users/${encodeURIComponent(id)}/orders`)
    for (const host of ['https://{{h}}/x', 'https:///{{h}}/x', 'https://a.{{h}}/', 'https://api.example:{{h}}/'])
      assert.notEqual(
        refusedBy(() => fill({ endpoint: host }, { h: 'evil.example' })),
        'taken',
        host,
      )
  })

  it('has a body of JSON in which values cannot break out, and whole values keep their type', () => {
    const body = JSON.stringify({
      price: '{{price}}',
      note: 'for "{{name}}"',
      list: ['{{gift}}', '{{absent}}', 1],
      absent: 'x {{absent}}',
      'key-{{name}}': true,
      deep: { absent: '{{absent}}' },
    })
    const { body: filled, headers } = fill({ body }, { price: 9.5, name: 'a","b":"c', gift: false })
    assert.deepEqual(JSON.parse(filled ?? ''), {
      price: 9.5,
      note: 'for "a","b":"c"',
      list: [false, 1],
      'key-a","b":"c': true,
      deep: {},
    })
    assert.equal(headers['content-type'], 'application/json')
    const hostile = fill({ body: '{"{{name}}":{"admin":true}}' }, { name: '__proto__' })
    assert.equal(hostile.body, '{"__proto__":{"admin":true}}')
    assert.equal(fill({ method: 'GET', body }, { price: 1 }).body, null)
  })

  it('has headers that no value ends, and none of an absent value', () => {
    const headers = JSON.stringify({
      authorization: 'Bearer {{key}}',
      'x-name': '{{chat.name}}',
      host: 'evil',
      'x-a': '{{a}}',
    })
    const filled = fill({ headers }, { key: 'k' }, { 'chat.name': 'João\r\nX-Admin: 1' }).headers
    assert.deepEqual(Object.keys(filled), ['authorization', 'x-name'])
    assert.equal(Buffer.from(filled['x-name'] ?? '', 'latin1').toString('utf8'), 'João X-Admin: 1')
    for (const key of ['a\r\nb: c', 'a\nb', 'a\0', 'a\u007f', 'x'.repeat(5_000)])
      assert.notEqual(
        refusedBy(() => fill({ headers }, { key })),
        'taken',
        JSON.stringify(key.slice(0, 10)),
      )
  })

  it('gets the facts about the customer from the gateway, whatever the model writes', () => {
    const endpoint = 'https://api.example/customers/{{chat.phone}}?name={{chat.name}}'
    const { url } = fill({ endpoint }, { 'chat.phone': '111' }, { 'chat.phone': '5511999990001' })
    assert.equal(url.href, 'https://api.example/customers/5511999990001')
    // Without the number, the function would answer for all customers.
    assert.match(
      refusedBy(() => fillRequest(row({ endpoint }), new Map([['chat.phone', '1']]), none)),
      /chat\.phone/,
    )
    const inQuery = 'https://api.example/customers?phone={{chat.phone}}'
    assert.match(
      refusedBy(() => fill({ endpoint: inQuery }, { 'chat.phone': '1' })),
      /not known/,
    )
  })
})

describe('the record of a call', () => {
  it('masks arguments that are named like secrets', () => {
    const { arguments: text } = toCallRecord({ name: 'x', arguments: '{"apiKey":"sk-1","order":"A","senha":"b"}' })
    assert.deepEqual(JSON.parse(text), { apiKey: '***', order: 'A', senha: '***' })
    assert.equal(toCallRecord({ name: 'x', arguments: '{"token":"sk-1' }).arguments, '***')
  })
})
