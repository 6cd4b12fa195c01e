/** Runs the programs of `examples/` and of the client's README. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Cleanup } from './cleanup.js'
import { eventually } from './eventually.js'

type Env = Readonly<Record<string, string>>
type Command = readonly [string, ...string[]]

export interface Example {
  readonly ended: Promise<number | null>
  /** Waits for a line that starts with these words, and returns the rest of it. */
  line(words: string, isIt?: (line: string) => boolean): Promise<string>
  /** Waits for these words in its other output, `stderr`. */
  noted(words: string): Promise<unknown>
  /** Waits for its end, and returns the JSON of its last line. */
  result(): Promise<Record<string, unknown>>
  stop(): void
}

export interface Language {
  /** Its folder below `examples/`. */
  readonly name: string
  readonly program: string
  command(folder: string, example: string, env: Env): Command
  /** Waits until `receive` takes webhooks. */
  listens(receiver: Example, port: number): Promise<unknown>
}

const listening = (receiver: Example): Promise<unknown> => receiver.line('listening')

export const LANGUAGES: readonly Language[] = [
  {
    name: 'node',
    program: process.execPath,
    command: (folder, example) => [process.execPath, path.join(folder, `${example}.mjs`)],
    listens: listening,
  },
  {
    name: 'python',
    program: 'python3',
    command: (folder, example) => ['python3', path.join(folder, `${example}.py`)],
    listens: listening,
  },
  {
    name: 'php',
    program: 'php',
    command: (folder, example, { PORT: port = '' }) => {
      const file = path.join(folder, `${example}.php`)
      return example === 'receive' ? ['php', '-S', `127.0.0.1:${port}`, file] : ['php', file]
    },
    listens: (_, port) =>
      eventually(() =>
        fetch(`http://127.0.0.1:${port}`).then(
          () => true,
          () => false,
        ),
      ),
  },
  {
    name: 'curl',
    program: 'curl',
    command: (folder, example) => ['sh', path.join(folder, `${example}.sh`)],
    listens: listening,
  },
]

export function isInstalled({ program }: Language): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** Starts a program of its own group, so that `stop` ends what it has started too. */
export function startExample(cleanup: Cleanup, [program, ...given]: Command, env: Env): Example {
  const child = spawn(program, given, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const wrote = (): string => `${given.join(' ')} wrote: ${output}\n${errors}`
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stop = (): void => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid)
  }
  cleanup.after(stop)
  return {
    ended,
    stop,
    async line(words, isIt = () => true) {
      const look = () =>
        output
          .split('\n')
          .slice(0, -1)
          .find((one) => one.startsWith(words) && isIt(one))
      const found = await eventually(look).catch(() => assert.fail(wrote()))
      return (found as string).slice(words.length).trim()
    },
    noted: (words) => eventually(() => errors.includes(words)).catch(() => assert.fail(wrote())),
    async result() {
      const status = await ended
      assert.equal(status, 0, wrote())
      return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
    },
  }
}
