/** Reads the tables and examples of the guides in `docs/guides/`. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'

/** Row of a table whose second column names what Posthorn has. */
export interface GuideRow {
  readonly line: number
  /** Head of the second column: `Posthorn`, `Posthorn event` and the like. */
  readonly head: string
  /** Texts in backticks of the first column. */
  readonly theirs: readonly string[]
  /** Texts in backticks of the second column before the arrow, and after it. */
  readonly ours: readonly string[]
  readonly reply: readonly string[]
  readonly hasCounterpart: boolean
}

/** JSON of a fenced block whose info string says what it is: `json POST /send/text`, `json event messages`. */
export interface GuideExample {
  readonly line: number
  readonly about: string
  readonly body: unknown
}

export const guideNames: readonly string[] = readdirSync(path.join(packageRoot, 'docs/guides'))
  .filter((name) => name.startsWith('from-'))
  .sort()

export const guideText = (name: string): string => readFileSync(path.join(packageRoot, 'docs/guides', name), 'utf8')

export function guideRows(text: string): readonly GuideRow[] {
  const rows: GuideRow[] = []
  let head: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('|')) head = undefined
    else if (head === undefined) head = listCells(line)[1] ?? ''
    else if (!line.startsWith('|---')) rows.push(parseRow(line, index + 1, head))
  }
  return rows
}

function parseRow(line: string, number: number, head: string): GuideRow {
  const [theirs = '', here = ''] = listCells(line)
  const [ours = '', reply = ''] = here.split('→')
  return {
    line: number,
    head,
    theirs: listSpans(theirs),
    ours: listSpans(ours),
    reply: listSpans(reply),
    hasCounterpart: here !== '—',
  }
}

export function guideExamples(text: string): readonly GuideExample[] {
  return [...text.matchAll(/^```json (.+)\n([\s\S]*?)^```$/gm)].map(({ 1: about = '', 2: body = '', index }) => ({
    line: text.slice(0, index).split('\n').length,
    about,
    body: JSON.parse(body) as unknown,
  }))
}

/** Texts in backticks outside of fenced blocks and of the first column of tables, where other programs are named. */
export function spansOfPosthorn(text: string): readonly string[] {
  return text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split('\n')
    .flatMap((line) => listSpans(line.startsWith('|') ? listCells(line).slice(1).join(' | ') : line))
}

const listCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const listSpans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
