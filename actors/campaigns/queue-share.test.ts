import assert from 'node:assert/strict'
import { it } from 'node:test'
import { QueueShare } from './campaigns.js'

function scene() {
  let left = (): void => {}
  const queue = {
    isBusy: true,
    onLeft: (listener: () => void) => {
      left = listener
    },
  }
  let turns = 0
  const share = new QueueShare(queue, () => {
    turns += 1
  })
  return { queue, share, leaves: () => left(), turns: () => turns }
}

it('gives a campaign each tenth turn beside a queue that never empties', () => {
  const { share, leaves, turns } = scene()
  let served = 0
  for (let send = 0; send < 90; send += 1) {
    if (share.takesTurn()) served += 1
    leaves()
  }
  assert.deepEqual([served, turns()], [9, 9])
})

it('counts only while a campaign waits, and lets it go at once when the queue is idle', () => {
  const { queue, share, leaves, turns } = scene()
  for (let send = 0; send < 20; send += 1) leaves()
  assert.deepEqual([share.takesTurn(), turns()], [false, 0])
  queue.isBusy = false
  assert.equal(share.takesTurn(), true)
  queue.isBusy = true
  assert.equal(share.takesTurn(), false)
})
