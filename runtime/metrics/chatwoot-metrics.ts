import { Counter, type Registry } from 'prom-client'
import type { ChatwootEvent } from '../chatwoot/parts.js'

const EVENTS: readonly ChatwootEvent[] = [
  'carried',
  'found',
  'created_again',
  'replied',
  'reply_failed',
  'reply_missed',
  'webhook_refused',
]

/** Creates the metrics of Chatwoot. Returns a function that counts. */
export function createChatwootMetrics(registry: Registry): (event: ChatwootEvent) => void {
  const counter = new Counter({
    name: 'posthorn_chatwoot_events_total',
    help: 'Messages carried to Chatwoot, calls without an answer whose message was there (found) or was not (created_again), replies sent, failed and found too late (reply_missed), webhooks refused.',
    labelNames: ['event'],
    registers: [registry],
  })
  for (const event of EVENTS) counter.inc({ event }, 0)
  return (event) => counter.inc({ event })
}
