import { it } from 'node:test'
import { killLoopLosesNothing } from './kill-loop.js'
import { seedOf } from './random.js'

it('kill -9 in the middle of a flood: nothing is lost, nothing is doubled, everything in order', (t) =>
  killLoopLosesNothing(t, { seed: seedOf(t), kills: 4, texts: 100 }))
