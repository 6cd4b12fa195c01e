import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { lastingPort, listenOn } from './port.js'

const run = promisify(execFile)
const module = new URL('port.js', import.meta.url).href

describe('a port of a test', () => {
  it('is no other process’s and was given once, though nobody listens on it yet', async () => {
    // The same random numbers in each process, so that they want the same ports.
    const script = `const { lastingPort } = await import('${module}'); let count = 0; Math.random = () => (count++ % 40) / 40
      const ports = []; for (let left = 5; left > 0; left -= 1) ports.push(await lastingPort())
      console.log(ports.join()); process.stdin.resume().once('end', () => process.exit())`
    const others = Array.from({ length: 3 }, () => execFile(process.execPath, ['--input-type=module', '-e', script]))
    const given = await Promise.all(
      others.map(async ({ stdout }) => String(((await once(stdout as NodeJS.ReadableStream, 'data')) as [string])[0])),
    )
    for (const { stdin } of others) stdin?.end()
    const ports = given.flatMap((line) => line.trim().split(','))
    assert.equal(ports.length, 15)
    assert.equal(new Set(ports).size, 15, given.join(' '))
  })

  it('is free again when its process has ended, however it ended', async () => {
    const script = `const { lastingPort } = await import('${module}'); Math.random = () => 0.5; console.log(await lastingPort()); process.kill(process.pid, 'SIGKILL')`
    const one = async () => {
      const ended = await run(process.execPath, ['--input-type=module', '-e', script]).catch(
        (error: { stdout: string }) => error,
      )
      return Number(ended.stdout)
    }
    assert.equal(await one(), await one())
  })

  it('that is in use fails the server that wants it, with its number', async (t) => {
    const [first, second] = [createServer(), createServer()]
    t.after(() => first.close())
    const port = await listenOn(first, await lastingPort())
    await assert.rejects(listenOn(second, port), new RegExp(`cannot listen on port ${port}`))
  })
})
