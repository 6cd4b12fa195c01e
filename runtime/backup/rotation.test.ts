import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { OperatorError } from '../../schemas/operator-error.js'
import { backupName, deleteOldBackups, listBackups, waitMs } from './rotation.js'

const NOW = new Date('2026-11-29T12:00:00Z')
const HOUR_MS = 3_600_000

describe('old backups', () => {
  it('are deleted, but the newest ones and everything that is not a finished backup stay', async (t) => {
    const folder = emptyFolder(t)
    for (const hours of [1, 25, 49, 73]) addBackup(folder, hours)
    // By somebody else, under a name of their own, and one that does not say what it is.
    mkdirSync(path.join(folder, 'photographs'))
    addBackup(folder, 400, 'before-the-move')
    mkdirSync(path.join(folder, 'posthorn-backup-2020-01-01T00-00-00Z'))
    const deleted = await deleteOldBackups(folder, 2, NOW)
    assert.deepEqual(
      deleted,
      [49, 73].map((hours) => path.join(folder, makeName(hours))),
    )
    assert.deepEqual(
      readdirSync(folder).toSorted(),
      [makeName(1), makeName(25), 'before-the-move', 'photographs', 'posthorn-backup-2020-01-01T00-00-00Z'].toSorted(),
    )
  })

  it('that were cut off are deleted after two days, since another machine may be making one', async (t) => {
    const folder = emptyFolder(t)
    for (const hours of [3, 50]) mkdirSync(path.join(folder, `${makeName(hours)}.unfinished-17`))
    mkdirSync(path.join(folder, 'mine.unfinished-17'))
    assert.deepEqual(await deleteOldBackups(folder, 7, NOW), [path.join(folder, `${makeName(50)}.unfinished-17`)])
    assert.equal(readdirSync(folder).length, 2)
  })

  it('are ordered by their own time, also when a clock was wrong', async (t) => {
    const folder = emptyFolder(t)
    addBackup(folder, 1)
    addBackup(folder, 30, makeName(0))
    const [first, second] = await listBackups(folder)
    assert.deepEqual(
      [first?.folder, second?.folder],
      [makeName(1), makeName(0)].map((name) => path.join(folder, name)),
    )
  })
})

describe('the next backup', () => {
  it('is due at once if there is none, and otherwise when the newest one is old enough', async (t) => {
    const folder = emptyFolder(t)
    assert.equal(await waitMs(folder, 24 * HOUR_MS, NOW), 0)
    addBackup(folder, 20)
    addBackup(folder, 90)
    assert.equal(await waitMs(folder, 24 * HOUR_MS, NOW), 4 * HOUR_MS)
    assert.equal(await waitMs(folder, 12 * HOUR_MS, NOW), 0)
  })

  it('waits for one period at most, also if the newest one has a time in the future', async (t) => {
    const folder = emptyFolder(t)
    addBackup(folder, -500)
    assert.equal(await waitMs(folder, 24 * HOUR_MS, NOW), 24 * HOUR_MS)
  })

  it('is refused with a sentence if the folder is missing', async (t) => {
    const missing = path.join(emptyFolder(t), 'none')
    await assert.rejects(waitMs(missing, HOUR_MS, NOW), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /cannot be read/)
      return true
    })
  })
})

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-rotation-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function timeBefore(hours: number): Date {
  return new Date(NOW.getTime() - hours * HOUR_MS)
}

function makeName(hours: number): string {
  return backupName(timeBefore(hours))
}

function addBackup(folder: string, hours: number, name = makeName(hours)): void {
  mkdirSync(path.join(folder, name))
  const manifest = { posthorn: 'backup', format: 1, madeAt: timeBefore(hours).toISOString() }
  writeFileSync(path.join(folder, name, 'posthorn-backup.json'), JSON.stringify(manifest))
}
