import assert from 'node:assert/strict'
import { it } from 'node:test'
import { visibleText } from './visible-text.js'

it('keeps text as people see it', () => {
  for (const text of ['Olá, tudo bem? 👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 🇧🇷', 'two\nlines\tand a tab', 'שלום', 'می‌خواهم'])
    assert.equal(visibleText(text, 100), text)
})

it('leaves out what nobody sees', () => {
  const hidden = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
  assert.equal(visibleText(`a${hidden}b\u202Ec\u0007d\u200Be\r\n`, 100), 'abcde\n')
})

it('cuts long text, and no character in half', () => {
  assert.equal(visibleText('abcdef', 4), 'abc…')
  assert.equal(visibleText('ab😀😀', 4), 'ab…')
  assert.equal(visibleText('x'.repeat(1_000_000), 10).length, 10)
  assert.equal(visibleText(undefined, 10), '')
})

it('reads the worst text in linear time', () => {
  const tag = String.fromCodePoint(0xe0061)
  for (const text of [tag.repeat(500_000), `🏴${tag.repeat(500_000)}`, '🏴'.repeat(500_000)]) {
    const start = process.cpuUsage()
    visibleText(text, 250_000)
    const { user } = process.cpuUsage(start)
    assert.ok(user < 1_000_000, `${user} us`)
  }
})
