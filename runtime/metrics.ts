import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { InstanceMetric } from '../actors/instance/ports.js'
import type { DisconnectCause } from '../actors/network/port/connection.js'
import { type Limit, limits } from '../schemas/errors.js'
import type { WebhookCounts } from './delivery/webhooks.js'
import { watchEventLoop } from './event-loop-lag.js'
import type { KeyRotationProgress } from './store/key-rotation.js'

export interface MetricSources {
  /** Instances on this node by status. */
  readonly instances: () => Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  readonly journalWaitingBytes: () => number
  /** Since the start, and lanes that wait or run. */
  readonly deliveries: () => WebhookCounts
  /** How long the oldest delivery of the cluster has been waiting, and how long it may. */
  readonly oldestDelivery: () => { readonly ageMs: number; readonly ageMaxMs: number }
  readonly streams: () => number
  /** Undefined where there are no former encryption keys. */
  readonly sealing: () => KeyRotationProgress | undefined
}

/** The library wakes the process 100 times a second to measure its event loop, which costs 5 ms of CPU each; `watchEventLoop` does that. */
const NEVER_MS = 2 ** 31 - 1

/** What a node tells Prometheus. Names end in their unit; labels have few values, never an instance. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  watchEventLoop(registry)
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
  new Gauge({
    name: 'posthorn_encryption_values_left',
    help: 'Stored values under another key than ENCRYPTION_KEY, as last counted here; told with ENCRYPTION_KEYS_OLD set, by the node that seals them again.',
    registers,
    collect() {
      this.reset()
      this.remove()
      const left = sources.sealing()?.left
      if (left !== undefined && left !== null) this.set(left)
    },
  })
  new Counter({
    name: 'posthorn_encryption_resealed_total',
    help: 'Stored values that were sealed again under ENCRYPTION_KEY.',
    registers,
    collect() {
      this.reset()
      this.inc(sources.sealing()?.resealed ?? 0)
    },
  })
  const requests = new Histogram({
    name: 'posthorn_http_request_seconds',
    help: 'Calls of the API, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  })
  const refusals = new Counter({
    name: 'posthorn_refused_total',
    help: 'What was refused because a caller had reached a limit (docs/runbook.md), by limit.',
    labelNames: ['limit'],
    registers,
  })
  for (const limit of limits) refusals.inc({ limit }, 0)
  const commits = new Histogram({
    name: 'posthorn_journal_commit_seconds',
    help: 'Transactions of the journal, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  for (const outcome of ['committed', 'failed']) commits.zero({ outcome })
  const changes = new Counter({
    name: 'posthorn_journal_changes_total',
    help: 'Changes written by the journal.',
    registers,
  })
  const events = new Counter({ name: 'posthorn_events_total', help: 'Events written by the journal.', registers })
  const gate = new Histogram({
    name: 'posthorn_gate_wait_seconds',
    help: 'How long frames to the network waited until what caused them was durable, of those that had to wait.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const happened = instanceCounters(registers)
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
    help: 'Lanes of webhooks that send now (running), wait for their next attempt (waiting), or wait for a place of their instance or receiver (held).',
    labelNames: ['state'],
    registers,
    collect() {
      const { waiting, running, held } = sources.deliveries()
      for (const [state, count] of Object.entries({ waiting, running, held })) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'posthorn_delivery_oldest_seconds',
    help: 'How long the oldest delivery to a webhook has been waiting, of all nodes together; 0 when none waits.',
    registers,
    collect() {
      this.set(sources.oldestDelivery().ageMs / 1000)
    },
  })
  new Gauge({
    name: 'posthorn_delivery_max_age_seconds',
    help: 'WEBHOOK_MAX_AGE_HOURS: a delivery that waits for longer becomes a dead letter. Infinity when it may wait for good.',
    registers,
    collect() {
      this.set(sources.oldestDelivery().ageMaxMs / 1000)
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
    /** For the metrics of other parts. */
    registry,
    request: (operation: string, status: number, durationMs: number) =>
      requests.observe({ operation, status: String(status) }, durationMs / 1000),
    refused: (limit: Limit) => refusals.inc({ limit }),
    batch(batch: { durationMs: number; changes: number; events: number; failed: boolean }) {
      commits.observe({ outcome: batch.failed ? 'failed' : 'committed' }, batch.durationMs / 1000)
      changes.inc(batch.changes)
      events.inc(batch.events)
    },
    frameHeld: (heldMs: number) => gate.observe(heldMs / 1000),
    happened,
    async text() {
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

/** Makes the counters of the instances of this node. Returns the function that counts. */
function instanceCounters(registers: Registry[]): (metric: InstanceMetric) => void {
  const received = new Counter({
    name: 'posthorn_messages_received_total',
    help: 'Messages that the network brought, our own from other devices included; those of a history sync are not.',
    registers,
  })
  const undecryptable = new Counter({
    name: 'posthorn_messages_undecryptable_total',
    help: 'Messages that could not be decrypted; the network was asked for them again.',
    registers,
  })
  const sends = new Counter({
    name: 'posthorn_sends_total',
    help: "The network's answers to messages of ours: taken, refused.",
    labelNames: ['outcome'],
    registers,
  })
  const opened = new Counter({
    name: 'posthorn_connections_opened_total',
    help: 'Connections to the network that were opened, logged in.',
    registers,
  })
  const closed = new Counter({
    name: 'posthorn_connections_closed_total',
    help: 'Connections to the network that ended, by cause. After asked, ownershipLost, loggedOut, forbidden, versionRefused, multideviceMismatch, pairingExpired, pairingRefused and instanceLimit none follows by itself; after the others one does.',
    labelNames: ['cause'],
    registers,
  })
  for (const outcome of ['taken', 'refused']) sends.inc({ outcome }, 0)
  for (const cause of causes) closed.inc({ cause }, 0)
  return (metric) => {
    switch (metric.what) {
      case 'inbound':
        return received.inc()
      case 'undecryptable':
        return undecryptable.inc()
      case 'opened':
        return opened.inc()
      case 'ack':
        return sends.inc({ outcome: metric.isTaken ? 'taken' : 'refused' })
      case 'closed':
        return closed.inc({ cause: metric.cause })
      default:
        return metric satisfies never
    }
  }
}

/** A series that is there from the start shows its first change too. */
const causes = Object.keys({
  restart: 0,
  lost: 0,
  unreachable: 0,
  dead: 0,
  unavailable: 0,
  badSession: 0,
  replaced: 0,
  loggedOut: 0,
  forbidden: 0,
  versionRefused: 0,
  multideviceMismatch: 0,
  pairingExpired: 0,
  pairingRefused: 0,
  instanceLimit: 0,
  storeFailed: 0,
  programError: 0,
  ownershipLost: 0,
  asked: 0,
} satisfies Record<DisconnectCause, 0>)

export type Metrics = ReturnType<typeof createMetrics>
