import { it } from 'node:test'
import { killLoopLosesNothing } from './kill-loop.js'

const seeds = process.env.SEED === undefined ? [101, 202, 303] : [Number(process.env.SEED)]

for (const seed of seeds) {
  it(`20 kills amid 500 texts in each direction, seed ${seed}: all zeros`, (t) =>
    killLoopLosesNothing(t, { seed, kills: 20, texts: 500 }))
}
