/** Parts of a bench are processes of their own, so that each one's CPU can be told from the others'. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Part {
  readonly pid: number
  /** The first line of its output that fitted. */
  readonly said: RegExpExecArray
  /** Sends a line and waits for the next line of JSON. */
  ask<T>(line: object): Promise<T>
  stop(): Promise<void>
}

export async function startPart(file: string, env: Readonly<Record<string, string>>, ready: RegExp): Promise<Part> {
  const program = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers: ((text: string) => void)[] = []
  let isReady = false
  const said = await new Promise<RegExpExecArray>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const match = isReady ? null : ready.exec(line)
      if (match !== null) {
        isReady = true
        resolve(match)
      } else if (isReady && line.startsWith('{"answer"')) answers.shift()?.(line)
    })
    child.once('exit', (code) => reject(new Error(`${file} ended (${code ?? 'killed'}).`)))
  })
  return {
    pid: child.pid ?? 0,
    said,
    ask: <T>(line: object) =>
      new Promise<T>((resolve) => {
        answers.push((text) => resolve((JSON.parse(text) as { answer: T }).answer))
        child.stdin?.write(`${JSON.stringify(line)}\n`)
      }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** CPU time of a process so far, in milliseconds; Linux counts in hundredths of a second. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
