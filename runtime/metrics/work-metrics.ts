import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SharedWorkKind } from '../work/limits.js'
import type { WorkCountsOfKind } from '../work/work.js'

export interface WorkMetrics {
  /** For `createWork`. */
  readonly begun: (kind: SharedWorkKind, waitedMs: number) => void
}

/** Creates the metrics of the work that instances share. */
export function createWorkMetrics(registry: Registry, counts: () => readonly WorkCountsOfKind[]): WorkMetrics {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_work',
    help: 'Work that instances share on this node, by kind and state: running, silent (waits for a far side and uses no place), waiting (has not begun).',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const { kind, running, silent, waiting } of counts())
        for (const [state, count] of Object.entries({ running, silent, waiting })) this.set({ kind, state }, count)
    },
  })
  new Counter({
    name: 'posthorn_work_refused_total',
    help: 'Work that instances share and that was refused because too much of its instance waited, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      for (const { kind, refused } of counts()) this.inc({ kind }, refused)
    },
  })
  const waits = new Histogram({
    name: 'posthorn_work_wait_seconds',
    help: 'How long work that instances share waited until it began, by kind.',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  })
  return { begun: (kind, waitedMs) => waits.observe({ kind }, waitedMs / 1000) }
}
