import assert from 'node:assert/strict'
import { it } from 'node:test'
import { killLoop } from './kill-loop.js'

const seeds = process.env.SEED === undefined ? [101, 202, 303] : [Number(process.env.SEED)]

for (const seed of seeds) {
  it(`20 kills amid 500 texts in each direction, seed ${seed}: all zeros`, async (t) => {
    const summary = await killLoop(t, { seed, kills: 20, texts: 500 })
    t.diagnostic(JSON.stringify(summary))
    const { seed: _seed, kills: _kills, messages: _messages, ...mustBeZero } = summary
    for (const [what, count] of Object.entries(mustBeZero))
      assert.equal(count, 0, `${what} in ${JSON.stringify(summary)}`)
  })
}
