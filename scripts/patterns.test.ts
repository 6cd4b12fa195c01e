import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mainThreadMs, slowness as slownessOfJson } from '../test/support/main-thread-time.js'
import { checkPatterns, knownVerdicts, type Pattern, patterns, patternsIn } from './patterns.js'

const MAX_MS = 20
const ROUNDS_MAX = 40
/** Time of the simplest expression for each character that it replaces, on an idle machine. */
const PLAIN_MS = 60e-6
/** Reads a first, shorter text: one whose time grows with the square of the length would take minutes at its bound. */
const FIRST_CHARACTERS = 16_384
const all = patterns()

describe('each regular expression, split, sort and parse of the main rooms', () => {
  it('has a comment that says how much it reads from outside', () => {
    const without = all.filter(({ bound }) => bound === null).map(({ file, line, text }) => `${file}:${line} ${text}`)
    assert.deepEqual(without, [], 'Write `Bound: 2000, why` or `Ours: why` beside them.')
    const most = { expression: 300, split: 80, sort: 20, parse: 100 } as const
    for (const [kind, least] of Object.entries(most))
      assert.ok(all.filter((one) => one.kind === kind).length > least, kind)
  })

  it('is not vulnerable, if it is an expression', async () => {
    const known = knownVerdicts()
    const outside = all.flatMap(({ kind, expression, bound }) =>
      kind === 'expression' && expression !== null && bound?.type === 'bound' ? [expression] : [],
    )
    const verdicts = { ...known, ...(await checkPatterns(outside.filter((one) => known[String(one)] === undefined))) }
    const wrong = outside.map(String).filter((text) => verdicts[text] === 'vulnerable')
    assert.deepEqual(wrong, [], 'Write them as functions that walk through the text once.')
    const stale = outside.map(String).filter((text) => known[text] === undefined)
    assert.deepEqual(stale, [], 'Run `npm run build && node dist/scripts/patterns.js --check`.')
  })

  it('takes less than 20 ms for the worst that its bound allows', () => {
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
      '// Bound: 65,536, 500 values, a list.',
      "const four = JSON.parse(three).toSorted().join(',')",
      'const five = four',
      '  // Bound: 100, a name.',
      "  .split(',')",
      'function six() {',
      '  // Ours: a date.',
      '  return JSON.parse(five).split(/,/)',
      '}',
    ].join('\n')
    const bounds = patternsIn('a.ts', source).map(({ text, bound }) => [
      text,
      bound?.type !== 'bound'
        ? bound
        : bound.values === bound.characters
          ? bound.values
          : [bound.characters, bound.values],
    ])
    assert.deepEqual(bounds, [
      ['/a/', { type: 'ours' }],
      ['/b/g', 2_000],
      ['/c/', { type: 'ours' }],
      ['new RegExp(one)', { type: 'ours' }],
      ['sort', [65_536, 500]],
      ['parse', [65_536, 500]],
      ["split(',')", 100],
      ['split(/,/)', { type: 'ours' }],
      ['parse', { type: 'ours' }],
      ['/,/', { type: 'ours' }],
    ])
  })
})

/** Times of the worst parse, sort or split, by what they depend on. */
const known = new Map<string, number>()

function worstMs(pattern: Pattern): number {
  const { kind, text, bound } = pattern
  if (bound?.type !== 'bound') return 0
  if (kind === 'expression') return worstExpressionMs(pattern)
  const { characters, values } = bound
  const key = `${kind === 'split' ? text : kind} ${characters} ${values}`
  const ms = known.get(key) ?? Math.max(...createWorks(pattern, characters, values).map(measureWorst))
  known.set(key, ms)
  return ms
}

/** Returns what a parse, sort or split does at its worst. */
function createWorks(
  { kind, text, expression }: Pattern,
  characters: number,
  values: number,
): readonly (() => unknown)[] {
  if (kind === 'sort') {
    const numbers = Array.from({ length: values }, (_, index) => ({ at: (index * 7_919) % values }))
    const texts = numbers.map(({ at }) => `value ${at}`)
    return [
      () => numbers.toSorted((one, other) => one.at - other.at),
      () => texts.toSorted((one, other) => (one < other ? -1 : 1)),
    ]
  }
  if (kind === 'parse') {
    const [empty, keyed] = ['[]', (index: number) => `"k${index}":${index}`] as const
    const rest = (json: string) => `["${'x'.repeat(Math.max(0, characters - json.length - 6))}",${json}]`
    const lists = rest(`[${Array(Math.min(values, Math.floor(characters / 3))).fill(empty)}]`)
    const object = rest(
      `{${Array.from({ length: Math.min(values, Math.floor(characters / 14)) }, (_, index) => keyed(index))}}`,
    )
    return [() => JSON.parse(lists), () => JSON.parse(object)]
  }
  const literal = /^split\(['"`](.*)['"`]\)$/.exec(text)?.[1]
  const by = expression ?? literal?.replaceAll('\\n', '\n') ?? ','
  const units = expression === null ? [String(by), `a${by}`] : splitUnits(expression)
  return units.map((unit) => {
    const whole = unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)
    return () => whole.split(by)
  })
}

function measureWorst(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS_MAX && least >= MAX_MS; round += 1) {
    const times = round === 0 ? 1 : slownessOfJson()
    const before = mainThreadMs()
    work()
    least = Math.min(least, (mainThreadMs() - before) / times)
  }
  return least
}

function worstExpressionMs({ expression, bound }: Pattern): number {
  if (expression === null || bound?.type !== 'bound') return 0
  let worst = 0
  for (const unit of splitUnits(expression))
    for (const length of [Math.min(FIRST_CHARACTERS, bound.characters), bound.characters]) {
      const ms = leastMs(expression, unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1))
      worst = Math.max(worst, ms)
      if (ms >= MAX_MS) return worst
    }
  return worst
}

/** Texts to repeat: letters that the expression names, and some that it does not. */
function splitUnits({ source }: RegExp): readonly string[] {
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
