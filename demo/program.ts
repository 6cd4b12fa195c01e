import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../lib/package-root.js'

export interface Program {
  /** The first line of its output that fits. */
  readonly said: RegExpExecArray
  readonly pid: number
  stop(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
}

const STOP_MS = 20_000

/** Starts one of our compiled programs beside this one and waits until it says that it is ready. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Program> {
  const program = path.join(packageRoot, 'dist', file)
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C goes to the demo alone, which then stops them in order.
    detached: true,
  })
  const tail: string[] = []
  const keep = (line: string): void => {
    tail.push(line)
    if (tail.length > 40) tail.shift()
  }
  createInterface({ input: child.stderr }).on('line', keep)
  const said = await new Promise<RegExpExecArray>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      keep(line)
      const match = ready.exec(line)
      if (match !== null) resolve(match)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`${file} ended (${code ?? 'killed'}) before it was ready:\n${tail.join('\n')}`)),
    )
  })
  return { said, pid: child.pid ?? 0, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}
