/** The page of metrics, made from what a node registers. */
import type { Registry } from 'prom-client'
import { createCallMetrics } from '../runtime/cluster/call-metrics.js'
import { createClusterMetrics } from '../runtime/cluster/cluster-metrics.js'
import { createMetrics } from '../runtime/metrics.js'

interface Registered {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames: readonly string[]
}

/** The text of `docs/metrics.md`. */
export function metricsPage(): string {
  const { registry } = createMetrics(nothing)
  createCallMetrics(registry, nothing)
  createClusterMetrics(registry, nothing)
  const rows = ours(registry).map(
    ({ name, type, labelNames, help }) =>
      `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  )
  return [
    '# Metrics',
    '',
    'Made by `npm run generate` from what a node registers (`runtime/metrics.ts`, `runtime/cluster/*-metrics.ts`); change that.',
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

function ours(registry: Registry): readonly Registered[] {
  return (registry.getMetricsAsArray() as unknown as Registered[])
    .filter(({ name }) => name.startsWith('posthorn_'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Only names and meanings are asked for. */
const nothing = new Proxy({}, { get: () => () => undefined }) as never
