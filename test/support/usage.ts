/** Writes down how long a test file took and how much processor time, with that of the processes it started, for `scripts/test-times.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Usage {
  readonly file: string
  readonly wallMs: number
  readonly cpuMs: number
}

const MS_PER_TICK = 10

const { POSTHORN_TEST_FOLDER: folder } = process.env
if (folder !== undefined)
  process.once('exit', () => {
    const usage: Usage = { file: process.argv[1] ?? '', wallMs: performance.now(), cpuMs: cpuMs() }
    writeFileSync(path.join(folder, `usage-${process.pid}.json`), JSON.stringify(usage))
  })

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
