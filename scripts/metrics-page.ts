/** Makes the page of metrics from what a node registers. */
import { Registry } from 'prom-client'
import { createCallMetrics } from '../runtime/cluster/call-metrics.js'
import { createClusterMetrics, createLoginMetrics } from '../runtime/cluster/cluster-metrics.js'
import { createAgentGauges, createModelCallCounter } from '../runtime/metrics/agent-metrics.js'
import { createChatwootMetrics } from '../runtime/metrics/chatwoot-metrics.js'
import { createClientVersionMetrics } from '../runtime/metrics/client-version-metrics.js'
import {
  createDatabaseMetrics,
  createReplicaMetrics,
  createStorageMetrics,
} from '../runtime/metrics/database-metrics.js'
import { createDeliveryMetrics } from '../runtime/metrics/delivery-metrics.js'
import { createInstanceMetrics } from '../runtime/metrics/instance-metrics.js'
import { createJobMetrics, createSealingMetrics } from '../runtime/metrics/job-metrics.js'
import { createJournalMetrics } from '../runtime/metrics/journal-metrics.js'
import { createMainThreadMetrics } from '../runtime/metrics/main-thread-metrics.js'
import { createProcessMetrics, createRequestMetrics, createWorkMetrics } from '../runtime/metrics/work-metrics.js'

interface Registered {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames: readonly string[]
}

/** Returns the text of `docs/reference/metrics.md`. */
export function metricsPage(): string {
  const registry = new Registry()
  createRequestMetrics(registry)
  createModelCallCounter(registry)
  createChatwootMetrics(registry)
  createMainThreadMetrics(registry, {
    waits: () => ({ waiting: 0, waited: 0 }),
    stopped: () => {},
    blames: () => {},
  })
  for (const create of partsWithSources) create(registry, nothing)
  const rows = ours(registry).map(
    ({ name, type, labelNames, help }) =>
      `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  )
  return [
    '# Metrics',
    '',
    'Made by `npm run generate` from what a node registers (`runtime/metrics/*.ts`, `runtime/cluster/*-metrics.ts`); change that.',
    '',
    'Each node tells its own at `/metrics`, as text for Prometheus; with `METRICS_TOKEN` set, only to those who have it. A histogram',
    'has `_bucket`, `_sum` and `_count`. `process_…` and `nodejs_…` are those of the process, as its library gives them.',
    '',
    '| metric | type | labels | what it tells |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const partsWithSources = [
  createInstanceMetrics,
  createAgentGauges,
  createClientVersionMetrics,
  createJournalMetrics,
  createDatabaseMetrics,
  createReplicaMetrics,
  createStorageMetrics,
  createJobMetrics,
  createDeliveryMetrics,
  createSealingMetrics,
  createCallMetrics,
  createClusterMetrics,
  createWorkMetrics,
  createLoginMetrics,
  createProcessMetrics,
] as const

function ours(registry: Registry): readonly Registered[] {
  return (registry.getMetricsAsArray() as unknown as Registered[])
    .filter(({ name }) => name.startsWith('posthorn_'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Stands for every source: the page shows only names and meanings. */
const nothing = new Proxy(() => undefined, { get: () => () => undefined }) as never
