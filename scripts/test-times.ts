/** How long test files take: the list at the end of a run, and the table of earlier runs, `test-times.json`, by which a run is planned. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'
import type { Usage } from '../test/support/usage.js'
import { type Times, USUAL } from './test-schedule.js'

const SHOWN = 15
/** Quick files below are planned with the usual time. */
const PLANNED_MS = 1_000
const table = path.join(packageRoot, 'scripts', 'test-times.json')

/** Seconds that passed, and seconds of processors. */
type Table = Record<string, [wall: number, processors: number]>

/** Returns the expected times of a file by its name. */
export function expectedTimes(): (name: string) => Times {
  const known = readTable()
  return (name) => {
    const [wall, processors] = known[name] ?? []
    if (wall === undefined || processors === undefined) return name.endsWith('.test') ? USUAL.quick : USUAL.withServers
    return { wallMs: wall * 1_000, cpuMs: processors * 1_000 }
  }
}

export function readTable(): Table {
  return JSON.parse(readFileSync(table, 'utf8')) as Table
}

/** Replaces the times of the files that were run, except of quick files that take no time. Drops files that are gone. */
export function writeTimes(all: readonly Usage[]): void {
  const times = readTable()
  for (const { file, wallMs, cpuMs } of all) {
    delete times[file]
    if (wallMs > PLANNED_MS || !file.endsWith('.test')) times[file] = [tenths(wallMs), tenths(cpuMs)]
  }
  const lines = Object.keys(times)
    .filter((name) => existsSync(path.join(packageRoot, `${name}.ts`)))
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: [${times[name]?.join(', ')}]`)
  writeFileSync(table, `{\n${lines.join(',\n')}\n}\n`)
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10
}

/** Reads what the test files of a run have written down (`test/support/usage.ts`). */
export function usages(folder: string, readName: (file: string) => string): Usage[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('usage-'))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Usage)
    .map((usage) => ({ ...usage, file: readName(usage.file) }))
}

/**
 * Lists the files that took longest, the sums of all, and the files that were killed, whose times nobody knows. The processor time of
 * the PostgreSQL that they share is only in the part of the processors that was used.
 */
export function slowest(all: readonly Usage[], files: readonly string[], used: number): string {
  if (all.length <= 1) return ''
  const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(8)
  const line = (name: string, { wallMs, cpuMs }: Omit<Usage, 'file'>): string =>
    `${seconds(wallMs)} ${seconds(cpuMs)}  ${name}\n`
  const sum = (of: (one: Usage) => number): number => all.reduce((total, one) => total + of(one), 0)
  const known = new Set(all.map(({ file }) => file))
  const lost = files.filter((file) => !known.has(file))
  const first = all.toSorted((one, other) => other.wallMs - one.wallMs).slice(0, SHOWN)
  return [
    '\nSlowest files (seconds: passed, of processors)\n',
    ...first.map((one) => line(one.file, one)),
    line(`all ${all.length} files`, { wallMs: sum(({ wallMs }) => wallMs), cpuMs: sum(({ cpuMs }) => cpuMs) }),
    ...lost.map((name) => `     not ended by itself: ${name}\n`),
    `${(used * 100).toFixed(0).padStart(6)} %           of the time of the processors was used, by whatever runs here\n`,
  ].join('')
}
