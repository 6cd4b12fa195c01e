import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARTS_MAX, plainAnswer, splitAnswer } from './split-answer.js'

describe('an answer that is split', () => {
  it('stays whole if it is short enough', () => {
    assert.deepEqual(splitAnswer('Bom dia! Como vai?', 500), ['Bom dia! Como vai?'])
  })

  it('breaks between paragraphs before sentences, and between sentences before words', () => {
    const paragraphs = `${'a'.repeat(30)}. ${'b'.repeat(10)}\n\n${'c'.repeat(40)}`
    assert.deepEqual(splitAnswer(paragraphs, 50), [`${'a'.repeat(30)}. ${'b'.repeat(10)}`, 'c'.repeat(40)])
    assert.deepEqual(splitAnswer('One two three. Four five six seven', 20), ['One two three.', 'Four five six seven'])
    assert.deepEqual(splitAnswer('one two three four', 9), ['one two', 'three', 'four'])
  })

  it('keeps links and characters whole', () => {
    const link = `https://example.com/${'x'.repeat(60)}`
    assert.deepEqual(splitAnswer(`See ${link} now`, 30), ['See', link, 'now'])
    const parts = splitAnswer('😀'.repeat(20), 11)
    assert.equal(parts.join(''), '😀'.repeat(20))
    for (const part of parts) assert.doesNotMatch(part, /^[\udc00-\udfff]|[\ud800-\udbff]$/)
  })

  it('makes longer messages rather than too many, and loses nothing', () => {
    const text = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ')
    const parts = splitAnswer(text, 20)
    assert.ok(parts.length <= PARTS_MAX)
    assert.equal(parts.join(' '), text)
  })

  it('has no control characters', () => {
    assert.equal(plainAnswer(' a\u0007b\r\n\u202ec\td\u0000 '), 'ab\nc\td')
  })
})
