import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mainThreadMs } from '../test/support/main-thread-time.js'
import { checkPatterns, knownVerdicts, type Pattern, patterns, patternsIn } from './patterns.js'

const MAX_MS = 20
const ROUNDS_MAX = 10
/** What the plainest expression takes for each character that it replaces, on a machine on which nothing else runs. */
const PLAIN_MS = 60e-6
/** Reads a first, shorter text: one whose time grows with the square of the length would take minutes at its bound. */
const FIRST_CHARACTERS = 16_384
const all = patterns()

describe('each regular expression of the main rooms', () => {
  it('has a comment that says how much text from outside it reads', () => {
    const without = all.filter(({ bound }) => bound === null).map(({ file, line, text }) => `${file}:${line} ${text}`)
    assert.deepEqual(without, [], 'Write `Bound: 2000, why` or `Ours: why` beside them.')
    assert.ok(all.length > 300)
  })

  it('is not vulnerable', async () => {
    const known = knownVerdicts()
    const outside = all.flatMap(({ expression, bound }) =>
      expression !== null && bound?.type === 'bound' ? [expression] : [],
    )
    const verdicts = { ...known, ...(await checkPatterns(outside.filter((one) => known[String(one)] === undefined))) }
    const wrong = outside.map(String).filter((text) => verdicts[text] === 'vulnerable')
    assert.deepEqual(wrong, [], 'Write them as functions that walk through the text once.')
    const stale = outside.map(String).filter((text) => known[text] === undefined)
    assert.deepEqual(stale, [], 'Run `npm run build && node dist/scripts/patterns.js --check`.')
  })

  it('reads the worst text of its bound in less than 20 ms', () => {
    const slow = all.flatMap((pattern) => {
      const ms = worstMs(pattern)
      return ms < MAX_MS ? [] : [`${pattern.file}:${pattern.line} ${pattern.text}: ${ms.toFixed(1)} ms`]
    })
    assert.deepEqual(slow, [])
  })

  it('is found in whatever it stands, with the comment beside it', () => {
    const source = [
      "import a from 'a'",
      '// Ours: names.',
      'const one = /a/',
      '// Bound: 2,000, a name.',
      'const two = /b/g',
      'const three = f((text) => text.replace(/c/, ""), new RegExp(one))',
    ].join('\n')
    const bounds = patternsIn('a.ts', source).map(({ text, bound }) => [
      text,
      bound?.type === 'bound' ? bound.characters : bound,
    ])
    assert.deepEqual(bounds, [
      ['/a/', { type: 'ours' }],
      ['/b/g', 2_000],
      ['/c/', { type: 'ours' }],
      ['new RegExp(one)', { type: 'ours' }],
    ])
  })
})

function worstMs({ expression, bound }: Pattern): number {
  if (expression === null || bound?.type !== 'bound') return 0
  let worst = 0
  for (const unit of units(expression))
    for (const length of [Math.min(FIRST_CHARACTERS, bound.characters), bound.characters]) {
      const ms = leastMs(expression, unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1))
      worst = Math.max(worst, ms)
      if (ms >= MAX_MS) return worst
    }
  return worst
}

/** Texts to repeat: letters that the expression names, and some that it does not. */
function units({ source }: RegExp): readonly string[] {
  const plain = source.replaceAll(/\\[a-zA-Z]|[\\^$()[\]{}|?*+]/g, '')
  return ['a', ' ', '\n', `${plain.slice(0, 1) || '-'}`, plain.slice(0, 12) || '0', `${plain.slice(-1) || '='}a`]
}

function leastMs(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS_MAX && least >= MAX_MS; round += 1) {
    const times = round === 0 ? 1 : slowness(text.length)
    const before = mainThreadMs()
    // A character at the end that fits nothing makes it look again from each place.
    if (expression.global) `${text}\0`.replace(expression, '')
    else expression.test(`${text}\0`)
    least = Math.min(least, (mainThreadMs() - before) / times)
  }
  return least
}

/** Returns how many times slower than on a quiet machine a text of this length is read now, by an expression that cannot be faster. */
function slowness(characters: number): number {
  const text = 'a'.repeat(characters)
  const before = mainThreadMs()
  text.replace(/[^b]/g, '')
  return Math.max(1, (mainThreadMs() - before) / (characters * PLAIN_MS))
}
