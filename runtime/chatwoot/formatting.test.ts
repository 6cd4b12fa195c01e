import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { phoneForms } from './contact-place.js'
import { toChatwootText, toNetworkText } from './shown-message.js'

describe('marks of formatted text', () => {
  const pairs = [
    ['**bold**', '*bold*'],
    ['*italic*', '_italic_'],
    ['~~struck~~', '~struck~'],
    ['**bold** and *italic*', '*bold* and _italic_'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name', 'snake_case_name'],
    ['`*code*` and **b**', '`*code*` and *b*'],
    ['```\n**x** ~~y~~\n```', '```\n**x** ~~y~~\n```'],
  ] as const
  for (const [chatwoot, network] of pairs) {
    it(`keeps ${JSON.stringify(chatwoot)} both ways`, () => {
      assert.equal(toNetworkText(chatwoot), network)
      assert.equal(toChatwootText(network), chatwoot)
    })
  }
})

describe('forms of a number', () => {
  it('gives a Brazilian mobile number with and without the ninth digit', () => {
    assert.deepEqual(phoneForms('5511999990001'), ['5511999990001', '551199990001'])
    assert.deepEqual(phoneForms('551199990001'), ['551199990001', '5511999990001'])
  })
  it('gives a fixed line and other numbers alone', () => {
    assert.deepEqual(phoneForms('551133334444'), ['551133334444'])
    assert.deepEqual(phoneForms('4915112345678'), ['4915112345678'])
  })
})
