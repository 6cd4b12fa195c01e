import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAllowedValues, listFilledByGateway, makeArguments } from './trial-fields.js'

const ORDER = {
  id: 'r0123456789abcdef',
  name: 'find_order',
  method: 'GET',
  endpoint: 'https://api.example/{{order}}?phone={{chat.phone}}&again={{ chat.phone }}',
  active: true,
  headers: '{"of":"{{instance.name}}"}',
  body: '',
  undocumentedParameters: '',
  header_error: false,
  body_error: false,
} as const

it('finds the placeholders that the gateway fills, each once', () => {
  assert.deepEqual(listFilledByGateway(ORDER), ['chat.phone', 'instance.name'])
})

it('gives numbers and yes or no as a model does, and leaves out what is empty', () => {
  const parameters = [
    { name: 'order', type: 'string' },
    { name: 'limit', type: 'integer' },
    { name: 'price', type: 'number' },
    { name: 'paid', type: 'boolean' },
    { name: 'note', type: 'string' },
  ]
  assert.deepEqual(makeArguments(parameters, { order: '7', limit: '3', price: 'x', paid: 'false', note: '' }), {
    order: '7',
    limit: 3,
    price: 'x',
    paid: false,
  })
})

it('offers the allowed values of a parameter', () => {
  assert.deepEqual(listAllowedValues({ type: 'string', enum: ' a, b,' }), ['a', 'b'])
  assert.deepEqual(listAllowedValues({ type: 'boolean' }), ['true', 'false'])
  assert.deepEqual(listAllowedValues({ type: 'string' }), [])
})
