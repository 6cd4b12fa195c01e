import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../../test/support/eventually.js'
import { lastingPort } from '../../../test/support/port.js'

const program = fileURLToPath(new URL('../../../test/support/blocked-process.js', import.meta.url))

interface Line {
  readonly level?: string
  readonly msg?: string
  readonly blockedMs?: number
  readonly stack?: readonly string[]
  readonly exitCode?: number
  readonly process?: number
  readonly done?: string
}

async function start(t: TestContext, limits: { reportMs: number; endMs: number }, options: readonly string[] = []) {
  const port = await lastingPort()
  const args = [...options, program, String(port), String(limits.reportMs), String(limits.endMs)]
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const lines: Line[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(JSON.parse(line)))
  const health = async () => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/health`)
      const { blockedMs } = (await answer.json()) as { blockedMs: number }
      return { status: answer.status, blockedMs }
    } catch {
      return null
    }
  }
  await eventually(health, (answer) => answer?.status === 200)
  return { child, lines, health, port, say: (word: string) => child.stdin?.write(`${word}\n`) }
}

const line = (lines: readonly Line[], msg: string) => lines.find((one) => one.msg === msg)

describe('a process whose event loop is blocked', { concurrency: true }, () => {
  for (const [word, name] of [
    ['loop', 'blockByLoop'],
    ['expression', 'blockByExpression'],
  ] as const)
    it(`says which functions run, answers probes, and ends itself with its own exit code: ${word}`, async (t) => {
      const { child, lines, health, say } = await start(t, { reportMs: 1_000, endMs: 3_000 })
      const exited = once(child, 'exit')
      say(word)
      await eventually(health, (answer) => answer !== null && answer.blockedMs >= 1_000)
      const [code] = await exited
      assert.equal(code, 70)
      const report = line(lines, 'The event loop is blocked.')
      assert.equal(report?.process, 7)
      assert.match(report?.stack?.join('\n') ?? '', new RegExp(`${name} \\(.*blocked-process\\.(ts|js):\\d+`))
      const end = line(lines, 'The event loop was blocked for too long: the process ends itself.')
      assert.equal(end?.exitCode, 70)
      assert.ok((end?.blockedMs ?? 0) >= 3_000)
    })

  it('runs on when it is blocked for less than the limit, and says for how long it was', async (t) => {
    const { lines, health, say } = await start(t, { reportMs: 1_000, endMs: 60_000 })
    say('loop 2500')
    await eventually(() => lines.some(({ done }) => done === 'loop'))
    await eventually(() => line(lines, 'The event loop runs again.') !== undefined)
    assert.ok((line(lines, 'The event loop runs again.')?.blockedMs ?? 0) >= 1_000)
    assert.equal((await health())?.status, 200)
    say('loop 1')
    await eventually(() => lines.filter(({ done }) => done === 'loop').length === 2)
  })

  it('does not end, and stays healthy, while a debugger may attach to it; other paths and methods are refused', async (t) => {
    const { health, say, port } = await start(t, { reportMs: 1_000, endMs: 1_500 }, ['--inspect=127.0.0.1:0'])
    say('loop')
    await eventually(health, (answer) => answer !== null && answer.blockedMs > 2_500)
    assert.equal((await health())?.status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${port}/other`)).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`, { method: 'POST' })).status, 405)
  })
})
