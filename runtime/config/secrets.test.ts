import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { OperatorError } from '../../schemas/operator-error.js'
import { readConfig } from '../config.js'
import { loadSecrets } from './secrets.js'

const key = Buffer.alloc(32, 7)

describe('secrets that were not given', () => {
  it('are made once, kept for the owner alone, and read again', (t) => {
    const dir = folder(t)
    const first = loadSecrets(readConfig({ DATA_DIR: dir }))
    assert.equal(first.isAdminTokenNew, true)
    assert.equal(first.encryptionKey.length, 32)
    assert.equal(statSync(first.file).mode & 0o777, 0o600)
    const second = loadSecrets(readConfig({ DATA_DIR: dir }))
    assert.deepEqual({ ...second }, { ...first, isAdminTokenNew: false })
  })

  it('leave no file when all were given', (t) => {
    const dir = folder(t)
    const given = {
      ADMIN_TOKEN: 'a'.repeat(32),
      CLUSTER_SECRET: 'c'.repeat(32),
      ENCRYPTION_KEY: key.toString('base64'),
    }
    const secrets = loadSecrets(readConfig({ DATA_DIR: dir, ...given }))
    assert.equal(secrets.adminToken, given.ADMIN_TOKEN)
    assert.deepEqual(secrets.encryptionKey, key)
    assert.deepEqual(readdirSync(dir), [])
  })

  it('still decrypt after a key was given instead', (t) => {
    const dir = folder(t)
    const made = loadSecrets(readConfig({ DATA_DIR: dir }))
    const given = loadSecrets(readConfig({ DATA_DIR: dir, ENCRYPTION_KEY: key.toString('base64url') }))
    assert.deepEqual(given.encryptionKey, key)
    assert.deepEqual(given.encryptionKeysOld, [made.encryptionKey])
  })

  it('are never made again when their file is damaged', (t) => {
    const dir = folder(t)
    const { file } = loadSecrets(readConfig({ DATA_DIR: dir }))
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40))
    assert.throws(
      () => loadSecrets(readConfig({ DATA_DIR: dir })),
      (error) => error instanceof OperatorError && /damaged; restore/.test(error.message),
    )
  })
})

function folder(t: TestContext): string {
  const created = mkdtempSync(path.join(os.tmpdir(), 'secrets-'))
  t.after(() => rmSync(created, { recursive: true }))
  return created
}
