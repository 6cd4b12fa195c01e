import assert from 'node:assert/strict'
import { it } from 'node:test'
import { killLoop } from './kill-loop.js'

it('kill -9 in the middle of a flood: nothing is lost, nothing is doubled, everything in order', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  const summary = await killLoop(t, { seed, kills: 4, texts: 100 })
  t.diagnostic(JSON.stringify(summary))
  const { seed: _seed, kills: _kills, messages: _messages, ...mustBeZero } = summary
  for (const [what, count] of Object.entries(mustBeZero))
    assert.equal(count, 0, `${what} in ${JSON.stringify(summary)}`)
})
