import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TurnShares } from './agenda.js'

type Weights = Readonly<Record<string, number>>

/** Gives so many turns to campaigns that are all due. */
function turns(shares: TurnShares, weights: Weights, count: number): string {
  let served = ''
  for (let turn = 0; turn < count; turn += 1) {
    const [first = ''] = Object.keys(weights).toSorted((a, b) => (shares.isBefore(a, b) ? -1 : 1))
    shares.served({ id: first, weight: weights[first] ?? 1 })
    served += first
  }
  return served
}

it('gives campaigns of equal weight a turn each', () => {
  assert.match(turns(new TurnShares(), { a: 1, b: 1, c: 1 }, 12), /^(abc){4}$/)
})

it('gives a campaign turns by its weight', () => {
  const served = turns(new TurnShares(), { a: 3, b: 1 }, 40)
  assert.equal(served.replaceAll('b', '').length, 30)
  // No campaign waits for all turns of another one.
  assert.doesNotMatch(served, /aaaaa|bb/)
})

it('lets a campaign that was not due for a while catch up nothing', () => {
  const shares = new TurnShares()
  turns(shares, { a: 1, b: 1 }, 2)
  turns(shares, { a: 1 }, 100)
  assert.doesNotMatch(turns(shares, { a: 1, b: 1 }, 10), /bbb/)
  assert.doesNotMatch(turns(shares, { a: 1, b: 1, c: 1 }, 12), /ccc/)
})
