/** The files of `k8s/monitoring/`, and every query in them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../lib/package-root.js'

export interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[]
}

export interface AdapterRule {
  readonly seriesQuery: string
  readonly metricsQuery: string
  readonly name: { readonly as: string }
}

function read(file: string): string {
  return readFileSync(path.join(packageRoot, file), 'utf8')
}

export const alerts = (
  parse(read('k8s/monitoring/alerts.yaml')) as { groups: readonly { rules: readonly Alert[] }[] }
).groups.flatMap(({ rules }) => rules)

export const dashboard = JSON.parse(read('k8s/monitoring/dashboard.json')) as { readonly panels: readonly Panel[] }

export const adapterRules = (parse(read('k8s/monitoring/prometheus-adapter.yaml')) as { rules: readonly AdapterRule[] })
  .rules

export const runbook = read('docs/operations/runbook.md')

/** Labels that Prometheus adds to what it scrapes, by k8s/monitoring/prometheus.yaml. */
export const targetLabels: ReadonlySet<string> = new Set(['job', 'instance', 'namespace', 'pod'])

/** The figures in the table of what to watch. */
function watched(): readonly string[] {
  const [, section = ''] = /## What to watch([\s\S]*?)\n## /.exec(read('docs/operations/monitoring.md')) ?? []
  const cells = [...section.matchAll(/^\| [a-z][^|]* \| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, query = '']) => query))
}

/** Each query with what it is called, as Prometheus sees it: what Grafana and the adapter fill in is filled in. */
export const queries: readonly { readonly from: string; readonly text: string; readonly legend?: string }[] = [
  ...alerts.map(({ alert, expr }) => ({ from: alert, text: expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      from: `panel ${title}`,
      text: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'posthorn'),
      legend: legendFormat,
    })),
  ),
  ...watched().map((text) => ({ from: 'monitoring.md, what to watch', text })),
  ...adapterRules.flatMap(({ name, seriesQuery, metricsQuery }) => [
    { from: name.as, text: seriesQuery },
    {
      from: name.as,
      text: metricsQuery.replaceAll('<<.LabelMatchers>>', 'namespace="posthorn"').replaceAll('<<.GroupBy>>', 'pod'),
    },
  ]),
]
