import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { chooseSeed, seededRandom } from '../../test/durability/random.js'
import type { Place } from './place.js'
import { type WorkLimits, WorkLine } from './work-line.js'

const LIMITS: WorkLimits = { atOnce: 2, openMax: 4, keptForOthers: 1, ownerMax: 3, ownerWaitingMax: 5 }
const REFUSED = new Error('full')

/** A line with a clock that stands, and work that ends when the test says so. */
function lineWith(limits: Partial<WorkLimits> = {}) {
  let nowMs = 0
  const line = new WorkLine({ limits: { ...LIMITS, ...limits }, refuse: () => REFUSED, now: () => nowMs })
  const begun: { owner: string; place: Place; end: () => void }[] = []
  return {
    line,
    begun,
    pass(ms: number) {
      nowMs += ms
    },
    /** Begins work, and resolves with its outcome. */
    ask(owner: string, signal?: AbortSignal): Promise<'done' | Error> {
      const work = (place: Place) => new Promise<void>((end) => begun.push({ owner, place, end }))
      return line.run(owner, work, signal).then(
        () => 'done' as const,
        (error: Error) => error,
      )
    },
    owners: () => begun.map(({ owner }) => owner).join(''),
  }
}

describe('a line of work', () => {
  it('gives a free place to the owner that has used the least time', async () => {
    const { ask, begun, pass, owners } = lineWith({ atOnce: 1, openMax: 1, keptForOthers: 0 })
    const all = [ask('a'), ask('a'), ask('a')]
    await turn()
    pass(1_000)
    all.push(ask('b'), ask('b'))
    await turn()
    for (let index = 0; index < all.length; index++) {
      // Work of the owner a takes ten times as long.
      pass(begun[index]?.owner === 'a' ? 1_000 : 100)
      begun[index]?.end()
      await turn()
    }
    assert.equal(owners(), 'abbaa')
    assert.ok((await Promise.all(all)).every((outcome) => outcome === 'done'))
  })

  it('serves owners with short work in turns', async () => {
    const { ask, begun, owners } = lineWith({ atOnce: 1, openMax: 1, keptForOthers: 0 })
    for (const owner of 'aaaabbccc') void ask(owner)
    for (let index = 0; index < 9; index++) {
      await turn()
      begun[index]?.end()
    }
    await turn()
    assert.equal(owners(), 'abcabcaca')
  })

  it('keeps places for owners that have none, refuses what has no room to wait, and takes the first of any owner', async () => {
    const { ask, begun, line } = lineWith({ atOnce: 4, waitingMax: 5 })
    for (let index = 0; index < 8; index++) void ask('a')
    await turn()
    assert.equal(begun.length, 3)
    assert.equal(await ask('a'), REFUSED)
    void ask('b')
    await turn()
    assert.deepEqual(
      begun.map(({ owner }) => owner),
      ['a', 'a', 'a', 'b'],
    )
    void ask('c')
    assert.equal(await ask('c'), REFUSED)
    assert.deepEqual(line.counts(), { running: 4, silent: 0, waiting: 6, refused: 2 })
  })

  it('forgets work whose signal is aborted while it waits, and does not begin it later', async () => {
    const { ask, begun, line } = lineWith({ atOnce: 1 })
    const first = ask('a')
    const abort = new AbortController()
    const waiting = ask('b', abort.signal)
    abort.abort(new Error('given up'))
    assert.match(String(await waiting), /given up/)
    assert.match(String(await ask('b', abort.signal)), /given up/)
    begun[0]?.end()
    await first
    assert.deepEqual([line.counts().waiting, line.counts().running, begun.length], [0, 0, 1])
  })

  it('lends the place of work whose far side is silent, and gives it back when the far side answers', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { ask, begun, line } = lineWith({ atOnce: 1 })
    void ask('a')
    void ask('b')
    await turn()
    let answer = (_: string): void => {}
    const answered = begun[0]?.place.lend(
      new Promise<string>((resolve) => {
        answer = resolve
      }),
    )
    await turn()
    assert.equal(begun.length, 1)
    t.mock.timers.tick(100)
    await turn()
    assert.deepEqual([begun.length, line.counts().running, line.counts().silent], [2, 1, 1])
    answer('late')
    await turn()
    assert.equal(line.counts().running, 1)
    begun[1]?.end()
    assert.equal(await answered, 'late')
    assert.deepEqual([line.counts().running, line.counts().silent], [1, 0])
  })

  it('lets others in between two parts of a stream, and closes the stream that is given up', async () => {
    const line = new WorkLine({ limits: { ...LIMITS, atOnce: 1 }, refuse: () => REFUSED })
    let isClosed = false
    async function* endless() {
      try {
        for (;;) {
          await turn()
          yield 'part'
        }
      } finally {
        isClosed = true
      }
    }
    let hasServed = false
    const streamed = line.run('a', async (place) => {
      for await (const _ of place.flow(endless())) if (hasServed) break
    })
    await line.run('b', async () => {
      hasServed = true
    })
    await streamed
    assert.equal(isClosed, true)
    assert.deepEqual(line.counts(), { running: 0, silent: 0, waiting: 0, refused: 0 })
  })

  it('keeps its bounds and starves no owner, whatever the others do, and ends empty', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const seed = chooseSeed(t)
    for (let round = 0; round < 60; round++) await hostileRound(t.mock.timers, seededRandom(seed + round))
  })
})

/** One owner has one short work at a time. Others flood the line, hold their places, fall silent and give up. */
async function hostileRound(timers: { tick(ms: number): void }, random: () => number): Promise<void> {
  const draw = (max: number): number => Math.floor(random() * max)
  const limits = {
    atOnce: 1 + draw(3),
    openMax: 4 + draw(4),
    keptForOthers: 1,
    ownerMax: 1 + draw(3),
    ownerWaitingMax: 5,
  }
  const { line, ask, begun, pass } = lineWith(limits)
  const hostile = Array.from({ length: 1 + draw(5) }, (_, index) => `hostile ${index}`)
  const aborts: AbortController[] = []
  const silent = new Set<() => void>()
  const outcomes: Promise<unknown>[] = []
  let passedBy = -1
  const askHostile = (): void => {
    const abort = new AbortController()
    aborts.push(abort)
    outcomes.push(ask(String(hostile[draw(hostile.length)]), abort.signal))
  }
  const askModest = (): void => {
    passedBy = 0
    outcomes.push(ask('modest'))
  }
  const endOne = (): void => {
    const [one] = begun.splice(draw(begun.length), 1)
    one?.end()
  }
  const fallSilent = (): void => {
    const place = begun[draw(begun.length)]?.place
    if (place === undefined) return
    const answer = new Promise<void>((resolve) => silent.add(resolve))
    outcomes.push(place.lend(answer))
  }
  for (let step = 0; step < 120; step++) {
    const known = new Set(begun)
    const act = draw(8)
    if (act < 3) askHostile()
    else if (act === 3) endOne()
    else if (act === 4) fallSilent()
    else if (act === 5) aborts[draw(aborts.length)]?.abort(new Error('given up'))
    else if (act === 6) for (const answer of silent) answer()
    else if (passedBy < 0) askModest()
    pass(draw(2_000))
    timers.tick(60)
    await turn()
    const { running, silent: lent, waiting } = line.counts()
    assert.ok(running <= limits.atOnce, `${running} run`)
    assert.ok(running + lent <= limits.openMax, `${running + lent} are open`)
    assert.ok(waiting <= limits.ownerWaitingMax * (hostile.length + 1), `${waiting} wait`)
    for (const owner of [...hostile, 'modest'])
      assert.ok(begun.filter((one) => one.owner === owner).length <= limits.ownerMax, `too much of ${owner} is open`)
    for (const one of begun) {
      if (known.has(one)) continue
      if (one.owner !== 'modest') passedBy = passedBy < 0 ? passedBy : passedBy + 1
    }
    const modest = begun.find(({ owner }) => owner === 'modest')
    assert.ok(passedBy <= hostile.length + 1, `${passedBy} were served before the modest owner`)
    if (modest === undefined) continue
    begun.splice(begun.indexOf(modest), 1)
    modest.end()
    passedBy = -1
  }
  for (let left = 0; left < 200; left++) {
    for (const answer of silent) answer()
    for (const one of begun.splice(0)) one.end()
    timers.tick(100)
    await turn()
  }
  await Promise.all(outcomes)
  const { running, silent: lent, waiting } = line.counts()
  assert.deepEqual([running, lent, waiting], [0, 0, 0])
}
