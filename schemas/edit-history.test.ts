import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPresentText, parseEdits } from './stored-message.js'

describe('the edits of a message', () => {
  it('end with the present text', () => {
    const edits = [
      { text: 'second', at: 1 },
      { text: 'third "quoted"', at: 2 },
    ]
    const message = { text: 'first', edited: JSON.stringify(edits) }
    assert.deepEqual(parseEdits(message), edits)
    assert.equal(findPresentText(message), 'third "quoted"')
  })

  it('are none before the first', () => {
    assert.equal(parseEdits({ text: 'first', edited: '' }), null)
    assert.equal(findPresentText({ text: 'first', edited: '' }), 'first')
  })

  it('are not known of rows of release 0.1.0, whose text is the present one', () => {
    for (const text of ['now', '[{"text":"x","at":1}]']) {
      assert.equal(parseEdits({ text, edited: text }), null)
      assert.equal(findPresentText({ text, edited: text }), text)
    }
  })

  it('are none where the column holds anything else', () => {
    for (const edited of ['now', '[{"text":', '[{"text":1,"at":2}]', '[{"text":"x"}]', '{"text":"x","at":1}'])
      assert.equal(findPresentText({ text: 'first', edited }), 'first')
  })
})
