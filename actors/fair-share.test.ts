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
  pass(300, 0.2)
  share.look()
  await settle()
  assert.deepEqual([went, share.counts()], [['first', 'second', 'third'], { waiting: 0, waited: 3 }])
})

it('lets no command wait for more than a second, and none when the node stops', async () => {
  const { share, went, pass, ask } = world()
  share.note(GREEDY, 900)
  share.note(MODEST, 100)
  pass(300, 1)
  void ask(GREEDY, 'first')
  pass(600, 1)
  void ask(GREEDY, 'second')
  share.note(GREEDY, 600)
  pass(450, 1)
  share.look()
  await settle()
  assert.deepEqual(went, ['first'])
  share.stop()
  await settle()
  assert.deepEqual(went, ['first', 'second'])
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
