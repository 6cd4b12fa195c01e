import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { inFile, section } from '../test/specification/area.js'
import { interfaceSections } from '../test/specification/interface.js'
import { areas } from '../test/specification/list.js'
import { differences, INTERFACE, lostTests, splitSections, testNames } from './specification-page.js'

describe('the list of what the interface states', () => {
  it('finds tests alone, in groups, with values and with quotes in their names', (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-names-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const dollar = '$'
    mkdirSync(path.join(folder, 'a'))
    writeFileSync(
      path.join(folder, 'a/b.test.ts'),
      [
        `describe('first', () => {`,
        `  it('is one', () => {`,
        `    it(\`is ${dollar}{two} of\`, async () => {`,
        `})`,
        `describe("second's", () => {`,
        `  it('isn\\'t', () => {`,
        `it('alone', () => {`,
        `// it('is none')`,
      ].join('\n'),
    )
    writeFileSync(path.join(folder, 'a/c.ts'), `it('is not a test file', () => {`)
    const group = (name: string, it: string) => inFile('a/b.test.ts', name)(it)
    assert.deepEqual(
      [...testNames(folder)],
      [group('first', 'is one'), group('first', 'is … of'), group("second's", "isn't"), inFile('a/b.test.ts')('alone')],
    )
  })

  it('tells of every test that it names and that is not there', () => {
    const there = inFile('a.test.ts')('there')
    const gone = inFile('a.test.ts', 'group')('gone')
    const statements = { shown: ['It is.', there], lost: ['It was.', there, gone], open: ['It will be.'] } as const
    assert.deepEqual(lostTests([{ title: 'Area', statements }], new Set([there])), [`Area · lost: ${gone}`])
  })

  it('holds every sentence and table row of the interface, word for word and in its order', () => {
    const text = readFileSync(path.join(packageRoot, INTERFACE), 'utf8')
    const sections = splitSections(text)
    assert.deepEqual(differences(sections, interfaceSections), [])
    // Nothing of the text is lost on the way but blanks and the heads of tables.
    const squeezed = (one: string) => one.replaceAll(/\s/g, '')
    const kept = sections.flatMap(({ heading, texts }) => [heading, ...texts])
    const heads = text.split('\n').filter((_, index, all) => /^\|[-| ]+\|$/.test(all[index + 1]?.trim() ?? ''))
    const rules = text.split('\n').filter((line) => /^\|[-| ]+\|$/.test(line.trim()))
    const length = (all: readonly string[]) => squeezed(all.join('')).length
    assert.equal(length(kept) + length(heads) + length(rules), length([text]))
  })

  it('tells of a sentence that was changed, left out or added', () => {
    const text = splitSections('# One\n\nIt is. It does.\n\n| a | b |\n|---|---|\n| c | d |\n')
    assert.deepEqual(text, [{ heading: '# One', texts: ['It is.', 'It does.', '| c | d |'] }])
    const listed = (...sentences: string[]) => [
      section(
        '# One',
        sentences.map((says) => [says] as const),
      ),
    ]
    assert.deepEqual(differences(text, listed('It is.', 'It does.', '| c | d |')), [])
    assert.deepEqual(differences(text, listed('It is.', 'It does not.', '| c | d |')), [
      'It says: It does.',
      'Listed is: It does not.',
    ])
    assert.equal(differences(text, listed('It is.', 'It does.')).length, 2)
    assert.equal(differences(text, listed('It is.', 'It does.', '| c | d |', 'More.')).length, 2)
  })

  it('has one area of each title', () => {
    assert.equal(new Set(areas.map(({ title }) => title)).size, areas.length)
  })
})
