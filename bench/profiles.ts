/**
 * Sums the CPU profiles of a folder (BENCH_CPU_PROFILES) by the part of the program that ran: `node dist/bench/profiles.js FOLDER`.
 * Time counts where it was spent itself, not in what it called. Idle time does not count.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { say, table } from './harness/report.js'

interface ProfileNode {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    readonly lineNumber: number
    readonly columnNumber: number
  }
}

interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const PARTS_MAX = 60
/** Twice the usual time between two samples. Of a longer one another process had the processor. */
const SAMPLE_MAX_US = 2_000
const maps = new Map<string, SourceMap | null>()

const [folder = '.'] = process.argv.slice(2)
const profiles = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
const sums = profiles.map((name) => sumByPart(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Profile))
const total = (part: string): number => sums.reduce((sum, one) => sum + (one.get(part) ?? 0), 0)
const parts = [...new Set(sums.flatMap((one) => [...one.keys()]))].toSorted((a, b) => total(b) - total(a))
const sumAll = (one: ReadonlyMap<string, number>): number => [...one.values()].reduce((sum, ms) => sum + ms, 0)
say(
  table(
    ['ms', ...profiles.map((name) => name.split('.')[3] ?? name)],
    [
      ['all', ...sums.map((one) => sumAll(one).toFixed(0))],
      ...parts.slice(0, PARTS_MAX).map((part) => [part, ...sums.map((one) => (one.get(part) ?? 0).toFixed(0))]),
    ],
  ),
)

function sumByPart({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<string, number> {
  const partsById = new Map(nodes.map((node) => [node.id, nameOfPart(node)]))
  const found = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const part = partsById.get(id) ?? '(unknown)'
    // A sample stands for the time until the next one.
    if (part !== '(idle)')
      found.set(part, (found.get(part) ?? 0) + Math.min(timeDeltas[index + 1] ?? 0, SAMPLE_MAX_US) / 1_000)
  }
  return found
}

/** Returns the package, the folder of ours, the built-in module, or what V8 did. */
function nameOfPart({ callFrame }: ProfileNode): string {
  const { functionName, url } = callFrame
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)'
  const source = findSource(callFrame)
  const ofPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)
  if (ofPackage !== null) return ofPackage[1] as string
  const ofOurs = /(?:\/dist|\.\.)\/([a-z].*)\/[^/]+$/.exec(source)
  return ofOurs !== null ? (ofOurs[1] as string) : source
}

/** Returns the file from which the code of a bundle was made. */
function findSource({ url, lineNumber, columnNumber }: ProfileNode['callFrame']): string {
  const found = findMap(url)?.findEntry(lineNumber, columnNumber)
  return found !== undefined && 'originalSource' in found ? found.originalSource : url
}

function findMap(url: string): SourceMap | null {
  const known = maps.get(url)
  if (known !== undefined) return known
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
  const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null
  maps.set(url, map)
  return map
}
