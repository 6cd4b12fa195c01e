import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Jid, MessageId } from '../../schemas/ids.js'
import { toChatId } from '../../schemas/jid.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createReader } from './reader.js'

describe('the journal', () => {
  it('keeps a received message, moves its chat, and announces it once', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const message = aMessage()

    const first = await journal.write([received(message)])
    const again = await journal.write([received(message)])

    const stored = first.messages.get(message.messageid)
    assert.equal(stored?.inserted, true)
    assert.match(String(stored?.record.id), /^r[0-9a-f]{7}$/)
    assert.equal(stored?.record.chatid, message.chat.pn)
    const repeated = again.messages.get(message.messageid)
    assert.equal(repeated?.inserted, false)
    assert.deepEqual(repeated?.record, stored?.record)
    const events = await store.rows<{ body: string; kind: string }>('SELECT kind, body FROM event')
    assert.equal(events.length, 1)
    const body = JSON.parse(events[0]?.body ?? '') as {
      chat: Record<string, unknown>
      message: Record<string, unknown>
    }
    assert.equal(body.chat.wa_unreadCount, 1)
    assert.equal(body.chat.wa_name, 'Ana')
    assert.equal(body.message.text, 'Bom dia')
    assert.equal(store.commits.flatMap((commit) => commit.events).length, 1)
  })

  it('reads the rows that a change is about, and not all of a table that has just grown', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    let messages = 0
    for (let batch = 0; batch < 100; batch++) {
      const sent = Array.from({ length: 30 }, () => aMessage({ fromMe: true, wasSentByApi: true, status: 'pending' }))
      await journal.write(sent.map(received))
      const messageids = sent.map(({ messageid }) => messageid)
      await journal.write([{ type: 'message.update', messageids, fromMe: true, set: { status: 'sent' } }])
      messages += sent.length
    }
    await store.journal.close()
    // A backend reports its counts when it ends, which nobody waits for.
    const counted = await eventually(
      async () => {
        const [row] = await store.rows<{ inserted: number; read: number }>(
          `SELECT n_tup_ins AS inserted, seq_tup_read + COALESCE(idx_tup_fetch, 0) AS read
           FROM pg_stat_user_tables WHERE relname = 'message'`,
        )
        return row
      },
      (row) => row?.inserted === messages,
    )
    const read = counted?.read ?? Number.POSITIVE_INFINITY
    assert.ok(read < 20 * messages, `read ${read} rows to write ${messages} and change each once`)
  })

  it('gives credentials and keys back as they were written, and keeps them encrypted', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const reader = createReader(store.database.pool, store.encryption)
    const secret = Buffer.from('the secret of the session')

    let encoded = 0
    const encode = () => {
      encoded++
      return secret
    }
    const writes = [
      journal.write([{ type: 'credentials', data: Buffer.from('old') }]),
      journal.write([{ type: 'keys', entries: [{ kind: 'session', id: '1', value: encode }] }]),
      journal.write([{ type: 'keys', entries: [{ kind: 'session', id: '1', value: encode }] }]),
      journal.write([{ type: 'keys', entries: [{ kind: 'session', id: '2', value: null }] }]),
      journal.write([{ type: 'credentials', data: secret }]),
    ]
    assert.ok(journal.settled())
    await Promise.all(writes)

    assert.equal(journal.settled(), undefined)
    assert.equal(encoded, 1)
    assert.deepEqual(await reader.credentials(instance), secret)
    assert.deepEqual(await reader.keys(instance, 'session', ['1', '2']), new Map([['1', secret]]))
    const [row] = await store.rows<{ data: Buffer }>('SELECT data FROM signal_key')
    assert.equal(row?.data.includes(secret), false)

    await journal.write([{ type: 'credentials', data: null }])
    assert.equal(await reader.credentials(instance), null)
    assert.equal((await store.rows('SELECT FROM signal_key')).length, 0)
  })

  it('makes one chat of a LID and a number when they turn out to be one person', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const reader = createReader(store.database.pool, store.encryption)
    const pn = '5511999990000@s.whatsapp.net' as Jid
    const lid = '123456789012345@lid' as Jid
    const early = aMessage({ chat: { lid }, sender: lid })
    const late = aMessage({ chat: { pn }, sender: pn, text: 'later' })
    await journal.write([received(early)])
    await journal.write([received(late)])
    assert.equal((await store.rows('SELECT FROM chat')).length, 2)
    const set = { lead_status: 'new', lead_field20: 'x', lead_isTicketOpen: true, lead_kanbanOrder: 3 }
    await journal.write([{ type: 'lead', chat: { lid }, set: { lead_name: 'the first' } }])
    await journal.write([{ type: 'lead', chat: { pn }, set: { lead_name: 'the second', ...set } }])

    await journal.write([{ type: 'mapping', lid, pn }])

    const chat = await reader.chat(instance, { lid })
    assert.equal((await store.rows('SELECT FROM chat')).length, 1)
    assert.equal(chat?.wa_chatid, pn)
    assert.equal(chat?.wa_chatlid, lid)
    assert.equal(chat?.wa_unreadCount, 2)
    assert.equal(chat?.wa_lastMessageTextVote, 'later')
    assert.equal(chat?.phone, '+5511999990000')
    for (const [field, value] of Object.entries({ lead_name: 'the first', ...set })) assert.equal(chat?.[field], value)
    assert.deepEqual(await reader.chat(instance, { pn }), chat)
    assert.equal(await reader.mapping(instance, lid), pn)
    assert.equal(await reader.mapping(instance, pn), lid)
    const last = await reader.lastReceived(instance, { pn }, 10)
    assert.deepEqual(
      last.map((message) => message.messageid),
      [late.messageid, early.messageid],
    )
    const written = await journal.write([received(aMessage({ chat: { lid }, sender: lid }))])
    assert.equal([...written.messages.values()][0]?.record.chatid, pn)
  })

  it('moves a status only forward, in one batch or in several, and tells only what changed', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const reader = createReader(store.database.pool, store.encryption)
    const message = aMessage({ fromMe: true, wasSentByApi: true, status: 'pending', proto: Buffer.from([1, 2]) })
    const update = (status: 'sent' | 'delivered' | 'read', messageids = [message.messageid]) =>
      journal.write([
        {
          type: 'message.update',
          messageids,
          fromMe: true,
          set: { status },
          announce: { type: 'ReadReceipt', state: status, event: { Chat: 'x' } },
        },
      ])
    const written = journal.write([received(message)])
    assert.equal((await reader.pendingSends(instance)).length, 0)
    await written
    const [pending] = await reader.pendingSends(instance)
    assert.deepEqual(pending?.proto, Buffer.from([1, 2]))

    await Promise.all([update('sent'), update('read'), update('delivered'), update('read', ['unknown' as MessageId])])
    await update('sent')

    assert.equal((await reader.messagesById(instance, [message.messageid]))[0]?.status, 'read')
    assert.equal((await reader.pendingSends(instance)).length, 0)
    const events = await store.rows<{ body: string }>(
      "SELECT body FROM event WHERE kind = 'messages_update' ORDER BY sequence",
    )
    const bodies = events.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    assert.deepEqual(
      bodies.map((body) => body.status),
      ['sent', 'read'],
    )
    const chat = { Chat: toChatId(message.chat), chat_lid: '', IsGroup: false, groupName: '' }
    assert.deepEqual(bodies[0]?.event, { ...chat, MessageIDs: [message.messageid] })
  })
})
