import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readList } from './read-list.js'
import { buildList, guessMapping, readNumber } from './recipients.js'

const encodeText = (text: string) => new TextEncoder().encode(text)

describe('a list of recipients', () => {
  it('is read in the encodings and with the separators of spreadsheets', () => {
    const text =
      'Celular;Nome;Cidade\r\n"+55 (11) 99999-0002";"Ana; ""Lia""\nLima";São Paulo\r\n\r\n11 99999-0003;Bia;Niterói'
    const expected = [
      ['+55 (11) 99999-0002', 'Ana; "Lia"\nLima', 'São Paulo'],
      ['11 99999-0003', 'Bia', 'Niterói'],
    ]
    const inUtf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(new Uint16Array([...text].map((one) => one.charCodeAt(0))).buffer),
    ])
    const inWindows = Uint8Array.from(text, (one) => one.charCodeAt(0))
    for (const [given, encoding] of [
      [encodeText(text), 'UTF-8'],
      [encodeText(`\ufeff${text}`), 'UTF-8'],
      [inUtf16, 'UTF-16'],
      [inWindows, 'Windows-1252'],
    ] as const) {
      const list = readList(given)
      assert.deepEqual([list.encoding, list.separator, list.columns], [encoding, ';', ['Celular', 'Nome', 'Cidade']])
      assert.deepEqual(list.rows, expected)
    }
    assert.equal(readList(encodeText('5511999990002\tAna\n5511999990003\tBia')).rows.length, 2)
    assert.deepEqual(readList(encodeText('{"number":5511999990002,"city":"X"}\n{"number":"1"}')).rows, [
      ['5511999990002', 'X'],
      ['1', ''],
    ])
  })

  it('gets names of placeholders that the gateway takes', () => {
    const list = readList(encodeText(`5511999990002;{{x}} ${'W'.repeat(100)};b\n5511999990003;c;d`))
    const [, second] = guessMapping({ ...list, columns: ['number', `{{x}} ${'W'.repeat(100)}`, 'b'] })
    assert.deepEqual(second, { role: 'field', name: `x ${'W'.repeat(58)}` })
  })

  it('becomes recipients, with wrong numbers and doubles counted', () => {
    const list = readList(
      encodeText(
        'Telefone,Nome,Cidade\n+55 11 99999-0002,Ana,SP\n11 9999-0002,Ana,SP\nnone,Bia,RJ\n,,x\n1199999-0003,Cid,"a,b"',
      ),
    )
    const columns = guessMapping(list)
    assert.deepEqual(
      columns.map(({ role }) => role),
      ['number', 'name', 'field'],
    )
    const built = buildList(list, { columns, countryCode: '55' })
    assert.deepEqual([built.rows, built.good, built.wrong, built.doubles], [5, 3, 2, 1])
    assert.deepEqual(built.problems, [
      { line: 4, value: 'none' },
      { line: 5, value: '' },
    ])
    assert.deepEqual(JSON.parse(built.lines[2] ?? ''), { number: '+5511999990003', name: 'Cid', Cidade: 'a,b' })
    assert.equal(readNumber('0041 44 668 18 00', '55'), '+41446681800')
    assert.equal(readNumber('120363000000000000@g.us', '55'), '120363000000000000@g.us')
    assert.equal(readNumber('=1+1', '55'), null)
  })

  it('has the numbers that spreadsheets write, or none', () => {
    for (const typed of [
      '5511987650010.0',
      '5511987650010,00',
      '5.511987650010E+12',
      '\u202a5511 98765\u20110010\u202c',
    ])
      assert.equal(readNumber(typed, ''), '5511987650010', typed)
    assert.equal(readNumber('11987650010.0', '55'), '+5511987650010')
    assert.equal(readNumber('011 98765-0010', ''), null)
    assert.equal(readNumber('011 98765-0010', '', true), '011987650010')
    for (const typed of ['5.51198765001E+12', '5511987650010.5', '5511987650010,5511987650011', '5511987650010-1'])
      assert.equal(readNumber(typed, '55'), null, typed)
  })
})
