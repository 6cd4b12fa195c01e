/** Writes down how long each test file took and how much processor time, with that of the processes it started, for `scripts/test-times.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Usage {
  readonly file: string
  readonly wallMs: number
  readonly cpuMs: number
}

const MS_PER_TICK = 10

const { POSTHORN_TEST_FOLDER: folder } = process.env
let files = 0
let running: Usage | undefined

/** Begins the times of a file and ends those of the file before it. The start of the process belongs to its first file. */
export function beginUsage(file: string): void {
  if (folder === undefined) return
  if (running === undefined) process.once('exit', endUsage)
  else endUsage()
  running = files === 0 ? { file, wallMs: 0, cpuMs: 0 } : { file, wallMs: performance.now(), cpuMs: cpuMs() }
  files += 1
}

function endUsage(): void {
  if (folder === undefined || running === undefined) return
  const { file, ...begun } = running
  const usage: Usage = { file, wallMs: performance.now() - begun.wallMs, cpuMs: cpuMs() - begun.cpuMs }
  writeFileSync(path.join(folder, `usage-${process.pid}-${files}.json`), JSON.stringify(usage))
}

function cpuMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    return times.reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0)
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
