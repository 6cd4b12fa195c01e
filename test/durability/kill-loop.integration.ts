import { it } from 'node:test'
import { killLoopLosesNothing } from './kill-loop.js'
import { chooseSeed } from './random.js'

it('kill -9 in the middle of a flood: nothing is lost, nothing is doubled, everything in order', (t) =>
  killLoopLosesNothing(t, { seed: chooseSeed(t), kills: 4, texts: 100 }))
