import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatFields } from '../../schemas/chat-fields.js'
import { parseChatFilter, parseChatSort } from '../../schemas/chat-filter.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { ChatQuery } from '../../schemas/ports/chats.js'
import { openTestStore, type TestStore } from '../../test/support/store.js'
import { chatDefaults } from './chat-record.js'
import { isCounted, type KnownTotals, pageStatement, searchStatement } from './chat-search.js'
import { createChats } from './chats.js'

type Json = Record<string, unknown>
const OWNER = '15550009999'

function search(fields: Json, more: Partial<ChatQuery> & { by?: string } = {}): ChatQuery {
  const filters = Object.entries(fields).map(([field, value]) => parseChatFilter(field, value))
  return {
    operator: 'AND',
    limit: 1000,
    offset: 0,
    ...more,
    filters,
    sort: parseChatSort(more.by ?? '-wa_lastMsgTimestamp'),
  }
}

/** Chats of these fields, past the journal; a number of their own is their JID unless given. */
async function insertChats(store: TestStore, instance: InstanceId, chats: readonly Json[]): Promise<void> {
  const numbered = chats.map((chat, index) => ({
    wa_chatid: `1555${String(index).padStart(7, '0')}@s.whatsapp.net`,
    ...chat,
  }))
  const columns = [...new Set(numbered.flatMap((chat) => Object.keys(chat)))]
  const list = columns.map((column) => `"${column}"`).join(', ')
  const rows = numbered.map((chat): Json => ({ ...chatDefaults, ...chat }))
  await store.rows(
    `INSERT INTO chat (instance_id, ${list}) SELECT $1, ${list} FROM jsonb_populate_recordset(NULL::chat, $2::jsonb)`,
    [instance, JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]]))))],
  )
}

describe('a search over chats', () => {
  it('finds what each operator says of each type of field, joined by AND and OR', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const [instance, other] = [await store.newInstance(), await store.newInstance()]
    const random = seedRandom(Number(process.env.SEED ?? 20261121), t)
    const words = ['Ana', 'ana maria', 'ÁGUA', '100%', 'a_b', 'back\\slash', "O'Hara", '"quoted"', '', 'zoë', '[x]']
    const labels = ['1', '10', 'V.I.P.', 'a"b', 'água']
    const some = <T>(list: readonly T[]): T => list[random(list.length)] as T
    const makeRow = (): Json => ({
      name: some(words),
      wa_name: some(words),
      lead_fullName: random(10) === 0 ? `${'long '.repeat(200)}${some(words)}` : some(words),
      lead_status: some(words),
      lead_assignedAttendant_id: some(['', '', 'ana', 'bob']),
      lead_field07: some(words),
      wa_chatlid: `${10_000 + random(300)}@lid`,
      wa_archived: random(2) === 0,
      wa_isGroup: random(4) === 0,
      lead_isTicketOpen: random(2) === 0,
      wa_unreadCount: random(14) - 1,
      wa_lastMsgTimestamp: 1_700_000_000_000 + random(20) * 1000,
      lead_kanbanOrder: random(5),
      wa_label: JSON.stringify([...new Set(Array.from({ length: random(3) }, () => some(labels)))]),
      lead_tags: [...new Set(Array.from({ length: random(3) }, () => some([...labels, '[new'])))].join(','),
      created: `2026-0${1 + random(9)}-0${1 + random(9)}T0${random(9)}:00:00.123456Z`,
    })
    await insertChats(store, instance, Array.from({ length: 300 }, makeRow))
    await insertChats(store, other, Array.from({ length: 50 }, makeRow))
    const all = (await chats.find({ id: instance, owner: OWNER }, search({}))).chats
    assert.equal(all.length, 300)

    const prefixes = ['', '~', '!~', '!=', '>=', '>', '<=', '<']
    const makeValue = (field: string): string => {
      switch (chatFields[field]) {
        case 'number':
          return field === 'wa_lastMsgTimestamp'
            ? String(1_700_000_000_000 + random(20) * 1000)
            : String(random(14) - 1)
        case 'boolean':
          return some(['true', 'false', '1', '0'])
        case 'list':
          if (field === 'lead_tags' && random(4) === 0) return '["[new"]'
          return random(4) === 0 ? JSON.stringify([some(labels), some(labels)].slice(random(3))) : some(labels)
        case 'time':
          return some(['2026', '2026-05', '2026-05-05', '2026-03-01 04:00:00.123'])
        default:
          if (field === 'wa_chatlid')
            return `${some(['', '10', '9-'])}${random(300)}${some(['', '@lid', '@s.whatsapp.net'])}`
          if (field === 'wa_chatid') return `${random(300)}${some(['', '@s.whatsapp.net', '@lid'])}`
          if (field === 'wa_fastid') return `${some([OWNER, OWNER.slice(2), '2'])}:1555${some(['', '00000', '1', '%'])}`
          return random(3) === 0 ? some(words).slice(0, 2) : some(words)
      }
    }
    const fields = [...Object.keys(makeRow()), 'wa_fastid', 'owner', 'id', 'phone', 'wa_chatid']
    let matched = 0
    for (let round = 0; round < 250; round += 1) {
      const asked: Record<string, string> = {}
      for (let count = random(4); count > 0; count -= 1) {
        const field = some(fields)
        const isList = chatFields[field] === 'list'
        asked[field] = `${isList ? some(prefixes.slice(0, 4)) : some(prefixes)}${makeValue(field)}`
      }
      const operator = random(2) === 0 ? 'AND' : 'OR'
      const expected = all.filter((chat) => {
        const each = Object.entries(asked).map(([field, given]) =>
          expects(given, chatFields[field], field === 'lead_tags' ? asList(chat[field]) : chat[field]),
        )
        return each.length === 0 || (operator === 'AND' ? each.every(Boolean) : each.some(Boolean))
      })
      const by = `${some(['+', '-'])}${some(fields)}`
      const limit = 1 + random(50)
      const newest = random(4) === 0 ? 1 + random(400) : undefined
      if (newest !== undefined) {
        const among = new Set(all.slice(0, newest).map(({ id }) => id))
        for (let index = expected.length - 1; index >= 0; index -= 1)
          if (!among.has(expected[index]?.id)) expected.splice(index, 1)
      }
      const query = search(asked, { operator, limit, offset: random(20), by, newest })
      const found = await chats.find({ id: instance, owner: OWNER }, query)
      const what = JSON.stringify({ asked, operator, by, newest })
      assert.equal(found.total, expected.length, what)
      assert.equal(found.chats.length, Math.max(0, Math.min(limit, expected.length - query.offset)), what)
      // As any search is found that no totals are kept of; and as one is of which many match.
      const statement = isCounted(query)
        ? pageStatement(instance, OWNER, query, {
            matching: Number.POSITIVE_INFINITY,
            total_chats: 300,
            unread_chats: 300,
          })
        : searchStatement(instance, OWNER, query)
      const rows = (await store.rows<{ id: number | null }>(statement.text, [...statement.values])).filter(
        (row): row is { id: number } => row.id !== null,
      )
      assert.deepEqual(
        rows.map(({ id }) => `r${id.toString(16).padStart(7, '0')}`),
        found.chats.map(({ id }) => id),
        what,
      )
      const ids = new Set(expected.map(({ id }) => id))
      assert.ok(
        found.chats.every(({ id }) => ids.has(id)),
        what,
      )
      matched += expected.length > 0 && expected.length < all.length ? 1 : 0
    }
    assert.ok(matched > 60, `Only ${matched} searches chose some.`)
  })

  it('finds two letters in each name of a chat, however long it is, and after a change of it', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const [instance, other] = [await store.newInstance(), await store.newInstance()]
    const fields = ['name', 'wa_name', 'wa_contactName', 'lead_name', 'lead_fullName']
    const rows = fields.flatMap((field): Json[] => [
      { name: 'Bruno', lead_status: field, [field]: 'dom QUIXOTE' },
      { name: 'Bruno', lead_status: `${field} long`, [field]: `${'word '.repeat(200)}Quixote` },
      { name: 'Bruno', lead_status: 'none', [field]: 'q_u' },
    ])
    await insertChats(store, instance, rows)
    await insertChats(store, other, rows)
    const found = async (asked: Json) =>
      (await chats.find({ id: instance, owner: OWNER }, search(asked))).chats.map((chat) => chat.lead_status).toSorted()
    for (const field of fields) assert.deepEqual(await found({ [field]: 'qu' }), [field, `${field} long`], field)
    assert.deepEqual(await found({ wa_name: '_u' }), ['none'])
    assert.deepEqual(await found({ wa_name: 'qü' }), [])
    await store.rows(`UPDATE chat SET wa_name = 'Ézé' WHERE lead_status = 'wa_name'`)
    assert.deepEqual(await found({ wa_name: 'éz' }), ['wa_name'])
    assert.deepEqual(await found({ wa_name: 'qu' }), ['wa_name long'])
  })

  it('gives every page of an order once, by each field, forwards and backwards', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const instance = await store.newInstance()
    const rows = Array.from({ length: 25 }, (_, index) => ({
      name: `name ${index % 3}`,
      wa_lastMsgTimestamp: index % 4,
      wa_isGroup: index % 2 === 0,
      lead_kanbanOrder: -index,
    }))
    await insertChats(store, instance, rows)
    for (const field of Object.keys(chatFields)) {
      const orders: string[][] = []
      for (const sign of ['+', '-']) {
        const ids: string[] = []
        for (let offset = 0; offset < 30; offset += 10) {
          const query = search({}, { by: `${sign}${field}`, limit: 10, offset })
          const page = await chats.find({ id: instance, owner: OWNER }, query)
          ids.push(...page.chats.map(({ id }) => String(id)))
          assert.equal(page.total, 25)
        }
        assert.equal(new Set(ids).size, 25, field)
        orders.push(ids)
      }
      assert.deepEqual(orders[0], orders[1]?.toReversed(), field)
    }
    const ordered = async (lead_kanbanOrder: string) =>
      (await chats.find({ id: instance, owner: OWNER }, search({ lead_kanbanOrder }, { by: '+id' }))).chats
        .map((chat) => Math.abs(Number(chat.lead_kanbanOrder)))
        .toSorted((a, b) => a - b)
    assert.deepEqual(await ordered('1'), [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21])
    assert.deepEqual(await ordered('=-1'), [1])
    assert.deepEqual(await ordered('>=-1'), [0, 1])
    const byOrder = await chats.find({ id: instance, owner: OWNER }, search({}, { by: '+lead_kanbanOrder', limit: 2 }))
    assert.deepEqual(
      byOrder.chats.map(({ lead_kanbanOrder }) => lead_kanbanOrder),
      [-24, -23],
    )
  })

  it('takes what looks like SQL for text', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const instance = await store.newInstance()
    const evil = `'; DROP TABLE chat; -- $1 \\`
    await insertChats(store, instance, [{ name: evil }, { name: 'Ana' }])
    for (const field of Object.keys(chatFields).filter((one) => chatFields[one] === 'text')) {
      for (const prefix of ['', '!~', '!=', '>', '<=']) {
        const { total } = await chats.find({ id: instance, owner: OWNER }, search({ [field]: `${prefix}${evil}` }))
        if (field === 'name' && prefix === '') assert.equal(total, 1)
      }
    }
    const tagged = await chats.find({ id: instance, owner: OWNER }, search({ wa_label: evil, lead_tags: `!~${evil}` }))
    assert.equal(tagged.total, 0)
    assert.equal((await chats.find({ id: instance, owner: OWNER }, search({}))).total, 2)
  })

  it('has totals that follow every change, merge and deletion of chats', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const check = async (): Promise<Record<string, number>> => {
      const [truth] = await store.rows<Json>(
        `SELECT count(*) AS total_chats, count(*) FILTER (WHERE "wa_unreadCount" <> 0) AS unread_chats,
           count(*) FILTER (WHERE "wa_archived") AS archived_chats, count(*) FILTER (WHERE "wa_isPinned") AS pinned_chats,
           count(*) FILTER (WHERE "wa_isBlocked") AS blocked_chats, count(*) FILTER (WHERE "wa_isGroup") AS groups,
           count(*) FILTER (WHERE "wa_isGroup_admin") AS admin_groups, count(*) FILTER (WHERE "wa_isGroup_member") AS member_groups
         FROM chat WHERE instance_id = $1`,
        [instance],
      )
      const { stats, total } = await chats.find({ id: instance, owner: OWNER }, search({}))
      assert.deepEqual(stats, truth)
      assert.equal(total, stats.total_chats)
      const [places] = await store.rows<{ wrong: number }>(
        `SELECT count(*)::int AS wrong FROM chat AS c FULL JOIN chat_activity AS a ON a.instance_id = c.instance_id AND a.chat_id = c.id
         WHERE c.id IS NULL OR a.chat_id IS NULL OR a."wa_lastMsgTimestamp" <> c."wa_lastMsgTimestamp"
           OR a.is_unread <> (c."wa_unreadCount" <> 0)`,
      )
      assert.equal(places?.wrong, 0)
      const leads = `"lead_isTicketOpen", "lead_status", "lead_assignedAttendant_id", sign("wa_unreadCount"), "wa_archived", "wa_isPinned"`
      assert.deepEqual(
        await store.rows(
          `SELECT ${leads.replace('sign("wa_unreadCount")', 'unread::float')}, sum(chats)::int AS chats FROM chat_lead_count
           WHERE instance_id = $1 GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
          [instance],
        ),
        await store.rows(
          `SELECT ${leads.replace('sign("wa_unreadCount")', 'sign("wa_unreadCount")::float AS unread')}, count(*)::int AS chats FROM chat
           WHERE instance_id = $1 AND ("lead_isTicketOpen" OR "lead_status" <> '' OR "lead_assignedAttendant_id" <> '')
           GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
          [instance],
        ),
      )
      return stats as Record<string, number>
    }
    const [pn, lid, group] = ['15550001111@s.whatsapp.net', '77777777777@lid', '12036300000@g.us'] as Jid[] as [
      Jid,
      Jid,
      Jid,
    ]
    await journal.write([
      { type: 'chat', chat: { pn }, set: { wa_archived: true, wa_unreadCount: 2 } },
      { type: 'chat', chat: { lid }, set: { wa_isPinned: true, wa_lastMsgTimestamp: 5, wa_label: ['2'] } },
      { type: 'chat', chat: { group }, set: { wa_isGroup_admin: true, wa_isGroup_member: true, wa_unreadCount: -1 } },
    ])
    assert.deepEqual(Object.values(await check()), [3, 2, 1, 1, 0, 1, 1, 1])
    await journal.write([
      { type: 'lead', chat: { pn }, set: { lead_status: 'new', lead_isTicketOpen: true } },
      { type: 'lead', chat: { lid }, set: { lead_assignedAttendant_id: 'ana' } },
      { type: 'lead', chat: { group }, set: { lead_status: 'new' } },
    ])
    await check()
    const ofStatus = async () =>
      (await chats.find({ id: instance, owner: OWNER }, search({ lead_status: 'new', wa_unreadCount: '>0' }))).total
    assert.equal(await ofStatus(), 1)
    await journal.write([{ type: 'lead', chat: { group }, set: { lead_status: 'won' } }])
    await journal.write([{ type: 'mapping', lid, pn }])
    assert.equal((await check()).total_chats, 2)
    await journal.write([
      { type: 'chat', chat: { group }, set: { wa_unreadCount: 0, wa_isGroup_admin: false } },
      { type: 'blocked', kind: 'list', people: [{ pn }] },
      { type: 'chat.label', chat: { pn }, labelid: '1', isSet: true },
    ])
    assert.equal((await check()).blocked_chats, 1)
    const [person] = (await chats.find({ id: instance, owner: OWNER }, search({ wa_isBlocked: true }))).chats
    assert.equal(person?.wa_label, '["2","1"]')
    await store.instances.delete(instance)
    assert.deepEqual(
      await store.rows(
        'SELECT FROM chat_count UNION ALL SELECT FROM chat_activity UNION ALL SELECT FROM chat_lead_count',
      ),
      [],
    )
  })

  it('goes by indices, in an instance of many chats among other instances', async (t) => {
    const store = await openTestStore(t)
    const chats = createChats(store.database.pool)
    const [instance, other] = [await store.newInstance(), await store.newInstance()]
    for (const [id, count] of [
      [instance, 10_000],
      [other, 2_000],
    ] as const)
      await store.rows(
        `INSERT INTO chat (instance_id, "wa_chatid", "name", "wa_archived", "wa_isGroup", "wa_isPinned", "wa_unreadCount",
           "wa_lastMsgTimestamp", "wa_label", "lead_status", "lead_isTicketOpen")
         SELECT $1, '1555' || lpad(i::text, 7, '0') || '@s.whatsapp.net', 'number ' || substr(md5(i::text), 1, 6), i % 300 = 0, i % 200 = 0, i % 5000 = 0,
           CASE WHEN i % 23 = 0 THEN 3 ELSE 0 END, 1700000000000 + i * 1000, CASE WHEN i % 400 = 0 THEN '["7"]' ELSE '[]' END,
           CASE WHEN i % 250 = 0 THEN 'negotiation' WHEN i % 10 = 1 THEN 'won' ELSE '' END, i % 300 = 1
         FROM generate_series(1, $2::int) AS i`,
        [id, count],
      )
    await store.rows('ANALYZE')
    const plan = async (statement: { text: string; values: readonly unknown[] }) =>
      JSON.stringify(await store.rows(`EXPLAIN (FORMAT JSON) ${statement.text}`, [...statement.values]))
    for (const [asked, index] of [
      [{}, 'chat_activity_order'],
      [{ wa_unreadCount: '>0' }, 'chat_activity_unread'],
      [{ wa_archived: false, wa_isGroup: false }, 'chat_activity_order'],
      [{ wa_archived: true }, 'chat_archived'],
      [{ wa_isGroup: true }, 'chat_group'],
      [{ wa_isPinned: 'true' }, 'chat_pinned'],
      [{ lead_isTicketOpen: true }, 'chat_ticket'],
      [{ name: 'c4ca42' }, 'chat_texts'],
      [{ name: 'c4' }, 'chat_name_pairs'],
      // Nearly all chats match.
      [{ name: 'NU' }, 'chat_name_pairs'],
      [{ name: 'c4', wa_archived: false }, 'chat_name_pairs'],
      [{ wa_chatid: '15550001234@s.whatsapp.net' }, 'chat_jid'],
      [{ wa_chatlid: '77777777777@lid' }, 'chat_lid'],
      [{ wa_chatid: '50001234' }, 'chat_texts'],
      [{ wa_fastid: `${OWNER}:15550001234` }, 'chat_texts'],
      [{ wa_label: '7' }, 'chat_texts'],
      [{ lead_status: 'negotiation', wa_unreadCount: '>0' }, 'chat_texts'],
      [{ lead_status: 'negotiation' }, 'chat_texts'],
      [{ lead_status: 'won' }, 'chat_activity_order'],
      [{ lead_status: 'won', wa_unreadCount: '>0' }, 'chat_activity_unread'],
      [{ wa_lastMsgTimestamp: '>1700009990000' }, 'chat_activity_order'],
      [{ id: 'r0000123' }, 'chat_pkey'],
    ] as const) {
      const query = search(asked, { limit: 4 })
      const { total: matching, stats } = await chats.find({ id: instance, owner: OWNER }, query)
      const page = await plan(
        isCounted(query)
          ? pageStatement(instance, OWNER, query, { ...(stats as unknown as KnownTotals), matching })
          : searchStatement(instance, OWNER, query),
      )
      assert.ok(page.includes(`"${index}"`), `${JSON.stringify(asked)} ${page}`)
      assert.doesNotMatch(page, /Seq Scan/, JSON.stringify(asked))
      // In the order of the last message, and no further than the page.
      if (isCounted(query) && index.startsWith('chat_activity'))
        assert.doesNotMatch(page, /"Sort"/, JSON.stringify(asked))
    }
  })
})

/** Meaning of a filter, without SQL. */
function expects(given: string, type: string | undefined, actual: unknown): boolean {
  const prefix = /^(!~|!=|>=|<=|~|>|<)?/.exec(given)?.[0] ?? ''
  const rest = given.slice(prefix.length)
  const compare = <T>(left: T, right: T): boolean => {
    switch (prefix) {
      case '!=':
        return left !== right
      case '>=':
        return left >= right
      case '>':
        return left > right
      case '<=':
        return left <= right
      case '<':
        return left < right
      default:
        return left === right
    }
  }
  const text = String(actual)
  const contains = (prefix === '!~') !== lower(text).includes(lower(rest))
  switch (type) {
    case 'number':
      return prefix === '' || prefix === '~' || prefix === '!~' ? contains : compare(Number(actual), Number(rest))
    case 'boolean': {
      const value = rest === 'true' || rest === '1' ? 1 : 0
      return prefix === '!~' ? Number(actual) !== value : compare(Number(actual), value)
    }
    case 'list': {
      const list = (text === '' ? [] : (JSON.parse(text) as string[])).map(lower)
      const wanted = (rest.startsWith('[') ? (JSON.parse(rest) as string[]) : [rest]).map(lower)
      const hasAll = wanted.length === 0 ? list.length === 0 : wanted.every((one) => list.includes(one))
      if (prefix === '!~') return wanted.length === 0 ? list.length > 0 : !wanted.some((one) => list.includes(one))
      return prefix === '!=' ? !(hasAll && list.length === wanted.length) : hasAll
    }
    case 'time': {
      if (prefix === '' || prefix === '~' || prefix === '!~') return contains
      return compare(text, `${rest}${'0000-01-01 00:00:00.000'.slice(rest.length)}`)
    }
    default:
      return prefix === '' || prefix === '~' || prefix === '!~'
        ? contains
        : compare(Buffer.from(text).toString('latin1'), Buffer.from(rest).toString('latin1'))
  }
}

/** Tags as labels are: `a,b` is `["a","b"]`. */
function asList(tags: unknown): string {
  return tags === '' ? '[]' : JSON.stringify(String(tags).split(','))
}

function lower(text: string): string {
  return text.toLowerCase()
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
function seedRandom(seed: number, t: { diagnostic(message: string): void }): (below: number) => number {
  t.diagnostic(`SEED=${seed}`)
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
