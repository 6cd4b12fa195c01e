/** Parts of a bench are processes of their own, so that the CPU and memory of each can be measured. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { HeapSpaces } from './heap-spaces.js'
import type { Delay } from './loop-delay.js'
import type { Memory } from './memory.js'

export interface Part {
  readonly pid: number
  /** The first line of its output that fitted. */
  readonly said: RegExpExecArray
  /** Sends a line and waits for the next line of JSON. */
  ask<T>(line: object): Promise<T>
  /** Its memory after collections; only of a part that was started for it. */
  memory(): Promise<Memory>
  /** How late its event loop was since it was last asked; only of a part that was started for it. */
  delay(): Promise<Delay>
  /** Its heap as it is; only of a part that was started for it. */
  heap(): Promise<HeapSpaces>
  stop(): Promise<void>
}

export interface PartOptions {
  /** Its memory will be asked for. */
  readonly measuresMemory?: boolean
  /** The delay of its event loop will be asked for. One of these three at a time: they share a signal. */
  readonly watchesDelay?: boolean
  /** Its heap will be asked for. */
  readonly showsHeap?: boolean
  /** Of Node.js. */
  readonly options?: readonly string[]
  /** It gives way to all others that want a processor. */
  readonly givesWay?: boolean
}

const memoryModule = new URL('./memory.js', import.meta.url).href
const delayModule = new URL('./loop-delay.js', import.meta.url).href
const heapModule = new URL('./heap-spaces.js', import.meta.url).href

export async function startPart(
  file: string,
  env: Readonly<Record<string, string>>,
  ready: RegExp,
  { measuresMemory = false, watchesDelay = false, showsHeap = false, options = [], givesWay = false }: PartOptions = {},
): Promise<Part> {
  const program = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  const forMemory = measuresMemory ? ['--expose-gc', '--import', memoryModule] : []
  const forDelay = watchesDelay ? ['--import', delayModule] : []
  const forHeap = showsHeap ? ['--import', heapModule] : []
  const command = [process.execPath, ...options, ...forMemory, ...forDelay, ...forHeap, program]
  // As a program: it is set before the first thread begins.
  const [name = '', ...args] = givesWay ? ['nice', '-n', '19', ...command] : command
  const child: ChildProcess = spawn(name, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers: ((text: string) => void)[] = []
  // Answers to the signal.
  const reports: ((text: string) => void)[] = []
  let isReady = false
  const said = await new Promise<RegExpExecArray>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const match = isReady ? null : ready.exec(line)
      if (match !== null) {
        isReady = true
        resolve(match)
      } else if (line.startsWith('{"answer"')) answers.shift()?.(line)
      else if (/^\{"(memory|delay|heap)"/.test(line)) reports.shift()?.(line)
    })
    child.once('exit', (code) => reject(new Error(`${file} ended (${code ?? 'killed'}).`)))
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  const report = (): Promise<string> =>
    new Promise((resolve) => {
      reports.push(resolve)
      child.kill('SIGUSR2')
    })
  running.add(stop)
  void ended.then(() => running.delete(stop))
  return {
    pid: child.pid ?? 0,
    said,
    ask: <T>(line: object) =>
      new Promise<T>((resolve) => {
        answers.push((text) => resolve((JSON.parse(text) as { answer: T }).answer))
        child.stdin?.write(`${JSON.stringify(line)}\n`)
      }),
    memory: async () => (JSON.parse(await report()) as { memory: Memory }).memory,
    delay: async () => (JSON.parse(await report()) as { delay: Delay }).delay,
    heap: async () => (JSON.parse(await report()) as { heap: HeapSpaces }).heap,
    stop,
  }
}

const running = new Set<() => Promise<void>>()

/** Runs a bench; its parts end with it, also when it fails or is ended. */
export async function runBench(bench: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopAll().then(() => process.exit(1)))
  }
  try {
    await bench()
  } finally {
    await stopAll()
  }
}

/** The last started first. */
async function stopAll(): Promise<void> {
  for (const stop of [...running].reverse()) await stop()
}

/** CPU time of a process so far, or of one of its threads, in milliseconds; Linux counts in hundredths of a second. */
export function cpuMs(pid: number, thread?: number): number {
  const stat = readFileSync(`/proc/${pid}${thread === undefined ? '' : `/task/${thread}`}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
