import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { lastingPort } from './port.js'
import { within } from './waits.js'

const program = fileURLToPath(new URL('../../demo.js', import.meta.url))
/** Below the time that a file of tests has. */
const DEMO_MS = 200_000
const LAST_LINES = 30

interface DemoRun {
  readonly code: number | null
  readonly output: string
  /** For an assertion: why it failed, then the last lines. */
  readonly why: string
}

/** The demo as a program of its own; resolves when it has ended. */
export async function runDemo(...options: readonly string[]): Promise<DemoRun> {
  const demo = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The usual port may be wanted by another program of this machine in the meantime.
    env: { ...process.env, PORT: String(await lastingPort()) },
  })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const closed = within('The demo', once(demo, 'close'), { withinMs: DEMO_MS, output: () => output })
  const [code] = (await closed.finally(() => demo.kill())) as [number | null]
  return { code, output, why: findReason(output) }
}

function findReason(output: string): string {
  const lines = output.trim().split('\n')
  const reason = lines.findIndex((line) => line.startsWith('The demo failed: '))
  return [...(reason < 0 ? [] : [lines[reason]]), '…', ...lines.slice(-LAST_LINES)].join('\n')
}
