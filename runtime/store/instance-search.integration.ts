import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { InstanceFilter } from '../../schemas/generated.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { InstanceQuery } from '../../schemas/ports/instances.js'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { aMessage, openTestStore, received, type TestStore } from '../../test/support/store.js'

describe('a search over instances', () => {
  const cleanup = suiteCleanup()
  let store: TestStore
  const ids: Record<string, InstanceId> = {}
  before(async () => {
    store = await openTestStore(cleanup)
    for (const name of ['Ana', 'ben', 'Cat', 'dan_1']) {
      const { instance } = await store.instances.create({
        name,
        systemName: '',
        adminField01: name === 'Ana' ? 'customer 42' : '',
        adminField02: name === 'ben' ? '100% of it' : '',
        tags: name === 'Ana' ? ['paid', 'south'] : name === 'ben' ? ['paid'] : [],
      })
      ids[name] = instance.id
    }
    const set = (name: string, columns: string) =>
      store.rows(`UPDATE instance SET ${columns} WHERE id = $1`, [ids[name]])
    await set(
      'Ana',
      `status = 'connected', status_epoch = 1, desired_connected = true, owner_jid = '5511999990001:7@s.whatsapp.net'`,
    )
    await set(
      'ben',
      `status = 'disconnected', status_epoch = 1, desired_connected = true, owner_lid = '900000000000001@lid'`,
    )
    // A former owner wrote the status.
    await set(
      'Cat',
      `status = 'connected', status_epoch = 0, desired_connected = true, last_disconnect_reason = '401: logged out'`,
    )
    await store.rows("INSERT INTO node (incarnation, node_id, address, version) VALUES ('test', 'north-1', '', '0')")
    await set('dan_1', `exported_at = now(), last_activity_at = '2026-01-01T00:00:00Z'`)
  })

  before(async () => {
    const entries = [
      ['Ana', 'connecting', 'proxyFailed'],
      ['Ana', 'connected', ''],
      ['ben', 'disconnected', 'asked'],
      ['ben', 'connecting', 'proxyFailed'],
      ['Cat', 'disconnected', 'loggedOut'],
    ] as const
    for (const [name, status, cause] of entries)
      await store.rows(
        "INSERT INTO connection_history (instance_id, status, state, cause, node) VALUES ($1, $2, '', $3, 'test')",
        [ids[name], status, cause],
      )
  })

  const find = async (query: Partial<InstanceQuery> = {}) =>
    await store.instances.find({ filter: {}, sort: 'name', isDescending: false, limit: 100, ...query })
  const names = async (filter: InstanceFilter) =>
    (await find({ filter })).instances.map(({ instance }) => instance.name)

  it('finds by each field of the filter, and by all of them together', async () => {
    const cases: [InstanceFilter, string[]][] = [
      [{}, ['Ana', 'ben', 'Cat', 'dan_1']],
      [{ search: 'AN' }, ['Ana', 'dan_1']],
      [{ search: 'customer' }, ['Ana']],
      [{ search: '+55 11 99999' }, ['Ana']],
      [{ search: ids.Cat as string }, ['Cat']],
      [{ name: 'an' }, ['Ana', 'dan_1']],
      [{ name: '_' }, ['dan_1']],
      [{ name: '\0' }, ['Ana', 'ben', 'Cat', 'dan_1']],
      [{ notes: '0%' }, ['ben']],
      [{ number: '99990001' }, ['Ana']],
      // Digits of the device are none of the number.
      [{ number: '00017' }, []],
      [{ reason: 'LOGGED' }, ['Cat']],
      [{ cause: ['proxyFailed'] }, ['ben']],
      [{ cause: ['proxyFailed', 'loggedOut'] }, ['ben', 'Cat']],
      [{ cause: ['asked'] }, []],
      [{ status: ['connected'] }, ['Ana']],
      [{ status: ['connecting', 'disconnected'] }, ['ben', 'Cat', 'dan_1']],
      [{ status: ['disconnected'], wanted: true }, ['ben']],
      [{ node: 'test' }, ['Ana', 'ben', 'Cat', 'dan_1']],
      [{ node: 'north-1' }, ['Ana', 'ben', 'Cat', 'dan_1']],
      [{ node: 'other' }, []],
      [{ tags: ['paid'] }, ['Ana', 'ben']],
      [{ tags: ['paid', ' south '] }, ['Ana']],
      [{ withoutTags: ['south', 'none'] }, ['ben', 'Cat', 'dan_1']],
      [{ paired: true }, ['Ana', 'ben']],
      [{ paired: false, exported: false }, ['Cat']],
      [{ exported: true }, ['dan_1']],
      [{ createdBefore: '2020-01-01T00:00:00Z' }, []],
      [{ createdAfter: '2020-01-01T00:00:00-03:00', tags: ['south'] }, ['Ana']],
      [{ inactiveSince: '2026-01-01T00:00:00Z' }, ['Ana', 'ben', 'Cat']],
      [{ inactiveSince: '2026-01-01T00:00:01Z' }, ['Ana', 'ben', 'Cat', 'dan_1']],
    ]
    for (const [filter, expected] of cases) assert.deepEqual(await names(filter), expected, JSON.stringify(filter))
  })

  it('counts by status what fits the rest of the filter, on the first page only', async () => {
    assert.deepEqual((await find({ filter: { status: ['connected'] } })).counts, {
      connected: 1,
      connecting: 1,
      disconnected: 2,
    })
    const first = await find({ filter: { tags: ['paid'] }, limit: 1 })
    assert.deepEqual(first.counts, { connected: 1, connecting: 0, disconnected: 1 })
    assert.equal((await find({ filter: { tags: ['paid'] }, limit: 1, cursor: first.next ?? '' })).counts, null)
  })

  it('shows the NODE_ID of the owner of each instance, and its account and last activity', async () => {
    const [ana, , , dan] = (await find()).instances
    assert.deepEqual([ana?.node, ana?.isPaired, ana?.lastActivityAt], ['north-1', true, null])
    assert.deepEqual([dan?.isPaired, dan?.lastActivityAt?.toISOString()], [false, '2026-01-01T00:00:00.000Z'])
  })

  it('shows since when each status holds, whatever came before it', async () => {
    const history = [
      ['Ana', '2026-01-03T00:00:00Z', 'connecting'],
      ['Ana', '2026-01-04T00:00:00Z', 'connected'],
      ['ben', '2026-01-01T00:00:00Z', 'disconnected'],
      ['ben', '2026-01-02T00:00:00Z', 'connecting'],
      ['ben', '2026-01-03T00:00:00Z', 'disconnected'],
      // Another cause of the same status.
      ['ben', '2026-01-04T00:00:00Z', 'disconnected'],
      // Its owner is another one now, which has written nothing yet.
      ['Cat', '2026-01-01T00:00:00Z', 'connected'],
    ] as const
    for (const [name, at, status] of history)
      await store.rows(
        "INSERT INTO connection_history (instance_id, at, status, state, node) VALUES ($1, $2, $3, '', 'test')",
        [ids[name], at, status],
      )
    const shown = (await find()).instances.map(({ instance, since }) => [instance.name, since?.toISOString() ?? null])
    assert.deepEqual(shown, [
      ['Ana', '2026-01-04T00:00:00.000Z'],
      ['ben', '2026-01-03T00:00:00.000Z'],
      ['Cat', null],
      ['dan_1', null],
    ])
  })

  it('counts the messages of each instance that are still to be sent', async () => {
    const ana = ids.Ana as InstanceId
    const chat = { pn: '5511999990002@s.whatsapp.net' as Jid }
    const own = { chat, fromMe: true, wasSentByApi: true }
    await store.journal
      .forInstance(ana, store.findEpoch(ana))
      .write([
        received(aMessage({ ...own, status: 'queued', queuedRequest: { text: 'x' } })),
        received(aMessage({ ...own, status: 'pending' })),
        received(aMessage({ ...own, status: 'sent' })),
        received(aMessage({ chat })),
      ])
    const [found, ...others] = (await find()).instances
    assert.deepEqual([found?.waiting, ...others.map(({ waiting }) => waiting)], [2, 0, 0, 0])
  })

  it('shows each instance once over all pages, in either order, while others come and go', async () => {
    const many = await Promise.all(Array.from({ length: 30 }, () => store.newInstance('same name')))
    await store.rows(`UPDATE instance SET created = '2026-02-03T04:05:06.123456Z' WHERE name = 'same name'`)
    for (const sort of ['name', 'created'] as const)
      for (const isDescending of [false, true]) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await find({ sort, isDescending, limit: 7, filter: { name: 'same' }, cursor })
          seen.push(...page.instances.map(({ instance }) => instance.id))
          cursor = page.next ?? undefined
          // An offset would slip by the one that is gone.
          const gone = many.find((id) => id === seen[0])
          if (gone !== undefined && cursor !== undefined)
            await store.rows(`UPDATE instance SET name = 'gone' WHERE id = $1`, [gone])
        } while (cursor !== undefined)
        await store.rows(`UPDATE instance SET name = 'same name' WHERE name = 'gone'`)
        assert.deepEqual(seen, isDescending ? [...many].sort().reverse() : [...many].sort(), `${sort} ${isDescending}`)
      }
  })

  it('rejects a cursor of another order, and a time that is none', async () => {
    const { next } = await find({ limit: 1 })
    const broken = [
      ...['', 'x', Buffer.from('[]').toString('base64url'), Buffer.from('["a\\u0000","i1"]').toString('base64url')],
      Buffer.from('["a","i1; DROP TABLE instance"]').toString('base64url'),
    ]
    for (const cursor of broken) await assert.rejects(find({ cursor }), { code: 'INVALID_REQUEST' }, cursor)
    for (const cursor of [next ?? '', Buffer.from('["2026-13-99T99:99:99.000000Z","i1"]').toString('base64url')])
      await assert.rejects(find({ sort: 'created', cursor }), { code: 'INVALID_REQUEST' })
    await assert.rejects(find({ filter: { createdBefore: '2026-06-30T23:59:60Z' } }), { code: 'INVALID_REQUEST' })
  })

  it('walks 50,000 instances page by page along an index', async () => {
    await store.rows(`
      INSERT INTO instance (id, name, token_hash, created)
      SELECT 'i' || lpad(n::text, 15, '0'), 'crowd ' || n, sha256(n::text::bytea), now() - n * interval '1 second'
      FROM generate_series(1, 50000) AS n`)
    await store.rows('ANALYZE instance')
    const client = await store.database.pool.connect()
    try {
      for (const order of ['i.created DESC, i.id DESC', '(lower(i.name) COLLATE "C"), i.id']) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT i.id FROM instance AS i LEFT JOIN shard_owner AS o ON o.shard = i.shard ORDER BY ${order} LIMIT 101`,
        )
        assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Index (Only )?Scan.* instance_by_/)
      }
    } finally {
      client.release()
    }
    const page = await find({ filter: { search: 'crowd 4999' }, limit: 5 })
    assert.deepEqual([page.instances.length, page.counts?.disconnected], [5, 11])
  })
})
