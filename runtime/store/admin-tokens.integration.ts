import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AdminTokens } from '../../schemas/ports/access.js'
import { openTestStore } from '../../test/support/store.js'
import { createAdminTokens } from './admin-tokens.js'

describe('the token of ADMIN_TOKEN', () => {
  it('opens until it is rotated away, also after a restart, and another one is the way back', async (t) => {
    const store = await openTestStore(t)
    const started = (own: string) =>
      createAdminTokens({ pool: store.database.pool, own, salt: 'installation', onWritten: () => {} })
    const opens = async (tokens: AdminTokens, token: string) => (await tokens.identify(token)) !== null
    const first = started('bootstrap')
    assert.equal(await first.open(), true)
    assert.deepEqual(
      [await opens(first, 'bootstrap'), await opens(first, 'other'), await opens(first, '')],
      [true, false, false],
    )
    assert.equal(await first.identify('bootstrap'), 'ADMIN_TOKEN')
    const { token, othersEnd } = await first.rotate(0)
    assert.ok(Math.abs(othersEnd.getTime() - Date.now()) < 60_000)
    assert.deepEqual([await opens(first, 'bootstrap'), await opens(first, token)], [false, true])

    const again = started('bootstrap')
    assert.equal(await again.open(), false)
    assert.deepEqual([await opens(again, 'bootstrap'), await opens(again, token)], [false, true])

    const back = started('another')
    assert.equal(await back.open(), true)
    assert.deepEqual([await opens(back, 'another'), await opens(back, token)], [true, true])
    assert.equal(await opens(again, 'another'), false, 'it is that of the nodes that have it')
    const graceful = await back.rotate(600_000)
    assert.ok(graceful.othersEnd.getTime() > Date.now() + 500_000)
    for (const one of ['another', token, graceful.token]) assert.equal(await opens(back, one), true)
    const last = await back.rotate(0)
    for (const one of ['another', token, graceful.token]) assert.equal(await opens(back, one), false)
    assert.equal(await opens(back, last.token), true)
  })

  it('leaves only one of two that are made at the same moment, and nothing of any in the store', async (t) => {
    const store = await openTestStore(t)
    const tokens = createAdminTokens({ pool: store.database.pool, own: 'bootstrap', salt: 's', onWritten: () => {} })
    await tokens.open()
    const made = await Promise.all([1, 2, 3].map(() => tokens.rotate(0)))
    const valid = await Promise.all(made.map(({ token }) => tokens.identify(token)))
    assert.equal(valid.filter((name) => name !== null).length, 1)
    const rows = JSON.stringify(await store.rows("SELECT *, encode(hash, 'escape') FROM admin_token"))
    for (const token of ['bootstrap', ...made.map((one) => one.token)]) assert.ok(!rows.includes(token))
  })
})
