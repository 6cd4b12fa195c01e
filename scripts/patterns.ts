/**
 * `node dist/scripts/patterns.js` lists the regular expressions of the main rooms with their bounds; with `--check` it also asks recheck about
 * new ones and writes `scripts/patterns.json`. Each needs a comment: `Bound: 2000, why` (characters that it reads at most), or `Ours: why`
 * for one that reads no text from outside. A comment behind the imports counts for all of its file that have none beside them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { packageRoot } from '../schemas/package-root.js'

/** Rooms of a node. The dashboard and the clients run where their user is, and block nobody else. */
const ROOMS = ['actors', 'api', 'runtime', 'schemas']
const NOT_SOURCE = /(\.(test|integration|long|faults|browser)\.ts|generated\.ts|\.d\.ts)$/
const VERDICTS = path.join(packageRoot, 'scripts', 'patterns.json')

export interface Pattern {
  readonly file: string
  readonly line: number
  /** As it stands in the source, with its flags. */
  readonly text: string
  /** Null when it is made by a constructor. */
  readonly expression: RegExp | null
  readonly bound: Bound | null
}

export type Bound = { readonly type: 'ours' } | { readonly type: 'bound'; readonly characters: number }
export type Verdict = 'safe' | 'vulnerable' | 'unknown'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

/** Returns all regular expressions of the main rooms. */
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
    if (isPattern(node)) {
      const beside = bounds.findLast((note) => note.line >= from - 1 && note.line <= line)
      const text = source.slice(node.start, node.end)
      const expression = node.regex === undefined ? null : new RegExp(node.regex.pattern, node.regex.flags)
      found.push({ file, line, text, expression, bound: (beside ?? general)?.bound ?? null })
    }
    for (const child of Object.values(node)) visit(child, from)
  }
  visit(program, 1)
  return found
}

function isPattern({ type, regex, callee }: Node): boolean {
  return regex !== undefined || ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
}

function boundIn(comment: string): Bound | null {
  if (/\bOurs: \w/.test(comment)) return { type: 'ours' }
  const characters = /\bBound: ([\d,]{1,12})\b/.exec(comment)?.[1]
  return characters === undefined ? null : { type: 'bound', characters: Number(characters.replaceAll(',', '')) }
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
    all.flatMap(({ expression }) => (expression === null ? [] : [[String(expression), expression]])),
  )
  const isNew = process.argv.includes('--check') ? [...texts].filter(([text]) => known[text] === undefined) : []
  const verdicts = { ...known, ...(await checkPatterns(isNew.map(([, expression]) => expression))) }
  if (process.argv.includes('--check')) {
    const kept = [...texts.keys()].sort().map((text) => [text, verdicts[text]])
    writeFileSync(VERDICTS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  }
  for (const { file, line, text, expression, bound } of all) {
    const most = bound === null ? 'no bound' : bound.type === 'ours' ? 'ours' : `${bound.characters} characters`
    process.stdout.write(
      `${file}:${line}  ${text}  ${most}, ${expression === null ? 'made' : (verdicts[String(expression)] ?? 'new')}\n`,
    )
  }
}
