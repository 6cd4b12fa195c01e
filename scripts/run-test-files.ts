/**
 * Runs test files one after another in this process, each as a suite of its name: `node run-test-files.js FILES`, started by `test-file.ts`.
 * They share the modules that they load, which is most of what a quick file costs. Hooks at the top of a file belong to that file.
 * The parent process hears which file begins, so that it can give each file its own time and name the one that ended the process.
 */
import { describe, mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beginUsage } from '../test/support/usage.js'
import type { TestFile, Told } from './test-file.js'

const TURNS_OF_REPORTER = 10

// node:test then cancels what has not ended and reports nothing more: the files that are left need another process.
let isOver = false
process.once('beforeExit', () => {
  isOver = true
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

function tell(told: Told): void {
  process.send?.(told)
}
