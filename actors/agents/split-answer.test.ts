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
    const [first, second] = ['One two three four five six seven eight.', 'Nine ten eleven twelve']
    assert.deepEqual(splitAnswer(`${first} ${second}`, 50), [first, second])
    const words = Array.from({ length: 12 }, () => 'words').join(' ')
    assert.deepEqual(splitAnswer(words, 50), [words.slice(0, 47), words.slice(48)])
  })

  it('keeps links and characters whole', () => {
    const link = `https://example.com/${'x'.repeat(60)}`
    assert.deepEqual(splitAnswer(`See ${link} now`, 50), ['See', link, 'now'])
    const parts = splitAnswer('😀'.repeat(60), 51)
    assert.equal(parts.join(''), '😀'.repeat(60))
    for (const part of parts) assert.doesNotMatch(part, /^[\udc00-\udfff]|[\ud800-\udbff]$/)
  })

  it('has parts of at least 50 characters', () => {
    assert.deepEqual(splitAnswer('w'.repeat(50), 1), ['w'.repeat(50)])
  })

  it('splits the longest answer in linear time, whatever is in it', () => {
    for (const piece of ['a', ' ', '. ', '\n', 'https://a', '. https://', '😀'])
      for (const length of [1, 50, 4_096, 60_000]) {
        const text = plainAnswer(`x${piece.repeat(Math.ceil(1_000_000 / piece.length))}x`)
        const start = process.cpuUsage()
        assert.ok(splitAnswer(text, length).length <= PARTS_MAX)
        const { user } = process.cpuUsage(start)
        assert.ok(user < 1_000_000, `${JSON.stringify(piece)} at ${length}: ${user} us`)
      }
  })

  it('makes longer messages rather than too many, and loses nothing', () => {
    const text = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ')
    const parts = splitAnswer(text, 50)
    assert.ok(parts.length <= PARTS_MAX)
    assert.equal(parts.join(' '), text)
  })

  it('has no control characters', () => {
    assert.equal(plainAnswer(' a\u0007b\r\n\u202ec\td\u0000 '), 'ab\nc\td')
  })
})
