import { Counter, Gauge, type Registry } from 'prom-client'
import type { Work } from '../../schemas/work.js'

/** A time in which the event loop was late, and the work that took most of it; null if it has no name. */
export interface LoopStop {
  readonly ms: number
  readonly work: Work | null
}

export interface MainThreadMetrics {
  /** Call with each time that is measured. */
  worked(work: Work, ms: number, weight: number): void
  /** Call some times a second with the delay of the event loop since the last call. */
  lagged(ms: number): void
}

export interface MainThreadOptions {
  readonly waits: () => { readonly waiting: number; readonly waited: number }
  /** Called with each longer stop. */
  readonly stopped: (stop: LoopStop) => void
  /** Called when an instance has caused that a third time within an hour. */
  readonly blames: (instance: string, stop: LoopStop) => void
  readonly nowMs?: () => number
}

/** Delay of the event loop from which on it counts as stopped. */
const STOP_MS = 250
const BLAMED_TIMES = 3
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Creates the metrics of the time of the main thread, and of the longest stop of each minute with its cause. */
export function createMainThreadMetrics(
  registry: Registry,
  { waits, stopped, blames, nowMs = () => performance.now() }: MainThreadOptions,
): MainThreadMetrics {
  const registers = [registry]
  const totals = new Map<string, ReturnType<typeof toLabels> & { ms: number }>()
  const times = new Map<string, number>()
  let forgetAtMs = nowMs() + HOUR_MS
  let largest: LoopStop = { ms: 0, work: null }
  let minute = { endsAtMs: nowMs() + MINUTE_MS, longest: largest }
  let former = largest

  new Counter({
    name: 'posthorn_main_thread_seconds_total',
    help: 'Time of the main thread by kind, operation and feature of the work: up to its first wait, and while the event loop is busy a sample of the rest.',
    labelNames: ['kind', 'operation', 'feature'],
    registers,
    collect() {
      this.reset()
      for (const { ms, ...labels } of totals.values()) this.inc(labels, ms / 1000)
    },
  })
  new Gauge({
    name: 'posthorn_event_loop_longest_stop_seconds',
    help: 'The longest time for which the event loop was late in this minute or the one before, by the work that took most of it; without a kind when that is not known.',
    labelNames: ['kind', 'operation', 'feature'],
    registers,
    collect() {
      turn()
      this.reset()
      const { ms, work } = former.ms > minute.longest.ms ? former : minute.longest
      // Without its instance: no metric names one. The log, the audit log and the figures for administrators do.
      this.set(toLabels(work), ms / 1000)
    },
  })
  new Gauge({
    name: 'posthorn_commands_deferred',
    help: 'Commands of instances above their fair share of the main thread that wait while the event loop is busy.',
    registers,
    collect() {
      this.set(waits().waiting)
    },
  })
  new Counter({
    name: 'posthorn_commands_deferred_total',
    help: 'Commands that waited because their instance was above its fair share of the main thread.',
    registers,
    collect() {
      this.reset()
      this.inc(waits().waited)
    },
  })

  function turn(): void {
    const now = nowMs()
    if (now < minute.endsAtMs) return
    former = now < minute.endsAtMs + MINUTE_MS ? minute.longest : { ms: 0, work: null }
    minute = { endsAtMs: now + MINUTE_MS, longest: { ms: 0, work: null } }
  }

  function blame(instance: string, stop: LoopStop): void {
    if (nowMs() >= forgetAtMs) {
      times.clear()
      forgetAtMs = nowMs() + HOUR_MS
    }
    const count = (times.get(instance) ?? 0) + 1
    times.set(instance, count)
    if (count === BLAMED_TIMES) blames(instance, stop)
  }

  return {
    worked(work, ms, weight) {
      const key = `${work.kind} ${work.operation} ${work.feature}`
      const total = totals.get(key)
      if (total === undefined) totals.set(key, { ...toLabels(work), ms: ms * weight })
      else total.ms += ms * weight
      if (ms > largest.ms) largest = { ms, work }
    },
    lagged(ms) {
      turn()
      const stop = { ms, work: largest.ms >= ms / 2 ? largest.work : null }
      largest = { ms: 0, work: null }
      if (ms > minute.longest.ms) minute = { ...minute, longest: stop }
      if (ms < STOP_MS) return
      stopped(stop)
      if (stop.work !== null && stop.work.instance !== '') blame(stop.work.instance, stop)
    },
  }
}

function toLabels(work: Work | null): { kind: string; operation: string; feature: string } {
  return { kind: work?.kind ?? '', operation: work?.operation ?? '', feature: work?.feature ?? '' }
}
