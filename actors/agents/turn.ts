import { withHalfJitter } from '../../lib/back-off.js'
import { cut } from '../../lib/cut.js'
import type { ModelError, ModelErrorKind } from '../../schemas/agents/models.js'
import type { AgentInMemory, AgentRow } from '../../schemas/agents/records.js'
import { reservedValues } from '../../schemas/agents/reserved-placeholders.js'
import type { CallRow, ToolResult, ToolSet } from '../../schemas/agents/tools.js'
import type { HistoryMessage, OpenTurn, StepRecord, TurnChat, TurnReason } from '../../schemas/agents/turns.js'
import type { MessageId } from '../../schemas/ids.js'
import { describeStep } from './ai-metadata.js'
import { hadEffect, type NextAct, nextAct, requestBefore } from './loop.js'
import { modelAddress } from './model-settings.js'
import { messageLength, plainAnswer, splitAnswer } from './split-answer.js'
import { durableCall } from './tools/agent-tools.js'
import { type Answering, agentStep, buildFirstMessages, TurnAsking } from './turn-asking.js'
import { decideTurn, findHalt, handoverMs, lastAnswered, remainingMs, tooLate } from './turn-checks.js'
import { filesOfTurn } from './turn-files.js'
import type { TurnContext, TurnParts } from './turn-ports.js'
import { asksForPerson, measureSteps, rebuildSteps, type TurnStep, withResult } from './turn-steps.js'
import type { TurnEnd, TurnWriter } from './turn-writer.js'

/** Newest messages that are looked at to decide about a turn. */
const LOOKED_AT = 60
/** Messages that a model sees at most. */
const CONTEXT_MAX = 200
/** Last messages of the contact by which knowledge is searched, and characters of a file among them. */
const QUERY_MESSAGES = 3
const QUERY_FILE_MAX = 1_000
const HOUR_MS = 3_600_000
/** Time until another call of a model that failed for now. */
const RETRY_MS = [1_000, 4_000, 15_000, 60_000]

const REASONS: Readonly<Record<ModelErrorKind, TurnReason>> = {
  temporary: 'provider_away',
  refused: 'provider_refused',
  key: 'provider_key',
  quota: 'provider_quota',
  too_long: 'provider_refused',
  blocked: 'provider_blocked',
  address: 'provider_address',
}

const NO_ANSWER = {
  blocked: { reason: 'provider_blocked', error: 'The provider refused to answer because of the content.' },
  empty: { reason: 'empty_answer', error: 'The model gave no text.' },
} as const

/** The course of one turn until its answer is stored. All that it decides is stored before it counts, so that another owner can go on. */
export class TurnCourse {
  readonly #context: TurnContext
  readonly #parts: TurnParts
  readonly #writer: TurnWriter
  readonly #asking: TurnAsking
  readonly #calls: TurnCalls

  constructor(context: TurnContext, parts: TurnParts, writer: TurnWriter) {
    this.#context = context
    this.#parts = parts
    this.#writer = writer
    this.#asking = new TurnAsking(context, parts, writer)
    this.#calls = new TurnCalls(context, writer)
  }

  /** Emits the event about the budget of the day that is due, if there is one. */
  tellBudget(): Promise<void> {
    return this.#asking.tellBudget()
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
      afterMs: readReset(chat),
    })
    signal.throwIfAborted()
    const isGroup = turn.chat.group !== undefined
    const facts = { turn, chat, isGroup, history, limits: servers.limits, random }
    const decision = decideTurn(agents.config(), facts)
    if (decision.step === 'wait') return await this.#writer.wait(turn, decision.ms, null)
    if (decision.step === 'end') {
      const { records, calls } = await this.#stored(turn)
      return await this.#leave(turn, decision, rebuildSteps(records, calls))
    }
    const { trigger, agent } = decision
    const begun = { ...turn, triggerId: trigger.id, agentId: agent.id }
    if (turn.leftMs === null && !(await this.#begins(begun))) return
    const answered = lastAnswered(facts)
    if (decision.step === 'closed') return await this.#close(begun, answered, decision.text)
    await this.#prepare({ turn: begun, answered, chat, signal }, agent)
  }

  /** Returns false if the turn has ended, or a message has joined it since it was read. It is looked at again then. */
  async #begins(turn: OpenTurn): Promise<boolean> {
    const { id, reader } = this.#context
    await this.#writer.begin(turn, turn.triggerId, turn.agentId, this.#parts.servers.limits)
    const now = await reader.openTurn(id, turn.id)
    return now?.state === 'preparing' && now.generation === turn.generation
  }

  async #prepare(
    { turn, answered, chat, signal }: Pick<Answering, 'turn' | 'answered' | 'chat' | 'signal'>,
    { id: agentId }: AgentInMemory,
  ): Promise<void> {
    const { id } = this.#context
    const { directory, knowledge: search, models, tools, files } = this.#parts.servers
    const agent = await directory.findAgent(id, agentId)
    if (agent === null) return await this.#end(turn, { state: 'cancelled', reason: 'agent_gone' })
    const address = modelAddress(id, agent, await directory.agentKey(id, agentId))
    const { records, calls } = await this.#stored(turn)
    const heard = await this.#heard(turn, chat, agent, records.length > 0)
    const { history, images, notes } = await filesOfTurn(files, {
      ...{ instance: id, turn, history: heard, signal },
      takesImages: models.takesImages(address),
    })
    const found = await search.find(id, buildQuery(history), { entries: agent.knowledge, signal })
    if (found.warning !== undefined) notes.push(found.warning)
    const about = {
      turn,
      answered,
      chat,
      agent,
      address,
      signal,
      history,
      images,
      knowledge: found.chunks,
      notes,
      calls,
    }
    await this.#answer({
      ...about,
      tools: await tools.of(id, agent),
      steps: rebuildSteps(records, calls),
      start: buildFirstMessages(about),
      isHalved: false,
    })
  }

  /** Returns the steps and calls of a turn that was interrupted. */
  async #stored({ id: turn, state, generation }: OpenTurn) {
    const { id, reader } = this.#context
    if (state !== 'asking' && state !== 'calling') return { records: [], calls: [] }
    const records = await reader.turnSteps(id, turn, generation)
    return { records, calls: records.length === 0 ? [] : await reader.agentCalls(id, turn, generation) }
  }

  /** Returns the conversation. A turn that goes on from its steps leaves later messages to the next one, as it did before. */
  async #heard(turn: OpenTurn, chat: TurnChat, agent: AgentRow, hasSteps: boolean): Promise<readonly HistoryMessage[]> {
    const { contextHours, contextMessagesMax, contextMessagesMin } = agent
    const max = contextMessagesMax === 0 ? CONTEXT_MAX : Math.min(contextMessagesMax, CONTEXT_MAX)
    const history = await this.#context.reader.chatHistory(this.#context.id, turn.chat, {
      max: Math.max(max, contextMessagesMin),
      min: contextMessagesMin,
      sinceMs: contextHours === 0 ? 0 : chat.nowMs - contextHours * HOUR_MS,
      afterMs: readReset(chat),
    })
    return hasSteps ? history.filter(({ fromMe, position }) => fromMe || position <= turn.lastPosition) : history
  }

  /** Asks the model and makes its calls in turn, until there is an answer. Each step is stored before its calls are made. */
  async #answer(answering: Answering): Promise<void> {
    const { turn } = answering
    let steps = answering.steps
    /** The last answer of the model, unless it is stored. */
    let unsaved: StepRecord | null = null
    for (;;) {
      const act = nextAct(answering.start, steps, measureSteps(steps))
      if (act.kind === 'reply') return await this.#reply(answering, act, steps, unsaved)
      if (act.kind === 'fail') {
        const { reason, error } = NO_ANSWER[act.reason]
        return await this.#giveUp(answering, reason, error, unsaved)
      }
      if (unsaved !== null) {
        await this.#writer.step(turn, unsaved, hadEffect(steps))
        unsaved = null
      }
      if (steps.length > 0 && !(await this.#goesOn(turn, steps))) return
      if (act.kind === 'ask') {
        unsaved = await this.#ask(answering, act)
        if (unsaved === null) return
        steps = [...steps, { answer: unsaved, results: [] }]
      } else {
        const result = await this.#call(answering, act)
        if (result === null) return
        steps = withResult(steps, result)
      }
    }
  }

  /** Returns false if the turn has ended or begun again. */
  async #goesOn(turn: OpenTurn, steps: readonly TurnStep[]): Promise<boolean> {
    const { id, reader, presences } = this.#context
    const now = await reader.openTurn(id, turn.id)
    if (now?.generation !== turn.generation) return false
    const chat = await reader.turnChat(id, turn.chat)
    const halt = chat === null ? null : findHalt(this.#parts.agents.config(), chat)
    if (halt !== null) await this.#leave(turn, halt, steps)
    else if (remainingMs(now, this.#parts.servers.limits) <= 0) await this.#leave(turn, tooLate(now), steps)
    else return true
    presences.cancel(turn.chat)
    return false
  }

  /** Returns the answer of the model; null if there is none, and the turn waits or has ended. */
  async #ask(answering: Answering, act: Extract<NextAct, { kind: 'ask' }>): Promise<StepRecord | null> {
    const asked = await this.#asking.ask(answering, act)
    if (asked.kind === 'answered') return asked.record
    if (asked.kind === 'failed') await this.#failed(answering, act.step, asked)
    else if (act.step === 0) await this.#end(answering.turn, { state: 'skipped', reason: asked.reason })
    else await this.#giveUp(answering, asked.reason, 'The budget of the day is used up.', null)
    return null
  }

  /** Returns the result of a call; null if the turn has begun again or ended. */
  async #call({ turn, chat, tools, signal, calls }: Answering, act: Extract<NextAct, { kind: 'call' }>) {
    const instance = { id: this.#context.id, name: chat.instanceName, owner: chat.owner }
    const reserved = reservedValues(chat.record, instance)
    try {
      return await this.#calls.run({ turn, tools, reserved, signal }, act, calls)
    } catch (error) {
      if (error instanceof TurnOver) return null
      throw error
    }
  }

  /** Stores the answer, unless nothing is left of it as plain text. */
  async #reply(
    answering: Answering,
    { text: given, warnings, isTransfer }: Extract<NextAct, { kind: 'reply' }>,
    steps: readonly TurnStep[],
    unsaved: StepRecord | null,
  ): Promise<void> {
    const { turn, answered, agent, start } = answering
    const text = plainAnswer(given)
    const last = steps.at(-1)
    if (text === '' || last === undefined)
      return await this.#giveUp(answering, NO_ANSWER.empty.reason, NO_ANSWER.empty.error, unsaved)
    const signed = agent.signMessages ? `*${agent.name}:*\n${text}` : text
    const metadata = describeStep({
      agentId: agent.id,
      model: agent.model,
      step: agentStep(answering, { messages: requestBefore(start, steps), toolChoice: 'auto' }),
      answer: last.answer,
      results: steps.flatMap(({ results }) => results),
    })
    let step = unsaved === null ? null : { ...unsaved, warnings }
    if (step !== null && signed.length > messageLength(agent.maxMessageLength)) {
      // The answer is paid for, so it is stored before anything is computed from it.
      await this.#writer.step(turn, step, hadEffect(steps))
      step = null
    }
    await this.#writer.answer(turn, {
      step,
      answered,
      texts: splitAnswer(signed, agent.maxMessageLength),
      metadata,
      outcome: 'done',
      ...(isTransfer ? { reason: 'transferred' } : {}),
    })
  }

  /** Handles a call that failed: it is repeated later, or the turn ends. */
  async #failed(answering: Answering, step: number, { error }: { readonly error: ModelError }): Promise<void> {
    const { agent, steps } = answering
    // An answer of the model ends a row of failures.
    const turn = step > steps.length ? { ...answering.turn, attempt: 0 } : answering.turn
    const { directory } = this.#parts.servers
    this.#context.logger.warn(
      { turn: turn.id, agent: agent.id, kind: error.kind, status: error.status, attempt: turn.attempt },
      'The model of an agent did not answer.',
    )
    if (error.kind === 'temporary') {
      const waitMs = this.#retryDelayMs(turn, error)
      const leftMs = await this.#remainingMs(turn)
      if (waitMs < leftMs) return await this.#writer.wait(turn, waitMs, error.message)
    }
    const reason = REASONS[error.kind]
    if (error.kind === 'key' || error.kind === 'quota') {
      const code = error.kind === 'key' ? 'provider_key' : 'provider_quota'
      await directory.blockAgent(this.#context.id, agent.id, error.message, code)
      await this.#parts.agents.reload()
      await this.#writer.blocked(turn, reason, error.message)
    }
    await this.#giveUp(answering, reason, error.message, null)
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
    { turn, answered, chat: { hadFallback }, agent }: Answering,
    reason: TurnReason,
    error: string,
    step: StepRecord | null,
  ): Promise<void> {
    this.#context.presences.cancel(turn.chat)
    const text = plainAnswer(agent.fallbackMessage)
    if (text === '' || hadFallback) {
      if (step !== null) await this.#writer.step(turn, step, false)
      return await this.#end(turn, { state: 'failed', reason, error })
    }
    const texts = splitAnswer(text, agent.maxMessageLength)
    const about = { step, answered, texts, metadata: null } as const
    await this.#writer.answer(turn, { ...about, outcome: 'failed', reason, error, isFallback: true })
  }

  /** Answers with the text about closed hours. */
  #close(turn: OpenTurn, answered: MessageId | null, text: string): Promise<void> {
    const about = { step: null, answered, texts: [text], metadata: null } as const
    return this.#writer.answer(turn, { ...about, outcome: 'done', reason: 'hours', isFallback: true })
  }

  /** Ends a turn whose answer is not stored. If the model has called a person, the chat is theirs all the same. */
  async #leave(turn: OpenTurn, end: TurnEnd, steps: readonly TurnStep[]): Promise<void> {
    if (!asksForPerson(steps)) return await this.#end(turn, end)
    await this.#end(turn, { ...end, handoverMs: handoverMs(this.#parts.agents.config()), tellsHandover: true })
  }

  #end(turn: OpenTurn, end: TurnEnd): Promise<void> {
    return this.#writer.end(turn, end)
  }
}

/** Returns the time after which messages count. */
function readReset({ record }: TurnChat): number {
  return Number(record.chatbot_agentResetMemoryAt ?? 0)
}

/** Returns the words by which knowledge is searched. */
function buildQuery(history: readonly HistoryMessage[]): string {
  const texts = history.flatMap(({ fromMe, isDeleted, text, extracted }) =>
    fromMe || isDeleted ? [] : [`${text}\n${(extracted ?? '').slice(0, QUERY_FILE_MAX)}`.trim()],
  )
  return texts.slice(-QUERY_MESSAGES).join('\n')
}

const NAME_MAX = 64

/** The turn has begun again or ended, so a call that has not begun must not be made. */
class TurnOver extends Error {}

interface CallOfTurn {
  readonly turn: OpenTurn
  readonly tools: ToolSet
  /** Values of the placeholders that the gateway fills. */
  readonly reserved: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

/** Makes the calls of turns, each of which is stored before it is made and with its result. */
class TurnCalls {
  readonly #context: Pick<TurnContext, 'id' | 'reader'>
  readonly #writer: Pick<TurnWriter, 'call'>

  constructor(context: Pick<TurnContext, 'id' | 'reader'>, writer: Pick<TurnWriter, 'call'>) {
    this.#context = context
    this.#writer = writer
  }

  /**
   * Makes a call, or returns the result that it has. `former`: the rows of calls from before a crash or a hand-over.
   * @throws TurnOver, the reason of the signal, and errors of the store
   */
  async run(
    { turn, tools, reserved, signal }: CallOfTurn,
    { step, call, asked, refused }: Extract<NextAct, { kind: 'call' }>,
    former: readonly CallRow[],
  ): Promise<ToolResult> {
    const place = { turn: turn.id, generation: turn.generation, step, call }
    if (refused !== null) {
      await this.#writer.call(turn, { ...place, name: cut(asked.name, NAME_MAX), result: refused }, false)
      return refused
    }
    const isEffect = tools.mayHaveEffect(asked.name)
    const store = (row: CallRow): Promise<void> => this.#store(turn, row, isEffect)
    const known = former.find((row) => row.step === step && row.call === call) ?? null
    return await durableCall(tools, asked, { ...place, reserved, signal }, store, known)
  }

  /**
   * A message that comes from now on does not make the turn begin again, if the call changes something: the function would be called once
   * more. One that came before has made it begin again, so the call is not made.
   */
  async #store(turn: OpenTurn, row: CallRow, isEffect: boolean): Promise<void> {
    const isStart = row.result === null
    await this.#writer.call(turn, row, isStart ? isEffect : row.result.isEffect)
    if (!isStart || !isEffect) return
    const { id, reader } = this.#context
    const now = await reader.openTurn(id, turn.id)
    if (now?.generation !== turn.generation) throw new TurnOver()
  }
}
