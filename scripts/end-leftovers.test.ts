import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasEndedWithin, isRunning, signalProcess } from '../runtime/embedded/processes.js'

const program = fileURLToPath(new URL('end-leftovers.js', import.meta.url))
const preload = new URL('../test/support/children.js', import.meta.url).href

/** Stands for a test file: it starts a server that has started another process, as a gateway does, and prints their pids. */
const testFile = `
  const { spawn } = await import('node:child_process')
  const inner = "const c = require('child_process').spawn('sleep', ['600']); console.log(process.pid, c.pid); setInterval(() => {}, 1e9)"
  const server = spawn(process.execPath, ['-e', inner], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  server.stdout.pipe(process.stdout)`

it('ends what a killed test file had started, and nothing of a file that runs', async (t) => {
  const { folder } = startEnding(t)
  const [killed, other] = [await startFile(t, folder), await startFile(t, folder)]
  killed.process.kill('SIGKILL')
  for (const pid of killed.started) assert.ok(await hasEndedWithin(pid, 60_000), 'ends')
  for (const pid of other.started) assert.ok(isRunning(pid), 'goes on')
})

it('ends everything and removes the folder when the run is killed', async (t) => {
  const { ending, folder, another } = startEnding(t)
  const { started } = await startFile(t, folder)
  ending.stdin?.destroy()
  await once(ending, 'exit')
  for (const pid of started) assert.ok(await hasEndedWithin(pid, 60_000), 'ends')
  assert.deepEqual(
    [folder, another].map((one) => existsSync(one)),
    [false, false],
  )
})

function startEnding(t: TestContext): { ending: ChildProcess; folder: string; another: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'leftovers-'))
  const another = mkdtempSync(path.join(os.tmpdir(), 'leftovers-'))
  const ending = spawn(process.execPath, [program, folder, another], { stdio: ['pipe', 'inherit', 'inherit'] })
  t.after(async () => {
    if (ending.exitCode !== null) return
    ending.stdin.end()
    await once(ending, 'exit')
  })
  return { ending, folder, another }
}

async function startFile(t: TestContext, folder: string): Promise<{ process: ChildProcess; started: number[] }> {
  const child = spawn(process.execPath, [`--import=${preload}`, '--input-type=module', '-e', testFile], {
    env: { ...process.env, POSTHORN_TEST_FOLDER: folder, NODE_TEST_CONTEXT: 'child' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => signalProcess(child.pid ?? 0, 'SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const started = line.toString().trim().split(' ').map(Number)
  assert.equal(started.length, 2)
  return { process: child, started }
}
