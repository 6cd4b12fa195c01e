import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeParameters, readParameterRows } from './parameter-rows.js'

it('keeps the parameters of a function through the form', () => {
  const list = [
    { name: 'city', type: 'string', description: 'City', required: true, enum: 'Rio,Recife' },
    { name: 'count', type: 'integer', minimum: 1, maximum: 5 },
    { name: 'fast', type: 'boolean' },
  ]
  assert.deepEqual(makeParameters(readParameterRows(list) ?? []), list)
  assert.deepEqual(makeParameters(readParameterRows(JSON.stringify(list)) ?? []), list)
})

it('leaves out what does not belong to the type, and refuses what is not a list of objects', () => {
  const [row] = readParameterRows([{ name: ' a ', type: 'number', minimum: 1, enum: 'x' }]) ?? []
  assert.ok(row)
  assert.deepEqual(makeParameters([row, { ...row, type: 'boolean' }]), [
    { name: 'a', type: 'number', minimum: 1 },
    { name: 'a', type: 'boolean' },
  ])
  for (const wrong of ['{', '{}', '[1]', '[null]', 5]) assert.equal(readParameterRows(wrong), null)
})
