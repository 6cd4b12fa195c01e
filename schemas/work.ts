/**
 * Names the work that the main thread does at present, so that the watchdog can say what blocks the event loop, and measures its time. The context
 * follows the work over its waits. Before Node.js 24 every promise of the process pays for that, so there it does so only for work that is
 * rare (`asWork`), and for the rest while time is sampled.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

// Ours: the version of Node.js.

export type WorkKind = 'turn' | 'job' | 'delivery' | 'reply' | 'command' | 'frame' | 'event' | 'request'

/** One piece of work. */
export interface Work {
  readonly kind: WorkKind
  /** What is done: the type of a command, the kind of an event, the route of a request. One of few. */
  readonly operation: string
  /** To what it belongs: an area of the API in lower case, `webhooks`, or `network` for what all events of the network share. One of few. */
  readonly feature: string
  /** Empty for work of the whole cluster. */
  readonly instance: string
  /** Names it within its kind and instance; empty for work that is not done again. */
  readonly id: string
}

export type WorkKey = Pick<Work, 'kind' | 'instance' | 'id'>

/** Knows the work during which nodes ended themselves twice, because their event loops were blocked. */
export interface GivenUpWork {
  /** Returns true if the work is to be given up. Never rejects. */
  isGivenUp(work: WorkKey): boolean | Promise<boolean>
  /** Call when it is durable that the work was given up. If it is asked for again, it gets another two attempts. */
  forget(work: WorkKey): void
}

/** Learns the time of the main thread that a piece of work took in one go. @param weight of a sample: time for which it stands */
export type WorkMeter = (work: Work, ms: number, weight: number) => void

/** Time of the main thread for a byte on its way through a connection to a buffer, measured: 1 ms for a megabyte. */
const READ_MS_PER_BYTE = 1e-6

const context = new AsyncLocalStorage<Work>()
const isContextCheap = Number(process.versions.node.split('.', 1)[0]) >= 24
const meters = new Set<WorkMeter>()
let running = 0
let present: Work | undefined
let isSampling = false
let measured = 0

/** Calls the meter with each time that is measured, until the returned function is called. */
export function meterWork(meter: WorkMeter): () => void {
  meters.add(meter)
  return () => void meters.delete(meter)
}

export function noteWork(work: Work, ms: number, weight = 1): void {
  for (const meter of meters) meter(work, ms, weight)
}

/** Counts bytes that came through a connection, where the time that they took cannot be measured. */
export function noteBytes(work: Work, bytes: number): void {
  noteWork(work, bytes * READ_MS_PER_BYTE)
}

/** Lets the context of frequent work follow it over its waits, whatever that costs. Call it before a hook of promises that asks for the work is made. */
export function sampleWork(isOn: boolean): void {
  isSampling = isOn
  // Before Node.js 24 the context has such a hook of its own, which must run before the other one.
  if (isOn) context.run(undefined as unknown as Work, () => {})
  else if (running === 0 && !isContextCheap) context.disable()
}

/** Returns the sum of the times up to the first waits of all work. */
export function measuredMs(): number {
  return measured
}

/** Does work that is rare, or that the watchdog must know for certain. */
export async function asWork<T>(work: Work, run: () => Promise<T>): Promise<T> {
  running += 1
  try {
    return await context.run(work, timed<Promise<T>>, work, run)
  } finally {
    running -= 1
    if (running === 0 && !isContextCheap && !isSampling) context.disable()
  }
}

/**
 * Does work of which there is much. Before Node.js 24 it is known up to its first wait only, unless time is sampled. Within work that is given
 * up when it blocks its node twice, that work stays the one that is known: a command of a turn has no id under which it could be given up.
 */
export function asFrequentWork<T>(work: Work, run: () => T): T {
  const outer = context.getStore()
  if (work.id === '' && outer !== undefined && outer.id !== '') return timed(work, run)
  return isContextCheap || isSampling ? context.run(work, timed<T>, work, run) : timed(work, run)
}

/** Returns the work that runs; undefined if it has no name. */
export function presentWork(): Work | undefined {
  return context.getStore() ?? present
}

function timed<T>(work: Work, run: () => T): T {
  const outer = present
  present = work
  const beganMs = performance.now()
  try {
    return run()
  } finally {
    present = outer
    // The outer one counts the inner one's time, too.
    if (outer === undefined) {
      const ms = performance.now() - beganMs
      measured += ms
      noteWork(work, ms)
    }
  }
}

/** The watchdog's thread calls it while this thread is interrupted (`runtime/cluster/watchdog/main-thread.ts`). */
Reflect.set(globalThis, Symbol.for('posthorn.work'), () => presentWork() ?? null)
