import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Registry } from 'prom-client'
import type { Work } from '../../schemas/work.js'
import { createMainThreadMetrics, type LoopStop } from './main-thread-metrics.js'

const turn: Work = { kind: 'turn', operation: 'turn', feature: 'agent', instance: 'i1', id: 'r1' }
const send: Work = { kind: 'command', operation: 'sendText', feature: 'send', instance: 'i2', id: '' }

it('shows the longest stop of the last minutes with its cause, and blames an instance at its third', async () => {
  const registry = new Registry()
  let nowMs = 0
  const blamed: [string, LoopStop][] = []
  const { worked, lagged } = createMainThreadMetrics(registry, {
    waits: () => ({ waiting: 2, waited: 7 }),
    stopped: () => {},
    blames: (...values) => blamed.push(values),
    nowMs: () => nowMs,
  })
  const stops = async () => (await registry.metrics()).match(/^posthorn_event_loop_longest_stop_seconds\{.*$/gm)

  worked(send, 4, 4)
  lagged(5)
  for (const ms of [300, 800, 400]) {
    assert.equal(blamed.length, 0)
    worked(send, 1, 1)
    worked(turn, ms, 1)
    lagged(ms)
  }
  assert.deepEqual(blamed, [['i1', { ms: 400, work: turn }]])
  const labels = 'kind="turn",operation="turn",feature="agent"'
  assert.deepEqual(await stops(), [`posthorn_event_loop_longest_stop_seconds{${labels}} 0.8`])
  // Nothing that has a name took most of it.
  nowMs = 60_000
  worked(turn, 100, 1)
  lagged(900)
  const none = 'kind="",operation="",feature=""'
  assert.deepEqual(await stops(), [`posthorn_event_loop_longest_stop_seconds{${none}} 0.9`])
  nowMs = 300_000
  assert.deepEqual(await stops(), [`posthorn_event_loop_longest_stop_seconds{${none}} 0`])

  const text = await registry.metrics()
  assert.match(
    text,
    /^posthorn_main_thread_seconds_total\{kind="command",operation="sendText",feature="send"\} 0\.019$/m,
  )
  assert.match(text, /^posthorn_commands_deferred 2$/m)
  assert.match(text, /^posthorn_commands_deferred_total 7$/m)
})
