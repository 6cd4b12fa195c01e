import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { inFile } from '../test/specification/area.js'
import { areas } from '../test/specification/list.js'
import { lostTests, testNames } from './specification-page.js'

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
    writeFileSync(path.join(folder, 'a/c.ts'), `it('is no test file', () => {`)
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

  it('has one area of each title', () => {
    assert.equal(new Set(areas.map(({ title }) => title)).size, areas.length)
  })
})
