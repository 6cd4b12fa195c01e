/** Metrics of calls on their way to the owners of instances. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { PeerAttemptFigures } from './peers/client.js'
import type { Router, RouterObserver } from './router-types.js'

export interface CallMetrics {
  /** For `OwnerRouter`. */
  readonly router: RouterObserver
  /** For `PeerLinks`. */
  readonly attempt: (attempt: PeerAttemptFigures) => void
}

export function createCallMetrics(
  registry: Registry,
  sources: { readonly calls: Router['counts']; readonly served: () => number },
): CallMetrics {
  const registers = [registry]
  const answered = new Histogram({
    name: 'posthorn_call_seconds',
    help: 'Commands to instances until their answer, parked time included, by where they were carried out: here, or there on another node.',
    labelNames: ['where'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30],
    registers,
  })
  const attempts = new Histogram({
    name: 'posthorn_peer_attempt_seconds',
    help: 'Commands sent to another node, by outcome: reply, failed (the instance refused), moved, busy, or how it was lost.',
    labelNames: ['outcome'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30],
    registers,
  })
  const returned = new Counter({
    name: 'posthorn_calls_returned_total',
    help: 'Calls that came back from an owner without an answer and are asked again.',
    labelNames: ['why'],
    registers,
  })
  const parked = new Histogram({
    name: 'posthorn_call_parked_seconds',
    help: 'How long calls waited for an owner, by how that ended: went_on, timed_out, no_room (too many waited: answered at once).',
    labelNames: ['how'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15],
    registers,
  })
  new Gauge({
    name: 'posthorn_calls',
    help: 'Calls at this moment: parked, unanswered (parked ones included), and served for other nodes.',
    labelNames: ['state'],
    registers,
    collect() {
      const counts = sources.calls()
      this.set({ state: 'parked' }, counts.parked)
      this.set({ state: 'unanswered' }, counts.unanswered)
      this.set({ state: 'served' }, sources.served())
    },
  })
  // Series that exist from the start show their first change too.
  for (const where of ['here', 'there']) answered.zero({ where })
  for (const outcome of ['reply', 'failed', 'moved', 'busy']) attempts.zero({ outcome })
  for (const how of ['went_on', 'timed_out', 'no_room']) parked.zero({ how })
  return {
    router: {
      answered: (where, durationMs) => answered.observe({ where }, durationMs / 1000),
      returned: (why) => returned.inc({ why }),
      unparked: (how, parkedMs) => parked.observe({ how: how.replace(' ', '_') }, parkedMs / 1000),
    },
    attempt: ({ outcome, durationMs }) => attempts.observe({ outcome }, durationMs / 1000),
  }
}
