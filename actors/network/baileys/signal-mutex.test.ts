import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signalTurns } from './signal-mutex.js'

function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('Signal operations of an account', () => {
  it('leave the event loop to other work when there are many', async () => {
    let othersTurns = 0
    let isDone = false
    const other = (): void => {
      othersTurns += 1
      if (!isDone) setImmediate(other)
    }
    setImmediate(other)
    const inSlot = signalTurns({ hold() {}, release: () => [] }, () => {})

    await Promise.all(Array.from({ length: 50 }, () => inSlot(async () => spin(2))))
    isDone = true

    // 100 ms of work in slices of 10; without slices the other gets no turn at all.
    assert.ok(othersTurns >= 5, `${othersTurns} turns`)
  })

  it('of many accounts leave the event loop too, and each gets its turn', async () => {
    const perTurn: number[] = [0]
    let isDone = false
    const other = (): void => {
      perTurn.push(0)
      if (!isDone) setImmediate(other)
    }
    setImmediate(other)
    const accounts = Array.from({ length: 200 }, () => signalTurns({ hold() {}, release: () => [] }, () => {}))

    await Promise.all(
      accounts.map((inSlot) =>
        inSlot(async () => {
          spin(1)
          perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
        }),
      ),
    )
    isDone = true

    assert.equal(
      perTurn.reduce((sum, count) => sum + count, 0),
      200,
    )
    assert.ok(Math.max(...perTurn) <= 25, `${Math.max(...perTurn)} of them in one turn`)
  })

  it('keep their order, and hold nothing while they pause', async () => {
    const order: number[] = []
    let isHeld = false
    const keys = {
      hold: () => {
        isHeld = true
      },
      release: () => {
        isHeld = false
        return []
      },
    }
    const inSlot = signalTurns(keys, () => {})
    let heldOutside = 0
    const watch = (): void => {
      if (isHeld) heldOutside += 1
      if (order.length < 30) setImmediate(watch)
    }
    setImmediate(watch)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        inSlot(async () => {
          spin(2)
          order.push(index)
        }),
      ),
    )
    assert.deepEqual(
      order,
      Array.from({ length: 30 }, (_, index) => index),
    )
    assert.equal(heldOutside, 0)
  })
})
