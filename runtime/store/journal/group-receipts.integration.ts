import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { receiptChanges } from '../../../actors/instance/message-changes.js'
import type { ReceiptEvent } from '../../../actors/network/port/events.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createMessages } from '../messages.js'

const GROUP = '120363000000000001@g.us' as Jid
const MAX_MS = 50
const memberAt = (index: number) => `${100_000_000_000_000 + index}@lid` as Jid

describe('receipts of a group', () => {
  const group = (members: number) =>
    ({
      jid: GROUP,
      name: 'a "role":" in the name',
      topic: '',
      participants: Array.from({ length: members + 1 }, (_, index) => ({
        jid: memberAt(index),
        other: null,
        role: 'member',
      })),
    }) as unknown as GroupInfo

  async function sentTo(store: TestStore, members: number | null) {
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const message = aMessage({ fromMe: true, chat: { group: GROUP }, isGroup: true, status: 'sent' })
    if (members !== null) await journal.write([{ type: 'group', kind: 'keep', group: group(members) }])
    await journal.write([received(message)])
    const receipt = (index: number, status: ReceiptEvent['status'], more: Partial<ReceiptEvent> = {}) =>
      receiptChanges({
        type: 'receipt',
        messageids: [message.messageid],
        status,
        chat: { group: GROUP },
        sender: { lid: memberAt(index) },
        reader: memberAt(index),
        byMe: false,
        timestampMs: 1_760_000_000_000 + index,
        ...more,
      })
    return { instance, journal, message, receipt, states: () => statesIn(store, instance) }
  }

  async function statesIn(store: TestStore, instance: InstanceId) {
    const events = await store.rows<{ body: string }>(
      `SELECT body FROM event WHERE instance_id = $1 AND kind = 'messages_update' ORDER BY sequence`,
      [instance],
    )
    const rows = await store.rows<{ status: string }>('SELECT "status" FROM message WHERE instance_id = $1', [instance])
    const told = events.map(({ body }) => JSON.parse(body) as { state: string; status: string })
    return [rows.map(({ status }) => status).join(), ...told.map(({ state, status }) => `${state} ${status}`)]
  }

  it('move the status when all members have the message, and say so once', async (t) => {
    const store = await openTestStore(t)
    const { instance, journal, message, receipt, states } = await sentTo(store, 3)
    await journal.write([...receipt(1, 'delivered'), ...receipt(2, 'read')])
    await journal.write(receipt(2, 'delivered'))
    assert.deepEqual(await states(), ['sent'])
    await journal.write([...receipt(3, 'read'), ...receipt(3, 'read')])
    assert.deepEqual(await states(), ['delivered', 'Delivered delivered'])
    await journal.write(receipt(1, 'played'))
    assert.deepEqual(await states(), ['read', 'Delivered delivered', 'Read read'])
    const { people, ...counts } = await createMessages(store.database.pool).receipts(instance, message.messageid, {
      limit: 10,
      offset: 0,
    })
    assert.deepEqual(
      [counts.members, counts.delivered, counts.read, counts.played, counts.status],
      [3, 3, 3, 1, 'read'],
    )
    assert.deepEqual(
      people.map(({ person, playedMs }) => [person.lid, playedMs]),
      [
        [memberAt(3), null],
        [memberAt(2), null],
        [memberAt(1), 1_760_000_000_001],
      ],
    )
  })

  it('of one write have the events of several', async (t) => {
    const store = await openTestStore(t)
    const { journal, receipt, states } = await sentTo(store, 2)
    await journal.write([...receipt(1, 'read'), ...receipt(2, 'delivered'), ...receipt(2, 'read')])
    assert.deepEqual(await states(), ['read', 'Delivered delivered', 'Read read'])
  })

  it('of another group, of unknown messages and of messages of others change nothing', async (t) => {
    const store = await openTestStore(t)
    const { journal, receipt, states, instance } = await sentTo(store, 1)
    const theirs = aMessage({ chat: { group: GROUP }, isGroup: true, status: 'sent' })
    await journal.write([received(theirs)])
    const others = { chat: { group: '120363000000000002@g.us' as Jid } }
    await journal.write([
      ...receipt(1, 'read', others),
      ...receipt(1, 'read', { messageids: ['3EBNONE' as MessageId, theirs.messageid] }),
    ])
    assert.equal((await states())[0], 'sent,sent')
    assert.deepEqual(await store.rows('SELECT FROM message_receipt WHERE instance_id = $1', [instance]), [])
  })

  it('count once the group is known', async (t) => {
    const store = await openTestStore(t)
    const { journal, receipt, states } = await sentTo(store, null)
    await journal.write(receipt(1, 'delivered'))
    assert.deepEqual(await states(), ['sent'])
    await journal.write([{ type: 'group', kind: 'keep', group: group(2) }])
    await journal.write(receipt(2, 'delivered'))
    assert.deepEqual(await states(), ['delivered', 'Delivered delivered'])
  })

  it('of 1,024 members are one statement, block nothing and leave one row for each', async (t) => {
    const batches: number[] = []
    const store = await openTestStore(t, { onBatch: ({ changes }) => batches.push(changes) })
    const { instance, journal, receipt, states, message } = await sentTo(store, 1_023)
    const before = batches.length
    const ms = await longestStopMs(
      () => journal.write(Array.from({ length: 1_023 }, (_, index) => receipt(index + 1, 'read')).flat()),
      MAX_MS,
    )
    assert.ok(ms < MAX_MS, `${ms.toFixed(1)} ms`)
    assert.ok(batches.length > before)
    assert.equal((await states())[0], 'read')
    const page = await createMessages(store.database.pool).receipts(instance, message.messageid, {
      limit: 1_000,
      offset: 1_000,
    })
    assert.deepEqual([page.members, page.read, page.people.length], [1_023, 1_023, 23])
  })

  it('are kept of 2,048 people at most', async (t) => {
    const store = await openTestStore(t)
    const { instance, journal, receipt } = await sentTo(store, 5_000)
    for (let from = 1; from < 4_000; from += 1_000)
      await journal.write(Array.from({ length: 1_000 }, (_, index) => receipt(from + index, 'delivered')).flat())
    const [kept] = await store.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM message_receipt WHERE instance_id = $1',
      [instance],
    )
    assert.equal(kept?.count, 3_000, 'a batch that begins below the limit is kept')
  })
})
