import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { chooseSeed } from '../test/durability/random.js'
import { readNumberText } from './number-text.js'

// Ours: a text of this test.

const readDigits = (text: string) => {
  const read = readNumberText(text)
  return 'why' in read ? null : read.digits
}

it('takes what people and spreadsheets write with one meaning', () => {
  for (const text of [
    '5511987650010',
    '+5511987650010',
    '005511987650010',
    '(+55) 11 98765.0010',
    '+55 (11) 98765-0010',
    '+55-11-98765-0010',
    '55 11 9 8765 0010',
    '+55 (0) 11 98765-0010',
    '5511987650010.0',
    '5511987650010.00',
    '5511987650010,0',
    '5511987650010.',
    '5.511.987.650.010',
    '5,511,987,650,010',
    '5.511.987.650.010,00',
    '5.511987650010E+12',
    '5,511987650010e12',
    "'5511987650010",
    '="5511987650010"',
    'tel:+55-11-98765-0010',
    '\u202a+55 11 98765\u20110010\u202c',
    '\u200e5511987650010\u200f\ufeff',
    '55\u00a011\u202f98765\u20130010',
    '＋５５（１１）９８７６５－００１０',
    '٥٥١١٩٨٧٦٥٠٠١٠',
    '۵۵۱۱۹۸۷۶۵۰۰۱۰',
  ])
    assert.equal(readDigits(text), '5511987650010', text)
  assert.equal(readDigits('+49 30/1234567'), '49301234567')
  assert.equal(readDigits('06.12.34.56.78'), '0612345678')
})

it('says of a text that its digits begin with a country code', () => {
  const isInternational = (text: string) => (readNumberText(text) as { isInternational?: boolean }).isInternational
  for (const text of ['+5511987650010', '0055 11 98765 0010', '(+55) 11 98765-0010', '55 (0) 11 98765-0010'])
    assert.equal(isInternational(text), true, text)
  for (const text of ['5511987650010', '011 98765-0010', '(0) 11 98765-0010', '5511987650010.0'])
    assert.equal(isInternational(text), false, text)
})

it('refuses what has two meanings or none, and says why', () => {
  for (const [text, why] of [
    ['5.51198765001E+12', /rounded by a spreadsheet/],
    ['5.5E12', /rounded/],
    ['5511987650010.5', /has decimals/],
    ['5511987650010.25', /has decimals/],
    ['5.5119876500105E+12', /has decimals/],
    ['11987650.00', /may be decimals or digits/],
    ['5511987650010,5511987650011', /has a comma/],
    ['3333-4444/5555', /slash/],
    ['5511987650010 / 5511987650011', /slash/],
    ['12/11/2026', /slash/],
    ['1133334444\n1133335555', /more than one line/],
    ['5511987650010-1', /single digit after a separator/],
    ['-5511987650010', /begins with a separator/],
    ['5511987650010 -', /ends in a separator/],
    ['55+11987650010', /\+ in another place/],
    ['++5511987650010', /\+ in another place/],
    ['+055119876500', /0 where the country code begins/],
    ['000551198765', /0 where the country code begins/],
    ['55 (11 98765-0010', /bracket/],
    ['55 11) 98765-0010', /bracket/],
    ['55 () 11 98765-0010', /bracket/],
    ['11 98765-0010 ramal 12', /holds "r"/],
    ['0xx11 98765-0010', /holds "x"/],
    ['551198765001²', /holds "²"/],
    ['5511987650010#12', /holds "#"/],
    ['abc', /is not a phone number/],
    ['', /is not a phone number/],
    ['5'.repeat(101), /longer than 100/],
  ] as const) {
    const read = readNumberText(text)
    assert.match('why' in read ? read.why : `took ${read.digits}`, why, text)
  }
})

/** Characters that a person may put between, before and behind the digits of a number. */
const separator = fc.constantFrom('', ' ', '-', '.', '\u00a0', '\u2011', '\u200e', ' - ', '\u202f')
const clutter = fc.constantFrom('', ' ', '\u200e', '\u202a', '\u202c', '\ufeff', '\u00a0', '\t')
const groups = fc.array(
  fc.tuple(fc.stringMatching(/^[1-9]\d{1,4}$/), separator, fc.constantFrom('plain', 'wide', 'arabic', 'brackets')),
  { minLength: 2, maxLength: 6 },
)

it('returns the digits that a person reads, or none', (t) => {
  fc.assert(
    fc.property(groups, clutter, clutter, fc.constantFrom('', '+', '00'), (parts, before, behind, start) => {
      const read = parts.map(([digits]) => digits).join('')
      const text = parts
        .map(([digits, after, form], at) => drawn(digits, form) + (at < parts.length - 1 ? after : ''))
        .join('')
      const found = readNumberText(`${before}${start}${text}${behind}`)
      // Two groups around one dot may be a number with decimals; that is the only doubt among these texts.
      if ('why' in found) assert.match(found.why, /decimals/)
      else assert.equal(found.digits, read)
    }),
    { numRuns: 2_000, seed: chooseSeed(t) },
  )
})

it('returns all digits of any text that it takes, in their order, but for decimals that are zero', (t) => {
  const signs = fc.constantFrom(...'0123456789012345678901234567890123456789+ ().-/,eE\u200e\u202e\u00a0')
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 24 }), (list) => {
      const text = list.join('')
      const found = readNumberText(text)
      if ('why' in found) return
      const visible = text.replace(/[\u200e\u202e]/g, '')
      const all = visible.replace(/[eE]\+?\d{1,2}\s*$/, '').replace(/\D/g, '')
      const rests = [all, all.replace(/^00/, ''), all.replace(/^(?:00)?([1-9]\d{0,2})0/, '$1')]
      const isWhole = rests.some(
        (rest) => rest.startsWith(found.digits) && /^0*$/.test(rest.slice(found.digits.length)),
      )
      assert.ok(isWhole, `${JSON.stringify(text)} became ${found.digits}`)
    }),
    { numRuns: 5_000, seed: chooseSeed(t) },
  )
})

function drawn(digits: string, form: string): string {
  if (form === 'brackets') return `(${digits})`
  if (form === 'plain') return digits
  const first = form === 'wide' ? 0xff10 : 0x0660
  return [...digits].map((digit) => String.fromCharCode(first + Number(digit))).join('')
}
