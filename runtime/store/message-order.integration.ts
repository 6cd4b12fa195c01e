import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Change } from '../../actors/instance/ports.js'
import type { Jid } from '../../schemas/ids.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createMessages } from './messages.js'
import { createReader } from './reader.js'

const pn = '5511999990001@s.whatsapp.net' as Jid
const lid = '333333333333333@lid' as Jid
const other = { pn: '5511999990002@s.whatsapp.net' as Jid }
const NOW = 1_800_000_000_000

describe('the order of messages', () => {
  for (const [name, skewMs] of [
    ['5 s fast', 5_000],
    ['5 s slow', -5_000],
  ] as const)
    it(`is that of the journal while the clock of the node is ${name}, with the times as they were told`, async (t) => {
      const { write, texts, chat, times } = await opened(t)
      const theirs = (text: string, second: number) => write(says(text, { messageTimestampMs: NOW + 1_000 * second }))
      const ours = (text: string, second: number) =>
        write(says(text, { fromMe: true, messageTimestampMs: NOW + 1_000 * second + skewMs + 700 }))
      await theirs('one', 0)
      await ours('two', 0)
      await theirs('three', 1)
      await write(says('elsewhere', { chat: other, messageTimestampMs: NOW + 1_000 }))
      await ours('four', 2)
      await write(says('five', { messageTimestampMs: NOW + 2_000 }), says('six', { messageTimestampMs: NOW + 1_000 }))
      const all = ['one', 'two', 'three', 'four', 'five', 'six']
      assert.deepEqual(await texts({ pn }), all)
      assert.deepEqual(await texts(), ['one', 'two', 'three', 'elsewhere', 'four', 'five', 'six'])
      assert.equal((await chat()).wa_lastMessageTextVote, 'six')
      assert.deepEqual(
        (await times()).map((time) => time - NOW),
        [0, skewMs + 700, 1_000, skewMs + 2_700, 2_000, 1_000],
      )
    })

  it('has a queued message where it leaves', async (t) => {
    const { write, texts } = await opened(t)
    const queued = says('queued', { fromMe: true, wasSentByApi: true, status: 'queued', messageTimestampMs: NOW })
    await write(queued)
    await write(says('question', { messageTimestampMs: NOW + 9_000 }))
    const { messageid } = (queued as { message: NewMessage }).message
    await write({
      type: 'message.update',
      messageids: [messageid],
      fromMe: true,
      set: { status: 'pending', messageTimestampMs: NOW + 4_000 },
      announce: { type: 'Status', state: 'Pending', event: {} },
    })
    await write(says('answer', { messageTimestampMs: NOW + 8_000 }))
    assert.deepEqual(await texts({ pn }), ['question', 'queued', 'answer'])
  })

  it('has a history before the live messages of its pairing, by its times, whenever it comes', async (t) => {
    const { write, texts, chat, unpair } = await opened(t)
    await write(past('first', NOW - 9_000))
    await write(says('live', { messageTimestampMs: NOW - 5_000 }))
    await write(says('live too', { fromMe: true, messageTimestampMs: NOW }))
    // The fourth is later than the live ones by the network's clock.
    await write(past('third', NOW - 5_000), past('fourth', NOW + 1_000))
    await write(past('second', NOW - 8_000))
    assert.deepEqual(await texts({ pn }), ['first', 'second', 'third', 'fourth', 'live', 'live too'])
    assert.equal((await chat()).wa_lastMessageTextVote, 'live too')
    // The history of the next pairing has what was said meanwhile.
    await unpair()
    await write(past('meanwhile', NOW + 60_000))
    assert.equal((await texts({ pn })).at(-1), 'meanwhile')
    await write(says('again', { messageTimestampMs: NOW + 50_000 }))
    await write(past('late', NOW + 70_000))
    assert.deepEqual((await texts({ pn })).slice(-3), ['meanwhile', 'late', 'again'])
    assert.equal((await chat()).wa_lastMessageTextVote, 'again')
  })

  it('does not decide what an agent remembers after a reset: that is when a message arrived', async (t) => {
    const { write, remembered } = await opened(t)
    const startMs = Date.now() - 60_000
    const second = (timeMs: number) => Math.floor(timeMs / 1000) * 1000
    await write(says('before', { messageTimestampMs: second(startMs) }))
    // The clock of this node, or of the network, is wrong: what follows stands 20 minutes ahead.
    await write(says('ahead', { fromMe: true, messageTimestampMs: startMs + 20 * 60_000 }))
    await write(says('in the second before', { messageTimestampMs: second(Date.now()) }))
    const resetMs = await arrivedLater()
    await write(says('after', { messageTimestampMs: second(Date.now() - 5_000) }))
    await write(past('of the history', resetMs - 30_000), past('of the history after the reset', resetMs + 30_000))
    assert.deepEqual(await remembered(resetMs), ['of the history after the reset', 'after'])

    async function arrivedLater(): Promise<number> {
      const beginMs = Date.now()
      await eventually(() => Date.now() > beginMs + 2)
      const nowMs = Date.now()
      await eventually(() => Date.now() > nowMs + 2)
      return nowMs
    }
  })

  it('has no place in the memory of an agent for what clients do not show', async (t) => {
    const { write, remembered } = await opened(t)
    await write(says('a question', {}))
    for (const type of ['keepInChatMessage', 'protocolMessage', 'groupRootKeyShareMessage'])
      await write(says('Control data of WhatsApp', { messageType: 'other', type, isQuiet: true }))
    await write(says('an order', { messageType: 'other', type: 'orderMessage' }))
    assert.deepEqual(await remembered(0), ['a question', 'an order'])
  })

  it('is kept when the chat of a LID is merged with that of its number', async (t) => {
    const { write, texts, chat } = await opened(t)
    await write(says('to the number', { fromMe: true, messageTimestampMs: NOW + 5_000 }))
    await write(says('from the LID', { chat: { lid }, sender: lid, messageTimestampMs: NOW }))
    await write(says('to the number again', { fromMe: true, messageTimestampMs: NOW + 6_000 }))
    await write(says('from the LID again', { chat: { lid }, sender: lid, messageTimestampMs: NOW + 1_000 }))
    await write({ type: 'mapping', lid, pn })
    const all = ['to the number', 'from the LID', 'to the number again', 'from the LID again']
    assert.deepEqual(await texts({ pn }), all)
    assert.equal((await chat()).wa_lastMessageTextVote, 'from the LID again')
  })
})

function says(text: string, more: Partial<NewMessage>): Change {
  return received(aMessage({ chat: { pn }, sender: pn, text, ...more }))
}

function past(text: string, messageTimestampMs: number): Change {
  const message = aMessage({ chat: { pn }, sender: pn, text, messageTimestampMs })
  return { type: 'message', message, announce: false, history: true }
}

async function opened(t: Parameters<typeof openTestStore>[0]) {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  const messages = createMessages(store.database.pool)
  const reader = createReader(store.database.pool, store.encryption)
  const write = (...changes: Change[]) => journal.write(changes)
  /** All pages, from the newest on, read in small pages. */
  const found = async (chat?: { pn: Jid }) => {
    const all: Record<string, unknown>[] = []
    for (let before: string | null | undefined; before !== null; ) {
      const query = { limit: 2, offset: 0, ...(chat && { chatid: chat.pn }), ...(before && { before }) }
      const page = await messages.find(instance, query)
      all.unshift(...page.messages.toReversed())
      before = page.hasMore ? page.older : null
    }
    return all
  }
  return {
    write,
    texts: async (chat?: { pn: Jid }) => {
      const all = await found(chat)
      if (chat !== undefined) {
        const history = await reader.chatHistory(instance, chat, { max: 50, min: 50, sinceMs: 0, afterMs: 0 })
        assert.deepEqual(
          history.map(({ text }) => text),
          all.map(({ text }) => text),
        )
      }
      return all.map(({ text }) => text)
    },
    remembered: async (afterMs: number) => {
      const which = { max: 50, min: 50, sinceMs: 0, afterMs }
      return (await reader.chatHistory(instance, { pn }, which)).map(({ text }) => text)
    },
    times: async () => (await found({ pn })).map(({ messageTimestamp }) => Number(messageTimestamp)),
    chat: async () => {
      const [row] = await store.rows<Record<string, unknown>>(
        `SELECT * FROM chat WHERE instance_id = $1 AND "wa_chatid" = $2`,
        [instance, pn],
      )
      return row ?? {}
    },
    unpair: () => write({ type: 'credentials', data: null } as Change),
  }
}
