import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import type { Cleanup } from '../../test/support/cleanup.js'
import { eventually } from '../../test/support/eventually.js'
import { createProcessGroup } from './process-group.js'

/** A process that does not end is killed after that time. */
const STOP_TIMEOUT_MS = 20_000

/** Starts one process, which runs this text as a module. */
function startOne(t: Cleanup, text: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'group-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const program = path.join(folder, 'process.mjs')
  writeFileSync(program, text)
  const lines: Record<string, unknown>[] = []
  const group = createProcessGroup({
    count: 1,
    program,
    args: [],
    describePlace: (ofGroup) => ({ ...ofGroup, isAdminTokenNew: false }),
    stopTimeoutMs: STOP_TIMEOUT_MS,
    logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }) as never,
    onListening() {},
    onFailedStart() {},
  })
  group.start()
  t.after(() => group.kill())
  return { group, ended: () => lines.find(({ msg }) => msg === 'Process ended.'), folder }
}

const membership = fileURLToPath(new URL('membership.js', import.meta.url))
const JOINS = `
  const { joinProcesses } = await import(${JSON.stringify(membership)})
  const place = JSON.parse(process.env.POSTHORN_PROCESS)
  joinProcesses(place, { end: () => process.exit(0) }, process)
  setInterval(() => {}, 1_000)`

describe('a process that is told to end in its first moments', () => {
  it('ends at once by a signal while it has not joined the group', async (t) => {
    const { group, ended } = startOne(t, `setInterval(() => {}, 1_000)\n`)
    const begunAt = performance.now()
    assert.equal(await group.stop('test'), true)
    assert.deepEqual([ended()?.code, ended()?.signal], [null, 'SIGTERM'])
    assert.ok(performance.now() - begunAt < STOP_TIMEOUT_MS)
  })

  it('ends in order when it takes signals itself, and joins later', async (t) => {
    const signs = `
      process.on('SIGTERM', () => {})
      ;(await import('node:fs')).writeFileSync(new URL('ready', import.meta.url), '')
      await new Promise((joined) => setTimeout(joined, 300))`
    const { group, ended, folder } = startOne(t, signs + JOINS)
    await eventually(async () => existsSync(path.join(folder, 'ready')))
    assert.equal(await group.stop('test'), true)
    assert.deepEqual([ended()?.code, ended()?.signal], [0, null])
  })
})
