import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { recordChildren } from './children.js'

it('a run writes down what it starts, and a later one in the same process is not bound to its folder', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'children-'))
  const stop = recordChildren(folder)
  const first = spawn(process.execPath, ['--version'])
  stop()
  const started = path.join(folder, 'started')
  const [name = ''] = readdirSync(started)
  assert.match(readFileSync(path.join(started, name), 'utf8'), new RegExp(`^${first.pid}-`))
  rmSync(folder, { recursive: true })
  const [code] = await once(spawn(process.execPath, ['--version']), 'exit')
  assert.equal(code, 0)
})
