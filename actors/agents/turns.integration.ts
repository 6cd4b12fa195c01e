import assert from 'node:assert/strict'
import { setMaxListeners } from 'node:events'
import { describe, it } from 'node:test'
import { LRUCache } from 'lru-cache'
import { randomHex } from '../../lib/random.js'
import { createTurnDirectory } from '../../runtime/store/agents/turn-directory.js'
import { createReader } from '../../runtime/store/reader.js'
import {
  type AgentModels,
  type ModelAnswer,
  type ModelCall,
  ModelError,
  type ModelStep,
} from '../../schemas/agents/models.js'
import { type AgentRow, NO_CHATBOT } from '../../schemas/agents/records.js'
import type { FunctionAnswer, FunctionRequest } from '../../schemas/agents/tools.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { createMessageIds } from '../../schemas/message-id.js'
import type { FunctionRow } from '../../schemas/ports/records.js'
import type { SendCommand } from '../../schemas/send-request.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import { eventually } from '../../test/support/eventually.js'
import { aMessage, findShard, openTestStore, received, type TestStore, testLog } from '../../test/support/store.js'
import type { Change, InstanceJournal } from '../instance/ports.js'
import type { LiveAgentConfig } from './agents.js'
import { createAgentTools } from './tools/agent-tools.js'
import { TriggerMatcher } from './trigger-match.js'
import type { TurnContext, TurnLimits, TurnParts } from './turn-ports.js'
import { AgentTurns } from './turns.js'

const AGENT = {
  ...{
    id: 'a1',
    name: 'Bot',
    provider: 'custom',
    model: 'm',
    baseUrl: 'http://m',
    basePrompt: 'Sell bread.',
    maxTokens: 100,
  },
  ...{ temperature: null, diversityLevel: null, frequencyPenalty: null, presencePenalty: null, signMessages: false },
  ...{ readMessages: false, maxMessageLength: 30, typingDelaySeconds: 0, contextHours: 0, contextMessagesMax: 50 },
  ...{
    contextMessagesMin: 3,
    functions: null,
    knowledge: null,
    fallbackMessage: '',
    inputPrice: null,
    outputPrice: null,
  },
  ...{
    keyMask: '',
    blockedReason: '',
    blockedCode: '',
    embeddingModel: '',
    embeddingDimensions: 0,
    embeddingError: '',
    embeddingCode: '',
    created: new Date(0),
    updated: new Date(0),
  },
} as const satisfies AgentRow
const LIMITS: TurnLimits = {
  atOnceMax: 4,
  turnsPerDay: 100,
  tokensPerDay: 1_000_000,
  turnsPerChatHour: 50,
  answerMs: 600_000,
  callMs: 60_000,
}
const TWO_PARTS = 'This is the first sentence. This is the second one.'
const PARTS = ['This is the first sentence.', 'This is the second one.']

const row = (id: string, method: string, more: Partial<FunctionRow> = {}): FunctionRow => ({
  ...{ id, name: id, description: '', method, endpoint: `https://shop.example/${id}?of={{chat.phone}}`, active: true },
  ...{ headers: '{}', body: '', parameters: [], undocumented: '', headerError: false, bodyError: false },
  ...{ retrySafe: false, created: new Date(0), updated: new Date(0) },
  ...more,
})
const FUNCTIONS = [row('find', 'GET'), row('book', 'POST')]

function makeCall(name: string, given: object = {}): ModelCall {
  return { id: `call-${name}`, name, arguments: JSON.stringify(given) }
}

/** Returns the results of calls that the model was given. */
function listResults(step: ModelStep | undefined): string[] {
  return (step?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ text }) => text) : [],
  )
}

/** An owner of an instance that ends at a write: before it, or after it and before anybody learns of it. */
interface End {
  readonly write: number
  readonly isWritten: boolean
}

/** A text, calls, a failure, or any of them by the question. */
type Given = string | readonly ModelCall[] | ModelError | Promise<string>
type Answer = Given | ((step: ModelStep) => Given)

/** One instance with an agent, its store, and the owners that it has had. */
class Scene {
  readonly store: TestStore
  readonly instance: InstanceId
  journal: InstanceJournal
  readonly chat = { pn: `5511${Number.parseInt(randomHex(4), 16)}@s.whatsapp.net` as Jid }
  /** Answers of the model, and its calls. */
  readonly answers: Answer[] = []
  readonly asked: ModelStep[] = []
  /** The functions of the instance, their calls, and how they answer. */
  functions: readonly FunctionRow[] = []
  readonly requests: FunctionRequest[] = []
  result: () => Promise<string> = async () => 'done'
  /** Internal ids of the messages whose files were read. */
  readonly filesRead: string[] = []
  /** The store takes no writes. */
  isStoreAway = false
  /** Writes of owners that were not taken. */
  refusedWrites = 0
  /** Called before a turn is decided about. */
  onTurn = async (): Promise<void> => {}
  limits = LIMITS
  agent: AgentRow = AGENT
  costPerDayMicros = 0
  /** Called after each part of an answer. */
  onPart: () => Promise<unknown> = async () => undefined
  #owner: AgentTurns | null = null

  constructor(store: TestStore, instance: InstanceId) {
    this.store = store
    this.instance = instance
    this.journal = store.journal.forInstance(instance, store.findEpoch(instance))
  }

  /** Starts an owner. Resolves, if it is to end, when it has. */
  async owner(end: End | null = null): Promise<AgentTurns> {
    let isEnded = (): void => {}
    const ended = new Promise<void>((resolve) => {
      isEnded = resolve
    })
    const journal = this.#journal(end, isEnded)
    const owner = this.#made(journal)
    this.#owner = owner
    if (end === null) return owner
    void owner.run()
    await ended
    owner.stop()
    return owner
  }

  /** Lets the person write. */
  async writes(text: string, more: Partial<NewMessage> = {}): Promise<void> {
    const about = { chat: this.chat, sender: this.chat.pn, messageTimestampMs: Date.now() }
    const message = aMessage({ ...about, text, content: text, ...more })
    const changes = (this.#owner ?? this.#made(this.journal)).listChanges(message)
    await this.journal.write([received(message), ...changes])
  }

  get reader() {
    return createReader(this.store.database.pool, this.store.encryption)
  }

  /** Lets the next owners write under another epoch. The former ones cannot write. */
  async moves(epoch: number): Promise<void> {
    await this.store.rows('UPDATE shard_owner SET epoch = $2 WHERE shard = $1', [findShard(this.instance), epoch])
    this.journal = this.store.journal.forInstance(this.instance, epoch)
  }

  async sent(): Promise<string[]> {
    const rows = await this.store.rows<{ text: string }>(
      'SELECT text FROM message WHERE instance_id = $1 AND "fromMe" AND "wasSentByApi" ORDER BY position',
      [this.instance],
    )
    return rows.map(({ text }) => text)
  }

  async turns() {
    const directory = createTurnDirectory(this.store.database.pool, { turns: 2_000, tokens: 2_000_000 })
    return (await directory.list(this.instance, { trace: false, limit: 50, cursor: '' })).turns
  }

  async ends(state: string) {
    return await eventually(
      () => this.turns(),
      (turns) => turns.length > 0 && turns.every((turn) => turn.ended !== null) && turns[0]?.state === state,
    )
  }

  async events(): Promise<Record<string, unknown>[]> {
    const rows = await this.store.rows<{ body: string }>(
      `SELECT body FROM event WHERE instance_id = $1 AND kind = 'agents' ORDER BY position`,
      [this.instance],
    )
    return rows.map(({ body }) => (JSON.parse(body) as { event: Record<string, unknown> }).event)
  }

  #made(journal: InstanceJournal): AgentTurns {
    return new AgentTurns(this.#context(journal), this.#parts(journal))
  }

  #journal(end: End | null, isEnded: () => void): InstanceJournal {
    const { journal } = this
    if (end === null) return this.#watched(journal)
    let writes = 0
    return {
      settled: () => journal.settled(),
      together: (work) => journal.together(work),
      async write(changes) {
        writes += 1
        if (writes > end.write) return await new Promise(() => {})
        if (writes < end.write) return await journal.write(changes)
        if (end.isWritten) await journal.write(changes)
        isEnded()
        return await new Promise(() => {})
      },
    }
  }

  #watched(journal: InstanceJournal): InstanceJournal {
    return {
      settled: () => journal.settled(),
      together: (work) => journal.together(work),
      write: async (changes) => {
        try {
          if (this.isStoreAway) throw new Error('The store is away.')
          return await journal.write(changes)
        } catch (error) {
          this.refusedWrites += 1
          throw error
        }
      },
    }
  }

  #context(journal: InstanceJournal): TurnContext {
    const context: Partial<Record<keyof TurnContext, unknown>> = {
      id: this.instance,
      life: `${this.instance}@1`,
      logger: testLog,
      journal,
      reader: this.reader,
      resolvedChats: new LRUCache({ max: 10 }),
      messageIds: createMessageIds(Buffer.alloc(32)),
      account: { own: null, profileName: null },
      timing: { parkTimeoutMs: 100 },
      session: { isConnected: true },
      pacer: { direct() {} },
      presences: { start() {}, pause() {}, cancel() {} },
      random: () => 0.5,
      count() {},
      wakeDueIn: (ms: number) => void setTimeout(() => void this.#owner?.run(), Math.min(ms, 5_000)).unref(),
      connection: async () => ({ contacts: { lookUp: async () => this.chat } }),
    }
    return context as unknown as TurnContext
  }

  #parts(journal: InstanceJournal): TurnParts {
    const config = (): LiveAgentConfig => {
      const trigger = {
        id: 't1',
        agentId: 'a1',
        active: true,
        ignoreGroups: true,
        leadField: '',
        leadOperator: 'equals',
      }
      const more = { leadValue: '', priority: 1, wordsToStart: '', responseDelaySeconds: 0, schedule: null }
      const pauses = { stopWord: 'parar', stopMinutes: 60, ownMessageMinutes: 30 }
      const settings = { ...NO_CHATBOT, isEnabled: true, ...pauses, costPerDayMicros: this.costPerDayMicros }
      const given = { settings, agents: new Map([['a1', this.agent]]), triggers: [{ ...trigger, ...more }] }
      return {
        ...given,
        matcher: new TriggerMatcher(given as unknown as LiveAgentConfig),
      } as unknown as LiveAgentConfig
    }
    const scene = this
    return {
      agents: { config, ready: () => this.onTurn(), reload: async () => {} },
      delivery: {
        deliver: async (command, _chat, { alongside } = {}) =>
          await deliver(journal, scene, command, alongside?.() ?? []),
      },
      servers: {
        models: {
          takesImages: () => false,
          generate: (_address: unknown, step: ModelStep, { signal }: { signal: AbortSignal }) =>
            this.#generate(step, signal),
        } as unknown as AgentModels,
        knowledge: { find: async () => ({ chunks: [], isWhole: true, isByMeaning: false }) },
        tools: createAgentTools({
          records: {
            functions: async () => [...this.functions],
            findFunction: async (_instance, id) => this.functions.find((one) => one.id === id) ?? null,
          },
          http: { call: async (_instance, request, signal) => await this.#call(request, signal) },
          knowledge: null,
        }),
        files: {
          picture: async () => null,
          words: async (_instance, message) => {
            this.filesRead.push(message)
            return { text: 'words', note: null, why: null }
          },
        },
        directory: {
          findAgent: async () => this.agent,
          agentKey: async () => 'key',
          blockAgent: async (_instance, _id, reason, code) => {
            this.agent = { ...this.agent, blockedReason: reason, blockedCode: code }
          },
        },
        get limits() {
          return scene.limits
        },
        slots: { take: () => true, release: () => {} },
        blocked: { isGivenUp: () => false, forget: () => {} },
      },
    }
  }

  async #generate(step: ModelStep, signal: AbortSignal): Promise<ModelAnswer> {
    this.asked.push(step)
    setMaxListeners(0, signal)
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const next = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
    const given = await Promise.race([aborted, typeof next === 'function' ? next(step) : next])
    if (given instanceof ModelError) throw given
    const usage = { inputTokens: 20, outputTokens: 10, isEstimate: false }
    const about = { usage, warnings: [], raw: null }
    if (given !== undefined && typeof given !== 'string') return { text: '', calls: given, finish: 'calls', ...about }
    return { text: given ?? '', calls: [], finish: 'stop', ...about }
  }

  async #call(request: FunctionRequest, signal: AbortSignal): Promise<FunctionAnswer> {
    this.requests.push(request)
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const text = await Promise.race([aborted, this.result()])
    return { isAnswered: true, statusCode: 200, contentType: 'text/plain', text, isCut: false }
  }
}

/** Stores a message as the pipeline does: what is pending is relayed under its id, whatever happens. */
async function deliver(journal: InstanceJournal, scene: Scene, command: SendCommand, changes: readonly Change[]) {
  const { chat } = scene
  const text = command.content.kind === 'text' ? command.content.text : ''
  const about = { messageid: command.messageid as MessageId, chat, fromMe: true, wasSentByApi: true, text }
  const message = aMessage({ ...about, status: 'pending', content: text, messageTimestampMs: Date.now() })
  await journal.write([{ type: 'message', message, announce: true }, ...changes])
  await scene.onPart()
  return { record: {}, warnings: [] }
}

describe('turns of agents', () => {
  it('end with one answer, or with a recorded reason', async (t) => {
    const store = await openTestStore(t)
    const scene = async (...answers: Scene['answers']): Promise<Scene> => {
      const made = new Scene(store, await store.newInstance())
      made.answers.push(...answers)
      return made
    }

    for (let write = 1, isOver = false; !isOver; write++)
      for (const isWritten of [false, true])
        await t.test(`whose owner ends ${isWritten ? 'after' : 'before'} write ${write}, give one answer`, async () => {
          const one = await scene(TWO_PARTS)
          await one.writes('hello')
          const end = one.owner({ write, isWritten })
          const done = one.ends('done').then(() => 'done' as const)
          // Without a write of that number, the turn is done.
          isOver = (await Promise.race([done, end.then(() => 'ended' as const)])) === 'done'
          const next = await one.owner()
          await next.run()
          await one.ends('done')
          assert.deepEqual(await one.sent(), PARTS)
          assert.ok(one.asked.length <= 2)
        })

    for (let write = 1, isOver = false; !isOver; write++)
      for (const isWritten of [false, true])
        await t.test(
          `whose owner ends ${isWritten ? 'after' : 'before'} write ${write}, call each function once`,
          async () => {
            const calls = [makeCall('find'), makeCall('book')]
            const one = await scene((step) => (listResults(step).length === 0 ? calls : 'Booked.'))
            one.functions = FUNCTIONS
            await one.writes('hello')
            const end = one.owner({ write, isWritten })
            const done = one.ends('done').then(() => 'done' as const)
            isOver = (await Promise.race([done, end.then(() => 'ended' as const)])) === 'done'
            const next = await one.owner()
            await next.run()
            await one.ends('done')
            assert.deepEqual(await one.sent(), ['Booked.'])
            const listKeys = (id: string) =>
              one.requests
                .filter(({ url }) => url.pathname === `/${id}`)
                .map(({ headers }) => headers['idempotency-key'])
            const [found, booked] = [listKeys('find'), listKeys('book')]
            assert.ok(found.length >= 1 && found.length <= 2 && new Set(found).size === 1, JSON.stringify(found))
            const isKnown = !/not known/.test(listResults(one.asked.at(-1))[1] ?? '')
            assert.ok(booked.length === 1 || (booked.length === 0 && !isKnown), JSON.stringify([booked, isKnown]))
            assert.ok(one.requests.every(({ url }) => url.searchParams.get('of') === one.chat.pn.replace(/@.*/, '')))
          },
        )

    await t.test('begin again for a message during a call that reads, and not during one with an effect', async () => {
      const one = await scene((step) => (listResults(step).length === 0 ? [makeCall('find')] : 'Read.'))
      one.functions = FUNCTIONS
      one.result = () => new Promise(() => {})
      const owner = await one.owner()
      const calls = (count: number) =>
        eventually(
          () => one.requests.length,
          (length) => length === count,
        )
      await one.writes('first')
      await owner.run()
      await calls(1)
      one.result = async () => 'done'
      await one.writes('second')
      await owner.run()
      const [read] = await one.ends('done')
      assert.deepEqual([read?.generation, one.requests.length], [2, 2])

      let finish = (_: string): void => {}
      one.result = () =>
        new Promise((resolve) => {
          finish = resolve
        })
      one.answers[0] = (step) => (listResults(step).length === 0 ? [makeCall('book')] : 'Booked.')
      await one.writes('third')
      await owner.run()
      await calls(3)
      one.answers[0] = (step) => (listResults(step).length === 0 ? 'Then.' : 'Booked.')
      await one.writes('fourth')
      await owner.run()
      finish('done')
      await eventually(
        () => one.sent(),
        (sent) => sent.length === 3,
      )
      await one.ends('done')
      assert.deepEqual(await one.sent(), ['Read.', 'Booked.', 'Then.'])
      assert.deepEqual(
        (await one.turns()).map(({ generation }) => generation),
        [1, 1, 2],
      )
      assert.equal(one.requests.length, 3)
    })

    await t.test('hand the chat to a person, and are silent in it after that', async () => {
      const one = await scene([
        makeCall('transfer_to_human', { message: 'A person will answer. Please wait for a short moment.' }),
      ])
      const owner = await one.owner()
      await one.writes('a person, please')
      await owner.run()
      const [turn] = await one.ends('done')
      assert.equal(turn?.reason, 'transferred')
      assert.deepEqual(await one.sent(), ['A person will answer.', 'Please wait for a short moment.'])
      const chat = await one.reader.turnChat(one.instance, one.chat)
      assert.ok(Number(chat?.record.chatbot_disableUntil) - (chat?.nowMs ?? 0) > 59 * 60_000)
      assert.ok(Number(chat?.record.chatbot_agentResetMemoryAt) > 0)
      await one.writes('are you there?')
      assert.equal((await one.turns()).length, 1)
      assert.deepEqual(
        (await one.events()).map(({ Action }) => Action),
        ['transferred'],
      )
    })

    await t.test(
      'hand the chat to a person if the owner ends before the answer is stored, and say why none came',
      async () => {
        const made: string[] = []
        for (let write = 1; ; write += 1) {
          const one = await scene([
            makeCall('book', { at: '10' }),
            makeCall('transfer_to_human', { message: 'A person will answer.' }),
          ])
          one.functions = FUNCTIONS
          await one.writes('a person, please')
          await one.owner({ write, isWritten: true })
          const [before] = await one.turns()
          if (before?.state === 'replying') break
          if (before?.state !== 'calling') continue
          made.push(before.state)
          await store.rows(`UPDATE agent_turn SET answer_by = now() - interval '1 minute' WHERE instance_id = $1`, [
            one.instance,
          ])
          await (await one.owner()).run()
          const [turn] = await one.ends('failed')
          assert.deepEqual([turn?.reason, await one.sent(), one.asked.length], ['too_old', [], 1])
          assert.deepEqual(
            (await one.events()).map(({ Action, Reason }) => [Action, Reason]),
            [
              ['transferred', 'too_old'],
              ['failed', 'too_old'],
            ],
          )
          const chat = await one.reader.turnChat(one.instance, one.chat)
          assert.ok(Number(chat?.record.chatbot_disableUntil) - (chat?.nowMs ?? 0) > 59 * 60_000)
        }
        // Before and after each of the two calls.
        assert.ok(made.length >= 4, made.join(' '))
      },
    )

    await t.test('end with an event if it is too late after a function was called', async () => {
      const one = await scene([makeCall('book')], 'Booked.')
      one.functions = FUNCTIONS
      one.result = async () => {
        await store.rows(`UPDATE agent_turn SET answer_by = now() - interval '1 minute' WHERE instance_id = $1`, [
          one.instance,
        ])
        return 'booked'
      }
      await one.writes('book a table')
      await (await one.owner()).run()
      const [turn] = await one.ends('failed')
      assert.deepEqual([turn?.reason, await one.sent(), one.requests.length], ['too_old', [], 1])
      assert.deepEqual(
        (await one.events()).map(({ Action, Reason }) => [Action, Reason]),
        [['failed', 'too_old']],
      )
      const other = await scene([makeCall('book')], 'Booked.')
      other.functions = FUNCTIONS
      await other.writes('book a table')
      let write = 1
      // The owner ends when the result is stored, and the next one comes when it is too late.
      do await other.owner({ write: write++, isWritten: true })
      while ((await other.turns())[0]?.state !== 'calling')
      await store.rows(`UPDATE agent_turn SET answer_by = now() - interval '1 minute' WHERE instance_id = $1`, [
        other.instance,
      ])
      await (await other.owner()).run()
      await other.ends('failed')
      assert.deepEqual(
        (await other.events()).map(({ Action, Reason }) => [Action, Reason]),
        [['failed', 'too_old']],
      )
    })

    await t.test('hand the chat to a person even if the answer that says so comes too late', async () => {
      let one: Scene
      let write = 3
      // The owner ends when the answer is stored, and the next one comes when it is too late.
      do {
        one = await scene([makeCall('transfer_to_human', { message: 'A person will answer.' })])
        await one.writes('a person, please')
        await one.owner({ write: write++, isWritten: true })
      } while ((await one.turns())[0]?.state !== 'replying')
      await store.rows(`UPDATE agent_turn SET answer_by = now() - interval '1 minute' WHERE instance_id = $1`, [
        one.instance,
      ])
      await (await one.owner()).run()
      const [turn] = await one.ends('failed')
      assert.deepEqual([turn?.reason, await one.sent()], ['too_old', []])
      const chat = await one.reader.turnChat(one.instance, one.chat)
      assert.ok(Number(chat?.record.chatbot_disableUntil) - (chat?.nowMs ?? 0) > 59 * 60_000)
      assert.ok(Number(chat?.record.chatbot_agentResetMemoryAt) > 0)
    })

    await t.test('give up when an answer of the model is too long to be stored', async () => {
      const one = await scene('x'.repeat(600_000))
      await one.writes('hello')
      await (await one.owner()).run()
      const [turn] = await one.ends('failed')
      assert.deepEqual([turn?.reason, await one.sent()], ['provider_refused', []])
    })

    await t.test('end with an answer when the model calls without end', async () => {
      let count = 0
      const one = await scene(({ toolChoice }) =>
        toolChoice === 'none' ? 'Enough.' : [1, 2, 3].map(() => makeCall('find', { count: ++count })),
      )
      one.functions = [row('find', 'GET', { parameters: [{ name: 'count', type: 'integer' }] } as Partial<FunctionRow>)]
      await one.writes('hello')
      await (await one.owner()).run()
      await one.ends('done')
      assert.deepEqual([one.asked.length, one.requests.length, await one.sent()], [8, 16, ['Enough.']])
    })

    await t.test(
      'stop before the next call when the chat pauses, and leave no calls behind with their chat',
      async () => {
        const one = await scene([makeCall('find')])
        one.functions = FUNCTIONS
        let pause = async (): Promise<void> => {}
        one.result = async () => {
          await pause()
          return 'done'
        }
        pause = async () => void (await one.journal.write([{ type: 'agent.pause', chat: one.chat, pauseMs: 60_000 }]))
        await one.writes('hello')
        await (await one.owner()).run()
        const [turn] = await one.ends('cancelled')
        assert.deepEqual([turn?.reason, one.asked.length], ['paused', 1])
        const calls = () => store.rows('SELECT FROM agent_call WHERE instance_id = $1', [one.instance])
        assert.equal((await calls()).length, 1)
        const beforeMs = Date.now() + 60_000
        await one.journal.write([{ type: 'chat.remove', chat: one.chat, beforeMs, isDropped: true }])
        assert.deepEqual(await calls(), [])
      },
    )

    await t.test('begin again for each message that comes while the model is asked, at most twice', async () => {
      const one = await scene(new Promise<string>(() => {}))
      const owner = await one.owner()
      for (const [index, text] of ['one', 'two', 'three', 'four'].entries()) {
        if (index === 3) {
          one.answers[0] = 'Late.'
          break
        }
        await one.writes(text)
        await owner.run()
        await eventually(
          () => one.asked.length,
          (count) => count === index + 1,
        )
      }
      const last = JSON.stringify(one.asked.at(-1)?.messages)
      assert.ok(['one', 'two', 'three'].every((text) => last.includes(text)))
      assert.deepEqual(
        (await one.turns()).map(({ generation }) => generation),
        [3],
      )
      owner.stop()
      await (await one.owner()).run()
      await one.ends('done')
      assert.deepEqual(await one.sent(), ['Late.'])
    })

    await t.test('begin with a message that comes while the node looks at them', async () => {
      const one = await scene('Both.')
      one.onTurn = async () => {
        one.onTurn = async () => {}
        await one.writes('', { messageType: 'document', mediaType: 'document' })
      }
      await one.writes('first')
      await (await one.owner()).run()
      const [turn] = await one.ends('done')
      assert.deepEqual([turn?.generation, one.filesRead.length, await one.sent()], [1, 1, ['Both.']])
    })

    await t.test('are answered once if the store is away, or their shard moves, while the model is asked', async () => {
      for (const isMove of [false, true]) {
        let late = (_: string): void => {}
        const one = await scene(
          new Promise<string>((resolve) => {
            late = resolve
          }),
        )
        const former = await one.owner()
        await one.writes('hello')
        await former.run()
        await eventually(
          () => one.asked.length,
          (length) => length === 1,
        )
        if (isMove) await one.moves(2)
        else one.isStoreAway = true
        one.answers[0] = 'Of the second call.'
        late('Of the first call.')
        await eventually(
          () => one.refusedWrites,
          (count) => count > 0,
        )
        one.isStoreAway = false
        await (isMove ? await one.owner() : former).run()
        await one.ends('done')
        assert.deepEqual([await one.sent(), one.asked.length], [['Of the second call.'], 2])
        former.stop()
        if (isMove) await one.moves(1)
      }
    })

    await t.test('end the talk of two agents that answer each other, and rest in the chat', async () => {
      const [one, other] = [await scene('How can I help you today?'), await scene('What do you need, my friend?')]
      const owners = [await one.owner(), await other.owner()]
      let text = 'hello'
      let count = 0
      for (let isOver = false; !isOver; count++) {
        assert.ok(count < 12, 'They talk for ever.')
        const [to, owner] = count % 2 === 0 ? [one, owners[0]] : [other, owners[1]]
        await to.writes(text)
        await owner?.run()
        const [turn] = await eventually(
          () => to.turns(),
          (turns) => turns.every(({ ended }) => ended !== null),
        )
        isOver = turn?.state !== 'done'
        if (isOver) assert.deepEqual([turn?.state, turn?.reason], ['skipped', 'loop'])
        text = (await to.sent()).at(-1) ?? ''
      }
      const stopped = count % 2 === 1 ? one : other
      assert.deepEqual(
        (await stopped.events()).map(({ Action, Reason }) => [Action, Reason]),
        [['paused', 'loop']],
      )
      const turns = (await stopped.turns()).length
      await stopped.writes('And now?')
      assert.equal((await stopped.turns()).length, turns)
    })

    await t.test('leave the chat to a person who answers while the model is asked', async () => {
      const one = await scene(new Promise<string>(() => {}))
      const owner = await one.owner()
      await one.writes('hello')
      await owner.run()
      await eventually(
        () => one.asked.length,
        (count) => count === 1,
      )
      await one.writes('I am here.', { fromMe: true, wasSentByApi: false })
      await owner.run()
      const [turn] = await one.ends('cancelled')
      assert.equal(turn?.reason, 'person_answered')
      await one.writes('thank you')
      assert.equal((await one.turns()).length, 1)
    })

    await t.test('send no further part of an answer after the chat is paused', async () => {
      const one = await scene(TWO_PARTS)
      one.onPart = async () =>
        await store.rows(`UPDATE chat SET "chatbot_disableUntil" = 4102444800000 WHERE instance_id = $1`, [
          one.instance,
        ])
      await one.writes('hello')
      await (await one.owner()).run()
      const [turn] = await one.ends('cancelled')
      assert.deepEqual([turn?.reason, await one.sent()], ['paused', PARTS.slice(0, 1)])
    })

    await t.test(
      'ask a provider that is away again, and then give up with the fallback text once an hour',
      async () => {
        const one = await scene(new ModelError('temporary', 'Busy.', { retryAfterMs: 0 }), 'Here.')
        const owner = await one.owner()
        await one.writes('hello')
        await owner.run()
        await one.ends('done')
        assert.deepEqual(await one.sent(), ['Here.'])

        const other = await scene(new ModelError('temporary', 'Away.'))
        other.agent = { ...AGENT, fallbackMessage: 'Soon.' }
        other.limits = { ...LIMITS, answerMs: 400 }
        const second = await other.owner()
        for (const count of [1, 2]) {
          await other.writes(`hello ${count}`)
          await second.run()
          const [turn] = await other.ends('failed')
          assert.equal(turn?.reason, 'provider_away')
        }
        assert.deepEqual(await other.sent(), ['Soon.'])
        assert.deepEqual(
          (await other.events()).map(({ Action }) => Action),
          ['failed', 'failed'],
        )
      },
    )

    await t.test('block an agent whose key is wrong, and ask no more', async () => {
      const one = await scene(new ModelError('key', 'Wrong key.'))
      await one.writes('hello')
      await (await one.owner()).run()
      await one.ends('failed')
      await one.writes('hello?')
      await (await one.owner()).run()
      const [turn] = await one.ends('skipped')
      assert.deepEqual([turn?.reason, one.asked.length, one.agent.blockedCode], ['agent_blocked', 1, 'provider_key'])
      assert.deepEqual(
        (await one.events()).map(({ Action }) => Action),
        ['blocked', 'failed'],
      )
    })

    await t.test('end with the budget of the day, of which there is an event at 80 and at 100 percent', async () => {
      const one = await scene('Ok.')
      one.limits = { ...LIMITS, turnsPerDay: 5 }
      const owner = await one.owner()
      for (let count = 1; count <= 7; count++) {
        // One that answers at once would be a program.
        await one.writes(`question ${count}`, { messageTimestampMs: Date.now() - 500_000 + 50_000 * count })
        await owner.run()
        await one.ends(count <= 5 ? 'done' : 'skipped')
      }
      assert.equal((await one.sent()).length, 5)
      assert.deepEqual((await one.turns())[0]?.reason, 'budget_turns')
      assert.deepEqual(
        (await one.events()).map(({ Percent }) => Percent),
        [80, 100],
      )
    })

    await t.test('tell once of the budget that vectors and recordings have used', async () => {
      const one = await scene('Ok.')
      const owner = await one.owner()
      const percents = async () => (await one.events()).map(({ Percent }) => Percent)
      await owner.tellBudget()
      assert.deepEqual(await percents(), [])
      for (const percent of [80, 100]) {
        await store.rows(
          `INSERT INTO agent_usage (instance_id, day, to_tell) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)
           ON CONFLICT (instance_id, day) DO UPDATE SET to_tell = $2`,
          [one.instance, percent],
        )
        await Promise.all([owner.tellBudget(), owner.tellBudget()])
      }
      assert.deepEqual(await percents(), [80, 100])
    })

    await t.test('end with the money of the day, and the agent asks no more', async () => {
      const one = await scene('Ok.')
      // An answer costs 30 tokens, at one millionth each; the next call reserves more than is left.
      one.agent = { ...AGENT, inputPrice: 1_000_000, outputPrice: 1_000_000, maxTokens: 1, basePrompt: '' }
      one.costPerDayMicros = 35
      const owner = await one.owner()
      await one.writes('question', { messageTimestampMs: Date.now() - 400_000 })
      await owner.run()
      const [first] = await one.ends('skipped')
      assert.equal(first?.reason, 'budget_money')
      one.costPerDayMicros = 1_000_000
      await one.writes('again', { messageTimestampMs: Date.now() - 300_000 })
      await owner.run()
      await one.ends('done')
      one.costPerDayMicros = 31
      await one.writes('and again', { messageTimestampMs: Date.now() - 200_000 })
      await owner.run()
      const [last] = await one.ends('skipped')
      assert.deepEqual([last?.reason, one.asked.length], ['budget_money', 1])
      // The first call was refused before the day had any use.
      assert.deepEqual(
        (await one.events()).map(({ Percent }) => Percent),
        [100],
      )
    })
  })
})
