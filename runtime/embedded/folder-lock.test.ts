import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { lockFolder } from './folder-lock.js'

describe('the lock of a data folder', () => {
  it('is held once, and free again when it was released', (t) => {
    const { folder } = lockPlace(t)
    const lock = lockFolder(folder)
    assert.throws(() => lockFolder(folder), new RegExp(`process ${process.pid}\\); stop that one`))
    lock.release()
    lockFolder(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  })

  it('of a dead process is taken over', (t) => {
    const { folder, file } = lockPlace(t)
    const { pid } = spawnSync('true')
    writeFileSync(file, JSON.stringify({ ...holder(folder), pid }))
    lockFolder(folder).release()
  })

  it('of a process whose pid belongs to another one now is taken over', (t) => {
    const { folder, file } = lockPlace(t)
    const me = holder(folder)
    if (me.startTicks === undefined) return t.skip('start times are not known here')
    writeFileSync(file, JSON.stringify({ ...me, startTicks: '1' }))
    lockFolder(folder).release()
  })

  it('from before the machine started again is taken over', (t) => {
    const { folder, file } = lockPlace(t)
    writeFileSync(file, JSON.stringify({ ...holder(folder), bootId: 'another boot' }))
    lockFolder(folder).release()
  })

  it('of another host counts until its heartbeat stops', (t) => {
    const { folder, file } = lockPlace(t)
    writeFileSync(file, JSON.stringify({ ...holder(folder), host: 'elsewhere' }))
    assert.throws(() => lockFolder(folder), /on elsewhere\), which gave a sign of life \d+ s ago/)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(file, longAgo, longAgo)
    lockFolder(folder).release()
  })

  it('is taken over if it is damaged', (t) => {
    const { folder, file } = lockPlace(t)
    writeFileSync(file, '{"pid":')
    const lock = lockFolder(folder)
    lock.release()
    assert.equal(existsSync(file), false)
  })
})

function lockPlace(t: TestContext): { folder: string; file: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return { folder, file: path.join(folder, 'gateway.lock') }
}

/** Returns the entry of our own lock. */
function holder(folder: string): Record<string, unknown> {
  const lock = lockFolder(folder)
  const text = readFileSync(path.join(folder, 'gateway.lock'), 'utf8')
  lock.release()
  return JSON.parse(text) as Record<string, unknown>
}
