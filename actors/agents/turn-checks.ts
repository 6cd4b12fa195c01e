import type { AgentInMemory, TriggerRow } from '../../schemas/agents/records.js'
import type { DayUsage, HistoryMessage, OpenTurn, TurnChat, TurnReason } from '../../schemas/agents/turns.js'
import type { MessageId } from '../../schemas/ids.js'
import { msUntilOpen } from '../../schemas/send-window.js'
import type { LiveAgentConfig } from './agents.js'
import { loopReason } from './loop-guard.js'
import type { TriggerChoice } from './trigger-match.js'
import type { TurnLimits } from './turn-ports.js'

/** What decides about a turn before the model is asked. */
export interface TurnFacts {
  readonly turn: OpenTurn
  readonly chat: TurnChat
  readonly isGroup: boolean
  /** The newest messages of the chat, oldest first. */
  readonly history: readonly HistoryMessage[]
  readonly limits: TurnLimits
  readonly random: () => number
}

export type TurnDecision =
  | { readonly step: 'answer'; readonly trigger: TriggerRow; readonly agent: AgentInMemory }
  /** The text is sent without a model. */
  | { readonly step: 'closed'; readonly trigger: TriggerRow; readonly agent: AgentInMemory; readonly text: string }
  | { readonly step: 'wait'; readonly ms: number }
  | {
      readonly step: 'end'
      readonly state: 'skipped' | 'cancelled' | 'failed'
      readonly reason: TurnReason
      readonly error?: string
      /** The chat pauses, and the owner of the instance learns of it. */
      readonly pauses?: boolean
    }

/** Time after its first message in which a turn begins, however many follow. */
const BURST_MS = 60_000
const MINUTE_MS = 60_000
/** Pause of a chat that a person takes over, if the settings name no pause. */
const HANDOVER_MINUTES = 60
const MILLION = 1_000_000

/** Decides whether an agent answers, and which one. */
export function decideTurn(config: LiveAgentConfig | null, facts: TurnFacts): TurnDecision {
  const { turn, chat, limits } = facts
  const halted = findHalt(config, chat)
  if (halted !== null) return halted
  if (remainingMs(turn, limits) <= 0) return tooLate(turn)
  const messages = listTurnMessages(facts)
  if (messages.length === 0) return skipped('no_messages')
  const choice = choose(config as LiveAgentConfig, facts, messages)
  if (choice === null) return skipped('no_trigger')
  const { trigger, agent, isOpen } = choice
  const leftMs = Math.min(trigger.responseDelaySeconds * 1_000 - turn.quietMs, BURST_MS - turn.ageMs)
  if (turn.state === 'waiting' && leftMs > 0) return { step: 'wait', ms: leftMs }
  if (!isOpen) return findClosedMessage(choice, chat)
  if (agent.blockedReason !== '') return skipped('agent_blocked', agent.blockedReason)
  const loop = loopReason(facts.history, chat)
  if (loop !== null) return { ...skipped('loop', loop), pauses: true }
  if (turn.triggerId === '' && chat.turnsOfHour >= limits.turnsPerChatHour)
    return { ...skipped('chat_limit', `The chat had ${limits.turnsPerChatHour} turns within an hour.`), pauses: true }
  return { step: 'answer', trigger, agent }
}

/** Returns why agents must be silent in a chat now; null if they need not. */
export function findHalt(
  config: LiveAgentConfig | null,
  { isBlocked, record, nowMs }: Pick<TurnChat, 'isBlocked' | 'record' | 'nowMs'>,
): Extract<TurnDecision, { step: 'end' }> | null {
  if (config === null) return cancelled('chatbot_off')
  if (isBlocked) return cancelled('blocked_contact')
  if (Number(record.chatbot_disableUntil ?? 0) > nowMs) return cancelled('paused')
  return null
}

/** Emits the end of a turn that has begun, since it may have called functions. */
export function tooLate({ state }: Pick<OpenTurn, 'state'>): Extract<TurnDecision, { step: 'end' }> {
  const error = 'The answer would come too late.'
  return { step: 'end', state: state === 'waiting' ? 'skipped' : 'failed', reason: 'too_old', error }
}

/** Returns the pause for a person who takes a chat over: at least the time that the owner gives to people elsewhere. */
export function handoverMs(config: LiveAgentConfig | null): number {
  const minutes = Math.max(config?.settings.stopMinutes ?? 0, config?.settings.ownMessageMinutes ?? 0)
  return (minutes === 0 ? HANDOVER_MINUTES : minutes) * MINUTE_MS
}

/** Returns the id of the last message that a turn answers; null if it is not in the history. */
export function lastAnswered(facts: Pick<TurnFacts, 'turn' | 'history'>): MessageId | null {
  const last = listTurnMessages(facts).reduce<HistoryMessage | null>(
    (newest, message) => (newest === null || message.position > newest.position ? message : newest),
    null,
  )
  return last?.messageid ?? null
}

/** Returns the messages that a turn answers. */
function listTurnMessages({ turn, history }: Pick<TurnFacts, 'turn' | 'history'>): readonly HistoryMessage[] {
  return history.filter(({ fromMe, isDeleted, position }) => {
    return !fromMe && !isDeleted && position >= turn.firstPosition && position <= turn.lastPosition
  })
}

/** Returns the milliseconds until the answer of a turn is too late. */
export function remainingMs({ leftMs, dueInMs }: OpenTurn, { answerMs }: Pick<TurnLimits, 'answerMs'>): number {
  return leftMs ?? dueInMs + answerMs
}

/** Limits of a UTC day. */
export interface DayLimits extends Pick<TurnLimits, 'turnsPerDay' | 'tokensPerDay'> {
  /** 0: any. */
  readonly costPerDayMicros: number
}

/** A call of a model that is about to be made. */
export interface PlannedCall {
  /** Maximum that it uses. */
  readonly tokens: number
  /** The higher price of a million tokens, in millionths; 0: it has none. */
  readonly price: number
}

/**
 * Returns which part of the budget is used up; null if there is room for the call. Tokens that are reserved cost as much as this call does,
 * so that turns that run side by side, and calls whose answers were lost, do not exceed the money.
 */
export function budgetReason(
  { turns, reserved, tokensIn, tokensOut, costMicros }: DayUsage,
  { tokens, price }: PlannedCall,
  { turnsPerDay, tokensPerDay, costPerDayMicros }: DayLimits,
): 'budget_turns' | 'budget_tokens' | 'budget_money' | null {
  if (turns >= turnsPerDay) return 'budget_turns'
  if (reserved + tokensIn + tokensOut + tokens > tokensPerDay) return 'budget_tokens'
  const isBounded = costPerDayMicros > 0 && price > 0
  const planned = ((reserved + tokens) * price) / MILLION
  return isBounded && costMicros + planned > costPerDayMicros ? 'budget_money' : null
}

/** Returns the percentage of the budget, 80 or 100, of which the owner of the instance is to learn now; null if there is none. */
export function percentToTell(
  { turns, reserved, tokensIn, tokensOut, costMicros, told, toTell }: DayUsage,
  { turnsPerDay, tokensPerDay, costPerDayMicros }: DayLimits,
): 80 | 100 | null {
  const money = costPerDayMicros === 0 ? 0 : costMicros / costPerDayMicros
  const share = Math.max(turns / turnsPerDay, (reserved + tokensIn + tokensOut) / tokensPerDay, money)
  const percent = Math.max(toTell, share >= 1 ? 100 : share >= 0.8 ? 80 : 0)
  return percent > told ? (percent as 80 | 100) : null
}

/** A turn that began keeps its trigger, as long as there is one. Otherwise the best one of its messages counts. */
function choose(
  { matcher, triggers, agents }: LiveAgentConfig,
  { turn, chat, isGroup, random }: TurnFacts,
  messages: readonly HistoryMessage[],
): TriggerChoice | null {
  const former = triggers.find(({ id }) => id === turn.triggerId)
  const agent = former === undefined ? undefined : agents.get(former.agentId)
  if (former !== undefined && agent !== undefined)
    return { trigger: former, agent, isSticky: true, isOpen: isOpenAt(former, chat.nowMs) }
  const texts = messages.map(({ text }) => text)
  return matcher.choose({ texts, isGroup, chat: chat.record }, chat.nowMs, random)
}

function isOpenAt({ schedule }: TriggerRow, nowMs: number): boolean {
  return schedule === null || schedule.windows.some((window) => msUntilOpen(window, nowMs) === 0)
}

/** Each closed period has one message. */
function findClosedMessage({ trigger, agent }: TriggerChoice, { closedAtMs, nowMs }: TurnChat): TurnDecision {
  const { schedule } = trigger
  const text = schedule?.closedMessage ?? ''
  const wasOpen = (sinceMs: number): boolean =>
    schedule?.windows.some((window) => sinceMs + msUntilOpen(window, sinceMs) <= nowMs) === true
  if (text === '' || (closedAtMs !== null && !wasOpen(closedAtMs))) return skipped('hours')
  return { step: 'closed', trigger, agent, text }
}

function skipped(reason: TurnReason, error?: string): Extract<TurnDecision, { step: 'end' }> {
  return { step: 'end', state: 'skipped', reason, ...(error === undefined ? {} : { error }) }
}

function cancelled(reason: TurnReason): Extract<TurnDecision, { step: 'end' }> {
  return { step: 'end', state: 'cancelled', reason }
}
