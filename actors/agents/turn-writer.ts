import type { CallRow } from '../../schemas/agents/tools.js'
import type { EndedTurnState, OpenTurn, StepRecord, TurnReason } from '../../schemas/agents/turns.js'
import type { MessageId } from '../../schemas/ids.js'
import { chatNames } from '../../schemas/jid.js'
import { newMessageId } from '../../schemas/message-id.js'
import type { Change } from '../instance/ports.js'
import { LOOP_PAUSE_MS } from './loop-guard.js'
import { nextTurnId } from './openings.js'
import type { TurnContext, TurnLimits } from './turn-ports.js'

/** How a turn ends, and for which reason if it is not done. */
export interface TurnEnd {
  readonly state: EndedTurnState
  readonly reason: TurnReason
  readonly error?: string
  /** The chat pauses, and the owner of the instance learns of it. */
  readonly pauses?: boolean
  /** A person takes the chat over, and agents pause there for so long. */
  readonly handoverMs?: number
  /** The owner of the instance has not learned yet that a person is wanted. */
  readonly tellsHandover?: boolean
}

/** An answer as it is stored, before any of it is sent. */
export interface TurnAnswer {
  readonly step: StepRecord | null
  /** The last message that it answers; null if that is not known. */
  readonly answered: MessageId | null
  readonly texts: readonly string[]
  readonly metadata: string | null
  readonly outcome: 'done' | 'failed'
  readonly reason?: TurnReason
  readonly error?: string
  readonly isFallback?: boolean
}

/** A call of a model with what is reserved for it, and what it counts if its answer is lost. */
export interface ReservedCall {
  readonly call: string
  readonly reserved: number
  readonly estimate: { readonly tokens: number; readonly costMicros: number }
}

const NOTHING = { tokens: 0, costMicros: 0 }

/** Ends of which the owner of the instance learns by an event. */
const TOLD_STATES: ReadonlySet<EndedTurnState> = new Set(['failed'])

/** Writes the changes of a turn, with their events. */
export class TurnWriter {
  readonly #context: TurnContext

  constructor(context: TurnContext) {
    this.#context = context
  }

  async begin(
    { id, generation, lastPosition }: OpenTurn,
    triggerId: string,
    agentId: string,
    { answerMs }: TurnLimits,
  ): Promise<void> {
    const begin = { kind: 'begin', turn: id, generation, triggerId, agentId, answerMs, lastPosition } as const
    await this.#context.journal.write([{ type: 'agent.turn', ...begin }])
  }

  /** Lets a turn wait, and asks for another look then. */
  async wait({ id, generation }: OpenTurn, forMs: number, failed: string | null): Promise<void> {
    await this.#context.journal.write([{ type: 'agent.turn', kind: 'wait', turn: id, generation, forMs, failed }])
    this.#context.wakeDueIn(forMs)
  }

  /** `isFirst`: the turn counts in the budget from now on. */
  async ask({ id, generation }: OpenTurn, call: ReservedCall, isFirst: boolean): Promise<void> {
    await this.#context.journal.write([{ type: 'agent.turn', kind: 'ask', turn: id, generation, ...call, isFirst }])
  }

  /** Ends the reservation of a call that failed. What it may have cost counts, unless it was free. */
  async lost({ id }: OpenTurn, { call, reserved, estimate }: ReservedCall, isFree: boolean): Promise<void> {
    const { tokens: tokensIn, costMicros } = isFree ? NOTHING : estimate
    await this.#context.journal.write([
      { type: 'agent.turn', kind: 'lost', turn: id, call, reserved, tokensIn, costMicros },
    ])
  }

  /** Ends the reservations of calls that a former owner of the instance had under way. */
  async abandoned(): Promise<void> {
    await this.#context.journal.write([{ type: 'agent.turn', kind: 'abandoned' }])
  }

  /** Stores an answer of the model that wants functions called. */
  async step({ id, generation }: OpenTurn, step: StepRecord, hasEffects: boolean): Promise<void> {
    await this.#context.journal.write([{ type: 'agent.turn', kind: 'step', turn: id, generation, step, hasEffects }])
  }

  /** Stores that a call is about to be made, or its result. `isEffect`: from now on the turn does not begin again. */
  async call({ id, generation }: OpenTurn, row: CallRow, isEffect: boolean): Promise<void> {
    const effect: Change = { type: 'agent.turn', kind: 'effect', turn: id, generation }
    await this.#context.journal.write([{ type: 'agent.call', row }, ...(isEffect ? [effect] : [])])
  }

  /** Stores an answer and the ids of its messages. Nothing of it has been sent before. */
  async answer({ id, generation, chat, agentId }: OpenTurn, given: TurnAnswer): Promise<void> {
    const { step, answered, texts, metadata, outcome, reason = '', error = '', isFallback = false } = given
    const { id: instance, messageIds } = this.#context
    const chooseId = (part: number) =>
      answered === null ? newMessageId() : messageIds.ofAnswer(instance, { turn: id, answered, part, isFallback })
    const parts = texts.map((text, part) => ({ text, messageid: chooseId(part) }))
    const about = { step, parts, metadata, outcome, error, isFallback }
    const changes: Change[] = [{ type: 'agent.turn', kind: 'reply', turn: id, generation, reason, ...about }]
    const told = { Action: 'failed', TurnID: id, AgentID: agentId, Reason: reason, Error: error }
    if (outcome === 'failed') changes.push(turnEvent(chat, told))
    if (reason === 'transferred') changes.push(turnEvent(chat, { ...told, Action: 'transferred' }))
    await this.#context.journal.write(changes)
  }

  async end(
    turn: OpenTurn,
    { state, reason, error = '', pauses = false, handoverMs, tellsHandover = false }: TurnEnd,
  ): Promise<void> {
    const { id, generation, chat, agentId, lastPosition } = turn
    const about = { state, reason, error, nextTurn: nextTurnId(id), lastPosition }
    const end = { kind: 'end', turn: id, generation, ...about } as const
    const told = { TurnID: id, AgentID: agentId, Reason: reason, Error: error }
    await this.#context.journal.write([
      { type: 'agent.turn', ...end },
      ...(pauses ? [{ type: 'agent.pause', chat, pauseMs: LOOP_PAUSE_MS } as const] : []),
      ...(pauses ? [turnEvent(chat, { Action: 'paused', ...told })] : []),
      ...(handoverMs === undefined ? [] : [handover(chat, handoverMs)]),
      ...(tellsHandover ? [turnEvent(chat, { Action: 'transferred', ...told })] : []),
      ...(TOLD_STATES.has(state) ? [turnEvent(chat, { Action: 'failed', ...told })] : []),
    ])
    this.#context.count({ what: 'agentTurn', state, reason })
  }

  /** Ends a turn of which the network has refused a part. */
  async refused({ id, chat, agentId }: OpenTurn, part: number, error: string): Promise<void> {
    const told = { Action: 'failed', TurnID: id, AgentID: agentId, Reason: 'send_failed', Error: error }
    await this.#context.journal.write([
      { type: 'agent.turn', kind: 'refused', turn: id, part, error, nextTurn: nextTurnId(id) },
      turnEvent(chat, told),
    ])
    this.#context.count({ what: 'agentTurn', state: 'failed', reason: 'send_failed' })
  }

  /** Lets agents pause in a chat that a person takes over. */
  async pause({ chat }: OpenTurn, pauseMs: number): Promise<void> {
    await this.#context.journal.write([handover(chat, pauseMs)])
  }

  /** Reports that an agent is blocked until it is edited. */
  async blocked({ id, chat, agentId }: OpenTurn, reason: TurnReason, error: string): Promise<void> {
    const told = { Action: 'blocked', TurnID: id, AgentID: agentId, Reason: reason, Error: error }
    await this.#context.journal.write([turnEvent(chat, told)])
  }

  /** Reports that so much of the budget of the day is used. */
  async budget(percent: 80 | 100): Promise<void> {
    const event = { Action: 'budget', Percent: percent }
    await this.#context.journal.write([
      { type: 'agent.told', percent },
      { type: 'event', kind: 'agents', body: { event } },
    ])
  }
}

/** Agents pause in a chat that a person takes over, and see nothing of what was before. */
export function handover(chat: OpenTurn['chat'], pauseMs: number): Change {
  return { type: 'agent.pause', chat, pauseMs, forgets: true }
}

function turnEvent(chat: OpenTurn['chat'], event: Readonly<Record<string, string>>): Change {
  return {
    type: 'event',
    kind: 'agents',
    chat,
    people: [chat],
    body: (named) => ({ event: { ...event, ...chatNames(named(chat)) } }),
  }
}
