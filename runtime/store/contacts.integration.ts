import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ContactScope } from '../../schemas/ports/chats.js'
import { openTestStore } from '../../test/support/store.js'
import { createContacts, pageOfContacts } from './contacts.js'

it('a page of contacts far down a list of many is found in an index of that list, and is the right one', async (t) => {
  const store = await openTestStore(t)
  const contacts = createContacts(store.database.pool)
  const instance = await store.newInstance()
  await store.rows(
    `INSERT INTO contact (instance_id, jid, "contact_name", push_name)
     SELECT $1, '1555' || lpad(i::text, 7, '0') || '@s.whatsapp.net', CASE WHEN i % 3 = 0 THEN 'Person ' || i ELSE '' END, 'Name ' || i
     FROM generate_series(0, 8999) AS i`,
    [instance],
  )
  await store.rows('ANALYZE contact')
  for (const [scope, index, first, total] of [
    ['all', 'contact_pkey', 2_000, 9_000],
    ['address_book', 'contact_book', 6_000, 3_000],
    ['outside_address_book', 'contact_outside', 3_001, 6_000],
  ] as const satisfies readonly (readonly [ContactScope, string, number, number])[]) {
    const page = await contacts.page(instance, { scope, search: '', limit: 10, offset: 2_000 })
    assert.equal(page.contacts[0]?.push_name, `Name ${first}`, scope)
    assert.equal(page.contacts.length, 10)
    assert.deepEqual([page.total, page.inBook], [total, 3_000])
    for (const isFromEnd of [false, true]) {
      const explained = `EXPLAIN (FORMAT JSON) ${pageOfContacts(scope, isFromEnd)}`
      const plan = JSON.stringify(await store.rows(explained, [instance, 10, 2_000]))
      assert.ok(plan.includes(`"${index}"`), `${scope} ${plan}`)
      assert.doesNotMatch(plan, /Seq Scan|"Sort"/, scope)
    }
    // Each is on one page, from either end.
    const jids: string[] = []
    for (let offset = 0; offset < total + 900; offset += 900)
      jids.push(
        ...(await contacts.page(instance, { scope, search: '', limit: 900, offset })).contacts.map(({ jid }) => jid),
      )
    assert.equal(new Set(jids).size, total)
    assert.deepEqual(jids, jids.toSorted())
  }
})

it('finds contacts by two letters or more of each of their names in an index, however long the names are', async (t) => {
  const store = await openTestStore(t)
  const contacts = createContacts(store.database.pool)
  const [instance, other] = [await store.newInstance(), await store.newInstance()]
  const long = `${'Word '.repeat(300)}Quíxote`
  const rows = [
    { jid: '15550000001@s.whatsapp.net', contact_name: 'Ana Quíxote', contact_FirstName: 'Ana', push_name: 'Anita' },
    { jid: '15550000002@s.whatsapp.net', contact_name: 'Bruno', contact_FirstName: 'Nuno QU', push_name: 'Bruno' },
    { jid: '15550000003@s.whatsapp.net', push_name: long },
    { jid: '15550000004@s.whatsapp.net', username: 'quim' },
    { jid: '15550000005@s.whatsapp.net', contact_name: 'Carla', push_name: 'q_u' },
  ]
  for (const id of [instance, other])
    await store.rows(
      `INSERT INTO contact (instance_id, jid, "contact_name", "contact_FirstName", push_name, username)
       SELECT $1, jid, COALESCE("contact_name", ''), COALESCE("contact_FirstName", ''), COALESCE(push_name, ''), COALESCE(username, '')
       FROM jsonb_populate_recordset(NULL::contact, $2::jsonb)`,
      [id, JSON.stringify(rows)],
    )
  const found = async (search: string) => {
    const page = await contacts.page(instance, { scope: 'all', search, limit: 10, offset: 0 })
    assert.equal(page.total, page.contacts.length)
    return page.contacts.map(({ jid }) => Number(jid.slice(9, 11)))
  }
  for (const [search, expected] of [
    ['qu', [1, 2, 3, 4]],
    ['QUÍ', [1, 3]],
    ['xote', [1, 3]],
    ['@quim', [4]],
    ['@q', [4]],
    ['Bruno', [2]],
    ['_u', [5]],
    ['o\nn', []],
    ['zz', []],
    ['50000004', [4]],
    [long.slice(0, 900), [3]],
  ] as const)
    assert.deepEqual(await found(search), expected, search)
})
