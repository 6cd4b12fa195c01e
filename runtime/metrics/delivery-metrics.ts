import { Counter, Gauge, type Registry } from 'prom-client'
import type { WebhookCounts } from '../delivery/webhooks.js'

export interface DeliverySources {
  /** Deliveries since the start, and lanes that wait or run. */
  readonly deliveries: () => WebhookCounts
  /** Age of the oldest delivery of the cluster, and the maximum age. */
  readonly oldestDelivery: () => { readonly ageMs: number; readonly ageMaxMs: number }
  /** Number of open event streams. */
  readonly streams: () => number
}

/** Creates the metrics of webhooks and event streams. */
export function createDeliveryMetrics(registry: Registry, sources: DeliverySources): void {
  const registers = [registry]
  addLanes(registers, sources)
  addAges(registers, sources)
  addBreakers(registers, sources)
  addPlaces(registers, sources)
  new Gauge({
    name: 'posthorn_streams',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set(sources.streams())
    },
  })
}

function addLanes(registers: Registry[], { deliveries }: DeliverySources): void {
  new Counter({
    name: 'posthorn_deliveries_total',
    help: 'Deliveries to webhooks that were taken, attempts that failed, and deliveries that were given up.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { delivered, failed, dead } = deliveries()
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
      const { waiting, running, held } = deliveries()
      for (const [state, count] of Object.entries({ waiting, running, held })) this.set({ state }, count)
    },
  })
}

function addAges(registers: Registry[], { oldestDelivery }: DeliverySources): void {
  new Gauge({
    name: 'posthorn_delivery_oldest_seconds',
    help: 'How long the oldest delivery to a webhook has been waiting, of all nodes together; 0 when none waits.',
    registers,
    collect() {
      this.set(oldestDelivery().ageMs / 1000)
    },
  })
  new Gauge({
    name: 'posthorn_delivery_max_age_seconds',
    help: 'WEBHOOK_MAX_AGE_HOURS: a delivery that waits for longer becomes a dead letter. Infinity when it may wait for good.',
    registers,
    collect() {
      this.set(oldestDelivery().ageMaxMs / 1000)
    },
  })
}

function addBreakers(registers: Registry[], { deliveries }: DeliverySources): void {
  new Gauge({
    name: 'posthorn_webhook_breakers',
    help: 'Circuit breakers of webhook receivers that are not closed: open, nothing is sent; half-open, one delivery is.',
    labelNames: ['state'],
    registers,
    collect() {
      const { breakersOpen, breakersHalfOpen } = deliveries()
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
      this.inc(deliveries().breakerOpenings)
    },
  })
}

function addPlaces(registers: Registry[], { deliveries }: DeliverySources): void {
  new Gauge({
    name: 'posthorn_webhook_receivers',
    help: 'Webhook receivers in use, by the number of places they have: as at the start, more (grown), fewer (reduced), or one because they are slow.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, { receivers }] of Object.entries(deliveries().places)) this.set({ state }, receivers)
    },
  })
  new Gauge({
    name: 'posthorn_webhook_places',
    help: 'Places of webhook receivers in use, by the state of the receiver: all of them (allowed), and those that lanes take (used).',
    labelNames: ['state', 'kind'],
    registers,
    collect() {
      for (const [state, { places, used }] of Object.entries(deliveries().places)) {
        this.set({ state, kind: 'allowed' }, places)
        this.set({ state, kind: 'used' }, used)
      }
    },
  })
}
