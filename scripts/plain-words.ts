/**
 * Counts sentences that a reader has to read twice, in all that people read: the docs, descriptions of the API, error texts and log
 * lines, the dashboard's English, and the names of tests. Each pattern has the better form beside it; rewrite a sentence that it finds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sourcePages } from './docs-site/source-pages.js'

export type TextKind =
  | 'docs'
  | 'descriptions of the API'
  | 'texts of the gateway'
  | 'dashboard'
  | 'tests, sandbox and benches'

export interface Sentence {
  readonly kind: TextKind
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface Pattern {
  readonly name: string
  readonly form: RegExp
  /** A better form. */
  readonly instead: string
  /** Undefined for all kinds. In code and in the sandbox "the network" is the port, and the simulated one. */
  readonly kinds?: readonly TextKind[]
}

const FOR_PEOPLE: readonly TextKind[] = ['docs', 'descriptions of the API', 'texts of the gateway', 'dashboard']

export const patterns: readonly Pattern[] = [
  {
    name: 'is no …',
    form: /(?<!\b(?:there|here|where|that|which) )\b(?:is|are|was|were|be) (?:no|none)\b(?! (?:longer|more|less|fewer|later|earlier|other|such|one)\b)/i,
    instead: '"must be a …" or "is not a …"',
  },
  {
    name: 'as many as it can have',
    form: /\bas (?:many|much|long|often|large|few)\b[^.,;:]{0,40}\b(?:can|may|could) (?:have|be|hold|take)\b|\bthe most that\b/i,
    instead: '"… limit reached"',
  },
  {
    name: "a general word for the field's",
    form: /\bfilms?\b|\b(?:a|an|the|its|of|and|or|as|with) sounds?\b|\bwho(?:ever)? asks\b|\b(?:is|are|was|were|be|been) told\b|\bcomes? (?:again|by)\b|\bgoes out\b/i,
    instead: 'video, audio, is emitted, is shown, retries',
  },
  {
    name: 'the network, program',
    form: /\bthe network(?:['’]s)?\b|\bprograms?\b/i,
    instead: 'WhatsApp, client, gateway, process',
    kinds: FOR_PEOPLE,
  },
  {
    name: 'a chain of "of"',
    form: /\bof (?:the|an?|its|each|any|this|all) [\w'-]+ of (?!(?:a|an|the) (?:second|minute|hour|day)\b)/i,
    instead: '"any node\'s startup log"',
  },
  {
    name: 'a quantity behind its noun',
    form: /\bat most\b(?=[.,;:)]|$)|\bso (?:many|much|long|often)\b(?![^.,;:]{0,60}\b(?:that|as)\b)/i,
    instead: '"up to 20 instances", "within this many days"',
  },
  {
    name: 'an old connective',
    form: /\bany ?more\b|\banew\b|\bbesides\b|\bbeside (?:it|them|him|her)\b|\b(?:go|goes|going|went|gone) on\b(?! (?:the|a|an|with no)\b)/i,
    instead: '"no longer", "again", "also", "continues"',
  },
]

/** Returns the patterns that a sentence falls under. */
export function oddities(sentence: Pick<Sentence, 'kind' | 'text'>): readonly Pattern[] {
  return patterns.filter(({ form, kinds }) => (kinds?.includes(sentence.kind) ?? true) && form.test(sentence.text))
}

/** Lists the sentences of the repository, without those that quote the specification. */
export function* readSentences(root: string): Generator<Sentence> {
  for (const file of sourcePages()) if (!QUOTES.test(file)) yield* ofPage(file, read(root, file))
  for (const file of filesIn(root, ROOMS)) {
    if (/^schemas\/.*\.json$/.test(file)) yield* ofSchema(file, read(root, file))
    else if (isSource(file)) yield* ofSource(file, read(root, file))
  }
}

const ROOMS = 'actors api bench cli clients dashboard demo lib runtime sandbox schemas scripts test'.split(' ')
/** The specification, pages that quote it, and the list of licences. */
const QUOTES = /interface-specification|specification-coverage|licences\.md$/
const GENERATED = /(^|\/)generated\.ts$|^dashboard\/src\/api\/limits\.ts$/
/** Texts in other languages, recordings, answers of other servers, quotes of the specification, and this file. */
const NOT_OURS = /\/(pt|es)\.ts$|recorded|fixtures|^sandbox\/providers\/|^test\/specification\/|^scripts\/plain-/
const TEST = /\.(test|integration|faults|long|browser)\.tsx?$/

function isSource(file: string): boolean {
  return /\.tsx?$/.test(file) && !GENERATED.test(file) && !NOT_OURS.test(file)
}

function chooseKind(file: string): TextKind {
  if (TEST.test(file) || /^(test|sandbox|bench|demo)\//.test(file)) return 'tests, sandbox and benches'
  return file.startsWith('dashboard/') ? 'dashboard' : 'texts of the gateway'
}

/** Code blocks are left out, and what stands in backticks counts as one word. */
export function* ofPage(file: string, markdown: string): Generator<Sentence> {
  const text = (file === 'CHANGELOG.md' ? unreleased(markdown) : markdown)
    .replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/\]\([^)]*\)/g, ']')
  for (const { 0: paragraph, index } of text.matchAll(PARAGRAPH))
    yield* sentencesIn(paragraph.replaceAll('\n', ' '), { kind: 'docs', file, line: lineAt(text, index) })
}

/** A paragraph, an item of a list, a row of a table or a heading. */
const PARAGRAPH = /[^\n]+(?:\n(?!\s*(?:[-*|#]|\d+\.) ?)[^\n]*\S[^\n]*)*/g

/** Changes that are released stay as they were written. */
function unreleased(changelog: string): string {
  const [, before = '', inside = ''] =
    /^([\s\S]*?\n## Unreleased\n)([\s\S]*?)(?=\n## |$(?![\s\S]))/.exec(changelog) ?? []
  return before.replace(/[^\n]/g, '') + inside
}

function* ofSchema(file: string, json: string): Generator<Sentence> {
  for (const match of json.matchAll(/"description": ("(?:[^"\\]|\\.)*")/g))
    yield* sentencesIn(JSON.parse(match[1] ?? '""') as string, {
      kind: 'descriptions of the API',
      file,
      line: lineAt(json, match.index),
    })
}

/** Comments are matched too, so that an apostrophe in one opens no text. */
const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const SQL =
  /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|DROP|BEGIN|--)\b|\b(SELECT|FROM|WHERE|RETURNING|VALUES)\b/
const CODE = /[{};]\s*\n|^\.{0,2}\//

/** Takes the texts of a source: error texts, log lines, names of tests, words of pages. */
export function* ofSource(file: string, source: string): Generator<Sentence> {
  for (const match of source.matchAll(TOKEN)) {
    const [token] = match
    if (token.startsWith('/')) continue
    const text = token
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, 'X')
      .replace(/\\(.)/g, '$1')
    if (SQL.test(text) || CODE.test(text)) continue
    yield* sentencesIn(text, { kind: chooseKind(file), file, line: lineAt(source, match.index) })
  }
}

function* sentencesIn(text: string, place: Omit<Sentence, 'text'>): Generator<Sentence> {
  for (const part of text.replace(/`[^`\n]*`/g, 'X').split(/(?<=[.!?;])\s+|\s\|\s/)) {
    const words = part.match(/[a-z]{2,}/gi)?.length ?? 0
    if (words >= 3) yield { ...place, text: part.trim() }
  }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

function* filesIn(root: string, folders: readonly string[]): Generator<string> {
  for (const folder of folders)
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name)
      if (!entry.isDirectory()) yield name
      else if (!/^(node_modules|dist)$/.test(entry.name)) yield* filesIn(root, [name])
    }
}
