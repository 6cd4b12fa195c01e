import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import { type ConnectionTraffic, createWatchdog, PendingMessages } from './watchdog.js'

describe('the watchdog', () => {
  let nowMs = 0
  let deaths: string[] = []
  beforeEach((t) => {
    nowMs = 1_000
    deaths = []
    mock.timers.enable({ apis: ['setInterval'] })
    const now = mock.method(performance, 'now', () => nowMs)
    ;(t as unknown as { after(work: () => void): void }).after(() => {
      now.mock.restore()
      mock.timers.reset()
    })
  })
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      nowMs += 100
      mock.timers.tick(100)
    }
  }
  const watch = (traffic: () => ConnectionTraffic) => {
    const known = new Set<string>()
    const watchdog = createWatchdog({
      silenceMaxMs: 10_000,
      answerMaxMs: 20_000,
      isFirst: (id) => !known.has(id) && known.add(id) !== undefined,
    })
    return watchdog.watch({ traffic, onDead: (why) => deaths.push(why) })
  }
  const lively = (more: Partial<ConnectionTraffic> = {}): ConnectionTraffic => ({
    lastFrameAtMs: nowMs,
    unacknowledged: null,
    unhandled: null,
    ...more,
  })

  it('ends a silent connection, and no other', () => {
    let heardAtMs = nowMs
    const unwatch = watch(() => lively({ lastFrameAtMs: heardAtMs }))
    for (let round = 0; round < 5; round += 1) {
      pass(9_000)
      heardAtMs = nowMs
    }
    assert.deepEqual(deaths, [])
    pass(12_500)
    assert.equal(deaths[0], 'nothing was heard from WhatsApp')
    unwatch()
    deaths = []
    pass(20_000)
    assert.deepEqual(deaths, [])
  })

  it('ends a connection whose messages are not acknowledged, once for each message', () => {
    const sent = new PendingMessages()
    watch(() => lively({ unacknowledged: sent.stuck }))
    sent.add('a')
    pass(15_000)
    sent.add('b')
    sent.done('b')
    pass(15_000)
    assert.deepEqual(deaths, [], 'others were answered meanwhile')
    pass(10_000)
    assert.deepEqual(deaths, ['WhatsApp acknowledges no messages'])
    pass(60_000)
    assert.equal(deaths.length, 1)
  })

  it('ends a connection whose received messages are not handled', () => {
    const received = new PendingMessages()
    watch(() => lively({ unhandled: received.stuck }))
    received.add('a')
    pass(25_000)
    assert.deepEqual(deaths, ['received messages are not handled'])
  })

  it('ends nothing right after a pause of the process, before waiting frames are read', () => {
    let heardAtMs = nowMs
    watch(() => lively({ lastFrameAtMs: heardAtMs }))
    nowMs += 60_000
    mock.timers.tick(2_000)
    assert.deepEqual(deaths, [])
    heardAtMs = nowMs
    pass(5_000)
    assert.deepEqual(deaths, [])
  })
})
