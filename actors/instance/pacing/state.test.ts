import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseState } from './state.js'

const NOW_MS = Date.UTC(2031, 4, 5, 12)
const read = (state: object | string) =>
  parseState({ state: typeof state === 'string' ? state : JSON.stringify(state), nowMs: NOW_MS })
const fresh = read('')

it('reads what it has written', () => {
  const rest = { untilMs: NOW_MS + 1_000, cause: 'reachout_timelock' as const, sinceMs: NOW_MS - 1_000 }
  const state = { ...fresh, tokens: -3.5, newChats: 7, isProbing: true, restOfNew: rest }
  assert.deepEqual(read(state), state)
})

it('takes each field of another type, or below 0, as fresh: the file of another installation may hold anything', () => {
  const names = Object.keys(fresh) as (keyof typeof fresh)[]
  for (const value of ['1', -1e9, null, {}, [], true])
    for (const name of names) {
      if (name === 'isProbing' && value === true) continue
      if (name === 'tokens' && value === -1e9) continue
      assert.deepEqual(read({ [name]: value }), fresh, `${name}: ${JSON.stringify(value)}`)
    }
  for (const rest of [
    { untilMs: 'x', cause: 'reachout_timelock', sinceMs: 0 },
    { untilMs: 1, cause: 'another', sinceMs: 0 },
    { untilMs: 1, cause: 'reachout_timelock' },
  ])
    assert.equal(read({ restOfNew: rest }).restOfNew, null, JSON.stringify(rest))
  for (const text of ['x', '[]', 'null', '"text"', '{"tokens":1e999}']) assert.deepEqual(read(text), fresh, text)
})

it('brings times near that are too far ahead, and keeps the fields of a newer node', () => {
  const far = NOW_MS + 400 * 86_400_000
  const { refilledAtMs, restUntilMs, restOfNew } = read({
    refilledAtMs: far,
    restUntilMs: far,
    restOfNew: { untilMs: far, cause: 'new_chat_refusals', sinceMs: far },
  })
  assert.equal(refilledAtMs, NOW_MS)
  assert.equal(restUntilMs, NOW_MS + 15 * 60_000)
  assert.deepEqual(restOfNew, { untilMs: NOW_MS + 32 * 86_400_000, cause: 'new_chat_refusals', sinceMs: NOW_MS })
  assert.equal((read({ later: 5 }) as object as { later: number }).later, 5)
})
