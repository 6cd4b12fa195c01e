import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { findChromium } from './chromium-program.js'

it('finds the browser of the machine by its full path, since Playwright starts no other', {
  skip: process.platform === 'win32' && 'the program is a shell script',
}, async (t: TestContext) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'browser-in-path-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const program = path.join(folder, 'google-chrome')
  writeFileSync(program, '#!/bin/sh\necho Chrome 1\n')
  chmodSync(program, 0o755)
  const { PATH, CHROMIUM_PATH } = process.env
  t.after(() => Object.assign(process.env, { PATH, ...(CHROMIUM_PATH === undefined ? {} : { CHROMIUM_PATH }) }))
  delete process.env.CHROMIUM_PATH
  process.env.PATH = `relative${path.delimiter}${folder}`
  assert.equal((await findChromium())?.program, program)
})
