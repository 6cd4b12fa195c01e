import { randomBytes } from 'node:crypto'
import type { ModelAddress, ModelAnswer, ModelMessage, ModelStep } from '../../schemas/agents/models.js'
import { ModelError } from '../../schemas/agents/models.js'
import type { AgentRow } from '../../schemas/agents/records.js'
import type { CallRow, ToolSet } from '../../schemas/agents/tools.js'
import type { HistoryMessage, OpenTurn, StepRecord, TurnChat } from '../../schemas/agents/turns.js'
import type { MessageId } from '../../schemas/ids.js'
import { composeConversation, estimatedTokens, keepLaterHalf } from './conversation.js'
import type { NextAct } from './loop.js'
import { modelSettings } from './model-settings.js'
import { budgetReason, type DayLimits, percentToTell } from './turn-checks.js'
import type { TurnPictures } from './turn-files.js'
import type { TurnContext, TurnParts } from './turn-ports.js'
import type { TurnStep } from './turn-steps.js'
import type { ReservedCall, TurnWriter } from './turn-writer.js'

/** Maximum time for which typing is shown while the model works. */
const TYPING_MS = 120_000

/** Maximum of characters of an answer that is stored. */
const ANSWER_MAX = 512 * 1024

/** A turn whose agent is to answer. */
export interface Answering {
  readonly turn: OpenTurn
  /** The last message that the turn answers; null if that is not known. */
  readonly answered: MessageId | null
  readonly chat: TurnChat
  readonly agent: AgentRow
  readonly address: ModelAddress
  readonly signal: AbortSignal
  /** Oldest first. */
  readonly history: readonly HistoryMessage[]
  /** Pictures of its messages. */
  readonly images: TurnPictures
  /** Sentences for the owner of the agent about what is missing in them. */
  readonly notes: readonly string[]
  /** Texts of the instance's knowledge. */
  readonly knowledge: readonly { readonly title: string; readonly text: string }[]
  readonly tools: ToolSet
  /** Steps and calls from before a crash or a hand-over. */
  readonly steps: readonly TurnStep[]
  readonly calls: readonly CallRow[]
  /** Instructions and conversation. */
  start: readonly ModelMessage[]
  /** The whole conversation was too long for the model, and `start` has half of it. */
  isHalved: boolean
}

export type AskedModel =
  | { readonly kind: 'answered'; readonly record: StepRecord }
  | { readonly kind: 'budget'; readonly reason: BudgetReason }
  | { readonly kind: 'failed'; readonly error: ModelError }

type BudgetReason = NonNullable<ReturnType<typeof budgetReason>>
type Ask = Extract<NextAct, { kind: 'ask' }>

/** Returns the instructions and the conversation of a turn. */
export function buildFirstMessages({
  turn,
  agent,
  history,
  knowledge,
  images,
}: Pick<Answering, 'turn' | 'agent' | 'history' | 'knowledge' | 'images'>): readonly ModelMessage[] {
  const { basePrompt, name: agentName } = agent
  return composeConversation({
    ...{ basePrompt, agentName, isGroup: turn.chat.group !== undefined },
    ...{ history, knowledge, images },
  })
}

/** Asks models within the budget of the instance. */
export class TurnAsking {
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

  /** @throws the reason of the signal, and errors of the store */
  async ask(answering: Answering, act: Ask): Promise<AskedModel> {
    const { turn, agent, signal, tools, notes } = answering
    const step = agentStep(answering, act)
    const estimate = estimatedTokens(step.messages, step.tools)
    const call: ReservedCall = {
      call: randomBytes(8).toString('hex'),
      reserved: estimate + step.maxTokens,
      estimate: { tokens: estimate, costMicros: (estimate * (agent.inputPrice ?? 0)) / 1_000_000 },
    }
    const reason = await this.#reserve(answering, call, act.step)
    if (reason !== null) return { kind: 'budget', reason }
    signal.throwIfAborted()
    const startedMs = performance.now()
    this.#context.presences.start(turn.chat, 'composing', TYPING_MS)
    try {
      const answer = await this.#generate(step, answering, act)
      if (measureAnswer(answer) > ANSWER_MAX)
        throw new ModelError('refused', 'The answer of the model is too long.', { isPerhapsCounted: true })
      const ms = performance.now() - startedMs
      const { inputTokens: tokensIn, outputTokens: tokensOut } = answer.usage
      this.#context.count({ what: 'agentModel', outcome: 'answered', ms, tokensIn, tokensOut })
      const warnings = act.step === 0 ? [...answer.warnings, ...tools.warnings, ...notes] : answer.warnings
      return {
        kind: 'answered',
        record: toStepRecord(answer, { number: act.step, warnings, ms, call: call.call, agent }),
      }
    } catch (error) {
      this.#context.presences.cancel(turn.chat)
      // A call without an answer may have cost what was sent.
      const isFree = !signal.aborted && error instanceof ModelError && !error.isPerhapsCounted
      // The failure of the call matters more than one of the store, and another owner may have the turn by now.
      await this.#writer.lost(turn, call, isFree).catch(() => {})
      if (signal.aborted || !(error instanceof ModelError)) throw error
      const ms = performance.now() - startedMs
      this.#context.count({ what: 'agentModel', outcome: error.kind, ms, tokensIn: 0, tokensOut: 0 })
      return { kind: 'failed', error }
    }
  }

  /** Asks the model. If the messages do not fit it, asks once more with half of the conversation. */
  async #generate(step: ModelStep, answering: Answering, act: Ask): Promise<ModelAnswer> {
    const { models, limits } = this.#parts.servers
    const { address, signal, history, start } = answering
    const options = { signal, timeoutMs: limits.callMs }
    try {
      return await models.generate(address, step, options)
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.kind === 'too_long'
      if (!isTooLong || answering.isHalved || history.length < 2 || signal.aborted) throw error
      answering.isHalved = true
      answering.start = buildFirstMessages({ ...answering, history: keepLaterHalf(history) })
      const messages = [...answering.start, ...act.messages.slice(start.length)]
      return await models.generate(address, agentStep(answering, { ...act, messages }), options)
    }
  }

  /** Emits the event about the budget that is due, if there is one. */
  async tellBudget(): Promise<void> {
    await this.#oneByOne(async () => {
      const percent = percentToTell(await this.#context.reader.dayUsage(this.#context.id), this.#limits())
      if (percent !== null) await this.#writer.budget(percent)
    })
  }

  #limits(): DayLimits {
    const { servers, agents } = this.#parts
    return { ...servers.limits, costPerDayMicros: agents.config()?.settings.costPerDayMicros ?? 0 }
  }

  /** Reserves tokens. Returns the part of the budget that is used up; null if there is room. */
  async #reserve({ turn, agent }: Answering, asked: ReservedCall, step: number): Promise<BudgetReason | null> {
    // One that was interrupted has been counted.
    const isFirst = step === 0 && turn.attempt === 0 && turn.state !== 'asking' && turn.state !== 'calling'
    return await this.#oneByOne(async () => {
      const { id, reader, journal } = this.#context
      const limits = this.#limits()
      const call = { tokens: asked.reserved, price: Math.max(agent.inputPrice ?? 0, agent.outputPrice ?? 0) }
      await journal.settled()?.catch(() => {})
      const usage = await reader.dayUsage(id)
      const reason = budgetReason(usage, call, isFirst ? limits : { ...limits, turnsPerDay: Number.MAX_VALUE })
      const percent = reason === null ? percentToTell(usage, limits) : usage.told < 100 ? 100 : null
      if (percent !== null) await this.#writer.budget(percent)
      if (reason === null) await this.#writer.ask(turn, asked, isFirst)
      return reason
    })
  }

  async #oneByOne<T>(look: () => Promise<T>): Promise<T> {
    const mine = this.#budget.then(look, look)
    this.#budget = mine.catch(() => {})
    return await mine
  }
}

/** Returns a question to the model. */
export function agentStep(
  { agent, tools }: Pick<Answering, 'agent' | 'tools'>,
  { messages, toolChoice }: Pick<Ask, 'messages' | 'toolChoice'>,
): ModelStep {
  return { messages, tools: tools.tools, toolChoice, ...modelSettings(agent) }
}

function measureAnswer({ text, calls, raw }: ModelAnswer): number {
  return text.length + JSON.stringify([calls, raw]).length
}

interface StepFacts {
  readonly number: number
  readonly warnings: readonly string[]
  readonly ms: number
  readonly call: string
  readonly agent: AgentRow
}

function toStepRecord(answer: ModelAnswer, { number, warnings, ms, call, agent }: StepFacts): StepRecord {
  const { text, calls, raw, finish, usage } = answer
  const cost = usage.inputTokens * (agent.inputPrice ?? 0) + usage.outputTokens * (agent.outputPrice ?? 0)
  return { number, text, calls, raw, finish, usage, warnings, ms, call, costMicros: cost / 1_000_000 }
}
