import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FunctionDefinition, findInFunction, isEndpoint, isSound } from './function-rules.js'

const sound: FunctionDefinition = {
  endpoint: 'https://api.example/orders/{{order}}?limit={{ limit }}',
  headers: '{"authorization":"Bearer {{key}}"}',
  body: '{"note":"{{note}}"}',
  parameters: [
    { name: 'order', type: 'string', required: true, enum: 'open,closed' },
    { name: 'limit', type: 'integer', minimum: 1, maximum: 10 },
    { name: 'key', type: 'string' },
    { name: 'note', type: 'string' },
  ],
}
const found = (fields: Partial<FunctionDefinition>) => findInFunction({ ...sound, ...fields })

describe('a function', () => {
  it('is sound when every placeholder has a parameter and everything is JSON', () => {
    assert.equal(isSound(found({})), true)
    assert.equal(isSound(found({ headers: '', body: '' })), true)
  })

  it('needs a parameter for each placeholder, in the same case of letters', () => {
    assert.deepEqual(found({ endpoint: 'https://api.example/{{Order}}/{{id}}/{{id}}' }).undocumented, ['Order', 'id'])
    assert.deepEqual(found({ parameters: [] }).undocumented, ['order', 'limit', 'key', 'note'])
  })

  it('is checked as fast as any other if its text is hostile', () => {
    // With a pattern that cuts spaces at both ends of a name it would take hours.
    const spaces = `{{${' '.repeat(50_000)}`
    assert.deepEqual(found({ body: spaces, parameters: [] }).undocumented, ['order', 'limit', 'key'])
    assert.equal(isEndpoint(`https://a.example/${spaces}`), false)
  })

  it('needs JSON objects as headers and body, headers of texts', () => {
    for (const headers of ['{', '[]', '"x"', '{"n":1}']) assert.equal(found({ headers }).hasHeaderError, true, headers)
    for (const body of ['{', '[]', '1']) assert.equal(found({ body }).hasBodyError, true, body)
    assert.equal(found({ body: '{"n":1}' }).hasBodyError, false)
  })

  it('needs parameters with names of their own, known types, limits and values that can be', () => {
    for (const [parameter, problem] of [
      [{ name: 'key', type: 'string' }, 'parameter key: the name is taken twice'],
      [{ type: 'string' }, 'parameter 5: it has no name'],
      [{ name: 'x', type: 'date' }, 'parameter x: type must be one of string, number, integer, boolean'],
      [{ name: 'x', type: 'string', enum: 'a,,b' }, 'parameter x: enum has an empty value'],
      [{ name: 'a/b', type: 'string' }, 'parameter a/b: the name must not have /, ?, # or &'],
      [{ name: 'x', type: 'boolean', enum: 'a' }, 'parameter x: only strings have an enum'],
      [{ name: 'x', type: 'number', minimum: 2, maximum: 1 }, 'parameter x: minimum is above maximum'],
      [{ name: 'x', type: 'string', minimum: 2 }, 'parameter x: only numbers have a minimum and a maximum'],
    ] as const)
      assert.deepEqual(found({ parameters: [...sound.parameters, parameter] }).problems, [problem])
  })

  it('may use the placeholders of the gateway, and has no parameter of their names', () => {
    const endpoint =
      'https://api.example/{{chat.phone}}?name={{ chat.name }}&lead={{chat.lead_field01}}&no={{chat.other}}'
    assert.deepEqual(found({ endpoint }).undocumented, ['chat.other'])
    const parameters = [...sound.parameters, { name: 'chat.phone', type: 'string' }]
    assert.match(found({ parameters }).problems[0] ?? '', /the gateway fills \{\{chat\.phone\}\}/)
  })

  it('has headers that HTTP takes and the gateway does not set', () => {
    for (const [headers, problem] of [
      [{ Host: 'a' }, 'header Host: the gateway sets it'],
      [{ 'x a': 'a' }, 'header "x a": the name is not allowed in HTTP'],
      [{ 'x-a': 'a\r\nb: c' }, 'header x-a: the value has a line break or another control character'],
    ] as const)
      assert.deepEqual(found({ headers: JSON.stringify(headers) }).problems, [problem])
  })

  it('is called by a full URL, with placeholders in its path and query only', () => {
    for (const url of ['https://a.example/{{x}}', 'http://a.example?q={{x}}', 'https://a.example:8443/'])
      assert.equal(isEndpoint(url), true, url)
    for (const url of [
      'a.example/x',
      '/x',
      'ftp://a.example',
      'https://{{host}}/x',
      'https://',
      'https://a b/',
      'https:///{{host}}/x',
    ])
      assert.equal(isEndpoint(url), false, url)
  })
})
