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
