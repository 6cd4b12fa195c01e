import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { type AccountLimits, NO_LIMITS } from '../../schemas/account-limits.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { PacingFields, PacingSettings, StoredPacing } from '../../schemas/pacing.js'
import { Pacer } from './pacer.js'
import type { Change } from './ports.js'
import type { SendsContext } from './sends/context.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Noon of a day, by PostgreSQL's clock. It has nothing to do with the clock of this process. */
const NOON_MS = Date.UTC(2031, 4, 5, 12)
const STRANGER = { isKnown: false }
const FRIEND = { isKnown: true }

/** An instance whose pacing is stored in memory. `restart` makes another pacer on the same rows, as another node does. */
function scene(t: TestContext, given: Partial<PacingSettings> = {}, delayMs = 0) {
  let monotonicMs = 1_000
  t.mock.method(performance, 'now', () => monotonicMs)
  const settings: PacingSettings = {
    sendsPerMinute: 0,
    newChatsPerDay: 0,
    newChatsWarmUp: [],
    newChatsOf: 'all',
    releaseJitterMs: 0,
    ...given,
  }
  let stored: Omit<StoredPacing, 'nowMs'> = {
    createdAtMs: NOON_MS - 400 * DAY_MS,
    pairedAtMs: NOON_MS - 400 * DAY_MS,
    inUseSinceMs: null,
    offeredSinceMs: null,
    delayMinMs: null,
    delayMaxMs: null,
    nextAtMs: null,
    state: '',
  }
  let limits: AccountLimits = NO_LIMITS
  const events: string[] = []
  const nowMs = (): number => NOON_MS + monotonicMs - 1_000
  const keep = (set: PacingFields): void => {
    stored = { ...stored, ...set }
  }
  const write = (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.type === 'pacing') keep(change.set)
      if (change.type !== 'event') continue
      const event = (change.body as { event: unknown }).event as { restriction: string; change: string }
      events.push(`${event.restriction} ${event.change}`)
    }
  }
  const make = () =>
    new Pacer({
      context: {
        id: 'i1' as InstanceId,
        reader: { pacing: async () => ({ ...stored, nowMs: nowMs() }) },
        logger: pino({ level: 'silent' }),
        random: () => 0.5,
        timing: {
          pacingMinMs: delayMs,
          pacingMaxMs: delayMs,
          scheduledPacingMinMs: delayMs / 4,
          scheduledPacingMaxMs: delayMs / 4,
        },
        wakeQueue: () => {},
      } as unknown as SendsContext,
      settings,
      write,
      limits: { known: async () => limits, renewed: async () => limits },
    })
  let pacer = make()
  t.after(() => pacer.stop())
  return {
    get pacer() {
      return pacer
    },
    events,
    nowMs,
    pass: (ms: number) => {
      monotonicMs += ms
    },
    restart: () => {
      pacer.stop()
      pacer = make()
    },
    restrict: (now: AccountLimits) => {
      limits = now
      pacer.limitsChanged(now)
    },
    /** Sends as many as may leave now. */
    async sends(kind: 'async' | 'campaign', chat: typeof STRANGER, max = 100): Promise<number> {
      for (let count = 0; count < max; count += 1) {
        if (!(await pacer.decide(kind, chat)).now) return count
        write(pacer.taken(kind, chat, pacer.pauseMs()))
      }
      return max
    },
  }
}

const locked = (untilMs: number | null): AccountLimits => ({
  ...NO_LIMITS,
  reachout: { isActive: true, untilMs, type: 'DEFAULT' },
})

it('makes a pause of its own after a scheduled send, unless the owner of the instance has set one', async (t) => {
  const { pacer } = scene(t, {}, 10_000)
  assert.deepEqual([pacer.pauseMs(), pacer.pauseMs('scheduled')], [10_000, 2_500])
  assert.deepEqual([await pacer.meanIntervalMs('queued'), await pacer.meanIntervalMs('scheduled')], [10_000, 2_500])
  await pacer.use({ delayMinMs: 7_000, delayMaxMs: 7_000 })
  assert.deepEqual([pacer.pauseMs(), pacer.pauseMs('scheduled')], [7_000, 7_000])
})

it('counts the rate into the time between two sends', async (t) => {
  const { pacer } = scene(t, { sendsPerMinute: 12 }, 10_000)
  assert.deepEqual([await pacer.meanIntervalMs('queued'), await pacer.meanIntervalMs('scheduled')], [10_000, 5_000])
})

it('keeps the pause between two asynchronous sends over a restart', async (t) => {
  const it = scene(t, {}, 10_000)
  assert.equal(await it.sends('async', FRIEND), 1)
  it.pass(4_000)
  it.restart()
  assert.deepEqual(await it.pacer.decide('async', FRIEND), { waitMs: 6_000, reason: 'pace' })
  it.pass(6_000)
  assert.equal(await it.sends('async', FRIEND), 1)
  // A time that was written while PostgreSQL's clock was a day ahead.
  it.pass(-DAY_MS)
  it.restart()
  assert.deepEqual(await it.pacer.decide('async', FRIEND), { waitMs: 20_000, reason: 'pace' })
})

it('spreads the sends of all kinds evenly over the minute, saves no rate up, and lets direct sends take from it', async (t) => {
  const it = scene(t, { sendsPerMinute: 60 })
  it.pass(HOUR_MS)
  assert.equal(await it.sends('async', FRIEND), 1)
  it.restart()
  assert.deepEqual(await it.pacer.decide('campaign', FRIEND), { waitMs: 1_000, reason: 'rate' })
  it.pass(1_000)
  for (let direct = 0; direct < 50; direct += 1) it.pacer.direct()
  // However many direct sends there are, the others wait no longer than ten times their interval.
  it.pass(8_900)
  for (let direct = 0; direct < 50; direct += 1) it.pacer.direct()
  assert.equal(await it.sends('async', FRIEND), 0)
  it.pass(100)
  assert.equal(await it.sends('async', FRIEND), 1)
})

it('lets ordinary sends go before those of campaigns, of which every tenth is next', async (t) => {
  const it = scene(t, { sendsPerMinute: 60 })
  const order: string[] = []
  await it.sends('async', FRIEND)
  for (let second = 0; second < 22; second += 1) {
    for (const kind of ['campaign', 'async'] as const) if ((await it.sends(kind, FRIEND)) === 1) order.push(kind)
    it.pass(1_000)
  }
  const campaigns = order.filter((kind) => kind === 'campaign').length
  assert.ok(campaigns >= 2 && campaigns <= 3, order.join(' '))
  assert.equal(order.length, 21)
})

it('parks messages to strangers when the new chats of the day are used up, by the age of the number', async (t) => {
  const it = scene(t, { newChatsWarmUp: [2, 4], newChatsPerDay: 6 })
  it.pacer.paired()
  await turn()
  assert.equal(await it.sends('async', STRANGER), 2)
  assert.deepEqual(await it.pacer.decide('async', STRANGER), { parkMs: 12 * HOUR_MS, reason: 'budget' })
  assert.equal(await it.sends('async', FRIEND, 5), 5)
  it.restart()
  assert.equal(await it.sends('async', STRANGER), 0)
  assert.deepEqual(it.events, ['new_chat_budget began'], 'a restart reports it no second time')
  assert.deepEqual((await it.pacer.report()).budget, { day: '2031-05-05', used: 2, left: 0 })
  // The next day in UTC, and less than a day after the pairing.
  it.pass(12 * HOUR_MS)
  assert.equal(await it.sends('async', STRANGER), 2)
  it.pass(DAY_MS)
  assert.equal(await it.sends('async', STRANGER), 4)
  await it.pacer.use({ delayMinMs: 0, delayMaxMs: 0, inUseSinceMs: NOON_MS - 99 * DAY_MS })
  assert.equal(await it.sends('async', STRANGER), 2)
  assert.deepEqual(
    it.events,
    ['began', 'ended', 'began', 'ended', 'began'].map((change) => `new_chat_budget ${change}`),
  )
})

it("leaves a part of the network's quota to the person with the phone, and less after each warning", async (t) => {
  const it = scene(t, { newChatsPerDay: 1_000 })
  const cap = (status: string, usedQuota: number): AccountLimits => ({
    ...NO_LIMITS,
    cap: {
      status,
      usedQuota,
      totalQuota: 20,
      cycleStartMs: 0,
      cycleEndMs: it.nowMs() + 10 * DAY_MS,
      oteStatus: '',
      mvStatus: '',
    },
  })
  await it.sends('async', FRIEND)
  it.restrict(cap('NONE', 8))
  assert.equal(await it.sends('async', STRANGER), 10)
  it.restrict(cap('FIRST_WARNING', 12))
  assert.equal(await it.sends('async', STRANGER), 3)
  it.restrict(cap('CAPPED', 20))
  assert.deepEqual(await it.pacer.decide('async', STRANGER), { parkMs: 10 * DAY_MS, reason: 'limit' })
})

it('parks messages to strangers for as long as a lock holds, over restarts, then tests with one message and continues at half the pace', async (t) => {
  const it = scene(t, {}, 1_000)
  await it.sends('async', FRIEND)
  it.restrict(locked(it.nowMs() + 6 * HOUR_MS))
  it.pass(1_000)
  it.restart()
  assert.deepEqual(await it.pacer.decide('async', STRANGER), { parkMs: 6 * HOUR_MS - 1_000, reason: 'network_lock' })
  assert.equal(await it.sends('async', FRIEND, 1), 1)
  it.pass(6 * HOUR_MS)
  it.restrict(NO_LIMITS)
  assert.equal(await it.sends('async', STRANGER), 1)
  it.pass(1_000)
  assert.equal((await it.pacer.decide('async', STRANGER)).now, undefined)
  it.pacer.accepted()
  assert.equal(await it.sends('async', STRANGER), 1)
  assert.deepEqual(await it.pacer.decide('async', FRIEND), { waitMs: 2_000, reason: 'pace' })
  assert.ok(it.pacer.restedMs >= 6 * HOUR_MS)
})

it('ends the rest when the network ends the lock early', async (t) => {
  const it = scene(t)
  await it.sends('async', FRIEND, 1)
  it.restrict(locked(it.nowMs() + 6 * HOUR_MS))
  assert.equal(await it.sends('async', STRANGER), 0)
  it.restrict(NO_LIMITS)
  assert.equal(await it.sends('async', STRANGER, 1), 1)
})

it('rests new chats after five refusals in a row without a restriction, and longer when the test is refused too', async (t) => {
  const it = scene(t)
  for (let refusal = 0; refusal < 4; refusal += 1) {
    assert.equal(await it.sends('async', STRANGER, 1), 1)
    assert.deepEqual(await it.pacer.refused(463, STRANGER), { next: 'park', ms: DAY_MS, isOfPerson: true })
  }
  assert.deepEqual(await it.pacer.refused(463, STRANGER), { next: 'park', ms: HOUR_MS })
  it.restart()
  assert.equal((await it.pacer.decide('campaign', STRANGER)).now, undefined)
  assert.equal((await it.pacer.decide('campaign', FRIEND)).now, true)
  it.pass(HOUR_MS)
  assert.equal(await it.sends('async', STRANGER), 1)
  assert.deepEqual(await it.pacer.refused(463, STRANGER), { next: 'park', ms: 2 * HOUR_MS })
  assert.deepEqual(it.events, ['new_chat_refusals began', 'new_chat_refusals changed'])
})

it('rests all paced sends after a refusal for the rate, longer each time, over restarts, and halves the pace afterwards', async (t) => {
  const it = scene(t, { sendsPerMinute: 60 })
  await it.sends('async', FRIEND)
  assert.deepEqual(await it.pacer.refused(429, FRIEND), { next: 'park', ms: 60_000 })
  // Of messages that were under way together only the first counts.
  assert.deepEqual(await it.pacer.refused(429, FRIEND), { next: 'park', ms: 60_000 })
  it.restart()
  assert.deepEqual(await it.pacer.decide('campaign', FRIEND), { waitMs: 60_000, reason: 'network_rest' })
  assert.deepEqual(it.pacer.holds, [{ kind: 'rate_limit', untilMs: it.nowMs() + 60_000 }])
  it.pass(60_000)
  assert.equal(await it.sends('async', FRIEND), 1)
  assert.deepEqual(await it.pacer.decide('async', FRIEND), { waitMs: 2_000, reason: 'rate' })
  assert.deepEqual(await it.pacer.refused(429, FRIEND), { next: 'park', ms: 120_000 })
  assert.deepEqual(it.events, ['rate_limit began', 'rate_limit ended', 'rate_limit began'])
})

it('fails other refusals, and those of people who have written', async (t) => {
  const it = scene(t)
  assert.deepEqual(await it.pacer.refused(479, STRANGER), { next: 'fail' })
  assert.deepEqual(await it.pacer.refused(463, FRIEND), { next: 'fail' })
})
