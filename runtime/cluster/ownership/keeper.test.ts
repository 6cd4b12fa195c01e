import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeeperState, keep, nextTickMs, startKeeper } from './keeper.js'
import { type Instant, type KeeperEvent, defaultTiming as timing } from './protocol.js'

describe('the keeper', () => {
  it('counts the guard from before the request', () => {
    const { state } = run([[10, { type: 'begin', sentAt: at(4) }]])
    assert.equal(state.until.monotonicMs, 4 + timing.guardMs)
  })

  it('counts renewals only of a lease that was made before SQL was asked', () => {
    const begun: Step[] = [
      [0, { type: 'begin', sentAt: at(0) }],
      [100, tick],
      [110, { type: 'leaseCreated', creation: 1 }],
    ]
    const renewal: Step[] = [
      [1_800, tick],
      [1_810, { type: 'leaseRenewed', creation: 1, sentAt: at(1_800) }],
    ]
    const early = run([...begun, [120, { type: 'held', sentAt: at(100) }], ...renewal])
    assert.equal(early.state.until.monotonicMs, 100 + timing.guardMs)
    const confirmed = run([
      ...begun,
      [120, { type: 'held', sentAt: at(100) }],
      [1_700, tick],
      [1_710, { type: 'held', sentAt: at(1_700) }],
      ...renewal,
    ])
    assert.equal(confirmed.state.until.monotonicMs, 1_800 + timing.guardMs)
  })

  it('sleeps until the renewal in calm times, and looks often while an answer is awaited or overdue', () => {
    const { state } = running()
    const dueMs = state.renewAtMs
    assert.equal(nextTickMs(state, at(dueMs - 700)), 700)
    assert.equal(nextTickMs(state, at(dueMs + 5)), 100)
    const asked = keep(state, tick, at(dueMs))
    assert.ok(asked.commands.some(({ type }) => type === 'renewLease'))
    assert.equal(nextTickMs(asked.state, at(dueMs)), 100)
    const failed = keep(asked.state, { type: 'leaseFailed' }, at(dueMs + 10))
    assert.equal(nextTickMs(failed.state, at(dueMs + 10)), timing.retryMs)
    assert.equal(nextTickMs(state, at(state.until.monotonicMs + 1)), 100)
    assert.equal(nextTickMs(startKeeper(timing), at(0)), 100)
  })

  it('writes no holds while Redis answers', () => {
    const { state } = running()
    const { commands } = run(everyTick(1_900, 60_000), state)
    assert.ok(commands.includes('renewLease'))
    assert.ok(!commands.includes('hold'))
  })

  it('writes holds when Redis does not answer, before the guard closes', () => {
    const { state } = running()
    let next = state
    let heldAt = 0
    for (let ms = 1_900; heldAt === 0; ms += 100) {
      const step = keep(next, tick, at(ms))
      next = step.state
      if (step.commands.some((command) => command.type === 'hold')) heldAt = ms
    }
    assert.ok(heldAt + 2 * timing.commandTimeoutMs <= state.until.monotonicMs)
  })

  it('asks SQL before it trusts Redis again after the guard has closed', () => {
    const { state } = running()
    const lateMs = state.until.monotonicMs + 100
    const late = keep(state, { type: 'leaseRenewed', creation: 1, sentAt: at(lateMs - 10) }, at(lateMs))
    assert.ok(late.commands.some((command) => command.type === 'hold'))
    assert.equal(late.state.until, state.until)
  })

  it('stops to renew when the main thread hangs', () => {
    const { state } = running()
    const silentMs = 2_000 + timing.mainSilenceMs
    assert.deepEqual(keep(state, { type: 'tick', mainSeenMs: 2_000 }, at(silentMs)).commands, [])
  })

  it('proves nothing by its own SQL while others use a newer store, and asks it before it opens the guard again', () => {
    const { state } = running()
    const outdated = run(
      [
        [2_800, tick],
        [2_810, { type: 'leaseOutdated' }],
        [2_820, { type: 'held', sentAt: at(2_800) }],
      ],
      state,
    )
    assert.equal(outdated.state.until, state.until)
    const later = run(everyTick(3_800, 4_000).slice(0, 1), outdated.state)
    assert.ok(!later.commands.includes('hold'))
    const renewed = keep(later.state, { type: 'leaseRenewed', creation: 1, sentAt: at(9_000) }, at(9_010))
    assert.ok(renewed.commands.some((command) => command.type === 'hold'))
    const held = keep(renewed.state, { type: 'held', sentAt: at(9_010) }, at(9_020))
    assert.equal(held.state.until.monotonicMs, 9_010 + timing.guardMs)
  })

  it('is over when SQL says that the node is dead', () => {
    const { state } = running()
    const refused = keep(state, { type: 'holdRefused' }, at(2_000))
    assert.deepEqual(refused.commands, [{ type: 'refused' }])
    assert.deepEqual(keep(refused.state, { type: 'held', sentAt: at(2_000) }, at(2_010)).commands, [])
  })
})

type Step = readonly [atMs: number, event: KeeperEvent]

const tick: KeeperEvent = { type: 'tick', mainSeenMs: Number.POSITIVE_INFINITY }

function at(ms: number): Instant {
  return { monotonicMs: ms, wallMs: 1e12 + ms }
}

function run(steps: readonly Step[], state = startKeeper(timing)): { state: KeeperState; commands: readonly string[] } {
  const commands: string[] = []
  let next = state
  for (const [ms, event] of steps) {
    const step = keep(next, event, at(ms))
    next = step.state
    commands.push(...step.commands.map((command) => command.type))
  }
  return { state: next, commands }
}

/** A lease that is confirmed and was renewed at 1,800 ms. */
function running(): { state: KeeperState } {
  return run([
    [0, { type: 'begin', sentAt: at(0) }],
    [100, tick],
    [110, { type: 'leaseCreated', creation: 1 }],
    [120, { type: 'held', sentAt: at(100) }],
    [1_700, tick],
    [1_710, { type: 'held', sentAt: at(1_700) }],
    [1_810, { type: 'leaseRenewed', creation: 1, sentAt: at(1_800) }],
  ])
}

function everyTick(fromMs: number, toMs: number): Step[] {
  const steps: Step[] = []
  for (let ms = fromMs; ms < toMs; ms += 100) {
    steps.push([ms, tick], [ms + 5, { type: 'leaseRenewed', creation: 1, sentAt: at(ms) }])
  }
  return steps
}
