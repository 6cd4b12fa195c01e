/**
 * Writes down each process that this one starts, so that `scripts/end-leftovers.ts` can end it after this one was killed. `scripts/test.ts`
 * imports it, and preloads it in each test file.
 */
import { ChildProcess } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { startTicks } from '../../runtime/embedded/processes.js'

const { POSTHORN_TEST_FOLDER } = process.env
/** Undefined while this process does not record. */
let file: string | undefined
let areSpawnsSeen = false
if (POSTHORN_TEST_FOLDER !== undefined) recordChildren(POSTHORN_TEST_FOLDER)

/** Records in this folder until the function that it returns is called; then the folder may go. */
export function recordChildren(folder: string): () => void {
  const started = path.join(folder, 'started')
  mkdirSync(started, { recursive: true })
  const former = file
  file = path.join(started, readName(process.pid))
  if (!areSpawnsSeen) seeSpawns()
  return () => {
    file = former
  }
}

function seeSpawns(): void {
  areSpawnsSeen = true
  // `spawn`, `exec`, `execFile` and `fork` all come to this method.
  const prototype = ChildProcess.prototype as unknown as { spawn(options: unknown): number }
  const { spawn } = prototype
  prototype.spawn = function (this: ChildProcess, options) {
    const answer = spawn.call(this, options)
    if (this.pid !== undefined && file !== undefined) appendFileSync(file, `${readName(this.pid)}\n`)
    return answer
  }
}

/** With the start time a reused pid is recognised. */
function readName(pid: number): string {
  return `${pid}-${startTicks(pid) ?? ''}`
}
