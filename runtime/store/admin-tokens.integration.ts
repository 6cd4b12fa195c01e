import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestStore } from '../../test/support/store.js'
import { createAdminTokens } from './admin-tokens.js'

describe('the token of ADMIN_TOKEN', () => {
  it('opens until it is rotated away, also after a restart, and another one is the way back', async (t) => {
    const store = await openTestStore(t)
    const started = (own: string) =>
      createAdminTokens({ pool: store.database.pool, own, salt: 'installation', onWritten: () => {} })
    const first = started('bootstrap')
    assert.equal(await first.open(), true)
    assert.deepEqual(
      [await first.isValid('bootstrap'), await first.isValid('other'), await first.isValid('')],
      [true, false, false],
    )
    const { token, othersEnd } = await first.rotate(0)
    assert.ok(Math.abs(othersEnd.getTime() - Date.now()) < 60_000)
    assert.deepEqual([await first.isValid('bootstrap'), await first.isValid(token)], [false, true])

    const again = started('bootstrap')
    assert.equal(await again.open(), false)
    assert.deepEqual([await again.isValid('bootstrap'), await again.isValid(token)], [false, true])

    const back = started('another')
    assert.equal(await back.open(), true)
    assert.deepEqual([await back.isValid('another'), await back.isValid(token)], [true, true])
    assert.equal(await again.isValid('another'), false, 'it is that of the nodes that have it')
    const graceful = await back.rotate(600_000)
    assert.ok(graceful.othersEnd.getTime() > Date.now() + 500_000)
    for (const one of ['another', token, graceful.token]) assert.equal(await back.isValid(one), true)
    const last = await back.rotate(0)
    for (const one of ['another', token, graceful.token]) assert.equal(await back.isValid(one), false)
    assert.equal(await back.isValid(last.token), true)
  })

  it('leaves only one of two that are made at the same moment, and nothing of any in the store', async (t) => {
    const store = await openTestStore(t)
    const tokens = createAdminTokens({ pool: store.database.pool, own: 'bootstrap', salt: 's', onWritten: () => {} })
    await tokens.open()
    const made = await Promise.all([1, 2, 3].map(() => tokens.rotate(0)))
    const valid = await Promise.all(made.map(({ token }) => tokens.isValid(token)))
    assert.equal(valid.filter(Boolean).length, 1)
    const rows = JSON.stringify(await store.rows("SELECT *, encode(hash, 'escape') FROM admin_token"))
    for (const token of ['bootstrap', ...made.map((one) => one.token)]) assert.ok(!rows.includes(token))
  })
})
