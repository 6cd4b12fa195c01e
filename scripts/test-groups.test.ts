import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { groupFiles, readMarks } from './test-groups.js'

interface File {
  readonly name: string
  readonly kind: string
  readonly wallMs: number
  readonly cpuMs: number
  readonly alone?: boolean
}

const file = (name: string, wallMs: number, more: Partial<File> = {}): File => ({
  name,
  kind: 'quick',
  wallMs,
  cpuMs: wallMs,
  ...more,
})

describe('the groups of test files', () => {
  it('hold each file once, and files of one kind only', () => {
    const files = Array.from({ length: 200 }, (_, index) =>
      file(`f${index}`, 500 + 10 * index, { kind: index % 3 === 0 ? 'quick' : 'servers' }),
    )
    const groups = grouped(files)
    assert.deepEqual(groups.flat().toSorted(), files.map(({ name }) => name).toSorted())
    assert.ok(groups.length < 60, `${groups.length} groups`)
    const kindsByName = new Map(files.map(({ name, kind }) => [name, kind]))
    assert.ok(groups.every((group) => new Set(group.map((name) => kindsByName.get(name))).size === 1))
  })

  it('leave a process of its own to a file that is long, mostly waits, or says so', () => {
    const short = Array.from({ length: 40 }, (_, index) => file(`short ${index}`, 1_000))
    const own = [file('long', 25_000), file('waits', 3_000, { cpuMs: 500 }), file('says so', 1_000, { alone: true })]
    const groups = grouped([...short, ...own])
    for (const { name } of own) assert.ok(groups.some((group) => group.length === 1 && group[0] === name))
  })

  it('are enough for all processors', () => {
    const files = Array.from({ length: 16 }, (_, index) => file(`f${index}`, 100))
    assert.equal(grouped(files, 2).length, 8)
    assert.equal(grouped(files, 16).length, 16)
  })

  it('follow the marks in a source file', (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'test-groups-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const source = path.join(folder, 'a.test.ts')
    const marks = (text: string) => {
      writeFileSync(source, text)
      return readMarks(source)
    }
    assert.deepEqual(marks("it('x')\n"), { ownProcess: false, ownProcessors: false })
    assert.deepEqual(marks('// Own process: because\n'), { ownProcess: true, ownProcessors: false })
    assert.deepEqual(marks("import 'x'\n// Own processors: because\n"), { ownProcess: false, ownProcessors: true })
  })
})

function grouped(files: readonly File[], processors = 2): string[][] {
  const groups = groupFiles(files, {
    getTimes: (one) => one,
    chooseKind: ({ kind }) => kind,
    isAlone: ({ alone }) => alone === true,
    processors,
  })
  return groups.map((group) => group.map(({ name }) => name))
}
