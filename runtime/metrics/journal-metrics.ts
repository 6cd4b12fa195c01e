import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { BatchFigures } from '../store/journal.js'

export interface JournalMetrics {
  /** For `createJournal`. */
  readonly batch: (batch: Pick<BatchFigures, 'durationMs' | 'changes' | 'events' | 'failed'>) => void
}

/** Creates the metrics of the journal. */
export function createJournalMetrics(registry: Registry, waitingBytes: () => number): JournalMetrics {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_journal_waiting_bytes',
    help: 'Writes that wait for a transaction.',
    registers,
    collect() {
      this.set(waitingBytes())
    },
  })
  const commits = new Histogram({
    name: 'posthorn_journal_commit_seconds',
    help: 'Transactions of the journal, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  // Shows each series from the start, so that its first change is seen too.
  for (const outcome of ['committed', 'failed']) commits.zero({ outcome })
  const changes = new Counter({
    name: 'posthorn_journal_changes_total',
    help: 'Changes written by the journal.',
    registers,
  })
  const events = new Counter({ name: 'posthorn_events_total', help: 'Events written by the journal.', registers })
  return {
    batch(batch) {
      commits.observe({ outcome: batch.failed ? 'failed' : 'committed' }, batch.durationMs / 1000)
      changes.inc(batch.changes)
      events.inc(batch.events)
    },
  }
}
