import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editsOf, presentTextOf } from './stored-message.js'

describe('the edits of a message', () => {
  it('end with the present text', () => {
    const edits = [
      { text: 'second', at: 1 },
      { text: 'third "quoted"', at: 2 },
    ]
    const message = { text: 'first', edited: JSON.stringify(edits) }
    assert.deepEqual(editsOf(message), edits)
    assert.equal(presentTextOf(message), 'third "quoted"')
  })

  it('are none before the first', () => {
    assert.equal(editsOf({ text: 'first', edited: '' }), null)
    assert.equal(presentTextOf({ text: 'first', edited: '' }), 'first')
  })

  it('are not known of rows of release 0.1.0, whose text is the present one', () => {
    for (const text of ['now', '[{"text":"x","at":1}]']) {
      assert.equal(editsOf({ text, edited: text }), null)
      assert.equal(presentTextOf({ text, edited: text }), text)
    }
  })

  it('are none where the column holds anything else', () => {
    for (const edited of ['now', '[{"text":', '[{"text":1,"at":2}]', '[{"text":"x"}]', '{"text":"x","at":1}'])
      assert.equal(presentTextOf({ text: 'first', edited }), 'first')
  })
})
