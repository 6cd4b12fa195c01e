import { it } from 'node:test'
import { chooseSeed } from '../durability/random.js'
import { startSchedules } from './schedules.js'

const COUNT = 2

it('faults of all kinds, several at a time, by chance: nothing is lost, doubled, out of order or owned twice', async (t) => {
  const first = chooseSeed(t)
  const schedules = await startSchedules(t)
  const seeds = process.env.SEED === undefined ? Array.from({ length: COUNT }, (_, index) => first + index) : [first]
  for (const seed of seeds) {
    try {
      t.diagnostic(`seed ${seed}: ${(await schedules.run(seed)).join('; ')}`)
    } catch (error) {
      throw new Error(`Seed ${seed} fails; SEED=${seed} repeats it.`, { cause: error })
    }
  }
})
