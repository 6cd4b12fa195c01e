import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type LaneLimits, StoredLaneSlots } from './lane-slots.js'

const QUICK: LaneLimits = { max: 3, waitingMax: 100, waitMaxMs: 60_000 }
const SLOW: LaneLimits = { ...QUICK, max: 2, isSlow: true }

const closers: (() => void)[] = []
// Waiting callers have a timer.
after(() => {
  for (const close of closers) close()
})

function scene<Name extends string>(lanes: Record<Name, LaneLimits>, places = 3) {
  const turns = new StoredLaneSlots({ places, lanes, refuse: (lane) => new Error(`${lane} is full`) })
  closers.push(() => turns.close())
  /** Names of callers, in the order in which they got a place. */
  const got: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (lane: Name, caller: string, owner?: string) =>
    void turns.take(lane, owner).then(
      (end) => {
        got.push(caller)
        ends.set(caller, end)
      },
      // Turns that wait beyond the end of a test.
      () => {},
    )
  const end = async (caller: string) => {
    ends.get(caller)?.()
    await turn()
  }
  return { turns, got, ask, end }
}

it('lets the first of a lane wait for one caller of each other lane, however many wait there', async () => {
  const { got, ask, end } = scene({ actors: QUICK, api: QUICK, deliveries: QUICK }, 1)
  ask('actors', 'a0')
  for (let caller = 1; caller <= 50; caller += 1) ask('actors', `a${caller}`)
  ask('deliveries', 'd1')
  ask('api', 'b1')
  await turn()
  for (const caller of ['a0', 'a1']) await end(caller)
  const rest = got.slice(1, 4)
  await end(got[2] ?? '')
  assert.deepEqual([...rest.slice(0, 2), ...got.slice(3, 4)].toSorted(), ['a1', 'b1', 'd1'])
})

it('leaves a place to others while slow work waits for one', async () => {
  const { got, ask, end, turns } = scene({ searches: SLOW, long: SLOW, api: QUICK })
  for (const caller of ['s1', 's2', 's3']) ask('searches', caller)
  ask('long', 'l1')
  await turn()
  assert.deepEqual(got, ['s1', 's2'])
  ask('api', 'b1')
  await turn()
  assert.deepEqual(got, ['s1', 's2', 'b1'])
  await end('b1')
  assert.deepEqual(got, ['s1', 's2', 'b1'], 'a place that quick work left is not given to slow work')
  await end('s1')
  await end('s2')
  assert.deepEqual(got.slice(3).toSorted(), ['l1', 's3'])
  assert.deepEqual(
    turns.figures().map(({ held, waiting }) => [held, waiting]),
    [
      [1, 0],
      [1, 0],
      [0, 0],
    ],
  )
})

it('gives a place once, though it is given back twice', async () => {
  const { got, ask, end } = scene({ api: QUICK }, 1)
  for (const caller of ['b1', 'b2', 'b3']) ask('api', caller)
  await turn()
  await end('b1')
  await end('b1')
  assert.deepEqual(got, ['b1', 'b2'])
})

it('refuses callers beyond the queue, those that waited too long, and all at its end', async () => {
  const { turns } = scene({ api: { max: 1, waitingMax: 2, waitMaxMs: 20 }, other: QUICK })
  await turns.take('api')
  const late = [turns.take('api'), turns.take('api')]
  await assert.rejects(turns.take('api'), /api is full/)
  for (const one of late) await assert.rejects(one, /api is full/)
  assert.deepEqual(turns.figures()[0], { lane: 'api', held: 1, waiting: 0, refused: 3 })
  const end = await turns.take('other')
  const last = assert.rejects(turns.take('api'), /api is full/)
  turns.close()
  await last
  end()
})

it('gives a place first to the owner that has used places for less time, however many of another wait', async () => {
  const { got, ask, end } = scene({ api: QUICK }, 1)
  for (let caller = 0; caller <= 50; caller += 1) ask('api', `greedy ${caller}`, 'greedy')
  await turn()
  await end('greedy 0')
  for (const owner of ['one', 'other']) ask('api', owner, owner)
  ask('api', 'nobody')
  for (const caller of ['greedy 1', 'one', 'other', 'nobody']) {
    await turn()
    assert.equal(got.at(-1), caller)
    await end(caller)
  }
  assert.deepEqual(got.slice(5), ['greedy 2'])
})

it('leaves a place to others while an owner has as many as it may have', async () => {
  const { got, ask, end, turns } = scene({ api: { ...QUICK, ownerMax: 2 } })
  for (const caller of ['g1', 'g2', 'g3', 'g4']) ask('api', caller, 'greedy')
  await turn()
  assert.deepEqual(got, ['g1', 'g2'])
  ask('api', 'b1', 'modest')
  await turn()
  await end('b1')
  assert.deepEqual(got, ['g1', 'g2', 'b1'])
  await end('g1')
  assert.deepEqual(got.slice(3), ['g3'])
  assert.deepEqual(turns.figures()[0], { lane: 'api', held: 2, waiting: 1, refused: 0 })
})

it('lets the first of an owner wait although another has filled the queue', async () => {
  const { got, ask, end, turns } = scene({ api: { max: 1, waitingMax: 2, waitMaxMs: 60_000 } })
  for (const caller of ['g0', 'g1', 'g2']) ask('api', caller, 'greedy')
  await assert.rejects(turns.take('api', 'greedy'), /api is full/)
  await assert.rejects(turns.take('api'), /api is full/)
  ask('api', 'b1', 'modest')
  await assert.rejects(turns.take('api', 'modest'), /api is full/)
  await turn()
  for (const caller of ['g0', 'b1', 'g1']) await end(caller)
  assert.deepEqual(got.toSorted(), ['b1', 'g0', 'g1', 'g2'])
})
