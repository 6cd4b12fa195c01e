import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { parseEdits } from '../../schemas/stored-message.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createMessageSearch } from './message-search.js'
import { createMessages } from './messages.js'
import { createReader } from './reader.js'
import { createRetention } from './retention.js'

const chat = { pn: '5511999990001@s.whatsapp.net' as Jid, lid: '333333333333333@lid' as Jid }

describe('messages', () => {
  it('are found newest first, by chat, track, status and either id, page by page', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const other = await store.newInstance()
    const sent = aMessage({
      chat,
      fromMe: true,
      wasSentByApi: true,
      status: 'failed',
      trackSource: 'crm',
      trackId: '7',
      messageTimestampMs: 3_000,
    })
    const written = await store.journal
      .forInstance(instance, store.findEpoch(instance))
      .write([
        received(aMessage({ chat, text: 'first', messageTimestampMs: 1_000 })),
        received(aMessage({ chat, text: 'second', messageTimestampMs: 2_000 })),
        received(sent),
      ])
    await store.journal.forInstance(other, store.findEpoch(other)).write([received(aMessage({ chat }))])
    const messages = createMessages(store.database.pool)
    const texts = async (query: object, of: InstanceId = instance) => {
      const page = await messages.find(of, { limit: 10, offset: 0, ...query })
      return page.messages.map((message) => message.text)
    }
    assert.deepEqual(await texts({}), ['Bom dia', 'second', 'first'])
    assert.deepEqual(await texts({ chatid: '+55 11 99999-0001', limit: 1, offset: 1 }), ['second'])
    assert.deepEqual(await texts({ chatid: chat.lid }), ['Bom dia', 'second', 'first'])
    assert.deepEqual(await texts({ trackSource: 'crm', trackId: '7' }), ['Bom dia'])
    assert.deepEqual(await texts({ status: 'Failed' }), ['Bom dia'])
    const record = written.messages.get(sent.messageid)?.record
    assert.deepEqual(await texts({ id: record?.id }), ['Bom dia'])
    assert.deepEqual(await texts({ id: `5511:${sent.messageid}` }), ['Bom dia'])
    assert.deepEqual(await texts({ id: 'none\0' }), [])
    const page = await messages.find(instance, { limit: 2, offset: 0 })
    assert.equal(page.hasMore, true)
    assert.deepEqual(page.messages[0], record)
    assert.equal((await messages.find(instance, { limit: 2, offset: 2 })).hasMore, false)
  })

  it('that failed are found without a look at the others', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const own = { chat, fromMe: true, wasSentByApi: true }
    const failed = [
      aMessage({ ...own, text: 'one', status: 'failed' }),
      aMessage({ ...own, text: 'two', status: 'pending' }),
    ]
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write(failed.map(received))
    await journal.write([{ type: 'message.update', messageids: [failed[1]!.messageid], set: { status: 'failed' } }])
    await store.rows(
      `INSERT INTO message (instance_id, id, chat_id, "messageid", "fromMe", "isGroup", "messageType", "messageTimestamp", "sender", "status")
       SELECT instance_id, 'x' || n, chat_id, 'X' || n, true, false, 'text', "messageTimestamp" + n, '', 'read'
       FROM message, generate_series(1, 20000) AS n WHERE instance_id = $1 AND "text" = 'one'`,
      [instance],
    )
    await store.rows('ANALYZE message')
    let blocks = 0
    const find = createMessageSearch(async (text, values) => {
      const { rows } = await store.database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values])
      const plan = rows[0]['QUERY PLAN'][0].Plan
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      return (await store.database.pool.query(text, [...values])).rows
    })
    const { rows } = await find(instance, { status: 'failed', limit: 10, offset: 0 })
    assert.deepEqual(rows.map(({ text }) => text).toSorted(), ['one', 'two'])
    assert.ok(blocks < 100, `${blocks} blocks`)
  })

  it('of a page have at most 2 MiB of texts; the next page continues where it ends, by whatever it is asked', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const texts = Array.from({ length: 90 }, (_, index) => `${index} `.padEnd(60_000, 'x'))
    for (const [index, text] of texts.entries())
      await journal.write([received(aMessage({ chat, text, messageTimestampMs: 1_000 + index }))])
    const messages = createMessages(store.database.pool)
    const find = (query: object) => messages.find(instance, { limit: 1_000, offset: 0, ...query })
    const readNumber = ({ text }: Record<string, unknown>) => Number(String(text).split(' ')[0])
    const all = texts.map((_, index) => index)

    const read = async (next: (page: Awaited<ReturnType<typeof find>>, count: number) => object) => {
      const found: number[] = []
      let query = {}
      for (;;) {
        const page = await find(query)
        assert.ok(page.messages.length > 0 && JSON.stringify(page.messages).length < 3 * 2 ** 20)
        found.push(...page.messages.map(readNumber))
        if (!page.hasMore) return found
        query = next(page, found.length)
      }
    }
    assert.deepEqual(await read(({ older }) => ({ before: older })), all.toReversed())
    assert.deepEqual(await read((_, count) => ({ offset: count })), all.toReversed())
    const [oldest] = (await find({ offset: 89 })).messages
    const around = await find({ around: oldest?.id })
    assert.equal(readNumber(around.messages.at(-1) ?? {}), 0)
    const newer = await find({ after: around.newer })
    assert.equal(readNumber(newer.messages.at(-1) ?? {}), around.messages.length)
  })

  it('are paged from a place that does not slip, around one of them, and by what their texts contain', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const cat = { pn: '5511999990002@s.whatsapp.net' as Jid }
    const say = (texts: readonly string[], messageTimestampMs = 5_000, of: typeof chat | typeof cat = chat) =>
      journal.write(texts.map((text) => received(aMessage({ chat: of, text, messageTimestampMs }))))
    const messages = createMessages(store.database.pool)
    const find = async (query: object) => {
      const page = await messages.find(instance, { chatid: chat.pn, limit: 2, offset: 0, ...query })
      return { ...page, texts: page.messages.map(({ text }) => text) }
    }
    assert.deepEqual(await find({}), { messages: [], texts: [], hasMore: false, older: null, newer: null })
    // All but one of the same second: the order in which they came decides.
    await say(['a'], 1_000)
    await say(['b', 'c', 'd', '100%_\\'])
    await say(['other'], 5_000, cat)
    const first = await find({})
    assert.deepEqual(first.texts, ['100%_\\', 'd'])
    await say(['new', 'newer', 'newest'])
    const second = await find({ before: first.older })
    assert.deepEqual([second.texts, second.hasMore], [['c', 'b'], true])
    const last = await find({ before: second.older })
    assert.deepEqual([last.texts, last.hasMore, last.older], [['a'], false, null])

    const arrived = await find({ after: first.newer })
    assert.deepEqual([arrived.texts, arrived.hasMore], [['newer', 'new'], true])
    const latest = await find({ after: arrived.newer })
    assert.deepEqual([latest.texts, latest.hasMore], [['newest'], false])
    const nothing = await find({ after: latest.newer })
    assert.deepEqual([nothing.texts, nothing.newer], [[], latest.newer])
    assert.deepEqual((await find({ before: latest.older, limit: 3 })).texts, ['newer', 'new', '100%_\\'])

    const [d] = (await find({ text: 'd' })).messages
    const around = await find({ around: d?.id, limit: 4 })
    assert.deepEqual([around.texts, around.hasMore], [['new', '100%_\\', 'd', 'c'], true])
    assert.deepEqual((await find({ before: around.older })).texts, ['b', 'a'])
    assert.deepEqual((await find({ after: around.newer })).texts, ['newest', 'newer'])
    for (const limit of [1, 2, 3]) assert.equal((await find({ around: d?.messageid, limit })).texts.length, limit)
    await assert.rejects(find({ around: d?.id, chatid: cat.pn }), { code: 'MESSAGE_NOT_FOUND' }, 'of another chat')

    for (const [text, found] of [
      ['NEW', ['newest', 'newer', 'new']],
      ['%', ['100%_\\']],
      ['_', ['100%_\\']],
      ['\\', ['100%_\\']],
      ['\0', ['newest', 'newer', 'new', '100%_\\', 'd', 'c', 'b', 'a']],
      ['nowhere', []],
    ] as const)
      assert.deepEqual((await find({ text, limit: 10 })).texts, found, text)
    for (const cursor of ['none', 'WyJub3ciLCJhIl0', Buffer.from('["1","x"]').toString('base64url')])
      await assert.rejects(find({ before: cursor }), { code: 'INVALID_REQUEST' })
  })

  it('are searched for a text 20,000 at a time, with a cursor to continue', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(aMessage({ chat, text: 'the oldest', messageTimestampMs: 1_000 }))])
    await store.rows(
      `INSERT INTO message (instance_id, id, chat_id, "messageid", "fromMe", "isGroup", "messageType", "messageTimestamp", "sender", "status", "text")
       SELECT m.instance_id, 'x' || n, m.chat_id, 'X' || n, false, false, 'Conversation', 2_000 + n, m."sender", m."status", 'filler'
       FROM message AS m, generate_series(1, 20_000) AS n WHERE m.instance_id = $1`.replaceAll('_000', '000'),
      [instance],
    )
    const messages = createMessages(store.database.pool)
    const find = (query: object) => messages.find(instance, { limit: 5, offset: 0, text: 'OLDEST', ...query })
    const first = await find({})
    assert.deepEqual([first.messages.length, first.hasMore], [0, true])
    const second = await find({ before: first.older })
    assert.deepEqual([second.messages.length, second.hasMore, second.older], [1, false, null])
    const back = await find({ after: second.newer, text: 'nowhere' })
    assert.deepEqual([back.messages.length, back.hasMore], [0, true])
    assert.equal((await find({ after: back.newer, text: 'nowhere' })).hasMore, false)
  })

  it('with the same id are found oldest first, whatever times their senders claim', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const messageid = 'SAME' as MessageId
    const cat = { pn: '5511999990002@s.whatsapp.net' as Jid }
    const eve = { pn: '5511999990003@s.whatsapp.net' as Jid }
    for (const [of, text, messageTimestampMs] of [
      [chat, 'first', 2_000],
      [cat, 'second', 3_000],
      [eve, 'third', 1_000],
    ] as const)
      await journal.write([received(aMessage({ chat: of, messageid, text, messageTimestampMs }))])
    const messages = createMessages(store.database.pool)
    const found = async (query: object) =>
      (await messages.find(instance, { limit: 10, offset: 0, ...query })).messages.map(({ text }) => text)
    assert.deepEqual(await found({ id: messageid }), ['first', 'second', 'third'])
    assert.deepEqual(await found({ id: messageid, limit: 1 }), ['first'])
    assert.deepEqual(await found({ id: messageid, chatid: cat.pn }), ['second'])
  })

  it('are read back in order while they wait to be sent, with their requests', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const reader = createReader(store.database.pool, store.encryption)
    const queued = ['a', 'b', 'c'].map((text) =>
      aMessage({ chat, text, fromMe: true, wasSentByApi: true, status: 'queued', queuedRequest: { text } }),
    )
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write(queued.map((message) => ({ type: 'message', message, announce: false })))
    const waiting = await reader.queuedSends(instance, 2)
    assert.deepEqual(
      waiting.map((message) => message.queuedRequest),
      [{ text: 'a' }, { text: 'b' }],
    )
    assert.deepEqual(waiting[0]?.chat, chat)
    await journal.write([
      {
        type: 'message.update',
        messageids: [queued[0]!.messageid],
        set: { status: 'pending', queuedRequest: null, proto: Buffer.from('p') },
      },
    ])
    const [pending] = await reader.pendingSends(instance)
    assert.deepEqual([pending?.queuedRequest, pending?.proto], [null, Buffer.from('p')])
    assert.equal((await reader.queuedSends(instance, 10)).length, 2)
    // Since it was accepted, or is on its way, by the database's clock.
    await store.rows(`UPDATE message SET created = now() - interval '3 hours', updated = now() - interval '1 hour'`)
    const waits = async (rows: Promise<readonly { waitsSinceMs: number }[]>) =>
      Math.round((performance.now() - (await rows)[0]!.waitsSinceMs) / 60_000)
    assert.deepEqual(
      [await waits(reader.pendingSends(instance)), await waits(reader.queuedSends(instance, 1))],
      [60, 180],
    )
  })

  it('are changed in what they come to, with what may be sent in their place, and told once', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const reader = createReader(store.database.pool, store.encryption)
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const poll = aMessage({ chat, fromMe: true, messageType: 'poll', type: 'poll', status: 'sent' })
    const change = {
      type: 'message.update' as const,
      messageids: [poll.messageid],
      set: { type: 'text', vote: '[]', convertOptions: 'A|B', queuedRequest: { fallback: 'x' } },
      announce: { type: 'PollVote', state: 'Voted', event: {} },
    }
    await journal.write([received(poll)])
    await journal.write([change])
    await journal.write([change])
    const [row] = await reader.messagesById(instance, [poll.messageid])
    const { type, vote, convertOptions } = row?.record ?? {}
    assert.deepEqual([type, vote, convertOptions, row?.queuedRequest], ['text', '[]', 'A|B', { fallback: 'x' }])
    const told = await store.rows("SELECT FROM event WHERE kind = 'messages_update'")
    assert.equal(told.length, 1)
    await journal.write([{ ...change, set: { queuedRequest: null } }])
    assert.equal((await reader.messagesById(instance, [poll.messageid]))[0]?.queuedRequest, null)
  })

  it('keep each edit once, the newest of them whatever their number and size, and their first text', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const reader = createReader(store.database.pool, store.encryption)
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const message = aMessage({ chat, text: 'first', proto: new Uint8Array([1]) })
    const edit = (text: string, atMs: number) => ({
      type: 'message.update' as const,
      messageids: [message.messageid],
      set: { edited: { text, atMs }, content: text },
      announce: { type: 'Edited', state: 'Edited', event: {} },
    })
    const read = async () => {
      const [row] = await reader.messagesById(instance, [message.messageid])
      const record = row?.record as { text: string; edited: string }
      return { text: record.text, edited: record.edited, edits: parseEdits(record) ?? [], present: row?.presentText }
    }
    const told = async () => (await store.rows("SELECT FROM event WHERE kind = 'messages_update'")).length
    // In one batch, with what the network delivers twice.
    await journal.write([received(message), edit('second', 1), edit('third, "so"\n', 2), edit('second', 1)])
    await journal.write([edit('third, "so"\n', 2)])
    const { text, edits, present } = await read()
    assert.deepEqual(
      [text, edits, present],
      [
        'first',
        [
          { text: 'second', at: 1 },
          { text: 'third, "so"\n', at: 2 },
        ],
        'third, "so"\n',
      ],
    )
    assert.equal(await told(), 2)
    for (let count = 1; count <= 60; count += 1) await journal.write([edit(`edit ${count}`, 100 + count)])
    assert.deepEqual(
      (await read()).edits.map(({ at }) => at),
      Array.from({ length: 50 }, (_, index) => 111 + index),
    )
    for (let count = 1; count <= 8; count += 1) await journal.write([edit('é'.repeat(10_000), 200 + count)])
    const large = await read()
    assert.deepEqual([large.edits.map(({ at }) => at)], [[206, 207, 208]])
    assert.ok(Buffer.byteLength(large.edited) <= 65_536)
    await journal.write([edit('x'.repeat(90_000), 300)])
    const newest = await read()
    assert.deepEqual([newest.text, newest.edits.length, newest.present?.length], ['first', 1, 90_000])
  })

  it('stay unchanged if release 0.1.0 had edited them, and get a history then', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const reader = createReader(store.database.pool, store.encryption)
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const { messageid, ...message } = aMessage({ chat, text: 'first' })
    await journal.write([received({ messageid, ...message })])
    const read = async () => {
      const [row] = await reader.messagesById(instance, [messageid])
      return [row?.record.text, row?.record.edited, row?.presentText]
    }
    const noJson = '[{"text":'
    await store.rows(`UPDATE message SET "text" = $2, "edited" = $2 WHERE "messageid" = $1`, [messageid, noJson])
    assert.deepEqual(await read(), [noJson, noJson, noJson])
    await journal.write([
      { type: 'message.update', messageids: [messageid], set: { edited: { text: 'third', atMs: 8 } } },
    ])
    assert.deepEqual(await read(), [noJson, '[{"text":"third","at":8}]', 'third'])
  })

  it('are found as votes of a poll at a cost that does not grow with the votes of one stranger', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const reader = createReader(store.database.pool, store.encryption)
    const stranger = '5511888880009@s.whatsapp.net' as Jid
    const content = { selectedOptions: ['yes'], senderTimestampMs: 20 }
    const vote = { chat, messageType: 'poll', quoted: 'POLL', content, messageTimestampMs: 1_000 }
    const [other, flood] = [
      aMessage({ ...vote, sender: chat.pn, senderPn: chat.pn }),
      aMessage({ ...vote, sender: stranger, senderPn: stranger }),
    ]
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(other), received(flood)])
    const columns = (
      await store.rows<{ name: string }>(
        `SELECT quote_ident(column_name) AS name FROM information_schema.columns WHERE table_name = 'message' AND table_schema = current_schema()
       AND column_name NOT IN ('messageid', 'id', 'position') AND is_generated = 'NEVER' AND is_identity = 'NO'`,
      )
    ).map(({ name }) => name)
    await store.rows(
      `INSERT INTO message (messageid, id, ${columns.join()})
       SELECT 'FLOOD' || n, 'r' || lpad(to_hex(n), 7, '0'), ${columns.map((name) => `m.${name}`).join()}
       FROM message AS m, generate_series(1, 20000) AS n WHERE m.messageid = $1`,
      [flood.messageid],
    )
    await store.rows('ANALYZE message')
    const query = t.mock.method(store.database.pool, 'query')
    const votes = await reader.pollVotes(instance, 'POLL' as MessageId)
    const [text = '', values] = (query.mock.calls[0]?.arguments ?? []) as unknown as [string?, unknown[]?]
    query.mock.restore()
    assert.deepEqual(new Set(votes.map(({ voter }) => voter.pn)), new Set([chat.pn, stranger]))
    type Plan = { readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>> }
    const [explained] = await store.rows<{ 'QUERY PLAN': readonly Plan[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    )
    const plan = explained?.['QUERY PLAN'][0]?.Plan
    const pages = (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN)
    assert.ok(pages < 200, `${pages} pages of PostgreSQL`)
  })

  it('are read in order if they are votes of a poll, the newest of each voter and address', async (t) => {
    const store = await openTestStore(t)
    const [instance, other] = [await store.newInstance(), await store.newInstance()]
    const reader = createReader(store.database.pool, store.encryption)
    const somebody = '5511888880002@s.whatsapp.net' as Jid
    // As a stranger may write it, so that it is not JSON to PostgreSQL and names the fields that are looked for.
    const content = { selectedOptions: ['\0"senderTimestampMs":99'], senderTimestampMs: '20' }
    const vote = { chat, messageType: 'poll', quoted: 'POLL', content, messageTimestampMs: 1_000 }
    const known = { ...vote, sender: chat.pn, senderPn: chat.pn, senderLid: chat.lid }
    const takenBack = {
      ...vote,
      sender: somebody,
      senderPn: somebody,
      content: { selectedOptions: [] },
      messageTimestampMs: 2_000,
    }
    const votes = [
      aMessage(known),
      aMessage({ ...vote, sender: chat.lid, senderPn: '' as Jid, senderLid: chat.lid }),
      // Replaced: by their own clock, which the network's seconds do not tell; by what came later.
      aMessage({ ...known, content: { ...content, senderTimestampMs: 19 }, messageTimestampMs: 3_000 }),
      aMessage(takenBack),
      aMessage(takenBack),
      // Not read.
      aMessage({ ...known, content: { vote: 'x', senderTimestampMs: 99 } }),
    ]
    for (const [owner, messages] of [
      [instance, [...votes, aMessage({ ...vote, quoted: 'OTHER' }), aMessage({ ...vote, messageType: 'text' })]],
      [other, [aMessage(vote)]],
    ] as const)
      await store.journal.forInstance(owner, store.findEpoch(owner)).write(messages.map((message) => received(message)))
    assert.deepEqual(await reader.pollVotes(instance, 'POLL' as MessageId), [
      { messageid: votes[0]?.messageid, voter: chat, content, messageTimestampMs: 1_000 },
      { messageid: votes[1]?.messageid, voter: { lid: chat.lid }, content, messageTimestampMs: 1_000 },
      {
        messageid: votes[4]?.messageid,
        voter: { pn: somebody },
        content: { selectedOptions: [] },
        messageTimestampMs: 2_000,
      },
    ])
  })

  it('older than the retention go, but not those that are still to be sent, nor events still to be delivered', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([
      received(aMessage()),
      received(aMessage({ fromMe: true, wasSentByApi: true, status: 'pending' })),
    ])
    await store.rows("UPDATE message SET created = created - interval '15 days'")
    await store.rows("UPDATE event SET created = created - interval '15 days'")
    await journal.write([received(aMessage())])
    const [first] = await store.rows<{ position: number }>('SELECT position FROM event ORDER BY position LIMIT 1')
    const webhook = '00000000-0000-4000-8000-000000000000'
    await store.rows(
      `INSERT INTO webhook (id, instance_id, url, events, secret) VALUES ($1, $2, 'https://x', '{messages}', '')`,
      [webhook, instance],
    )
    await store.rows('INSERT INTO delivery (webhook_id, lane, position, instance_id) VALUES ($1, 1, $2, $3)', [
      webhook,
      first?.position,
      instance,
    ])
    const retention = createRetention({ pool: store.database.pool, batchRows: 1 })
    assert.deepEqual(await retention.run(), { messages: 1, events: 1 })
    assert.equal((await store.rows('SELECT FROM message')).length, 2)
    assert.equal((await store.rows('SELECT FROM event')).length, 2)
  })
})
