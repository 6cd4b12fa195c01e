import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { mergeMetrics } from './merge-metrics.js'

function processWith(index: number, fill: (registry: Registry) => void): Promise<string> {
  const registry = new Registry()
  registry.setDefaultLabels({ process: String(index) })
  fill(registry)
  return registry.metrics()
}

describe('merged metrics', () => {
  it('have each metric once, with the samples of all processes', async () => {
    const fill = (times: number) => (registry: Registry) => {
      const registers = [registry]
      new Counter({ name: 'sent_total', help: 'Sent.', labelNames: ['how'], registers }).inc({ how: 'well' }, times)
      new Gauge({ name: 'oldest_seconds', help: 'Oldest.', registers }).set(Number.POSITIVE_INFINITY)
      new Histogram({ name: 'took_seconds', help: 'Took.', buckets: [1], registers }).observe(times)
    }
    const text = mergeMetrics([await processWith(1, fill(1)), await processWith(2, fill(2))])

    assert.deepEqual(text.trimEnd().split('\n'), [
      '# HELP sent_total Sent.',
      '# TYPE sent_total counter',
      'sent_total{how="well",process="1"} 1',
      'sent_total{how="well",process="2"} 2',
      '',
      '# HELP oldest_seconds Oldest.',
      '# TYPE oldest_seconds gauge',
      'oldest_seconds{process="1"} +Inf',
      'oldest_seconds{process="2"} +Inf',
      '',
      '# HELP took_seconds Took.',
      '# TYPE took_seconds histogram',
      'took_seconds_bucket{le="1",process="1"} 1',
      'took_seconds_bucket{le="+Inf",process="1"} 1',
      'took_seconds_sum{process="1"} 1',
      'took_seconds_count{process="1"} 1',
      'took_seconds_bucket{le="1",process="2"} 0',
      'took_seconds_bucket{le="+Inf",process="2"} 1',
      'took_seconds_sum{process="2"} 2',
      'took_seconds_count{process="2"} 1',
    ])
  })

  it('leave out nothing that only one process has', async () => {
    const only = await processWith(2, (registry) => {
      new Gauge({ name: 'only_here', help: 'Only here.', registers: [registry] }).set(3)
    })
    const none = await processWith(1, (registry) => {
      new Gauge({ name: 'without_samples', help: 'Nothing.', labelNames: ['what'], registers: [registry] })
    })

    const text = mergeMetrics([none, only])
    assert.match(text, /^only_here\{process="2"\} 3$/m)
    assert.match(text, /^# HELP without_samples Nothing\.\n# TYPE without_samples gauge$/m)
  })
})
