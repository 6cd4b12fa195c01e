/** Chooses the trigger that answers a message. Pure: time and chance are arguments. */
import type { AgentConfig, AgentInMemory, TriggerRow } from '../../schemas/agents/records.js'
import { splitPhrases } from '../../schemas/agents/words.js'
import { findOpening } from '../../schemas/send-window.js'
import { LeadConditions, type LeadVerdicts } from './lead-condition.js'
import type { Owners } from './matching/owners.js'
import { PhraseFinder } from './matching/phrase-finder.js'

// Bound: 200, the triggers of an instance.

/** Received messages that are answered together, and their chat, as triggers see them. */
export interface MessagesToMatch {
  readonly texts: readonly string[]
  readonly isGroup: boolean
  /** The chat record, or those fields of it that are known. */
  readonly chat: Readonly<Record<string, unknown>>
}

export interface TriggerChoice {
  readonly trigger: TriggerRow
  readonly agent: AgentInMemory
  /** The chat stays with its trigger, whether the words match or not. */
  readonly isSticky: boolean
  /** False outside the hours of the trigger, which has a message for that. */
  readonly isOpen: boolean
}

/** Times for a message whose chat is not known yet. */
export interface TriggerDelays {
  /** Shortest delay of the triggers whose words the message holds, whatever their conditions and hours; null if there is none. */
  readonly ofWords: number | null
  /** Shortest delay of all triggers. */
  readonly shortest: number
  /** Longest time for which a chat stays with a trigger. */
  readonly stickyMs: number
}

interface Prepared {
  readonly trigger: TriggerRow
  readonly agent: AgentInMemory
  /** Place among the phrases; null: every message fits. */
  readonly owner: number | null
  /** Place among the conditions. */
  readonly condition: number
  /** Whether the trigger is open from one instant to before the other. */
  isOpen: boolean
  fromMs: number
  untilMs: number
}

/** Input of one choice. */
interface Look {
  readonly messages: MessagesToMatch
  readonly lead: LeadVerdicts
  readonly found: Owners | null
  readonly nowMs: number
}

const HOUR_MS = 3_600_000
/** The hours are looked at first when they are asked for. */
const NEVER_LOOKED = { isOpen: true, fromMs: 0, untilMs: 0 }
/** Time for which a chat stays with its trigger when the agent sees messages of any age. */
const STICKY_HOURS = 24

/** The triggers of an instance, prepared for matching. */
export class TriggerMatcher {
  readonly #ignoreGroups: boolean
  /** The highest priority first. */
  readonly #triggers: readonly Prepared[]
  readonly #byId: ReadonlyMap<string, Prepared>
  readonly #finder: PhraseFinder | null
  readonly #conditions: LeadConditions

  constructor({ settings, agents, triggers }: AgentConfig) {
    this.#ignoreGroups = settings.ignoreGroups
    const phrases: (readonly (readonly string[])[])[] = []
    const prepared: Prepared[] = []
    for (const trigger of triggers) {
      const agent = agents.get(trigger.agentId)
      if (agent === undefined) continue
      const isAlways = trigger.wordsToStart === ''
      const owner = isAlways ? null : phrases.push(splitPhrases(trigger.wordsToStart)) - 1
      prepared.push({ trigger, agent, owner, condition: prepared.length, ...NEVER_LOOKED })
    }
    this.#conditions = new LeadConditions(prepared.map(({ trigger }) => trigger))
    this.#triggers = prepared.sort((a, b) => b.trigger.priority - a.trigger.priority)
    this.#byId = new Map(prepared.map((one) => [one.trigger.id, one]))
    this.#finder = phrases.length === 0 ? null : new PhraseFinder(phrases)
  }

  /** Looks at a message alone, since its chat is not read yet. */
  findDelays(text: string, isGroup: boolean): TriggerDelays {
    const found = this.#finder?.find([text])
    let [ofWords, shortest, stickyMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
    for (const one of this.#triggers) {
      if (!serves(one, isGroup)) continue
      const delayMs = one.trigger.responseDelaySeconds * 1_000
      if (one.owner === null || found?.has(one.owner) === true) ofWords = Math.min(ofWords, delayMs)
      shortest = Math.min(shortest, delayMs)
      stickyMs = Math.max(stickyMs, findStickyMs(one))
    }
    return {
      ofWords: Number.isFinite(ofWords) ? ofWords : null,
      shortest: Number.isFinite(shortest) ? shortest : 0,
      stickyMs,
    }
  }

  /**
   * Returns the trigger of the highest priority that fits a message; one of several by chance. A chat stays with its last trigger, unless one of a
   * higher priority fits. A trigger outside its hours counts only if no other fits and it has a message for that. Null: none fits.
   * @param random returns a number from 0 to below 1
   */
  choose(messages: MessagesToMatch, nowMs: number, random: () => number): TriggerChoice | null {
    if (messages.isGroup && this.#ignoreGroups) return null
    const found = this.#finder === null ? null : this.#finder.find(messages.texts)
    const look: Look = { messages, lead: this.#conditions.of(messages.chat), found, nowMs }
    const sticky = this.#findSticky(look)
    const above = sticky?.trigger.priority ?? Number.NEGATIVE_INFINITY
    const best: Prepared[] = []
    let closed: Prepared | null = null
    for (const one of this.#triggers) {
      const { priority, schedule } = one.trigger
      if (priority <= above || priority < (best[0]?.trigger.priority ?? priority)) break
      if (!this.#fits(one, look)) continue
      if (this.#isOpen(one, nowMs)) best.push(one)
      else if (closed === null && schedule?.closedMessage !== '') closed = one
    }
    if (best.length > 0) return toChoice(best[Math.floor(random() * best.length) % best.length] as Prepared)
    if (sticky !== null && this.#isOpen(sticky, nowMs)) return { ...toChoice(sticky), isSticky: true }
    if (sticky !== null && sticky.trigger.schedule?.closedMessage !== '')
      return { ...toChoice(sticky), isSticky: true, isOpen: false }
    return closed === null ? null : { ...toChoice(closed), isOpen: false }
  }

  /** Returns the trigger with which the chat stays. */
  #findSticky({ messages: { chat, isGroup }, lead, nowMs }: Look): Prepared | null {
    const last = this.#byId.get(String(chat.chatbot_lastTrigger_id ?? ''))
    if (last === undefined || !serves(last, isGroup)) return null
    const ageMs = nowMs - Number(chat.chatbot_lastTriggerAt ?? 0)
    return ageMs <= findStickyMs(last) && lead.holds(last.condition) ? last : null
  }

  #fits(one: Prepared, { messages, lead, found }: Look): boolean {
    if (!serves(one, messages.isGroup)) return false
    if (one.owner !== null && found?.has(one.owner) !== true) return false
    return lead.holds(one.condition)
  }

  /** Time zones are slow to compute, so each look at the hours counts until they change. */
  #isOpen(one: Prepared, nowMs: number): boolean {
    const { schedule } = one.trigger
    if (schedule === null) return true
    if (nowMs < one.fromMs || nowMs >= one.untilMs) {
      const openings = schedule.windows.map((window) => findOpening(window, nowMs))
      one.isOpen = openings.some(({ isOpen }) => isOpen)
      one.fromMs = nowMs
      one.untilMs = Math.min(...openings.map(({ untilMs }) => untilMs))
    }
    return one.isOpen
  }
}

function serves({ trigger }: Prepared, isGroup: boolean): boolean {
  return !isGroup || !trigger.ignoreGroups
}

/** Returns the time for which a chat stays with the trigger. */
function findStickyMs({ agent: { contextHours } }: Prepared): number {
  return (contextHours === 0 ? STICKY_HOURS : contextHours) * HOUR_MS
}

function toChoice({ trigger, agent }: Prepared): TriggerChoice {
  return { trigger, agent, isSticky: false, isOpen: true }
}
