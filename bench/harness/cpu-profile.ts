/** Samples the main thread of a Node.js process over its inspector, and says which part of the program, and which function, had it. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Inspector } from './inspector.js'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Shares {
  /** Milliseconds in which the thread did something. */
  readonly busyMs: number
  /** Milliseconds by the file or library whose own code ran. */
  readonly byCode: ReadonlyMap<string, number>
  /** Milliseconds by the part of ours that ran, or that called the library or Node.js. */
  readonly byOwner: ReadonlyMap<string, number>
  /** Milliseconds by function, without what it calls. */
  readonly byFunction: ReadonlyMap<string, number>
}

const SAMPLE_US = 250
/** Of a longer time between two samples the thread had the processor for a part only: another process that it woke had it. */
const SAMPLE_MAX_US = 2 * SAMPLE_US
const IDLE = new Set(['(idle)', '(program)'])
const DIST = fileURLToPath(new URL('../..', import.meta.url))

/** Profiles the process behind an inspector while the work lasts. */
export async function profile(inspector: Inspector, work: () => Promise<unknown>): Promise<CpuProfile> {
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLE_US })
  await inspector.call('Profiler.start')
  await work()
  const { profile: taken } = await inspector.call<{ profile: CpuProfile }>('Profiler.stop')
  inspector.close()
  return taken
}

/** @param depth folders below which our files are not told apart */
export function computeShares({ nodes, samples, timeDeltas }: CpuProfile, depth: number): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const ofNode = new Map<number, number>()
  for (const [index, id] of samples.entries())
    ofNode.set(id, (ofNode.get(id) ?? 0) + Math.min(timeDeltas[index] ?? 0, SAMPLE_MAX_US) / 1_000)
  const [byCode, byOwner, byFunction] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const add = (sums: Map<string, number>, name: string, ms: number) => sums.set(name, (sums.get(name) ?? 0) + ms)
  let busyMs = 0
  for (const [id, ms] of ofNode) {
    const node = byId.get(id)
    if (node === undefined || IDLE.has(node.callFrame.functionName)) continue
    busyMs += ms
    const code = describeCode(node, depth)
    add(byCode, code, ms)
    add(byFunction, `${node.callFrame.functionName || '(anonymous)'} ${describePlace(node)}`, ms)
    add(byOwner, findOwner(id, byId, parents, depth) ?? code, ms)
  }
  return { busyMs, byCode, byOwner, byFunction }
}

/** Returns the nearest part of ours on the stack. */
function findOwner(
  id: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
  depth: number,
): string | undefined {
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at)
    if (node !== undefined && isOurs(node)) return describeCode(node, depth)
  }
  return undefined
}

function isOurs({ callFrame: { url } }: ProfileNode): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/')
}

function describeCode(node: ProfileNode, depth: number): string {
  const { url, functionName } = node.callFrame
  if (isOurs(node)) return path.relative(DIST, fileURLToPath(url)).split('/').slice(0, depth).join('/')
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (library !== undefined) return library
  return url === '' ? functionName : url
}

function describePlace(node: ProfileNode): string {
  const { url, lineNumber } = node.callFrame
  if (isOurs(node)) return `${path.relative(DIST, fileURLToPath(url))}:${lineNumber + 1}`
  return url.replace(/.*\/node_modules\//, '')
}
