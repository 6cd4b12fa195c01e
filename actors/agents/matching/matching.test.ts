import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LeadOperator } from '../../../schemas/agents/records.js'
import { listWords, splitPhrases } from '../../../schemas/agents/words.js'
import { LeadConditions } from '../lead-condition.js'
import { Transitions } from './automaton.js'
import { PhraseFinder } from './phrase-finder.js'

/** Letters that are easy to get wrong: marks, several letters in one, both forms of sigma, scripts without spaces, halves of emojis. */
const LETTERS = [
  ...[
    'a',
    'A',
    'á',
    'a\u0301',
    'b',
    'ß',
    'ẞ',
    'İ',
    'i',
    'ı',
    'Σ',
    'ς',
    'σ',
    'Ж',
    'ж',
    'ﬁ',
    'ǆ',
    'ᾈ',
    '1',
    '²',
    '𐐀',
    '𐐨',
  ],
  ...[
    '🙂',
    '👍🏽',
    '👨‍👩‍👧',
    '❤️',
    '\ud83d',
    '\ude42',
    '≠',
    '=',
    '$',
    '~',
    '你',
    '好',
    '々',
    'か',
    'が',
    'ไ',
    'ก',
    '។',
    '각',
    '\u1100\u1161',
    'ﷺ',
  ],
  ...[' ', ' ', ' ', '\n', '-', '.', '|', ',', '\u00a0', '\u200d', '\u0301', '\0'],
]

/** Returns the same numbers in each run, from 0 to below the maximum. */
function numbersFrom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

const some = <T>(list: readonly T[], random: (max: number) => number): T => list[random(list.length)] as T

/** Returns a text of few different letters, so that much of it repeats, or of any letters. */
function makeText(length: number, random: (max: number) => number): string {
  const few = Array.from({ length: 1 + random(5) }, () => some(LETTERS, random))
  const any = random(4) === 0
  return Array.from({ length }, () => (any ? String.fromCodePoint(random(0x3_00_00)) : some(few, random))).join('')
}

describe('words in texts', () => {
  const isIn = (phrase: readonly string[], words: readonly string[]) =>
    words.some((_, from) => phrase.every((word, index) => words[from + index] === word))

  it('are found as by comparing each word with each', () => {
    const random = numbersFrom(20)
    let found = 0
    for (let round = 0; round < 1_000; round += 1) {
      const text = makeText(random(60), random)
      const stored = Array.from({ length: 1 + random(40) }, () => {
        const from = random(text.length + 1)
        const part = text.slice(from, from + random(12))
        return Array.from({ length: 1 + random(3) }, () => (random(2) === 0 ? part : makeText(random(6), random))).join(
          '|',
        )
      })
      const phrases = stored.map(splitPhrases)
      const owners = new PhraseFinder(phrases).find([text])
      const words = listWords(text)
      for (const [owner, own] of phrases.entries()) {
        const expected = own.some((phrase) => isIn(phrase, words))
        assert.equal(owners.has(owner), expected, JSON.stringify([stored[owner], text]))
        if (expected) found += 1
      }
    }
    assert.ok(found > 300, 'many are found')
  })

  it('are those of the beginning of a text, and of each text', () => {
    const finder = new PhraseFinder([[['oi']], [['tchau']]])
    const found = (texts: readonly string[]) => [0, 1].filter((owner) => finder.find(texts).has(owner))
    assert.deepEqual(found([`${'🙂'.repeat(499)}oi`]), [0])
    assert.deepEqual(found([`${'🙂'.repeat(500)}oi`]), [])
    assert.deepEqual(found(['oi', 'tchau']), [0, 1])
    assert.deepEqual(found(['o', 'i']), [])
    assert.deepEqual(found([]), [])
  })
})

describe('conditions on the fields of a lead', () => {
  const OPERATORS: readonly LeadOperator[] = ['equals', 'not_equals', 'contains', 'not_contains', 'empty', 'not_empty']
  const plain = (text: string) => text.trim().toLowerCase().replaceAll('ς', 'σ')

  /** Half of an emoji is in no text. */
  const listPoints = (text: string) => Array.from(text, (letter) => ` ${letter.codePointAt(0)};`).join('')

  function findExpected(field: string, operator: LeadOperator, value: string, stored: string): boolean {
    const [text, wanted] = [plain(stored.slice(0, 1_000)), plain(value)]
    const isEqual = field === 'lead_tags' ? text.split(',').some((tag) => tag.trim() === wanted) : text === wanted
    const isIn = field === 'lead_tags' ? isEqual : listPoints(text).includes(listPoints(wanted))
    const verdicts = { equals: isEqual, contains: isIn, empty: text === '', greater: false, less: false }
    return operator.startsWith('not_')
      ? !verdicts[operator.replace('not_', '') as 'equals']
      : verdicts[operator as 'equals']
  }

  it('hold as by comparing each value with each text', () => {
    const random = numbersFrom(7)
    let held = 0
    for (let round = 0; round < 600; round += 1) {
      const lead = {
        lead_notes: makeText(random(40), random),
        lead_tags: Array.from({ length: random(4) }, () => makeText(random(3), random)).join(
          some([',', ' , '], random),
        ),
      }
      const conditions = Array.from({ length: 1 + random(40) }, () => {
        const leadField = some(['lead_notes', 'lead_tags'] as const, random)
        const from = random(lead[leadField].length + 1)
        const part = lead[leadField].slice(from, from + random(12))
        const leadValue = some([part, lead[leadField], makeText(random(4), random)], random)
        return { leadField, leadOperator: some(OPERATORS, random), leadValue }
      })
      const verdicts = new LeadConditions(conditions).of(lead)
      for (const [owner, { leadField, leadOperator, leadValue }] of conditions.entries()) {
        const expected = findExpected(leadField, leadOperator, leadValue, lead[leadField])
        const what = JSON.stringify([leadField, leadOperator, leadValue, lead[leadField]])
        assert.equal(verdicts.holds(owner), expected, what)
        if (expected) held += 1
      }
    }
    assert.ok(held > 300, 'many hold')
  })

  it('search the first 1,000 characters of a field, and of fewer if they search more than two fields', () => {
    const search = (fields: readonly string[], place: number) =>
      new LeadConditions(fields.map((leadField) => ({ leadField, leadOperator: 'contains' as const, leadValue: 'x' })))
        .of({ lead_notes: `${'a'.repeat(place)}x` })
        .holds(0)
    const two = ['lead_notes', 'lead_name']
    assert.deepEqual([search(two, 999), search(two, 1_000)], [true, false])
    const four = [...two, 'lead_email', 'lead_status']
    assert.deepEqual([search(four, 499), search(four, 500)], [true, false])
  })
})

it('a table of transitions gives back what was added, also for keys that are far apart or follow each other', () => {
  const random = numbersFrom(3)
  const known = new Map<string, number>()
  const transitions = new Transitions()
  for (let count = 0; count < 20_000; count += 1) {
    const [from, symbol] = count % 2 === 0 ? [count, 97] : [random(100) * 65_536, random(0x11_00_00)]
    if (known.has(`${from} ${symbol}`)) continue
    known.set(`${from} ${symbol}`, count)
    transitions.add(from, symbol, count)
  }
  for (const [key, to] of known) {
    const [from = 0, symbol = 0] = key.split(' ').map(Number)
    assert.equal(transitions.get(from, symbol), to)
    assert.equal(transitions.get(from + 1_000_000, symbol), -1)
  }
})
