import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { lowerProcess } from './priority.js'

const isLowAlready = os.getPriority(0) > 0
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { getPriority } = require('node:os')
  import(workerData).then(({ lowerThread }) => {
    lowerThread()
    parentPort.postMessage(getPriority(0))
  })`

describe('priorities', () => {
  it('of a thread that works for long are lower; the main thread keeps its own', {
    skip: process.platform !== 'linux' || isLowAlready,
  }, async (t) => {
    const before = os.getPriority(0)
    const worker = new Worker(program, { eval: true, workerData: new URL('priority.js', import.meta.url).href })
    t.after(() => worker.terminate())
    const [ofWorker] = (await once(worker, 'message')) as [number]
    assert.ok(ofWorker > before, `${ofWorker}, ${before}`)
    assert.equal(os.getPriority(0), before)
  })

  it('of a program are lower, and one that has ended is not an error', { skip: isLowAlready }, async (t) => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    t.after(() => child.kill('SIGKILL'))
    lowerProcess(child.pid)
    assert.ok(os.getPriority(child.pid ?? 0) > os.getPriority(0))
    child.kill('SIGKILL')
    await once(child, 'exit')
    lowerProcess(child.pid)
  })
})
