import { it } from 'node:test'
import { startSchedules } from './schedules.js'

const from = Number(process.env.FROM ?? 1)
const count = Number(process.env.COUNT ?? 200)

it(`${count} schedules of faults from seed ${from}: nothing is lost, doubled, out of order or owned twice`, async (t) => {
  const schedules = await startSchedules(t, 120)
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      process.stdout.write(`seed ${seed}: ${(await schedules.run(seed)).join('; ')}\n`)
    } catch (error) {
      throw new Error(`Seed ${seed} fails; FROM=${seed} COUNT=1 repeats it, FROM=${seed + 1} goes on.`, {
        cause: error,
      })
    }
  }
})
