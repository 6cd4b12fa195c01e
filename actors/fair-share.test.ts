import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../schemas/ids.js'
import { FairShare } from './fair-share.js'

const [GREEDY, MODEST, IDLE] = ['greedy', 'modest', 'idle'] as unknown as [InstanceId, InstanceId, InstanceId]

/** A loop whose load the test sets. */
function world() {
  const times = { atMs: 0, activeMs: 0, idleMs: 0 }
  const share = new FairShare({ loopTimes: () => ({ ...times }) })
  const went: string[] = []
  return {
    share,
    went,
    pass(ms: number, load: number): void {
      times.atMs += ms
      times.activeMs += ms * load
      times.idleMs += ms * (1 - load)
    },
    /** Asks for a command; notes its name when it continues. */
    async ask(instance: InstanceId, name: string): Promise<void> {
      await share.admit(instance)
      went.push(name)
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('lets commands of an instance above its share wait while the loop is busy, in their order, and those of others continue', async (t) => {
  const { share, went, pass, ask } = world()
  t.after(() => share.stop())
  share.note(GREEDY, 1_700)
  share.note(MODEST, 100)
  pass(1_000, 0.5)
  assert.equal(share.admit(GREEDY), undefined)
  pass(1_000, 0.95)
  for (const name of ['first', 'second', 'third']) void ask(GREEDY, name)
  assert.equal(share.admit(MODEST), undefined)
  assert.equal(share.admit(IDLE), undefined)
  await settle()
  assert.deepEqual([went, share.counts()], [[], { waiting: 3, waited: 3 }])

  // The loop has room again.
  for (let looks = 0; looks < 3; looks += 1) {
    pass(100, 0.2)
    share.look()
  }
  await settle()
  assert.deepEqual([went, share.counts()], [['first', 'second', 'third'], { waiting: 0, waited: 3 }])
})

/** An instance above its share, of which `count` commands wait. */
function crowded(world_: ReturnType<typeof world>, count: number): void {
  const { share, pass, ask } = world_
  share.note(GREEDY, 1_700)
  share.note(MODEST, 100)
  pass(2_000, 1)
  for (let index = 0; index < count; index += 1) void ask(GREEDY, `command ${index}`)
}

it('lets an instance above its share wait while the processors are busy with other processes', async (t) => {
  const { share, pass } = world()
  t.after(() => share.stop())
  share.note(GREEDY, 1_700)
  share.note(MODEST, 100)
  pass(2_000, 0.4)
  assert.equal(share.admit(GREEDY), undefined)
  for (let looks = 0; looks < 10; looks += 1) share.lagged(15)
  pass(300, 0.4)
  assert.notEqual(share.admit(GREEDY), undefined)
  assert.equal(share.admit(MODEST), undefined)
})

it('lets those that wait go on while the loop has time to spare, however late timers are', async (t) => {
  const parts = world()
  const { share, went, pass } = parts
  t.after(() => share.stop())
  crowded(parts, 20)
  // Its credit is used up for a long time.
  share.note(GREEDY, 1_000)
  for (let looks = 0; looks < 10; looks += 1) share.lagged(15)
  pass(100, 0.1)
  share.look()
  pass(5, 0.1)
  share.look()
  await settle()
  assert.equal(went.length, 20)
})

it('gives those that wait a part of the time, smaller while the loop stays busy', async (t) => {
  const parts = world()
  const { share, went, pass } = parts
  t.after(() => share.stop())
  crowded(parts, 500)
  const measureTime = async (ms: number, load: number): Promise<number> => {
    const before = went.length
    for (let passed = 0; passed < ms; passed += 5) {
      const gone = went.length
      pass(5, load)
      share.note(MODEST, 0.2)
      share.look()
      await settle()
      for (let index = gone; index < went.length; index += 1) share.note(GREEDY, 10)
    }
    return (went.length - before) * 10
  }
  const first = await measureTime(1_000, 0.4)
  assert.ok(first > 650 && first < 850, `${first} ms of a second`)
  await measureTime(2_000, 0.95)
  const later = await measureTime(1_000, 0.95)
  assert.ok(later > 150 && later < 250, `${later} ms of a second in a busy loop`)
  assert.equal(share.admit(MODEST), undefined)
})

it('leaves most of the time to instances that are equally busy, although all of them wait', async (t) => {
  const { share, went, pass, ask } = world()
  t.after(() => share.stop())
  const names = ['one', 'two', 'three', 'four'] as unknown as InstanceId[]
  for (const name of names) share.note(name, 500)
  share.note(MODEST, 100)
  pass(2_000, 1)
  for (let index = 0; index < 4_000; index += 1)
    void ask(names[index % 4] as InstanceId, names[index % 4] as InstanceId)
  assert.ok(share.counts().waiting > 2_000)
  went.length = 0
  for (let passed = 0; passed < 1_000; passed += 5) {
    const before = went.length
    share.look()
    await settle()
    const usedMs = (went.length - before) * 0.5
    for (const name of went.slice(before)) share.note(name as InstanceId, 0.5)
    pass(5, Math.min(1, usedMs / 5))
  }
  const usedMs = went.length * 0.5
  assert.ok(usedMs > 600 && usedMs < 900, `${usedMs} ms of a second`)
  const ofEach = names.map((name) => went.filter((one) => one === name).length)
  assert.ok(Math.max(...ofEach) < 1.2 * Math.min(...ofEach), ofEach.join())
})

it('lets none wait once nobody had to wait for two seconds', async (t) => {
  const { share, went, pass, ask } = world()
  t.after(() => share.stop())
  crowded({ share, went, pass, ask }, 1)
  for (let looks = 0; looks < 2; looks += 1) {
    pass(50, 0.9)
    share.look()
  }
  await settle()
  assert.deepEqual(went, ['command 0'])
  pass(1_000, 0.3)
  share.note(GREEDY, 4_000)
  share.note(MODEST, 10)
  assert.notEqual(share.admit(GREEDY), undefined)
  pass(1_000, 0.3)
  share.look()
  assert.equal(share.counts().waiting, 0)
  assert.notEqual(share.admit(GREEDY), undefined, 'the loop counts as busy for a while')
  pass(1_000, 0.3)
  share.look()
  pass(2_100, 0.3)
  assert.equal(share.admit(GREEDY), undefined)
})

it('lets one command at a time go on after two seconds, and all when the node stops', async () => {
  const parts = world()
  const { share, went, pass, ask } = parts
  crowded(parts, 1)
  const block = () => {
    share.note(GREEDY, 1_000)
    pass(500, 1)
    share.look()
  }
  for (let half = 0; half < 3; half += 1) block()
  void ask(GREEDY, 'late')
  await settle()
  assert.deepEqual(went, [])
  block()
  await settle()
  assert.deepEqual(went, ['command 0'])
  share.stop()
  await settle()
  assert.deepEqual(went, ['command 0', 'late'])
})

it('lets none wait that has little of the time, although the others have less, because they wait or their time is not known', async (t) => {
  const { share, pass } = world()
  t.after(() => share.stop())
  share.note(MODEST, 300)
  for (let index = 0; index < 8; index += 1) share.note(`hostile ${index}`, 50)
  pass(2_000, 1)
  assert.equal(share.admit(MODEST), undefined)
  for (let index = 0; index < 8; index += 1) share.note(`hostile ${index}`, 200)
  pass(2_000, 1)
  assert.equal(share.admit(MODEST), undefined)
})

it('lets an instance wait that is alone with its work never, nor a small one among many', async (t) => {
  const { share, pass } = world()
  t.after(() => share.stop())
  share.note(GREEDY, 900)
  pass(300, 1)
  assert.equal(share.admit(GREEDY), undefined)
  for (let index = 0; index < 1_000; index += 1) share.note(`instance ${index}`, index % 10)
  share.note(MODEST, 50)
  pass(300, 1)
  assert.equal(share.admit(MODEST), undefined)
  assert.notEqual(share.admit(GREEDY), undefined)
})

it('lets a single call wait for a moment only, however much its instance has used, and those of many at once for their share', async (t) => {
  const turns = async (others: number): Promise<number> => {
    const parts = world()
    const { share, went, pass } = parts
    t.after(() => share.stop())
    crowded(parts, 0)
    for (let passed = 0; passed < 200; passed += 20) {
      void share.admit(GREEDY, others)?.then(() => went.push('call'))
      for (let part = 0; part < 20; part += 5) {
        pass(5, 1)
        share.look()
      }
      await settle()
      share.note(GREEDY, 50)
    }
    return went.length
  }
  assert.equal(await turns(0), 10)
  assert.equal(await turns(1), 10)
  assert.ok((await turns(2)) < 5)
})

it('lets a single call wait no longer when one of many stands before it', async (t) => {
  const parts = world()
  const { share, went, pass } = parts
  t.after(() => share.stop())
  crowded(parts, 1)
  // It owes.
  share.note(GREEDY, 500)
  void share.admit(GREEDY, 1)?.then(() => went.push('single'))
  for (let passed = 0; passed < 30; passed += 5) {
    pass(5, 1)
    share.look()
    await settle()
  }
  assert.deepEqual(went, ['command 0', 'single'])
})
