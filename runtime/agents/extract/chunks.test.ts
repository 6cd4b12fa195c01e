import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitChunks } from './chunks.js'
import { guessLanguage, isCommon, splitWords } from './words.js'

describe('chunks', () => {
  const sentence = (number: number) => `Sentence number ${number} tells a fact about the shop.`
  const whole = (text: string) =>
    splitChunks(text)
      .map((chunk) => chunk.text.slice(chunk.overlap))
      .join(' ')
      .replaceAll(/\s+/g, ' ')

  it('are small, overlap, and together are the text', () => {
    const text = Array.from({ length: 200 }, (_, index) => sentence(index)).join(' ')
    const chunks = splitChunks(text)
    assert.ok(chunks.length > 8)
    for (const chunk of chunks) assert.ok(chunk.text.length <= 1_200, String(chunk.text.length))
    assert.ok(chunks.slice(1).every(({ overlap }) => overlap > 0 && overlap <= 152))
    assert.ok(chunks.slice(1).every(({ text: one }) => one.startsWith('Sentence number')))
    assert.equal(whole(text), text)
  })

  it('begin at headings, and keep short sections together', () => {
    const section = (name: string, length: number) => `# ${name}\n\n${'word '.repeat(length).trim()}`
    assert.deepEqual(
      splitChunks(`${section('One', 90)}\n\n${section('Two', 90)}`).map(({ text }) => text.slice(0, 5)),
      ['# One', '# Two'],
    )
    assert.equal(splitChunks(`${section('One', 5)}\n\n${section('Two', 5)}`).length, 1)
  })

  it('cut no character in two, whatever the text is', () => {
    for (const text of [
      '😀'.repeat(5_000),
      'a'.repeat(5_000),
      `${'b'.repeat(1_500)} ${'c '.repeat(900)}`,
      '\n\n \u0000\n',
    ]) {
      const chunks = splitChunks(text)
      for (const chunk of chunks) {
        assert.ok(chunk.text.length <= 1_200 + 4, String(chunk.text.length))
        assert.doesNotThrow(() => encodeURIComponent(chunk.text))
      }
      assert.equal(whole(text).replaceAll(' ', ''), text.replaceAll('\0', '').replaceAll(/\s/g, ''))
    }
  })
})

it('words have no accents, and the common words tell the language', () => {
  assert.deepEqual(splitWords('Devolução: 30 DIAS, não-úteis'), ['devolucao', '30', 'dias', 'nao', 'uteis'])
  assert.ok(isCommon('nao') && isCommon('the') && !isCommon('prazo'))
  assert.equal(guessLanguage('O prazo para a devolução é de 30 dias e não há custo para você'), 'portuguese')
  assert.equal(guessLanguage('El plazo para la devolución es de 30 días y no hay costo para usted'), 'spanish')
  assert.equal(guessLanguage('You have 30 days to return it and there is no cost for you'), 'english')
  assert.equal(guessLanguage('ABC-123 DEF-456'), 'simple')
})
