/** The page of what the interface states and which test shows it. It cannot name a test that is not there. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../schemas/operator-error.js'
import { packageRoot } from '../schemas/package-root.js'
import type { Area, Statement } from '../test/specification/area.js'
import { areas } from '../test/specification/list.js'

/**
 * The text of `docs/specification-coverage.md`.
 * @throws OperatorError when a statement names a test that is not there
 */
export function specificationPage(): string {
  const lost = lostTests(areas, testNames(packageRoot))
  if (lost.length > 0) throw new OperatorError(`test/specification names tests that are not there:\n${lost.join('\n')}`)
  const all = areas.flatMap(({ statements }) => Object.values(statements))
  const open = all.filter(isOpen).length
  return [
    '# What the interface states, and what shows it',
    '',
    'Made by `npm run generate` from `test/specification/`; change that. Each statement of the interface that can be tested, in our own words,',
    'with the tests that fail when it is not true. A test that is renamed or removed fails the script that makes this page. Statements',
    'without a test are open: what they say is not built, or not shown.',
    '',
    `${all.length} statements, ${all.length - open} shown, ${open} open.`,
    '',
    ...areas.flatMap(section),
  ].join('\n')
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
  return `[${path.basename(file)}](../${file}): ${escaped(names.join(' › '))}`
}

function isOpen(statement: Statement): boolean {
  return statement.length === 1
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}
