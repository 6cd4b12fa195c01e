import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Change, InstanceJournal } from '../../../actors/instance/ports.js'
import { randomHex } from '../../../lib/random.js'
import type { OpenTurn, StepRecord } from '../../../schemas/agents/turns.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createReader, type StoreReader } from '../reader.js'
import { createRetention } from '../retention.js'
import { createTurnDirectory } from './turn-directory.js'

const MINUTE_MS = 60_000

/** Writes what the owner of one instance writes. */
class Owner {
  readonly chat: ChatAddress = { pn: `5511${Number.parseInt(randomHex(4), 16)}@s.whatsapp.net` as Jid }
  readonly store: TestStore
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: StoreReader

  constructor(store: TestStore, instance: InstanceId, reader: StoreReader) {
    this.store = store
    this.instance = instance
    this.journal = store.journal.forInstance(instance, store.findEpoch(instance))
    this.reader = reader
  }

  message(more: Partial<Parameters<typeof aMessage>[0]> = {}) {
    return aMessage({ chat: this.chat, sender: this.chat.pn as Jid, ...more })
  }

  incoming(message = this.message(), more: Partial<Extract<Change, { type: 'agent.incoming' }>> = {}): Change[] {
    const { chat, messageid } = message
    const wanted = { turn: turnId(), isWanted: true, delayMs: 10_000, stickyMs: 3_600_000 }
    return [received(message), { type: 'agent.incoming', chat, messageid, ...wanted, ...more }]
  }

  /** Returns the open turn of the chat. */
  async open(): Promise<OpenTurn | null> {
    const turns = await this.reader.openTurns(this.instance, 50)
    return turns.find(({ chat }) => chat.pn === this.chat.pn) ?? null
  }

  async begun(delayMs = 0): Promise<OpenTurn> {
    await this.journal.write(this.incoming(this.message(), { delayMs }))
    const turn = (await this.open()) as OpenTurn
    const { id, generation } = turn
    await this.journal.write([
      {
        type: 'agent.turn',
        kind: 'begin',
        turn: id,
        generation,
        triggerId: 't1',
        agentId: 'a1',
        answerMs: 600_000,
        lastPosition: 2 ** 40,
      },
      { type: 'agent.turn', kind: 'ask', turn: id, generation, ...aCall, isFirst: true },
    ])
    return turn
  }

  async reply({ id, generation }: OpenTurn, ...texts: string[]): Promise<MessageId[]> {
    const parts = texts.map((text) => ({ text, messageid: `3EB0${randomHex(8)}` as MessageId }))
    const about = { metadata: '{"agent_id":"a1"}', outcome: 'done', reason: '', error: '', isFallback: false } as const
    await this.journal.write([
      { type: 'agent.turn', kind: 'reply', turn: id, generation, step: aStep, parts, ...about },
    ])
    return parts.map(({ messageid }) => messageid)
  }

  sent({ id, generation }: OpenTurn, part: number, messageid: MessageId): Change[] {
    const message = this.message({ messageid, fromMe: true, status: 'pending', wasSentByApi: true })
    const sent = { kind: 'sent', turn: id, generation, part, messageid, nextTurn: turnId() } as const
    return [
      { type: 'message', message, announce: false },
      { type: 'agent.turn', ...sent },
    ]
  }

  async states(): Promise<string[]> {
    const { turns } = await createTurnDirectory(this.store.database.pool, { turns: 2_000, tokens: 2_000_000 }).list(
      this.instance,
      {
        trace: false,
        limit: 50,
        cursor: '',
      },
    )
    return turns.map(({ state, reason }) => (reason === '' ? state : `${state} ${reason}`))
  }
}

const aCall = { call: 'c1', reserved: 1_000, estimate: { tokens: 600, costMicros: 3 } }

const aStep: StepRecord = {
  number: 0,
  text: 'Hi',
  calls: [],
  raw: null,
  finish: 'stop',
  usage: { inputTokens: 30, outputTokens: 7, isEstimate: false },
  warnings: [],
  ms: 5,
  call: 'c1',
  costMicros: 0,
}

const turnId = (): string => `r${randomHex(7)}`

describe('the stored turns of agents', () => {
  it('follow the messages of their chat and the writes of their owner', async (t: TestContext) => {
    const store = await openTestStore(t)
    const reader = createReader(store.database.pool, store.encryption)
    const owner = async (): Promise<Owner> => new Owner(store, await store.newInstance(), reader)

    await t.test('open with the message, once, and take in a burst until a minute has passed', async () => {
      const one = await owner()
      const first = one.message()
      await one.journal.write(one.incoming(first))
      await one.journal.write(one.incoming(first))
      const opened = (await one.open()) as OpenTurn
      assert.ok(opened.dueInMs > 9_000 && opened.dueInMs <= 10_000)
      await one.journal.write([...one.incoming(), ...one.incoming(one.message(), { delayMs: 2 * MINUTE_MS })])
      const joined = (await one.open()) as OpenTurn
      assert.equal(joined.id, opened.id)
      assert.ok(joined.dueInMs > 50_000 && joined.dueInMs <= MINUTE_MS)
      assert.ok(joined.lastPosition > joined.firstPosition)
      assert.equal(joined.generation, 1)
    })

    await t.test('do not open while agents pause, for blocked people, or without words that fit', async () => {
      const one = await owner()
      await one.journal.write(one.incoming(one.message(), { isWanted: false }))
      assert.equal(await one.open(), null)
      await one.journal.write([{ type: 'agent.pause', chat: one.chat, pauseMs: MINUTE_MS }])
      await one.journal.write(one.incoming())
      assert.equal(await one.open(), null)
      const other = await owner()
      await other.journal.write([received(other.message())])
      await other.journal.write([{ type: 'blocked', kind: 'block', people: [other.chat] }])
      await other.journal.write(other.incoming())
      assert.equal(await other.open(), null)
    })

    await t.test('stay with a chat that was answered, whatever its words', async () => {
      const one = await owner()
      const turn = await one.begun()
      const [id] = await one.reply(turn, 'Hi')
      await one.journal.write(one.sent(turn, 0, id as MessageId))
      await one.journal.write(one.incoming(one.message(), { isWanted: false }))
      assert.equal((await one.open())?.state, 'waiting')
    })

    await t.test(
      'begin again for a message while the model is asked, and drop what was for the former one',
      async () => {
        const one = await owner()
        const turn = await one.begun()
        await one.journal.write(one.incoming(one.message(), { delayMs: 0 }))
        const again = (await one.open()) as OpenTurn
        assert.deepEqual([again.id, again.state, again.generation], [turn.id, 'waiting', 2])
        await one.reply(turn, 'Too early')
        assert.deepEqual(await reader.turnReplies(one.instance, turn.id), [])
        assert.equal((await one.open())?.state, 'waiting')
      },
    )

    await t.test('leave a message that comes while they reply to the next turn', async () => {
      const one = await owner()
      const turn = await one.begun()
      const [first, second] = (await one.reply(turn, 'One', 'Two')) as [MessageId, MessageId]
      await one.journal.write(one.incoming(one.message(), { delayMs: 0 }))
      assert.deepEqual([(await one.open())?.state, (await one.open())?.generation], ['replying', 1])
      await one.journal.write(one.sent(turn, 0, first))
      assert.equal((await one.open())?.id, turn.id)
      await one.journal.write(one.sent(turn, 1, second))
      const next = (await one.open()) as OpenTurn
      assert.deepEqual([next.id === turn.id, next.state], [false, 'waiting'])
      assert.ok(next.firstPosition > turn.lastPosition)
      assert.deepEqual(await one.states(), ['waiting', 'done'])
    })

    await t.test('give each part to one message, which keeps what it was made of, and count tokens', async () => {
      const one = await owner()
      const turn = await one.begun()
      const [id] = (await one.reply(turn, 'Hi')) as [MessageId]
      await one.journal.write(one.sent(turn, 0, id))
      await assert.rejects(one.journal.write(one.sent(turn, 0, 'TWICE' as MessageId)), GatewayError)
      const messages = await reader.messagesById(one.instance, [id, 'TWICE' as MessageId])
      assert.deepEqual(
        messages.map(({ record }) => record.ai_metadata),
        [{ agent_id: 'a1' }],
      )
      const usage = await reader.dayUsage(one.instance)
      assert.deepEqual([usage.turns, usage.reserved, usage.tokensIn, usage.tokensOut], [1, 0, 30, 7])
    })

    await t.test('end with the word that stops agents and with a person who answers, and pause the chat', async () => {
      const one = await owner()
      const turn = await one.begun()
      const ids = await one.reply(turn, 'One', 'Two')
      await one.journal.write(one.sent(turn, 0, ids[0] as MessageId))
      const mine = one.message({ fromMe: true })
      const halt = { type: 'agent.halt', chat: one.chat, messageid: mine.messageid, reason: 'person_answered' } as const
      await one.journal.write([received(mine), { ...halt, pauseMs: 60 * MINUTE_MS }])
      await one.journal.write([received(mine), { ...halt, pauseMs: MINUTE_MS }])
      assert.equal(await one.open(), null)
      const replies = await reader.turnReplies(one.instance, turn.id)
      assert.deepEqual(
        replies.map(({ state }) => state),
        ['sent', 'skipped'],
      )
      await assert.rejects(one.journal.write(one.sent(turn, 1, ids[1] as MessageId)), GatewayError)
      const chat = await reader.turnChat(one.instance, one.chat)
      assert.ok(Number(chat?.record.chatbot_disableUntil) - (chat?.nowMs ?? 0) > 59 * MINUTE_MS)
      assert.deepEqual(await one.states(), ['cancelled person_answered'])
    })

    await t.test('become one when two chats turn out to be one person', async () => {
      const one = await owner()
      const lid = `${Number.parseInt(randomHex(5), 16)}00001@lid` as Jid
      await one.journal.write(one.incoming())
      const other = aMessage({ chat: { lid }, sender: lid })
      await one.journal.write(one.incoming(other))
      await one.journal.write([{ type: 'mapping', lid, pn: one.chat.pn as Jid }])
      assert.deepEqual((await one.states()).toSorted(), ['cancelled merged', 'waiting'])
      const kept = (await one.open()) as OpenTurn
      assert.ok(kept.lastPosition > kept.firstPosition)
      assert.equal(kept.chat.lid, lid)
    })

    await t.test(
      'are deleted after the time for messages with their steps, calls and messages, and others stay',
      async () => {
        const [old, young, open] = [await owner(), await owner(), await owner()]
        const name = 'find_order'
        for (const one of [old, young, open]) {
          const turn = await one.begun()
          const { id, generation } = turn
          const row = { turn: id, generation, step: 0, call: 0, name, result: null } as const
          const step = { ...aStep, calls: [{ id: 'c', name, arguments: '{}' }] }
          await one.journal.write([
            { type: 'agent.turn', kind: 'step', turn: id, generation, step, hasEffects: false },
            { type: 'agent.call', row },
          ])
          if (one === open) continue
          const [messageid] = (await one.reply(turn, 'Hi')) as [MessageId]
          await one.journal.write(one.sent(turn, 0, messageid))
        }
        // A call without its turn, as a crash between two deletions would leave it.
        await old.journal.write([
          { type: 'agent.call', row: { turn: 'rgone', generation: 1, step: 0, call: 0, name, result: null } },
        ])
        for (const column of ['agent_turn SET ended', 'agent_turn SET created', 'agent_call SET updated'])
          await store.rows(`UPDATE ${column} = now() - interval '2 days' WHERE instance_id = $1`, [old.instance])
        await createRetention({ pool: store.database.pool, messagesMs: 24 * 60 * MINUTE_MS }).run()
        const counts = async ({ instance }: Owner) => {
          const count = (table: string) => `(SELECT count(*)::int FROM ${table} WHERE instance_id = $1)`
          const tables = ['agent_turn', 'agent_step', 'agent_call', 'agent_reply']
          const [row] = await store.rows<Record<string, number>>(
            `SELECT ${tables.map((table) => `${count(table)} AS ${table}`).join(', ')}`,
            [instance],
          )
          return tables.map((table) => row?.[table])
        }
        assert.deepEqual(await counts(old), [0, 0, 0, 0])
        // The step with the call, and that of the answer.
        assert.deepEqual(await counts(young), [1, 1, 1, 1])
        assert.deepEqual(await counts(open), [1, 1, 1, 0])
      },
    )

    await t.test('can be retried when they ended without an answer, and are gone with their chat', async () => {
      const one = await owner()
      const turn = await one.begun()
      const retry = (nextTurn: string): Change => ({ type: 'agent.turn', kind: 'retry', turn: turn.id, nextTurn })
      await one.journal.write([retry(turnId())])
      assert.equal((await one.open())?.id, turn.id)
      const { id, generation } = turn
      const end = {
        state: 'failed',
        reason: 'provider_away',
        error: 'Away.',
        nextTurn: turnId(),
      } as const
      await one.journal.write([
        { type: 'agent.turn', kind: 'lost', turn: id, call: 'c1', reserved: 1_000, tokensIn: 600, costMicros: 3 },
        { type: 'agent.turn', kind: 'end', turn: id, generation, ...end },
      ])
      const usage = await reader.dayUsage(one.instance)
      assert.deepEqual([usage.reserved, usage.tokensIn, usage.costMicros], [0, 600, 3])
      await one.journal.write([retry(turnId())])
      assert.equal((await one.open())?.firstPosition, turn.firstPosition)
      const beforeMs = Date.now() + 60_000
      await one.journal.write([{ type: 'chat.remove', chat: one.chat, beforeMs, isDropped: true }])
      assert.deepEqual(await one.states(), [])
    })

    await t.test('count a call without an end by its estimate, once, when they are resumed or given up', async () => {
      const counted = async ({ instance }: { instance: InstanceId }) => {
        const { reserved, tokensIn, tokensOut, costMicros } = await reader.dayUsage(instance)
        return [reserved, tokensIn, tokensOut, costMicros]
      }
      const lost = (turn: string, call = 'c1'): Change => ({
        ...{ type: 'agent.turn', kind: 'lost', turn, call, reserved: 1_000, tokensIn: 600, costMicros: 3 },
      })
      const abandoned: Change = { type: 'agent.turn', kind: 'abandoned' }
      const end = { type: 'agent.turn', kind: 'end', state: 'failed', reason: 'too_old', error: '' } as const
      const of = ({ id, generation }: OpenTurn) => ({ turn: id, generation, nextTurn: turnId() })
      // The next owner finds it.
      const one = await owner()
      const first = await one.begun()
      assert.deepEqual([await reader.hasLostCalls(one.instance), await counted(one)], [true, [1_000, 0, 0, 0]])
      await one.journal.write([abandoned])
      assert.deepEqual([await reader.hasLostCalls(one.instance), await counted(one)], [false, [0, 600, 0, 3]])
      await one.journal.write([abandoned, lost(first.id)])
      assert.deepEqual(await counted(one), [0, 600, 0, 3])
      // The turn asks again.
      const ask = { type: 'agent.turn', kind: 'ask', isFirst: false, ...aCall } as const
      await one.journal.write([{ ...ask, ...of(first), call: 'c2' }])
      await one.journal.write([{ ...ask, ...of(first), call: 'c3' }, lost(first.id, 'c2')])
      assert.deepEqual(await counted(one), [1_000, 1_200, 0, 6])
      await one.journal.write([{ ...end, ...of(first) }])
      assert.deepEqual(await counted(one), [0, 1_800, 0, 9])
      await one.journal.write([lost(first.id, 'c3')])
      assert.deepEqual(await counted(one), [0, 1_800, 0, 9])
      // An answer that comes when the turn has been ended was paid for, and takes nothing of another call.
      const other = await owner()
      const second = await other.begun()
      const mine = other.message({ fromMe: true })
      const halt = {
        type: 'agent.halt',
        chat: other.chat,
        messageid: mine.messageid,
        reason: 'person_answered',
      } as const
      await other.journal.write([received(mine), { ...halt, pauseMs: MINUTE_MS }])
      await other.journal.write([
        { type: 'agent.turn', kind: 'step', ...of(second), step: { ...aStep, costMicros: 5 }, hasEffects: false },
      ])
      assert.deepEqual(await counted(other), [0, 30, 7, 5])
    })
  })
})
