import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { eventually } from '../../../test/support/eventually.js'
import { askHealth, findWorstHealth, type HealthState, serveHealth } from './health-server.js'

it('answers 503 after the limit, at the place of a process that was killed, and the worst of several', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'health-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socket = path.join(folder, 'h1.sock')
  writeFileSync(socket, '')
  let state: HealthState = { isOverLimit: false, blockedMs: 12.4 }
  const failures: string[] = []
  const server = serveHealth(
    { path: socket },
    () => state,
    ({ message }) => failures.push(message),
  )
  t.after(() => server.close())
  await eventually(
    () => askHealth(socket),
    (answer) => answer !== null,
  )
  assert.deepEqual(await askHealth(socket), { isOverLimit: false, blockedMs: 12 })
  state = { isOverLimit: true, blockedMs: 20_000 }
  const status = await new Promise((resolve) => {
    get({ socketPath: socket, path: '/health' }, (response) => resolve(response.resume().statusCode))
  })
  assert.equal(status, 503)
  assert.deepEqual(await askHealth(socket), state)
  assert.deepEqual(findWorstHealth([{ isOverLimit: false, blockedMs: 40 }, state]), state)
  assert.equal(await askHealth(path.join(folder, 'none.sock')), null)
  assert.deepEqual(failures, [])
})
