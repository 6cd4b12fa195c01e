import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../demo.js', import.meta.url))

/** The demo as a program of its own; resolves when it has ended. */
export async function runDemo(...options: readonly string[]): Promise<{ code: number | null; output: string }> {
  const demo = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = (await once(demo, 'close')) as [number | null]
  return { code, output }
}
