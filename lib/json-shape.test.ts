import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exceededLimit } from './json-shape.js'

const limits = { depthMax: 3, keysMax: 4, valuesMax: 8 }
const measured = (json: string) => exceededLimit(Buffer.from(json), limits)

describe('the shape of JSON text', () => {
  it('passes at each limit and is refused one beyond it', () => {
    assert.equal(measured('[[[1]]]'), null)
    assert.equal(measured('[[[[1]]]]'), 'depthMax')
    assert.equal(measured('{"a":1,"b":2,"c":3,"d":4}'), null)
    assert.equal(measured('{"a":1,"b":2,"c":3,"d":4,"e":5}'), 'keysMax')
    assert.equal(measured('[1,2,3,4,5,6,7,8]'), null)
    assert.equal(measured('[1,2,3,4,5,6,7,8,9]'), 'valuesMax')
    assert.equal(measured('[[],[],[],[],[]]'), 'valuesMax')
  })

  it('counts nothing inside strings, whatever is escaped in them', () => {
    assert.equal(measured(JSON.stringify('[[[[{"a":1},,,,,,,,,,,,'.repeat(9))), null)
    assert.equal(measured(String.raw`{"a":"\\","b":"\"[[[[","c":"\\\"{{{{"}`), null)
    assert.equal(measured(String.raw`["\\",[[[`), 'depthMax')
  })

  it('leaves text that is no JSON to the parser', () => {
    for (const text of ['', '"', '"\\', ']]]]', '{"a":"b']) assert.equal(measured(text), null)
  })
})
