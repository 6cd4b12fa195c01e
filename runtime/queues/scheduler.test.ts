import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { chooseSeed, seededRandom } from '../../test/durability/random.js'
import { eventually } from '../../test/support/eventually.js'
import { testLog } from '../../test/support/store.js'
import { createScheduler, type SchedulerOptions } from './scheduler.js'

function scheduler(t: TestContext, options: Partial<SchedulerOptions> & Pick<SchedulerOptions, 'handle'>) {
  const made = createScheduler({ kind: 'test', concurrency: 8, sweep: async () => [], logger: testLog, ...options })
  t.after(() => made.close())
  return made
}

/** Lanes with numbered work, as SQL would hold it; asserts that a lane never runs twice at once. */
function lanesOfWork(random: () => number = () => 0.5) {
  const due = new Map<string, number>()
  const seen = new Map<string, number>()
  const running = new Set<string>()
  let runs = 0
  return {
    commit: (lane: string) => void due.set(lane, (due.get(lane) ?? 0) + 1),
    due: () => [...due].filter(([lane, count]) => (seen.get(lane) ?? 0) < count).map(([lane]) => lane),
    runs: () => runs,
    handle: async (lane: string) => {
      assert.ok(!running.has(lane), 'a lane runs twice at once')
      running.add(lane)
      runs += 1
      // The read, then work, so that a commit in between is only found by another run.
      const read = due.get(lane) ?? 0
      for (let turn = random() * 3; turn > 0; turn -= 1) await new Promise((done) => setImmediate(done))
      seen.set(lane, read)
      running.delete(lane)
    },
  }
}

const isDone = (work: ReturnType<typeof lanesOfWork>) =>
  eventually(
    () => work.due().length,
    (left) => left === 0,
  )

describe('the scheduler', () => {
  it('loses no wake-up, and never runs a lane twice at once', async (t) => {
    const random = seededRandom(chooseSeed(t))
    const work = lanesOfWork(random)
    const made = scheduler(t, { handle: work.handle })
    for (let count = 0; count < 5000; count += 1) {
      const lane = `lane-${Math.floor(random() * 20)}`
      work.commit(lane)
      made.wake(lane)
      if (random() < 0.3) await new Promise((done) => setImmediate(done))
    }
    await isDone(work)
    assert.ok(work.runs() < 5000)
  })

  it('runs a lane again when the work comes after the read of the run under way', async (t) => {
    const reads: number[] = []
    let committed = 1
    const made = scheduler(t, {
      handle: async (lane) => {
        reads.push(committed)
        if (committed < 5) {
          await new Promise((done) => setImmediate(done))
          committed += 1
          made.wake(lane)
        }
      },
    })
    made.wake('lane')
    await eventually(
      () => reads.at(-1),
      (last) => last === 5,
    )
    assert.deepEqual(reads, [1, 2, 3, 4, 5])
  })

  it('makes one run of the wake-ups of one turn', async (t) => {
    const work = lanesOfWork()
    const made = scheduler(t, { handle: work.handle })
    for (let count = 0; count < 1000; count += 1) {
      work.commit('lane')
      made.wake('lane')
    }
    await isDone(work)
    assert.ok(work.runs() <= 2)
  })

  it('runs at most as many lanes at once as allowed, others beside them on demand, and lets no lane keep the others waiting', async (t) => {
    let now = 0
    let most = 0
    const order: string[] = []
    const made = scheduler(t, {
      concurrency: 2,
      handle: async (lane) => {
        now += 1
        most = Math.max(most, now)
        order.push(lane)
        await new Promise((done) => setImmediate(done))
        // This one always has more to do.
        if (lane === 'greedy' && order.length < 200) made.wake('greedy')
        now -= 1
      },
    })
    made.wake('greedy')
    for (let count = 0; count < 20; count += 1) made.wake(`lane-${count}`)
    await eventually(
      () => new Set(order).size,
      (size) => size === 21,
    )
    assert.equal(most, 2)
    for (const lane of ['a', 'b', 'c']) made.wake(lane)
    made.runNow('beside')
    await eventually(
      () => order.includes('beside'),
      (ran) => ran,
    )
    assert.equal(most, 3)
  })

  it('gives a slot that a run has left to another lane, and still runs no lane twice at once', async (t) => {
    const ends: (() => void)[] = []
    const order: string[] = []
    const made = scheduler(t, {
      concurrency: 1,
      handle: async (lane, leaveSlot) => {
        order.push(lane)
        if (lane === 'last') return
        leaveSlot()
        leaveSlot()
        await new Promise<void>((done) => ends.push(done))
      },
    })
    for (const lane of ['a', 'b', 'a']) made.wake(lane)
    await eventually(
      () => order.length,
      (count) => count === 2,
    )
    made.wake('a')
    made.wake('last')
    await eventually(
      () => order.at(-1),
      (lane) => lane === 'last',
    )
    assert.deepEqual(order, ['a', 'b', 'last'])
    for (const end of ends.splice(0)) end()
    await eventually(
      () => order.at(-1),
      (lane) => lane === 'a',
    )
    for (const end of ends.splice(0)) end()
    await eventually(
      () => made.counts().running,
      (running) => running === 0,
    )
  })

  it('finds work in the sweep that nobody announced, and runs a lane again after a failure', async (t) => {
    const work = lanesOfWork()
    work.commit('forgotten')
    let failures = 0
    scheduler(t, {
      sweep: async () => work.due(),
      handle: async (lane) => {
        if (failures === 0) {
          failures += 1
          throw new Error('The store is away.')
        }
        await work.handle(lane)
      },
    })
    await isDone(work)
    assert.equal(failures, 1)
  })

  it('sweeps again soon after a sweep that failed, not at the next regular one', async (t) => {
    const work = lanesOfWork()
    work.commit('forgotten')
    let sweeps = 0
    scheduler(t, {
      sweepEveryMs: 3_600_000,
      async sweep() {
        sweeps += 1
        if (sweeps < 3) throw new Error('The store is away.')
        return work.due()
      },
      handle: work.handle,
    })
    await isDone(work)
    assert.equal(sweeps, 3)
  })

  it('wakes a lane after a time, of several the earliest, and leaves times beyond the next sweep to the sweep', async (t) => {
    const at = new Map<string, number>()
    const begin = performance.now()
    let runs = 0
    const made = scheduler(t, {
      sweepEveryMs: 1000,
      sweep: async () => [{ lane: 'found', inMs: 60 }, 'due'],
      handle: async (lane) => {
        runs += 1
        at.set(lane, performance.now() - begin)
      },
    })
    made.wakeIn('later', 1201)
    // Node would fire a timer this long at once.
    made.wakeIn('much later', 2 ** 32)
    for (const inMs of [150, 40, 90]) made.wakeIn('soon', inMs)
    made.wakeIn('now', 0)
    await eventually(
      () => at.size,
      (size) => size === 4,
    )
    assert.deepEqual([...at.keys()].sort(), ['due', 'found', 'now', 'soon'])
    assert.ok((at.get('soon') ?? 0) >= 39 && (at.get('found') ?? 0) >= 59)
    await new Promise((done) => setTimeout(done, 120))
    assert.equal(runs, 4)
  })

  it('waits for the lanes that run when it is closed, and begins no others', async (t) => {
    let ended = 0
    const made = scheduler(t, {
      concurrency: 1,
      handle: async () => {
        await new Promise((done) => setTimeout(done, 50))
        ended += 1
      },
    })
    for (const lane of ['first', 'second']) made.wake(lane)
    await eventually(
      () => made.counts(),
      ({ running }) => running === 1,
    )
    await made.close()
    made.wake('third')
    assert.deepEqual([ended, made.counts()], [1, { ready: 0, running: 0 }])
  })
})
