import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { createLogins, LoginRate, type LoginStrain } from './login-rate.js'

/** A node whose clock is turned. `busy`: share of each step in which its event loop is active; `lateMs`: delay of its timers. */
function makeNode(t: { after(work: () => void): void }, { clusterMax = 1_000, nodes = 1 } = {}) {
  let [nowMs, activeMs] = [0, 0]
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
    loopTimes: () => ({ atMs: nowMs + load.lateMs, activeMs, idleMs: nowMs - activeMs }),
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
  it('are 300 within four seconds while all is well', (t) => {
    const { logins, pass, lowered } = makeNode(t)
    for (let index = 0; index < 300; index += 1) logins.take(() => logins.ended(null))
    assert.equal(logins.taken, 50)
    pass(4_000)
    assert.equal(logins.taken, 300)
    assert.deepEqual(lowered, [])
  })

  it('slow down while the event loop is busy, and get faster again', (t) => {
    const { logins, rate, load, pass, lowered } = makeNode(t)
    for (let index = 0; index < 5_000; index += 1) logins.take(() => {})
    pass(3_000)
    const fast = rate.perSecond
    assert.ok(fast >= 150, `${fast}`)
    load.busy = 1
    pass(2_000)
    const slow = rate.perSecond
    assert.ok(slow < fast / 2 && slow >= 20, `${slow}`)
    assert.deepEqual(new Set(lowered), new Set(['loop']))
    load.busy = 0.3
    pass(2_000)
    assert.ok(rate.perSecond > slow)
  })

  it('slow down while commits take long', (t) => {
    const { logins, rate, pass, lowered } = makeNode(t)
    for (let index = 0; index < 5_000; index += 1) logins.take(() => rate.committed(600))
    pass(2_000)
    assert.ok(rate.perSecond < 20, `${rate.perSecond}`)
    assert.deepEqual(new Set(lowered), new Set(['store']))
  })

  it('slow down and rest when WhatsApp refuses many, but not for one account that always fails', (t) => {
    const { logins, rate, pass, lowered } = makeNode(t)
    let refuses = (index: number): boolean => index % 50 === 0
    for (let index = 0; index < 20_000; index += 1)
      logins.take(() => logins.ended(refuses(index) ? 'unreachable' : null))
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

  it('have an equal share of what the whole cluster may, which changes with its nodes', (t) => {
    const { logins, rate, cluster, pass } = makeNode(t, { clusterMax: 100, nodes: 4 })
    for (let index = 0; index < 1_000; index += 1) logins.take(() => {})
    pass(4_000)
    assert.equal(rate.perSecond, 25)
    assert.ok(logins.taken <= 25 + 4 * 25 + 1, `${logins.taken}`)
    cluster.nodes = 1
    pass(4_000)
    assert.equal(rate.perSecond, 100)
  })
})
