/** Golden files: the stanzas of a scenario, as the simulated network saw them when the file was written. `test/golden/` */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'

interface Stanza {
  readonly tag: string
  readonly attrs?: Readonly<Record<string, string>>
  readonly otherAttrs?: number
  readonly content?: readonly Stanza[] | true
}

/** Attributes that count keys and messages, which differ from run to run. */
const COUNTS = new Set(['count', 'value'])
/** The library adds a reporting token to some messages by chance: it reads the message together with its random padding. */
const CHANCE = 'reporting'
const PLACEHOLDER = /^(id|word|address|person|group|channel|list|call)\d+/

/**
 * Compares the kinds of stanzas in a recording with a golden file. Each kind is one line. The order, and how often a kind occurs, do not count.
 * With UPDATE_GOLDEN=1 it writes the file instead.
 */
export function assertGolden(name: string, recording: string): void {
  const file = path.join(packageRoot, 'test/golden', `${name}.txt`)
  const kinds = `${kindsIn(recording).join('\n')}\n`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, kinds)
  assert.deepEqual(
    kinds.split('\n'),
    readFileSync(file, 'utf8').split('\n'),
    `The stanzas of ${name} changed. If that is right, run this test with UPDATE_GOLDEN=1 and commit ${name}.txt.`,
  )
}

/** Returns each kind of stanza in a recording once, sorted. */
export function kindsIn(recording: string): string[] {
  const lines = recording
    .split('\n')
    .filter((line) => line.includes('"stanza"'))
    .map((line) => JSON.parse(line) as { direction: string; stanza: Stanza })
  return [...new Set(lines.map(({ direction, stanza }) => `${direction} ${chooseKind(stanza)}`))].toSorted()
}

function chooseKind({ tag, attrs = {}, otherAttrs, content }: Stanza): string {
  const values = Object.entries(attrs)
    .map(
      ([name, value]) => ` ${name}=${COUNTS.has(name) && /^\d+$/.test(value) ? '…' : value.replace(PLACEHOLDER, '$1')}`,
    )
    .toSorted()
  const others = otherAttrs === undefined ? '' : ` +${otherAttrs}`
  const head = `<${tag}${values.join('')}${others}>`
  if (content === undefined) return head
  if (content === true) return `${head}…`
  const children = content.filter((child) => child.tag !== CHANCE)
  return `${head}[${[...new Set(children.map(chooseKind))].toSorted().join(' ')}]`
}
