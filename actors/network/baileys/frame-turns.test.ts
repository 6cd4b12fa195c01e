import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as step } from 'node:timers/promises'
import { FrameTurns } from './frame-turns.js'

/** Frames of an instance that waits until the test lets it go on. */
function scene() {
  const read: number[] = []
  const network = { isPaused: false }
  let isAbove = true
  const goes: (() => void)[] = []
  const turns = new FrameTurns({
    turn: () => (isAbove ? new Promise((go) => goes.push(go)) : undefined),
    pause() {
      network.isPaused = true
    },
    resume() {
      network.isPaused = false
    },
  })
  return {
    turns,
    read,
    network,
    take: (frame: number) => turns.take(() => void read.push(frame)),
    async goOn(isStillAbove: boolean) {
      isAbove = isStillAbove
      goes.shift()?.()
      for (let steps = 0; steps < 5; steps += 1) await step()
    },
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it('reads frames at once while the instance has its share', async () => {
  const { take, read, network, goOn } = scene()
  await goOn(false)
  for (const frame of [1, 2]) take(frame)
  assert.deepEqual([read, network.isPaused], [[1, 2], false])
})

it('reads all frames in their order, some at a time, and lets the network wait meanwhile', async () => {
  const { take, read, network, goOn } = scene()
  for (const frame of numbers(1, 20)) take(frame)
  assert.deepEqual([read, network.isPaused], [[], true])
  await goOn(true)
  assert.deepEqual([read, network.isPaused], [numbers(1, 8), true])
  await goOn(false)
  take(21)
  assert.deepEqual([read, network.isPaused], [numbers(1, 21), false])
})

it('reads frames that wait before the connection is reported as ended', async () => {
  const { turns, take, read, goOn } = scene()
  for (const frame of [1, 2]) take(frame)
  assert.equal(turns.flush(), true)
  assert.deepEqual(read, [1, 2])
  assert.equal(turns.flush(), false)
  await goOn(false)
  assert.deepEqual(read, [1, 2])
})

it('reads nothing after the connection was ended on this side', async () => {
  const { turns, take, read, network, goOn } = scene()
  for (const frame of [1, 2]) take(frame)
  turns.drop()
  await goOn(false)
  assert.deepEqual([read, network.isPaused], [[], false])
})
