import type { ModelAddress, ModelAnswer, ModelStep } from '../../schemas/agents/models.js'
import { ModelError } from '../../schemas/agents/models.js'
import type { AgentInMemory, AgentRow } from '../../schemas/agents/records.js'
import type { HistoryMessage, OpenTurn, StepRecord, TurnChat, TurnReason } from '../../schemas/agents/turns.js'
import { withHalfJitter } from '../../schemas/back-off.js'
import { metadataOf } from './ai-metadata.js'
import { conversationOf, estimatedTokens, halfOf } from './conversation.js'
import { modelAddress, modelSettings } from './model-settings.js'
import { plainAnswer, splitAnswer } from './split-answer.js'
import { budgetReason, decideTurn, percentToTell, remainingMs } from './turn-checks.js'
import type { TurnContext, TurnParts } from './turn-ports.js'
import type { TurnEnd, TurnWriter } from './turn-writer.js'

/** Newest messages that are looked at to decide about a turn. */
const LOOKED_AT = 60
/** Messages that a model sees at most. */
const CONTEXT_MAX = 200
/** Last messages of the contact by which knowledge is searched. */
const QUERY_MESSAGES = 3
const HOUR_MS = 3_600_000
/** Time until another call of a model that failed for now. */
const RETRY_MS = [1_000, 4_000, 15_000, 60_000]
/** Maximum time for which typing is shown while the model works. */
const TYPING_MS = 120_000

const REASONS: Readonly<Record<ModelError['kind'], TurnReason>> = {
  temporary: 'provider_away',
  refused: 'provider_refused',
  key: 'provider_key',
  quota: 'provider_quota',
  too_long: 'provider_refused',
  blocked: 'provider_blocked',
  address: 'provider_address',
}

/** A turn whose agent is to answer. */
interface Answering {
  readonly turn: OpenTurn
  readonly chat: TurnChat
  readonly agent: AgentRow
  readonly apiKey: string
  readonly signal: AbortSignal
  /** Oldest first. */
  readonly history: readonly HistoryMessage[]
  /** Texts of the instance's knowledge. */
  readonly knowledge: readonly { readonly title: string; readonly text: string }[]
}

/** The course of one turn until its answer is stored. All that it decides is stored before it counts, so that another owner can go on. */
export class TurnCourse {
  readonly #context: TurnContext
  readonly #parts: TurnParts
  readonly #writer: TurnWriter
  /** One look at the budget at a time, so that turns that run side by side do not spend the same tokens. */
  #budget: Promise<unknown> = Promise.resolve()

  constructor(context: TurnContext, parts: TurnParts, writer: TurnWriter) {
    this.#context = context
    this.#parts = parts
    this.#writer = writer
  }

  /** Carries a turn on until its answer is stored, it waits, or it has ended. @throws the reason of the signal, and errors of the store */
  async run(turn: OpenTurn, signal: AbortSignal): Promise<void> {
    const { id, reader, random } = this.#context
    const { agents, servers } = this.#parts
    await agents.ready()
    const chat = await reader.turnChat(id, turn.chat)
    if (chat === null) return await this.#end(turn, { state: 'cancelled', reason: 'no_messages' })
    const history = await reader.chatHistory(id, turn.chat, {
      max: LOOKED_AT,
      min: LOOKED_AT,
      sinceMs: 0,
      afterMs: resetOf(chat),
    })
    signal.throwIfAborted()
    const isGroup = turn.chat.group !== undefined
    const facts = { turn, chat, isGroup, history, limits: servers.limits, random }
    const decision = decideTurn(agents.config(), facts)
    if (decision.step === 'wait') return await this.#writer.wait(turn, decision.ms, null)
    if (decision.step === 'end') return await this.#end(turn, decision)
    const { trigger, agent } = decision
    const begun = { ...turn, triggerId: trigger.id, agentId: agent.id }
    if (turn.leftMs === null) await this.#writer.begin(turn, trigger.id, agent.id, servers.limits)
    if (decision.step === 'closed') return await this.#reply(begun, 'hours', '', [decision.text])
    await this.#prepare(begun, chat, agent, signal)
  }

  async #prepare(turn: OpenTurn, chat: TurnChat, { id: agentId }: AgentInMemory, signal: AbortSignal): Promise<void> {
    const { id, reader } = this.#context
    const { directory } = this.#parts.servers
    const agent = await directory.findAgent(id, agentId)
    if (agent === null) return await this.#end(turn, { state: 'cancelled', reason: 'agent_gone' })
    const apiKey = (await directory.agentKey(id, agentId)) ?? ''
    const { contextHours, contextMessagesMax, contextMessagesMin } = agent
    const max = contextMessagesMax === 0 ? CONTEXT_MAX : Math.min(contextMessagesMax, CONTEXT_MAX)
    const history = await reader.chatHistory(id, turn.chat, {
      max: Math.max(max, contextMessagesMin),
      min: contextMessagesMin,
      sinceMs: contextHours === 0 ? 0 : chat.nowMs - contextHours * HOUR_MS,
      afterMs: resetOf(chat),
    })
    const query = history.flatMap(({ fromMe, text }) => (fromMe ? [] : [text]))
    const { chunks: knowledge } = await this.#parts.servers.knowledge.find(
      id,
      query.slice(-QUERY_MESSAGES).join('\n'),
      {
        entries: agent.knowledge,
        signal,
      },
    )
    await this.#ask({ turn, chat, agent, apiKey, signal, history, knowledge })
  }

  async #ask(answering: Answering): Promise<void> {
    const { turn, chat, agent, apiKey, signal } = answering
    const step = this.#stepOf(answering)
    const reserved = estimatedTokens(step.messages) + step.maxTokens
    const used = await this.#reserve(turn, agent, reserved)
    if (used !== null) return await this.#end(turn, { state: 'skipped', reason: used })
    signal.throwIfAborted()
    const address = modelAddress(this.#context.id, agent, apiKey)
    const startedMs = performance.now()
    this.#context.presences.start(turn.chat, 'composing', TYPING_MS)
    try {
      const answer = await this.#generate(address, step, answering)
      const ms = performance.now() - startedMs
      const record = recordOf(answer, { ms, reserved, agent })
      const { inputTokens: tokensIn, outputTokens: tokensOut } = answer.usage
      this.#context.count({ what: 'agentModel', outcome: 'answered', ms, tokensIn, tokensOut })
      await this.#take(answering, step, record)
    } catch (error) {
      this.#context.presences.cancel(turn.chat)
      // The call may have cost tokens: they stay reserved.
      if (signal.aborted || !(error instanceof ModelError)) throw error
      const ms = performance.now() - startedMs
      this.#context.count({ what: 'agentModel', outcome: error.kind, ms, tokensIn: 0, tokensOut: 0 })
      await this.#failed(turn, chat, agent, error, error.isPerhapsCounted ? 0 : reserved)
    }
  }

  /** Asks the model. If the messages do not fit it, asks once more with half of the conversation. */
  async #generate(address: ModelAddress, step: ModelStep, answering: Answering): Promise<ModelAnswer> {
    const { models, limits } = this.#parts.servers
    const { signal, history } = answering
    const timeoutMs = limits.callMs
    try {
      return await models.generate(address, step, { signal, timeoutMs })
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.kind === 'too_long'
      if (!isTooLong || history.length < 2 || signal.aborted) throw error
      const half = this.#stepOf({ ...answering, history: halfOf(history) })
      return await models.generate(address, half, { signal, timeoutMs })
    }
  }

  #stepOf({ turn, agent, history, knowledge }: Answering): ModelStep {
    const messages = conversationOf({
      basePrompt: agent.basePrompt,
      agentName: agent.name,
      isGroup: turn.chat.group !== undefined,
      history,
      knowledge,
      images: new Map(),
    })
    return { messages, tools: [], toolChoice: 'auto', ...modelSettings(agent) }
  }

  /** Reserves tokens. Returns the part of the budget that is used up; null if there is room. */
  async #reserve(turn: OpenTurn, agent: AgentRow, reserved: number): Promise<ReturnType<typeof budgetReason>> {
    const look = async () => {
      const { id, reader, journal } = this.#context
      const { servers, agents } = this.#parts
      const limits = { ...servers.limits, costPerDayMicros: agents.config()?.settings.costPerDayMicros ?? 0 }
      const price = Math.max(agent.inputPrice ?? 0, agent.outputPrice ?? 0)
      await journal.settled()?.catch(() => {})
      const usage = await reader.dayUsage(id)
      const reason = budgetReason(usage, { tokens: reserved, price }, limits)
      const percent = reason === null ? percentToTell(usage, limits) : usage.told < 100 ? 100 : null
      if (percent !== null) await this.#writer.budget(percent)
      if (reason === null) await this.#writer.ask(turn, reserved)
      return reason
    }
    const mine = this.#budget.then(look, look)
    this.#budget = mine.catch(() => {})
    return await mine
  }

  async #take({ turn, chat, agent }: Answering, step: ModelStep, record: StepRecord): Promise<void> {
    const text = plainAnswer(record.text)
    if (text === '') {
      const reason = record.finish === 'blocked' ? 'provider_blocked' : 'empty_answer'
      return await this.#giveUp(turn, chat, agent, reason, 'The model gave no text.', record)
    }
    const signed = agent.signMessages ? `*${agent.name}:*\n${text}` : text
    const metadata = metadataOf({ agentId: agent.id, model: agent.model, step, answer: record, toolResults: [] })
    const texts = splitAnswer(signed, agent.maxMessageLength)
    await this.#writer.answer(turn, { step: record, texts, metadata, outcome: 'done' })
  }

  /** Handles a call that failed: it is repeated later, or the turn ends. */
  async #failed(turn: OpenTurn, chat: TurnChat, agent: AgentRow, error: ModelError, released: number): Promise<void> {
    const { directory } = this.#parts.servers
    this.#context.logger.warn(
      { turn: turn.id, agent: agent.id, kind: error.kind, status: error.status, attempt: turn.attempt },
      'The model of an agent did not answer.',
    )
    if (error.kind === 'temporary') {
      const waitMs = this.#retryDelayMs(turn, error)
      const leftMs = await this.#remainingMs(turn)
      if (waitMs < leftMs) return await this.#writer.wait(turn, waitMs, error.message, released)
    }
    const reason = REASONS[error.kind]
    if (error.kind === 'key' || error.kind === 'quota') {
      await directory.blockAgent(this.#context.id, agent.id, error.message)
      await this.#parts.agents.reload()
      await this.#writer.blocked(turn, reason, error.message)
    }
    await this.#giveUp(turn, chat, agent, reason, error.message, null, released)
  }

  /** Returns the time until the next call. A provider that is asked differently then is asked at once. */
  #retryDelayMs({ attempt }: OpenTurn, { retryAfterMs }: ModelError): number {
    if (retryAfterMs === 0 && attempt === 0) return 0
    const delayMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] as number
    return Math.max(withHalfJitter(delayMs, this.#context.random()), retryAfterMs ?? 0)
  }

  async #remainingMs(turn: OpenTurn): Promise<number> {
    const { reader, id } = this.#context
    const now = await reader.openTurn(id, turn.id)
    return now === null ? 0 : remainingMs(now, this.#parts.servers.limits)
  }

  /** Ends a turn without an answer of the model. The chat gets the fallback text, if there is one, and none lately. */
  async #giveUp(
    turn: OpenTurn,
    { hadFallback }: TurnChat,
    agent: AgentRow,
    reason: TurnReason,
    error: string,
    step: StepRecord | null,
    released = 0,
  ): Promise<void> {
    const text = plainAnswer(agent.fallbackMessage)
    if (text !== '' && !hadFallback)
      return await this.#reply(turn, reason, error, splitAnswer(text, agent.maxMessageLength), step)
    await this.#end(turn, { state: 'failed', reason, error, released })
  }

  /** Stores texts that no model has written. */
  async #reply(
    turn: OpenTurn,
    reason: TurnReason,
    error: string,
    texts: readonly string[],
    step: StepRecord | null = null,
  ): Promise<void> {
    const outcome = reason === 'hours' ? 'done' : 'failed'
    await this.#writer.answer(turn, { step, texts, metadata: null, outcome, reason, error, isFallback: true })
  }

  #end(turn: OpenTurn, end: TurnEnd): Promise<void> {
    return this.#writer.end(turn, end)
  }
}

/** Returns the time after which messages count. */
function resetOf({ record }: TurnChat): number {
  return Number(record.chatbot_agentResetMemoryAt ?? 0)
}

interface StepFacts {
  readonly ms: number
  readonly reserved: number
  readonly agent: AgentRow
}

function recordOf(answer: ModelAnswer, { ms, reserved, agent }: StepFacts): StepRecord {
  const { text, calls, raw, finish, usage, warnings } = answer
  const cost = usage.inputTokens * (agent.inputPrice ?? 0) + usage.outputTokens * (agent.outputPrice ?? 0)
  return { number: 0, text, calls, raw, finish, usage, warnings, ms, reserved, costMicros: cost / 1_000_000 }
}
