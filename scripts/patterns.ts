/**
 * `node dist/scripts/patterns.js` lists the regular expressions, splits, sorts and parses of JSON of the main rooms with their bounds; with
 * `--check` it also asks recheck about new expressions and writes `scripts/patterns.json`. Each needs a comment: `Bound: 2000, why` (characters
 * that it reads at most), `Bound: 65,536, 500 values, why` where the values are fewer (items of a sort, pieces of a split), or `Ours: why` for
 * one that reads nothing from outside. A comment behind the imports counts for all of its file that have none beside them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { packageRoot } from '../lib/package-root.js'

/** Rooms of a node. The dashboard and the clients run where their user is, and block nobody else. */
const ROOMS = ['actors', 'api', 'lib', 'runtime', 'schemas']
const NOT_SOURCE = /(\.(test|integration|long|faults|browser)\.ts|generated\.ts|\.d\.ts)$/
const VERDICTS = path.join(packageRoot, 'scripts', 'patterns.json')

type PatternKind = 'expression' | 'split' | 'sort' | 'parse'

export interface Pattern {
  readonly kind: PatternKind
  readonly file: string
  readonly line: number
  /** As it stands in the source, with its flags. */
  readonly text: string
  /** Of a split, what it splits at, where that is an expression. Null when it is made by a constructor, and for all else. */
  readonly expression: RegExp | null
  readonly bound: Bound | null
}

/** `values`: the most that there are in so many characters, or fewer where they are counted. */
export type Bound =
  | { readonly type: 'ours' }
  | { readonly type: 'bound'; readonly characters: number; readonly values: number }
export type Verdict = 'safe' | 'vulnerable' | 'unknown'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string; readonly object?: Named; readonly property?: Named }
  readonly arguments?: readonly Node[]
}

interface Named {
  readonly name?: string
}

/** Returns all of the main rooms. */
export function patterns(root = packageRoot): readonly Pattern[] {
  return ROOMS.flatMap((room) => sources(root, room)).flatMap((file) =>
    patternsIn(file, readFileSync(path.join(root, file), 'utf8')),
  )
}

/** Returns those of one file, with the bound that a comment beside them or at the beginning of the file names. */
export function patternsIn(file: string, source: string): readonly Pattern[] {
  const { program, comments } = parseSync(file, source)
  const notes = comments.map(({ value, start, end }) => ({ line: lineAt(source, end), start, bound: boundIn(value) }))
  const bounds = notes.filter(({ bound }) => bound !== null)
  const first = program.body.find(({ type }) => type !== 'ImportDeclaration')?.start ?? 0
  const general = bounds.find(({ start }) => start < first)
  const found: Pattern[] = []
  const visit = (value: unknown, statementLine: number): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one, statementLine)
      return
    }
    const node = value as Node
    const line = typeof node.start === 'number' ? lineAt(source, node.start) : statementLine
    const from = /(Statement|Declaration|PropertyDefinition)$/.test(node.type ?? '') ? line : statementLine
    const kind = chooseKind(node)
    if (kind !== null) {
      const last = kind === 'expression' ? line : lineAt(source, node.end)
      const beside = bounds.findLast((note) => note.line >= from - 1 && note.line <= last)
      const text = kind === 'expression' ? source.slice(node.start, node.end) : shown(kind, node, source)
      const regex = kind === 'split' ? node.arguments?.[0]?.regex : node.regex
      const expression = regex === undefined ? null : new RegExp(regex.pattern, regex.flags)
      found.push({ kind, file, line, text, expression, bound: (beside ?? general)?.bound ?? null })
    }
    for (const child of Object.values(node)) visit(child, from)
  }
  visit(program, 1)
  return found
}

function chooseKind({ type, regex, callee, arguments: given = [] }: Node): PatternKind | null {
  if (regex !== undefined) return 'expression'
  if (type !== 'NewExpression' && type !== 'CallExpression') return null
  if (callee?.name === 'RegExp') return 'expression'
  const method = callee?.property?.name
  if (method === 'split') return 'split'
  if ((method === 'sort' || method === 'toSorted') && given.length <= 1) return 'sort'
  return method === 'parse' && callee?.object?.name === 'JSON' ? 'parse' : null
}

/** Returns the call without what it is called on: `split(',')`. */
function shown(kind: PatternKind, { arguments: given = [] }: Node, source: string): string {
  const [first] = given
  return kind === 'split' && first !== undefined ? `split(${source.slice(first.start, first.end)})` : kind
}

function boundIn(comment: string): Bound | null {
  if (/\bOurs: \w/.test(comment)) return { type: 'ours' }
  const [, characters, values = characters] =
    /\bBound: ([\d,]{1,12})\b(?:, ([\d,]{1,12}) values\b)?/.exec(comment) ?? []
  if (characters === undefined || values === undefined) return null
  const number = (text: string): number => Number(text.replaceAll(',', ''))
  return { type: 'bound', characters: number(characters), values: number(values) }
}

function lineAt(source: string, place: number): number {
  let line = 1
  for (let at = source.indexOf('\n'); at >= 0 && at < place; at = source.indexOf('\n', at + 1)) line += 1
  return line
}

function sources(root: string, folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sources(root, file)
    return file.endsWith('.ts') && !NOT_SOURCE.test(file) ? [file] : []
  })
}

/** Returns what recheck said about each expression. */
export function knownVerdicts(): Readonly<Record<string, Verdict>> {
  return JSON.parse(readFileSync(VERDICTS, 'utf8')) as Record<string, Verdict>
}

/** Asks recheck about expressions, for up to 20 s each. */
export async function checkPatterns(expressions: readonly RegExp[]): Promise<Record<string, Verdict>> {
  // Its programs for single systems are faster, and not needed.
  process.env.RECHECK_BACKEND = 'pure'
  const name: string = 'recheck'
  const { checkSync } = (await import(name)) as {
    checkSync(pattern: string, flags: string, options: { timeout: number }): { status: Verdict }
  }
  return Object.fromEntries(
    expressions.map((one) => [String(one), checkSync(one.source, one.flags, { timeout: 20_000 }).status]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = patterns()
  const known = knownVerdicts()
  const texts = new Map(
    all.flatMap(({ kind, expression }) =>
      kind !== 'expression' || expression === null ? [] : [[String(expression), expression]],
    ),
  )
  const isNew = process.argv.includes('--check') ? [...texts].filter(([text]) => known[text] === undefined) : []
  const verdicts = { ...known, ...(await checkPatterns(isNew.map(([, expression]) => expression))) }
  if (process.argv.includes('--check')) {
    const kept = [...texts.keys()].sort().map((text) => [text, verdicts[text]])
    writeFileSync(VERDICTS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  }
  for (const { kind, file, line, text, expression, bound } of all) {
    const most = bound === null ? 'no bound' : bound.type === 'ours' ? 'ours' : `${bound.characters} characters`
    const values = kind === 'expression' || bound?.type !== 'bound' ? '' : ` of ${bound.values} values`
    const verdict = expression === null ? 'made' : (verdicts[String(expression)] ?? 'new')
    process.stdout.write(`${file}:${line}  ${text}  ${most}${values}${kind === 'expression' ? `, ${verdict}` : ''}\n`)
  }
}
