import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { makePeerFolder, removePeerFolder } from './peer-folder.js'

it('makes a folder that only its user can enter, if sockets in it have a path that is short enough', (t) => {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'peers-'))
  t.after(() => rmSync(parent, { recursive: true }))
  const folder = makePeerFolder(parent) ?? ''
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  removePeerFolder(folder)
  assert.equal(existsSync(folder), false)
  const long = path.join(parent, 'x'.repeat(100))
  mkdirSync(long)
  assert.equal(makePeerFolder(long), undefined)
  assert.equal(makePeerFolder(path.join(parent, 'none')), undefined)
})
