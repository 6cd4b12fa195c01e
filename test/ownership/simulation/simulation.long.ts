import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runSchedule } from './run.js'

/** `FROM=n` continues from a seed, `SHARDS=n` runs with so many shards. */
const from = Number(process.env.FROM ?? 1)
const shards = process.env.SHARDS === undefined ? {} : { shards: Number(process.env.SHARDS) }
const SEEDS = 10_000

it(`ownership holds in schedules ${from} to ${SEEDS}`, (t) => {
  for (let seed = from; seed <= SEEDS; seed++) {
    assert.equal(runSchedule({ seed, ...shards }).violation, undefined, `SEED=${seed}`)
    if (seed % 500 === 0) t.diagnostic(`${seed} schedules; go on with FROM=${seed + 1}`)
  }
})
