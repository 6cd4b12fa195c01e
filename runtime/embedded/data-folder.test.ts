import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { OperatorError } from '../../schemas/operator-error.js'
import { redisAt } from '../connect/redis-place.js'
import { prepareDataFolder } from './data-folder.js'
import { startEmbedded } from './start.js'

describe('the data folder', () => {
  it('is made with its parents, closed to others, and found again', (t) => {
    const folder = path.join(parent(t), 'a', 'b')
    prepareDataFolder(folder)
    chmodSync(folder, 0o755)
    prepareDataFolder(folder)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(folder), ['posthorn.json'])
  })

  it('is not made on Windows, where a start says what is missing', async (t) => {
    const folder = path.join(parent(t), 'new')
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
    t.after(() => Object.defineProperty(process, 'platform', platform))
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
    const logger = pino({ level: 'silent' })
    await assert.rejects(
      startEmbedded({ dataDir: folder, logger }),
      refusal(/Set DATABASE_URL and REDIS_URL to .* WSL/),
    )
    const redis = redisAt('redis://127.0.0.1:1')
    await assert.rejects(startEmbedded({ dataDir: folder, redis, logger }), refusal(/Set DATABASE_URL to servers/))
    assert.equal(existsSync(folder), false)
  })

  it('may be a fresh disk', (t) => {
    const folder = parent(t)
    writeFileSync(path.join(folder, '.gitkeep'), '')
    assert.doesNotThrow(() => prepareDataFolder(folder))
  })

  it('of somebody else is refused and left as it is', (t) => {
    const folder = parent(t)
    writeFileSync(path.join(folder, 'thesis.txt'), 'mine')
    assert.throws(
      () => prepareDataFolder(folder),
      refusal(/holds thesis\.txt .* not ours and was left as it is; set DATA_DIR/),
    )
    assert.deepEqual(readdirSync(folder), ['thesis.txt'])
  })

  it('is refused if its marker is damaged', (t) => {
    const folder = parent(t)
    for (const text of ['', '{"posthorn":', 'null', '{"posthorn":"data folder"}', '{"other":1}']) {
      writeFileSync(path.join(folder, 'posthorn.json'), text)
      assert.throws(() => prepareDataFolder(folder), refusal(/is damaged.*Restore/), text)
      assert.equal(readFileSync(path.join(folder, 'posthorn.json'), 'utf8'), text)
    }
  })

  it('of a newer version is refused', (t) => {
    const folder = parent(t)
    writeFileSync(path.join(folder, 'posthorn.json'), '{"posthorn":"data folder","format":99}')
    assert.throws(() => prepareDataFolder(folder), refusal(/newer version \(format 99.*start that version/))
  })

  it('is refused if it is a file', (t) => {
    const file = path.join(parent(t), 'file')
    writeFileSync(file, '')
    assert.throws(() => prepareDataFolder(file), refusal(/is not a folder/))
    assert.throws(() => prepareDataFolder(path.join(file, 'below')), refusal(/is not a folder/))
  })
})

function refusal(text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof OperatorError && text.test(error.message)
}

function parent(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-folder-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
