import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPod, findSpec, quantity, rendered } from '../test/support/manifests.js'
import { adapterRules, alerts, dashboard, queries, runbook } from '../test/support/monitoring.js'
import { readQuery } from '../test/support/promql.js'

describe('alerts', () => {
  it('have a line in the runbook each, and it has no others', () => {
    const lines = [...runbook.matchAll(/^\| `(Posthorn\w+)` \| \S.+ \| \S.+ \|$/gm)].map(([, name]) => name)
    assert.deepEqual(
      lines,
      alerts.map(({ alert }) => alert),
    )
    assert.equal(new Set(lines).size, lines.length)
  })

  it('say how urgent they are, and name only labels that their query leaves', () => {
    for (const { alert, expr, labels, annotations } of alerts) {
      assert.ok(['page', 'ticket'].includes(labels.severity), alert)
      const left = new Set(readQuery(expr).groupings)
      const isAggregated = left.size > 0
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
        assert.ok(!isAggregated || left.has(label), `${alert}: ${label}`)
    }
  })

  it('warn of memory before a pod is killed', () => {
    const limit = quantity(findPod(rendered('production')).containers[0].resources.limits.memory ?? '')
    const { expr = '' } = alerts.find(({ alert }) => alert === 'PosthornMemoryShort') ?? {}
    const threshold = /> ([\d.* ]+)$/.exec(expr)?.[1]?.split('*').map(Number) ?? []
    assert.equal(
      threshold.reduce((product, factor) => product * factor),
      0.85 * limit,
    )
  })
})

describe('the dashboard', () => {
  it('has panels that do not lie upon one another, with a query and a legend each', () => {
    const { panels } = dashboard
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    assert.equal(new Set(cells).size, cells.length)
    for (const { type, title, targets = [] } of panels) {
      if (type === 'row') continue
      assert.ok(targets.length > 0 && targets.every(({ legendFormat }) => legendFormat !== ''), title)
    }
  })

  it('tells lines apart by labels that their queries leave', () => {
    for (const { from, text, legend = '' } of queries) {
      const left = readQuery(text).groupings
      for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(left.includes(label), `${from}: ${label}`)
    }
  })
})

it('the page about monitoring names figures to watch, which are checked like those of the dashboard', () => {
  const named = queries
    .filter(({ from }) => from.startsWith('monitoring.md'))
    .map(({ text }) => readQuery(text).selectors[0]?.metric)
  assert.ok(named.length >= 10 && named.includes('posthorn_journal_commit_seconds_sum'), named.join(', '))
})

it('the autoscaler asks for metrics that the rules of the adapter make', () => {
  const { metrics } = findSpec<{ metrics: readonly { pods: { metric: { name: string } } }[] }>(
    rendered('production'),
    'HorizontalPodAutoscaler',
  )
  assert.deepEqual(
    metrics.map(({ pods }) => pods.metric.name),
    adapterRules.map(({ name }) => name.as),
  )
})

it('the reader of queries refuses what is not PromQL', () => {
  assert.throws(() => readQuery('sum by (pod (rate(a[5m]))'), /No PromQL/)
  assert.deepEqual(readQuery('sum by (pod) (rate(a{b=~"c|d"}[5m])) > 0'), {
    selectors: [{ metric: 'a', matchers: [{ label: 'b', operator: '=~', value: 'c|d' }] }],
    groupings: ['pod'],
  })
})
