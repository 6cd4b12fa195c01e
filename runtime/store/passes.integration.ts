import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import type { Passes } from '../../schemas/ports/access.js'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { eventually } from '../../test/support/eventually.js'
import { openTestStore, type TestStore } from '../../test/support/store.js'
import { createPasses } from './passes.js'

describe('a pass', () => {
  const cleanup = suiteCleanup()
  let store: TestStore
  let passes: Passes
  let instance: InstanceId
  let token: string
  const adminHash = Buffer.alloc(32, 1)
  before(async () => {
    store = await openTestStore(cleanup)
    passes = createPasses({ pool: store.database.pool, adminTokenHash: async () => adminHash })
    await store.rows("INSERT INTO admin_token (hash, source) VALUES ($1, 'rotated')", [adminHash])
    const made = await store.instances.create({ name: 'a', systemName: '', adminField01: '', adminField02: '' })
    instance = made.instance.id
    token = made.token
  })
  const open = (lifeMs: number | null = null) =>
    passes.open({ kind: 'token', actor: 'a', token, pass: null }, instance, lifeMs)
  const opens = async (pass: { token: string }, isUse = true) =>
    (await passes.byToken(pass.token, 'instance', isUse)) !== null
  const pretend = (id: string, columns: string) => store.rows(`UPDATE pass SET ${columns} WHERE id = $1`, [id])
  const readIdleEnd = async (id: string) =>
    (await store.rows<{ idle_ends: Date }>('SELECT idle_ends FROM pass WHERE id = $1', [id]))[0]?.idle_ends ??
    new Date(0)

  it('is stored as a hash, and opens its instance only as what it is', async () => {
    const made = await open()
    assert.ok(await opens(made))
    assert.equal(await passes.byToken(made.token, 'admin', true), null)
    assert.equal(await passes.byToken(`${made.token}x`, 'instance', true), null)
    const rows = await store.rows('SELECT p::text FROM pass AS p')
    assert.ok(!JSON.stringify(rows).includes(made.token.split('_').at(-1) ?? ''))
  })

  it('ends when it is not used, and after its life however much it is used, by the clock of PostgreSQL', async () => {
    const made = await open()
    await pretend(made.pass.id, "idle_ends = clock_timestamp() + interval '5 minutes'")
    const before = await readIdleEnd(made.pass.id)
    assert.ok(await opens(made, false))
    assert.deepEqual(await readIdleEnd(made.pass.id), before, 'a stream that stays open is not a use')
    assert.ok(await opens(made))
    assert.ok((await readIdleEnd(made.pass.id)).getTime() > before.getTime() + 20 * 60_000, 'a use moves the end')
    await pretend(
      made.pass.id,
      "ends = clock_timestamp() + interval '10 minutes', idle_ends = clock_timestamp() + interval '1 minute'",
    )
    assert.ok(await opens(made))
    const [row] = await store.rows<{ same: boolean }>('SELECT idle_ends = ends AS same FROM pass WHERE id = $1', [
      made.pass.id,
    ])
    assert.equal(row?.same, true, 'a use moves it to the end of its life at most')
    await pretend(made.pass.id, "idle_ends = clock_timestamp() - interval '1 millisecond'")
    assert.ok(!(await opens(made)))
    assert.ok(!(await opens(made)), 'a use does not bring it back')
    const short = await open(1)
    await eventually(async () => !(await opens(short)))
  })

  it('keeps the pass with which it was made alive, and ends with it', async () => {
    const admin = { kind: 'admin', actor: 'ADMIN_TOKEN', token: 'any', pass: null } as const
    const own = await passes.open(admin, null, null)
    const child = await passes.open({ ...admin, token: own.token, pass: own.pass }, instance, null)
    for (const { pass } of [own, child]) await pretend(pass.id, "idle_ends = clock_timestamp() + interval '1 minute'")
    assert.ok(await opens(child))
    // A `Date` has milliseconds only, by which an earlier end would show once in a while.
    assert.deepEqual(
      await store.rows(
        `SELECT maker.idle_ends >= child.idle_ends AS outlives, child.idle_ends > clock_timestamp() + interval '20 minutes' AS moved
         FROM pass AS maker, pass AS child WHERE maker.id = $1 AND child.id = $2`,
        [own.pass.id, child.pass.id],
      ),
      [{ outlives: true, moved: true }],
    )
    await assert.rejects(passes.end(own.pass.id, instance), { code: 'PASS_NOT_FOUND' })
    await passes.end(own.pass.id, null)
    assert.ok(!(await opens(child)))
    await assert.rejects(passes.open({ ...admin, token: own.token, pass: own.pass }, instance, null), {
      code: 'INVALID_ADMIN_TOKEN',
    })
    const orphan = await passes.open(admin, instance, null)
    await store.rows('UPDATE admin_token SET ends = clock_timestamp()')
    assert.ok(!(await opens(orphan)), 'the token of the administrator has ended')
  })

  it('is one of at most 20 for a token, however many are requested at once, and ended ones make room', async () => {
    await store.rows('DELETE FROM pass')
    const tried = await Promise.allSettled(Array.from({ length: 30 }, () => open()))
    assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 20)
    for (const one of tried)
      if (one.status === 'rejected') assert.equal((one.reason as { code: string }).code, 'TOO_MANY_PASSES')
    const listed = (await passes.list(instance, 100)).passes.map(({ id }) => id)
    assert.equal(listed.length, 20)
    // Made in the same microsecond, for all that a page knows.
    await store.rows('UPDATE pass SET created = (SELECT max(created) FROM pass)')
    const paged: string[] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page = await passes.list(instance, 6, next)
      paged.push(...page.passes.map(({ id }) => id))
      next = page.next
    }
    assert.deepEqual(paged, listed.toSorted().reverse())
    await assert.rejects(passes.list(instance, 6, 'WyJub3ciLCJhIl0'), { code: 'INVALID_REQUEST' })
    await store.rows("UPDATE pass SET idle_ends = clock_timestamp() - interval '1 second'")
    await open()
    assert.deepEqual(await store.rows('SELECT count(*)::int AS count FROM pass'), [{ count: 1 }])
  })

  it('is made once from a code, which opens nothing itself and ends with its parent', async () => {
    await store.rows('DELETE FROM pass')
    const parent = { kind: 'token', actor: 'a', token, pass: null } as const
    const { code, pass } = await passes.openCode(parent, instance, 600_000)
    assert.ok(pass.isCode && pass.ends.getTime() <= pass.created.getTime() + 601_000)
    for (const kind of ['instance', 'admin'] as const) assert.equal(await passes.byToken(code, kind, true), null)
    assert.equal(await passes.byCode(code, 'admin'), null)
    const found = await passes.byCode(code, 'instance')
    assert.equal(found?.instance?.id, instance)
    const asCode = { ...parent, token: code, code: found?.pass ?? pass }
    const tried = await Promise.allSettled([1, 2, 3, 4].map(() => passes.open(asCode, instance, null)))
    const made = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    assert.equal(made.length, 1, 'of many at once, one')
    assert.equal(await passes.byCode(code, 'instance'), null)
    assert.ok(made[0] !== undefined && (await opens(made[0])))
    assert.equal(await passes.byCode(made[0].token, 'instance'), null, 'a pass is not a code')

    const short = await passes.openCode(parent, instance, 1)
    await eventually(async () => (await passes.byCode(short.code, 'instance')) === null)
    await assert.rejects(passes.open({ ...parent, token: short.code, code: short.pass }, instance, null), {
      code: 'INVALID_TOKEN',
    })
    const late = await passes.openCode(parent, instance, 600_000)
    for (let room = 18; room > 0; room -= 1) await open()
    await assert.rejects(open(), { code: 'TOO_MANY_PASSES' }, 'codes count among the passes')
    await passes.end(late.pass.id, instance)
    assert.equal(await passes.byCode(late.code, 'instance'), null)
    const last = await passes.openCode(parent, instance, 600_000)
    const inItsPlace = await passes.open({ ...parent, token: last.code, code: last.pass }, instance, null)
    await store.rows('UPDATE instance SET token_hash = $1', [Buffer.alloc(32)])
    assert.ok(!(await opens(inItsPlace)), 'it ends with the token from which the code was made')
    await store.rows('UPDATE instance SET token_hash = sha256($1::bytea)', [Buffer.from(token)])
  })

  it('ends with the pass from which its code was made', async () => {
    await store.rows('DELETE FROM pass')
    const parent = { kind: 'token', actor: 'a', token, pass: null } as const
    const maker = await open()
    const asMaker = { ...parent, token: maker.token, pass: maker.pass }
    const link = await passes.openPairing(asMaker, instance, 600_000)
    const other = await passes.openPairing(asMaker, instance, 600_000)
    const pairing = await passes.open({ ...parent, token: link.code, code: link.pass }, instance, null)
    assert.ok(await opens(pairing))
    await passes.end(maker.pass.id, instance)
    assert.ok(!(await opens(pairing)))
    await assert.rejects(passes.open({ ...parent, token: other.code, code: other.pass }, instance, null))
  })

  it('opens nothing when its instance is deleted', async () => {
    await store.rows('DELETE FROM pass')
    const made = await open()
    await store.instances.delete(instance)
    assert.ok(!(await opens(made)))
    assert.deepEqual(await store.rows('SELECT FROM pass'), [])
    await assert.rejects(open(), { code: 'INSTANCE_NOT_FOUND' })
  })
})
