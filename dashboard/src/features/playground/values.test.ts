import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiField, ApiOperation } from '../../api/operations.js'
import { makeCallParts } from './values.js'

const makeField = (name: string, place: ApiField['place'], type: ApiField['type']): ApiField => ({
  ...{ name, place, type, isRequired: false, description: '', choices: [], example: '' },
  ...{ minimum: undefined, maximum: undefined, maxLength: undefined },
})

const operation: ApiOperation = {
  ...{ name: 'x', method: 'POST', path: '/a/{id}/b', area: '', summary: '', description: '', header: 'token' },
  fields: [
    makeField('id', 'path', 'text'),
    makeField('limit', 'query', 'number'),
    makeField('text', 'body', 'text'),
    makeField('yes', 'body', 'boolean'),
    makeField('list', 'body', 'json'),
    makeField('mixed', 'body', 'json'),
  ],
}

it('makes the call of what was typed, and leaves out what was not', () => {
  const typed = { 'path id': 'a/b', 'query limit': '5', 'body yes': 'false', 'body list': '[1]', 'body mixed': 'plain' }
  assert.deepEqual(makeCallParts(operation, typed), {
    path: '/a/a%2Fb/b?limit=5',
    params: ['a/b'],
    query: { limit: 5 },
    body: { yes: false, list: [1], mixed: 'plain' },
    wrong: [],
  })
})

it('names what does not fit its type', () => {
  const { wrong, body } = makeCallParts(operation, { 'query limit': 'many', 'body list': '[1' })
  assert.deepEqual([wrong, body], [['query limit', 'body list'], {}])
})
