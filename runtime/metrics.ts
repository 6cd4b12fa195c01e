import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { WebhookCounts } from './delivery/webhooks.js'

export interface MetricSources {
  /** Instances on this node by status. */
  readonly instances: () => Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  readonly journalWaitingBytes: () => number
  /** Since the start, and lanes that wait or run. */
  readonly deliveries: () => WebhookCounts
  readonly streams: () => number
}

/** What a node tells Prometheus. Names end in their unit; labels have few values, never an instance. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'posthorn_instances',
    help: 'Instances on this node, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      for (const [status, count] of Object.entries(sources.instances())) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'posthorn_journal_waiting_bytes',
    help: 'Writes that wait for a transaction.',
    registers,
    collect() {
      this.set(sources.journalWaitingBytes())
    },
  })
  const requests = new Histogram({
    name: 'posthorn_http_request_seconds',
    help: 'Calls of the API, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  })
  const commits = new Histogram({
    name: 'posthorn_journal_commit_seconds',
    help: 'Transactions of the journal, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const changes = new Counter({
    name: 'posthorn_journal_changes_total',
    help: 'Changes written by the journal.',
    registers,
  })
  const events = new Counter({ name: 'posthorn_events_total', help: 'Events written by the journal.', registers })
  const happenings = new Counter({
    name: 'posthorn_instance_happenings_total',
    help: 'What happened to instances: received messages, acks of the network, connections opened and lost, messages that did not decrypt.',
    labelNames: ['what'],
    registers,
  })
  new Counter({
    name: 'posthorn_deliveries_total',
    help: 'Deliveries to webhooks that were taken, attempts that failed, and deliveries that were given up.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { delivered, failed, dead } = sources.deliveries()
      this.reset()
      for (const [outcome, count] of Object.entries({ delivered, failed, dead })) this.inc({ outcome }, count)
    },
  })
  new Gauge({
    name: 'posthorn_delivery_lanes',
    help: 'Lanes of webhooks that send now, and those that wait for their next attempt.',
    labelNames: ['state'],
    registers,
    collect() {
      const { waiting, running } = sources.deliveries()
      for (const [state, count] of Object.entries({ waiting, running })) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'posthorn_webhook_breakers',
    help: 'Circuit breakers of webhook receivers that are not closed: open, nothing is sent; half-open, one delivery is.',
    labelNames: ['state'],
    registers,
    collect() {
      const { breakersOpen, breakersHalfOpen } = sources.deliveries()
      this.set({ state: 'open' }, breakersOpen)
      this.set({ state: 'half_open' }, breakersHalfOpen)
    },
  })
  new Counter({
    name: 'posthorn_webhook_breaker_openings_total',
    help: 'How often a circuit breaker of a webhook receiver opened, again after a probe that failed included.',
    registers,
    collect() {
      this.reset()
      this.inc(sources.deliveries().breakerOpenings)
    },
  })
  new Gauge({
    name: 'posthorn_streams',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set(sources.streams())
    },
  })
  return {
    /** Where other parts of the node register theirs. */
    registry,
    request: (operation: string, status: number, durationMs: number) =>
      requests.observe({ operation, status: String(status) }, durationMs / 1000),
    batch(batch: { durationMs: number; changes: number; events: number; failed: boolean }) {
      commits.observe({ outcome: batch.failed ? 'failed' : 'committed' }, batch.durationMs / 1000)
      changes.inc(batch.changes)
      events.inc(batch.events)
    },
    happened: (what: string) => happenings.inc({ what }),
    async text() {
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
