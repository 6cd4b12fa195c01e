import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { createTokenBucket } from './token-bucket.js'

function clock(t: { after(work: () => void): void }): (ms: number) => void {
  let nowMs = 0
  const now = mock.method(performance, 'now', () => nowMs)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => {
    now.mock.restore()
    mock.timers.reset()
  })
  return (ms) => {
    for (let passed = 0; passed < ms; passed += 1) {
      nowMs += 1
      mock.timers.tick(1)
    }
  }
}

it('lets a burst through at once and the others at the rate, in their order', (t) => {
  const pass = clock(t)
  const bucket = createTokenBucket({ perSecond: 10, burst: 3 })
  const gone: number[] = []
  for (let index = 0; index < 8; index += 1) bucket.take(() => gone.push(index))
  assert.deepEqual(gone, [0, 1, 2])
  pass(250)
  assert.deepEqual(gone, [0, 1, 2, 3, 4])
  pass(300)
  assert.deepEqual(gone, [0, 1, 2, 3, 4, 5, 6, 7])
})

it('lets those in a hurry go first, but not beyond the rate', (t) => {
  const pass = clock(t)
  const bucket = createTokenBucket({ perSecond: 10, burst: 1 })
  const gone: string[] = []
  for (const name of ['a', 'b', 'c']) bucket.take(() => gone.push(name))
  bucket.take(() => gone.push('urgent'), { isUrgent: true })
  assert.deepEqual(gone, ['a'])
  pass(110)
  assert.deepEqual(gone, ['a', 'urgent'])
  pass(200)
  assert.deepEqual(gone, ['a', 'urgent', 'b', 'c'])
})

it('spends nothing on a request that was taken back', (t) => {
  const pass = clock(t)
  const bucket = createTokenBucket({ perSecond: 10, burst: 1 })
  const gone: string[] = []
  bucket.take(() => gone.push('a'))
  const takeBack = bucket.take(() => gone.push('b'))
  bucket.take(() => gone.push('c'))
  takeBack()
  pass(110)
  assert.deepEqual(gone, ['a', 'c'])
})

it('lets the highest rank go first, and now and then the one that has waited longest', (t) => {
  const pass = clock(t)
  const bucket = createTokenBucket({ perSecond: 10, burst: 1 })
  const gone: number[] = []
  const ranks = [0, ...Array.from({ length: 200 }, (_, index) => (index * 7919) % 211)]
  const withdraw = ranks.map((rank) => bucket.take(() => gone.push(rank), { rank }))
  const withdrawn = new Set(Array.from({ length: 120 }, (_, index) => index + 50))
  for (const index of withdrawn) withdraw[index]?.()
  const left = ranks.slice(1).filter((_, index) => !withdrawn.has(index + 1))
  assert.equal(bucket.waiting, left.length)
  pass(10_000)
  assert.equal(gone.length, 1 + left.length)
  assert.equal(gone[7], left[0])
  const ranked = gone.slice(1).filter((_, index) => index % 8 !== 6)
  assert.deepEqual(
    ranked,
    ranked.toSorted((one, other) => other - one),
  )
  assert.deepEqual(
    gone.slice(1).toSorted((one, other) => one - other),
    left.toSorted((one, other) => one - other),
  )
})
