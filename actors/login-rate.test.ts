import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { createLogins, LoginRate, type LoginStrain } from './login-rate.js'

/** A node whose clock is turned. `busy`: share of each step in which its event loop is active; `lateMs`: delay of each look. */
function makeNode(t: { after(work: () => void): void }, { clusterMax = 1_000, nodes = 1 } = {}) {
  let [nowMs, activeMs, delayedMs] = [0, 0, 0]
  const load = { busy: 0.3, lateMs: 0 }
  const clock = mock.method(performance, 'now', () => nowMs)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => {
    clock.mock.restore()
    mock.timers.reset()
  })
  const lowered: LoginStrain[] = []
  const cluster = { nodes }
  const rate = new LoginRate({
    clusterMax,
    nodes: () => cluster.nodes,
    onLowered: (strain) => lowered.push(strain),
    loopTimes() {
      delayedMs += load.lateMs
      return { atMs: nowMs + delayedMs, activeMs, idleMs: nowMs - activeMs }
    },
  })
  const logins = createLogins(rate)
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1) {
      nowMs += 1
      activeMs += load.busy
      mock.timers.tick(1)
    }
  }
  return { rate, logins, load, cluster, lowered, pass }
}

describe('logins of a node without a configured rate', () => {
  it('are 300 within three seconds while all is well', (t) => {
    const { logins, pass, lowered } = makeNode(t)
    for (let index = 0; index < 300; index += 1) logins.take(() => logins.ended(null, 300))
    assert.equal(logins.taken, 50)
    pass(3_000)
    assert.equal(logins.taken, 300)
    assert.deepEqual(lowered, [])
  })

  it('get no faster while the event loop is busy, or while none opens', (t) => {
    const { logins, rate, load, pass, lowered } = makeNode(t)
    let open = (): void => logins.ended(null, 300)
    for (let index = 0; index < 5_000; index += 1) logins.take(() => open())
    load.busy = 1
    pass(2_000)
    assert.equal(rate.perSecond, 50)
    load.busy = 0.3
    open = () => {}
    pass(4_000)
    // The first look counts those that opened before.
    assert.ok(rate.perSecond <= 60, `${rate.perSecond}`)
    open = () => logins.ended(null, 300)
    pass(2_000)
    assert.ok(rate.perSecond > 120, `${rate.perSecond}`)
    assert.deepEqual(lowered, [])
  })

  it('slow down while timers are late or commits take long, but not below where they begin', (t) => {
    const { logins, rate, load, pass, lowered } = makeNode(t)
    let commitMs = 5
    for (let index = 0; index < 10_000; index += 1)
      logins.take(() => {
        logins.ended(null, 300)
        rate.committed(commitMs)
      })
    pass(3_000)
    const fast = rate.perSecond
    assert.ok(fast >= 150, `${fast}`)
    load.lateMs = 100
    pass(4_000)
    assert.equal(rate.perSecond, 50)
    assert.deepEqual(new Set(lowered.splice(0)), new Set(['loop']))
    load.lateMs = 0
    pass(2_000)
    assert.ok(rate.perSecond > 100, `${rate.perSecond}`)
    commitMs = 600
    pass(4_000)
    assert.equal(rate.perSecond, 50)
    assert.deepEqual(new Set(lowered), new Set(['store']))
  })

  it('slow down further while most logins take long, but not for those that wait for a person', (t) => {
    const { logins, pass, rate, lowered } = makeNode(t)
    let durationMs: number | null = null
    for (let index = 0; index < 10_000; index += 1) logins.take(() => logins.ended(null, durationMs))
    pass(1_000)
    assert.deepEqual(lowered, [])
    durationMs = 5_000
    pass(6_000)
    assert.ok(rate.perSecond < 20, `${rate.perSecond}`)
    assert.deepEqual(new Set(lowered), new Set(['late']))
    durationMs = 300
    pass(3_000)
    assert.ok(rate.perSecond > 50, `${rate.perSecond}`)
  })

  it('slow down and rest when WhatsApp refuses many, but not for one account that always fails', (t) => {
    const { logins, rate, pass, lowered } = makeNode(t)
    let refuses = (index: number): boolean => index % 50 === 0
    for (let index = 0; index < 20_000; index += 1)
      logins.take(() => logins.ended(refuses(index) ? 'unreachable' : null, 300))
    pass(2_000)
    assert.deepEqual(lowered, [])
    const fast = rate.perSecond
    refuses = () => true
    pass(500)
    assert.equal(lowered.at(-1), 'network')
    assert.ok(rate.perSecond <= fast / 2)
    pass(3_000)
    const least = rate.perSecond
    refuses = () => false
    pass(2_000)
    assert.equal(rate.perSecond, least)
    pass(6_000)
    assert.ok(rate.perSecond > least)
  })

  it('slow down once for refusals of one moment, and step by step while they last', (t) => {
    const { logins, pass, lowered } = makeNode(t)
    let refuses = false
    for (let index = 0; index < 20_000; index += 1) logins.take(() => logins.ended(refuses ? 'unreachable' : null, 300))
    pass(2_000)
    refuses = true
    pass(100)
    refuses = false
    pass(900)
    assert.deepEqual(lowered, ['network'])
    refuses = true
    pass(300)
    assert.deepEqual(lowered, ['network', 'network'])
  })

  it('are at most 500 a second, and 50 at once after a time without any', (t) => {
    const { logins, rate, pass } = makeNode(t)
    const take = (count: number): void => {
      for (let index = 0; index < count; index += 1) logins.take(() => logins.ended(null, 300))
    }
    take(1_000)
    pass(4_000)
    assert.equal(rate.perSecond, 500)
    assert.equal(logins.taken, 1_000)
    take(200)
    assert.equal(logins.taken, 1_050)
  })

  it('have an equal share of what the whole cluster may, which changes with its nodes', (t) => {
    const { logins, rate, cluster, pass } = makeNode(t, { clusterMax: 100, nodes: 4 })
    for (let index = 0; index < 1_000; index += 1) logins.take(() => logins.ended(null, 300))
    pass(4_000)
    assert.equal(rate.perSecond, 25)
    assert.ok(logins.taken <= 25 + 4 * 25 + 1, `${logins.taken}`)
    cluster.nodes = 1
    pass(4_000)
    assert.equal(rate.perSecond, 100)
  })
})
