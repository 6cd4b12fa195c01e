/** Answers probes and the collector of metrics, for all processes of the machine: they reach any one of them. */
import type { ApiPorts } from '../../api/ports.js'
import type { StoreView } from '../../schemas/ports/cluster.js'
import { mergeMetrics } from '../metrics/merge-metrics.js'
import type { ProcessAnswers } from '../processes/messages.js'
import type { Database } from '../store/database.js'
import type { Journal } from '../store/journal.js'
import type { NodeContext } from './context.js'
import { UNANSWERED_MAX_MS } from './store-patience.js'

export interface HealthParts {
  readonly database: Pick<Database, 'pool'>
  readonly journal: Pick<Journal, 'isFailing' | 'unansweredMs'>
  readonly store: Pick<StoreView, 'state'>
}

type Readiness = ProcessAnswers['readiness']

export function createHealth(node: NodeContext, parts: HealthParts): ApiPorts['health'] {
  const { registry, group } = node
  const ready = () => readiness(node, parts)
  const { contentType } = registry
  if (group === null) return { ready, metrics: async () => ({ contentType, body: await registry.metrics() }) }
  registry.setDefaultLabels({ process: String(group.place.index) })
  group.answer({ readiness: ready, metrics: () => registry.metrics() })
  return {
    async ready() {
      const [own, others] = await Promise.all([ready(), group.ask('readiness')])
      return readinessOfAll([own, ...others])
    },
    async metrics() {
      const [own, others] = await Promise.all([registry.metrics(), group.ask('metrics')])
      return { contentType, body: mergeMetrics([own, ...others]) }
    },
  }
}

/** A process that starts takes no calls, so it is not among them. */
function readinessOfAll(all: readonly Readiness[]): { ready: boolean; reasons: readonly string[] } {
  return {
    ready: all.every(({ ready }) => ready),
    reasons: all.flatMap(({ nodeId, reasons }) => reasons.map((reason) => `${nodeId}: ${reason}`)),
  }
}

const STORE_REASONS: Readonly<Record<Exclude<StoreView['state'], 'current'>, string>> = {
  outdated: 'PostgreSQL is an old primary; other nodes use a newer one.',
  foreign: 'PostgreSQL has another database than the one that the other nodes use.',
  behind: 'PostgreSQL went back in time; the nodes are about to start again.',
}

async function readiness({ life, nodeId }: NodeContext, { database, journal, store }: HealthParts): Promise<Readiness> {
  if (life.isStopping) return { nodeId, ready: false, reasons: ['The node is stopping.'] }
  if (store.state !== 'current') return { nodeId, ready: false, reasons: [STORE_REASONS[store.state]] }
  // Before the query, which may wait behind such commits.
  if (journal.unansweredMs > UNANSWERED_MAX_MS)
    return {
      nodeId,
      ready: false,
      reasons: ['PostgreSQL does not answer a commit; a synchronous standby may be away.'],
    }
  try {
    await database.pool.query('SELECT 1')
    if (journal.isFailing) return { nodeId, ready: false, reasons: ['PostgreSQL does not take writes.'] }
    return { nodeId, ready: true, reasons: [] }
  } catch {
    return { nodeId, ready: false, reasons: ['PostgreSQL does not answer.'] }
  }
}
