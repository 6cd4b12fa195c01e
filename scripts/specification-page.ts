/** The page of what the interface states and which test shows it. It cannot name a test that is not there. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'
import { OperatorError } from '../schemas/operator-error.js'
import type { Area, Section, Sentence, Statement, TestName } from '../test/specification/area.js'
import { interfaceSections } from '../test/specification/interface.js'
import { areas } from '../test/specification/list.js'

/** Where the text of the interface stands. */
export const INTERFACE = 'docs/reference/interface-specification.md'

/**
 * The text of `docs/reference/specification-coverage.md`.
 * @throws OperatorError when a sentence is missing or changed, or names a test that is not there
 */
export function specificationPage(): string {
  const differing = differences(
    splitSections(readFileSync(path.join(packageRoot, INTERFACE), 'utf8')),
    interfaceSections,
  )
  if (differing.length > 0)
    throw new OperatorError(`test/specification/interface.ts is not ${INTERFACE}:\n${differing.join('\n')}`)
  const known = testNames(packageRoot)
  const lost = [...lostTests(areas, known), ...lostTests(interfaceSections.map(asArea), known)]
  if (lost.length > 0) throw new OperatorError(`test/specification names tests that are not there:\n${lost.join('\n')}`)
  const sentences = interfaceSections.flatMap((one) => one.sentences).filter((one) => !isInforming(one))
  const open = sentences.filter(isOpen).length
  const more = areas.flatMap(({ statements }) => Object.values(statements))
  return [
    '# What the interface states, and what shows it',
    '',
    `Made by \`npm run generate\` from \`test/specification/\`; change that. First each sentence and table row of`,
    `[the interface](interface-specification.md), word for word and in its order, with the tests that fail when it is not true. Where something`,
    'is not built or not shown it says **open**; a dash stands beside what no test can show (headings of lists, advice, what the',
    'interface says is not shown). A test that is renamed or removed, and a sentence that is changed or left out, fail the script that makes',
    'this page.',
    '',
    `${sentences.length} sentences and rows can be shown: ${sentences.length - open} are, ${open} are open.`,
    '',
    ...interfaceSections.flatMap(sentenceSection),
    '# What this gateway states beyond that',
    '',
    `In our own words: what callers may rely on in each area, ${more.length} statements.`,
    '',
    ...areas.flatMap(section),
  ].join('\n')
}

/** The sentences and table rows of a text in Markdown, by its headings; heads of tables say nothing. */
export function splitSections(markdown: string): { heading: string; texts: string[] }[] {
  const sections: { heading: string; texts: string[] }[] = []
  const lines = markdown.split('\n').map((line) => line.trim())
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#')) sections.push({ heading: line, texts: [] })
    else if (line !== '' && !RULE.test(line) && !RULE.test(lines[index + 1] ?? ''))
      sections.at(-1)?.texts.push(...(line.startsWith('|') ? [line] : line.split(SENTENCE_END)))
  }
  return sections
}

/** Below the head of a table. */
const RULE = /^\|[-| ]+\|$/
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z])/

/** What one has and the other has not, as sentences; empty when both say the same in the same order. */
export function differences(
  text: readonly { heading: string; texts: readonly string[] }[],
  listed: readonly Section[],
): string[] {
  const said = text.flatMap(({ heading, texts }) => [heading, ...texts])
  const known = listed.flatMap(({ heading, sentences }) => [heading, ...sentences.map(([says]) => says)])
  const at = said.findIndex((one, index) => one !== known[index])
  if (at === -1 && said.length === known.length) return []
  const place = at === -1 ? said.length : at
  return [`It says: ${said[place] ?? 'nothing more'}`, `Listed is: ${known[place] ?? 'nothing more'}`]
}

/** Each test that a statement names and no file has. */
export function lostTests(listed: readonly Area[], known: ReadonlySet<string>): string[] {
  return listed.flatMap(({ title, statements }) =>
    Object.entries(statements).flatMap(([id, [, ...tests]]) =>
      tests.filter((test) => !known.has(test)).map((test) => `${title} · ${id}: ${test}`),
    ),
  )
}

/** The names of all tests, as `<file> > <describe> > <it>`; what stands for a value in one is `…`. */
export function testNames(folder: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const file of testFiles(folder, '')) {
    let group = ''
    for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
      const [, indent = '', kind, quote = '', text = ''] = NAME.exec(line) ?? []
      if (kind === undefined) continue
      // What a name holds of values is not known here.
      const name = quote === '`' ? text.replaceAll(/\$\{[^}]*\}/g, '…') : text.replaceAll(`\\${quote}`, quote)
      if (kind === 'describe') group = name
      else names.add(indent === '' || group === '' ? `${file} > ${name}` : `${file} > ${group} > ${name}`)
    }
  }
  return names
}

/** As the formatter writes them, one to a line. Tests within a loop at the top of a file belong to no group. */
const NAME = /^( *)(describe|it|test)\((['"`])((?:(?!\3)[^\\]|\\.)*)\3/
const TEST_FILE = /\.(test|integration|faults|long)\.ts$/
const NO_TESTS = new Set(['node_modules', 'dist', 'data', 'docs', 'k8s'])

function testFiles(folder: string, below: string): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory())
      return entry.name.startsWith('.') || NO_TESTS.has(entry.name) ? [] : testFiles(folder, file)
    return TEST_FILE.test(entry.name) ? [file] : []
  })
}

function asArea({ heading, sentences }: Section): Area {
  return {
    title: heading,
    statements: Object.fromEntries(sentences.map((one) => [one[0], [one[0], ...listTests(one)]])),
  }
}

function sentenceSection({ heading, sentences }: Section): string[] {
  // The page has a heading of its own above them.
  const title = `#${heading}`
  if (sentences.length === 0) return [title, '']
  return [title, '', '| the interface says | shown by |', '|---|---|', ...sentences.map(sentenceRow), '']
}

function sentenceRow(sentence: Sentence): string {
  const [says, ...shownBy] = sentence
  const parts = shownBy.map((one) => (typeof one === 'string' ? cell(one) : '–'))
  return `| ${escaped(says.startsWith('|') ? says.slice(1, -1).trim() : says)} | ${parts.length === 0 ? '**open**' : [...new Set(parts)].join('<br>')} |`
}

function listTests([, ...shownBy]: Sentence): TestName[] {
  return shownBy.filter((one) => typeof one === 'string')
}

function isInforming([, ...shownBy]: Sentence): boolean {
  return shownBy.some((one) => typeof one === 'object' && 'informs' in one)
}

function section({ title, statements }: Area): string[] {
  return [
    `## ${title}`,
    '',
    '| | statement | shown by |',
    '|---|---|---|',
    ...Object.entries(statements).map(([id, statement]) => row(id, statement)),
    '',
  ]
}

function row(id: string, statement: Statement): string {
  const [says, ...tests] = statement
  const shown = isOpen(statement) ? '**open**' : tests.map(cell).join('<br>')
  return `| ${id} | ${escaped(says)} | ${shown} |`
}

/** A link to the file, and the name. */
function cell(test: string): string {
  const [file = '', ...names] = test.split(' > ')
  return `[${path.basename(file)}](../../${file}): ${escaped(names.join(' › '))}`
}

function isOpen(statement: Statement | Sentence): boolean {
  return statement.length === 1
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}
