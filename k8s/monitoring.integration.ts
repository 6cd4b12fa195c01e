/** Every query of an alert, a panel and a rule of the autoscaler asks for what a node really tells. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../test/support/cleanup.js'
import { eventually } from '../test/support/eventually.js'
import { queries, targetLabels } from '../test/support/monitoring.js'
import { readQuery, type Selector, samplesIn } from '../test/support/promql.js'
import { startReceiver } from '../test/support/receiver.js'
import { startWorld } from '../test/support/world.js'

/** Prometheus makes it itself, for each target. */
const ofPrometheus = new Set(['up'])

describe('the metrics of a node under load', () => {
  let text: string
  let samples: ReturnType<typeof samplesIn>
  const cleanup = suiteCleanup()
  const readFigure = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return Number(line?.slice(series.length + 1))
  }

  before(async () => {
    const world = await startWorld(cleanup, { METRICS_TOKEN: 'for-prometheus' })
    const receiver = await startReceiver(cleanup)
    const ana = await world.paired('15551900001', 'Ana')
    const ben = await world.paired('15551900002', 'Ben')
    await ben.hook(receiver.url)
    await ana.text(ben.number, 'Hello')
    await eventually(() => receiver.of('messages').length === 1)
    assert.equal((await world.gateway.call('GET', '/metrics')).status, 401)
    const headers = { authorization: 'Bearer for-prometheus' }
    text = (await world.gateway.call<string>('GET', '/metrics', { headers })).body
    samples = samplesIn(text)
  })

  it('contains every metric, label and value that alerts and dashboards query', () => {
    for (const { from, text: query } of queries) {
      const { selectors, groupings } = readQuery(query)
      assert.ok(selectors.length > 0, from)
      for (const selector of selectors) checkSelector(from, selector)
      const labels = new Set(selectors.flatMap(({ metric }) => [...(samples.get(metric)?.keys() ?? [])]))
      for (const label of groupings) assert.ok(labels.has(label) || targetLabels.has(label), `${from}: by ${label}`)
    }
  })

  it('counts what happened to its instances', () => {
    for (const series of [
      'posthorn_messages_received_total',
      'posthorn_sends_total{outcome="taken"}',
      // The network asks for a new connection after a pairing.
      'posthorn_connections_closed_total{cause="restart"}',
      'posthorn_connections_opened_total',
      'posthorn_gate_wait_seconds_count',
      'posthorn_journal_commit_seconds_count{outcome="committed"}',
      'posthorn_deliveries_total{outcome="delivered"}',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      assert.ok(readFigure(series) > 0, `${series} ${readFigure(series)}`)
    assert.equal(readFigure('posthorn_connections_closed_total{cause="lost"}'), 0)
    assert.equal(readFigure('posthorn_messages_undecryptable_total'), 0)
    assert.equal(readFigure('posthorn_instances{status="connected"}'), 2)
  })

  function checkSelector(from: string, { metric, matchers }: Selector): void {
    if (ofPrometheus.has(metric)) return
    const seen = samples.get(metric)
    assert.ok(seen !== undefined, `${from}: there is no ${metric}`)
    for (const { label, operator, value } of matchers) {
      if (targetLabels.has(label)) continue
      const values = seen.get(label)
      assert.ok(values !== undefined, `${from}: ${metric} has no label ${label}`)
      // Of status codes not each is to be seen in a quiet moment.
      if (label === 'status' && metric.startsWith('posthorn_http_')) continue
      for (const wanted of operator.endsWith('~') ? value.split('|') : [value])
        assert.ok(values.has(wanted), `${from}: ${metric} has ${[...values].join(', ')} as ${label}, not ${wanted}`)
    }
  }
})
