/**
 * Runs test files one after another in this process, each as a suite of its name: `node run-test-files.js FILES`, started by `test-file.ts`.
 * They share the modules that they load, which is most of what a quick file costs. Hooks at the top of a file belong to that file.
 * The parent process hears which file begins, so that it can give each file its own time and name the one that ended the process. Before it kills
 * this one it sends SIGUSR2, which prints what runs and what is waited for.
 */
import { writeSync } from 'node:fs'
import { describe, mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describeRunning } from '../test/support/running-tests.js'
import { beginUsage } from '../test/support/usage.js'
import { describeWaits } from '../test/support/waits.js'
import type { TestFile, Told } from './test-file.js'

const TURNS_OF_REPORTER = 10

// node:test then cancels what has not ended and reports nothing more: the files that are left need another process.
let isOver = false
process.once('beforeExit', () => {
  isOver = true
})

/** Errors outside of a test or in a hook. node:test says nothing of the latter, and waits for the hook. */
const uncaught: unknown[] = []
process.on('uncaughtExceptionMonitor', (error) => void uncaught.push(error))
process.on('exit', (code) => {
  if (code !== 0 && uncaught.length > 0) writeSync(process.stderr.fd, describeUncaught())
})
process.on('SIGUSR2', () => {
  const report = ['\nWhat did not end:\n', describeRunning(), describeWaits(), describeUncaught()]
  writeSync(process.stderr.fd, report.join(''))
  process.kill(process.pid, 'SIGKILL')
})

const files = JSON.parse(process.argv[2] ?? '[]') as readonly TestFile[]
for (const [begun, { name, file }] of files.entries()) {
  tell({ begun, exitCode: Number(process.exitCode ?? 0) })
  beginUsage(file)
  await describe(name, async () => void (await import(pathToFileURL(file).href)))
  if (isOver) break
  mock.reset()
  // The reporter prints a little later. What the next file does to the process must not take the report of this one with it.
  for (let turn = 0; turn < TURNS_OF_REPORTER; turn += 1) await setImmediate()
}
if (!isOver) tell({ begun: files.length, exitCode: Number(process.exitCode ?? 0) })

function describeUncaught(): string {
  return uncaught.map((error) => `nobody caught: ${error instanceof Error ? error.stack : String(error)}\n`).join('')
}

function tell(told: Told): void {
  process.send?.(told)
}
