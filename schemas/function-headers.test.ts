import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import { changedHeaders, maskHeaderLines } from './function-rules.js'

const stored = JSON.stringify({
  authorization: 'Bearer key-of-the-shop',
  'x-customer': '{{chat.phone}}',
  'x-both': 'secret {{name}} secret',
  'content-type': 'text/plain',
})
const shown = JSON.stringify({
  authorization: '***',
  'x-customer': '{{chat.phone}}',
  'x-both': '***{{name}}***',
  'content-type': 'text/plain',
})

describe('headers of a function', () => {
  it('are shown with their names and placeholders and without their values', () => {
    assert.equal(maskHeaderLines(stored), shown)
    assert.equal(maskHeaderLines(''), '')
    for (const text of ['Authorization: Bearer key', '["key"]', '"key"', '{"a":'])
      assert.equal(maskHeaderLines(text), '***', text)
    assert.equal(maskHeaderLines('{"a":{"key":1},"b":7}'), '{"a":"***","b":"***"}')
  })

  it('stay where an edit leaves them out or sends their masks back', () => {
    assert.deepEqual(changedHeaders(stored, undefined), { headers: stored, keepsSecret: true })
    assert.deepEqual(changedHeaders(stored, shown), { headers: stored, keepsSecret: true })
    assert.deepEqual(changedHeaders('not JSON', '***'), { headers: 'not JSON', keepsSecret: true })
    assert.deepEqual(changedHeaders(stored, '{"authorization": "***", "x-new": "a"}'), {
      headers: '{"authorization":"Bearer key-of-the-shop","x-new":"a"}',
      keepsSecret: true,
    })
  })

  it('are replaced by others, and hold nothing of the former ones then', () => {
    for (const given of ['', '{ "authorization": "Bearer other" }', 'not JSON'])
      assert.deepEqual(changedHeaders(stored, given), { headers: given, keepsSecret: false }, given)
    assert.deepEqual(changedHeaders('', undefined), { headers: '', keepsSecret: false })
    // Nothing of these is a secret.
    for (const plain of ['{"x-customer":"{{chat.phone}}"}', '{"Content-Type":"text/plain"}'])
      assert.deepEqual(changedHeaders(plain, undefined), { headers: plain, keepsSecret: false }, plain)
  })

  it('refuse a mask that is not that of the header', () => {
    for (const given of [
      '{"x-other":"***"}',
      '{"authorization":"***{{name}}"}',
      '{"__proto__":"***"}',
      '***',
      '{"authorization":"Bearer ***"}',
    ])
      assert.throws(
        () => changedHeaders(stored, given),
        (error: unknown) => error instanceof GatewayError && /masked form of another value/.test(error.message),
        given,
      )
  })
})
