import { backOffMs } from '../../../lib/back-off.js'
import { type AccountLimits, endOfLimits, isCapped, isLocked, NO_LIMITS } from '../../../schemas/account-limits.js'
import type { NewChatHold, PacedKind, PacingHold, PacingSettings, ParkDecision } from '../../../schemas/pacing.js'
import { DAY_MS, endOfDay, type PacerState, RESTED_MAX_MS, type RestCause, toDayNumber } from './state.js'

export interface NewChatsParts {
  readonly settings: PacingSettings
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  /** Stores the state. */
  readonly store: () => void
  readonly report: (
    restriction: PacingHold['kind'],
    change: 'began' | 'changed' | 'ended',
    untilMs: number | null,
  ) => void
  /** Called when a rest begins or moves, or is over. */
  readonly onChange: () => void
}

/** Rests of new chats that the network gives no end for. */
const PROBE_MIN_MS = 3_600_000
const PROBE_MAX_MS = DAY_MS
/** Refusals in a row after which new chats rest, although the network reports no restriction. */
const REFUSALS_MAX = 5
/** Time after which a message that tests whether the network takes new chats again counts as taken. */
const PROBE_ANSWER_MS = 60_000

/**
 * Messages of one account to people who never wrote: their budget, and their rests while the network takes none. After a rest one message
 * tests whether it takes them again, and the pace is halved for a day.
 */
export class NewChats {
  readonly #parts: NewChatsParts
  readonly #state: PacerState
  /** The number is in use since then. */
  #sinceMs: number
  #limits: AccountLimits = NO_LIMITS
  /** `newChats` of the state when the network last told of its quota. */
  #usedAtCheck: number
  /** Time of the last test message. */
  #probedAtMs: number | null = null

  constructor(parts: NewChatsParts, state: PacerState, sinceMs: number) {
    this.#parts = parts
    this.#state = state
    this.#sinceMs = sinceMs
    this.#usedAtCheck = state.newChats
  }

  /** True after a refusal, in a rest, and while its end is tested. */
  get isWatched(): boolean {
    return this.#state.restOfNew !== null || this.#state.isProbing || this.#state.refusals > 0
  }

  use(sinceMs: number): void {
    this.#sinceMs = sinceMs
  }

  /** Begins the budget of a new day. */
  passTime(nowMs: number): void {
    const state = this.#state
    if (state.day === toDayNumber(nowMs)) return
    state.day = toDayNumber(nowMs)
    state.newChats = 0
    this.#usedAtCheck = 0
    if (state.budgetReportedOn === 0) return
    state.budgetReportedOn = 0
    this.#parts.store()
    this.#parts.report('new_chat_budget', 'ended', null)
  }

  /** Returns how long a person who never wrote waits; null if the message may leave. */
  findPark(kind: PacedKind, nowMs: number): ParkDecision | null {
    const { restOfNew, isProbing, newChats } = this.#state
    if (restOfNew !== null && restOfNew.untilMs > nowMs) {
      const reason = restOfNew.cause === 'reachout_timelock' ? 'network_lock' : 'limit'
      return { parkMs: restOfNew.untilMs - nowMs, reason }
    }
    // The others wait for the answer to the message that tests.
    if (isProbing && this.#probedAtMs !== null) {
      const leftMs = this.#probedAtMs + PROBE_ANSWER_MS - nowMs
      if (leftMs > 0) return { parkMs: leftMs, reason: 'limit' }
      this.#probePassed(nowMs)
    }
    const budget = isBudgeted(this.#parts.settings, kind) ? this.budget(nowMs) : null
    if (budget === null || newChats < budget) return null
    this.#reportBudget(nowMs)
    return { parkMs: endOfDay(nowMs) - nowMs, reason: 'budget' }
  }

  /** Returns why a person who never wrote waits, and how long; null if the message may leave. */
  findHold(kind: PacedKind, nowMs: number): NewChatHold | null {
    const park = this.findPark(kind, nowMs)
    if (park === null) return null
    const cause = this.#state.restOfNew?.cause ?? 'new_chat_refusals'
    return { reason: park.reason === 'budget' ? 'new_chat_budget' : cause, ms: park.parkMs }
  }

  /** Counts a message to a person who never wrote. */
  taken(kind: PacedKind, nowMs: number): void {
    if (isBudgeted(this.#parts.settings, kind)) this.#state.newChats += 1
    if (this.#state.isProbing) this.#probedAtMs = nowMs
  }

  /** Handles that the network took a message to a person who never wrote. */
  accepted(nowMs: number): void {
    const state = this.#state
    const isProbe = state.isProbing && this.#probedAtMs !== null
    const hadRefusals = state.refusals > 0
    state.refusals = 0
    if (isProbe) this.#probePassed(nowMs)
    else if (hadRefusals) this.#parts.store()
  }

  /** Handles that the network refused a message to a person who never wrote. Returns the end of the rest; null if there is none. */
  refused(nowMs: number): number | null {
    const state = this.#state
    if (state.isProbing && this.#probedAtMs !== null) this.#probeFailed(nowMs)
    else if (state.restOfNew === null) this.#countRefusal(nowMs)
    const { restOfNew } = state
    return restOfNew !== null && restOfNew.untilMs > nowMs ? restOfNew.untilMs : null
  }

  /** Begins, moves or ends the rest as the network's restrictions say. */
  follow(limits: AccountLimits, nowMs: number): void {
    const { restOfNew, newChats, probeSteps } = this.#state
    this.#limits = limits
    this.#usedAtCheck = newChats
    const cause = findCause(limits, nowMs)
    if (cause === null) {
      const isOfNetwork = restOfNew !== null && restOfNew.cause !== 'new_chat_refusals'
      const releasedAtMs = nowMs + this.#jitterMs()
      if (isOfNetwork && restOfNew.untilMs > releasedAtMs) this.#restUntil(releasedAtMs, restOfNew.cause, nowMs)
      return
    }
    const endMs = endOfLimits(limits, nowMs)
    const isKnown = restOfNew?.cause === cause
    if (endMs === null) {
      // Without an end, new chats are tested from time to time.
      if (!isKnown) this.#restUntil(nowMs + backOffMs(probeSteps, PROBE_MIN_MS, PROBE_MAX_MS), cause, nowMs)
    } else if (
      !isKnown ||
      restOfNew.untilMs < endMs ||
      restOfNew.untilMs > endMs + this.#parts.settings.releaseJitterMs
    )
      this.#restUntil(endMs + this.#jitterMs(), cause, nowMs)
  }

  /** Returns the number of messages to people who never wrote that may leave on this day; null: no limit. */
  budget(nowMs: number): number | null {
    const { settings } = this.#parts
    if (!isBudgeted(settings, 'campaign')) return null
    const [sinceMs, limits, usedAtCheck] = [this.#sinceMs, this.#limits, this.#usedAtCheck]
    return computeBudget({ settings, sinceMs, nowMs, limits, usedAtCheck })
  }

  /** Length of the last rest. Messages that waited through it are not older for that. */
  restedMs(nowMs: number): number {
    const { restOfNew, restedMs } = this.#state
    return Math.min(RESTED_MAX_MS, Math.max(restedMs, restOfNew === null ? 0 : nowMs - restOfNew.sinceMs))
  }

  holds(nowMs: number): readonly PacingHold[] {
    const { restOfNew, newChats, day } = this.#state
    const budget = this.budget(nowMs)
    const isUsedUp = budget !== null && newChats >= budget && day === toDayNumber(nowMs)
    return [
      ...(restOfNew !== null && restOfNew.untilMs > nowMs
        ? [{ kind: restOfNew.cause, untilMs: restOfNew.untilMs }]
        : []),
      ...(isUsedUp ? [{ kind: 'new_chat_budget' as const, untilMs: endOfDay(nowMs) }] : []),
    ]
  }

  /** Emits once a day that the budget is used up, whichever node owns the instance. */
  #reportBudget(nowMs: number): void {
    const state = this.#state
    if (state.budgetReportedOn === toDayNumber(nowMs)) return
    state.budgetReportedOn = toDayNumber(nowMs)
    this.#parts.store()
    this.#parts.report('new_chat_budget', 'began', endOfDay(nowMs))
  }

  #restUntil(untilMs: number, cause: RestCause, nowMs: number): void {
    const state = this.#state
    state.restOfNew = { untilMs, cause, sinceMs: state.restOfNew?.sinceMs ?? nowMs }
    state.isProbing = true
    this.#probedAtMs = null
    this.#parts.store()
    this.#parts.onChange()
  }

  #countRefusal(nowMs: number): void {
    this.#state.refusals += 1
    if (this.#state.refusals >= REFUSALS_MAX) this.#restAfterRefusals(nowMs)
    else this.#parts.store()
  }

  #restAfterRefusals(nowMs: number): void {
    const state = this.#state
    const untilMs = nowMs + backOffMs(state.probeSteps, PROBE_MIN_MS, PROBE_MAX_MS)
    const isNew = state.restOfNew?.cause !== 'new_chat_refusals'
    state.probeSteps += 1
    state.refusals = 0
    this.#restUntil(untilMs, 'new_chat_refusals', nowMs)
    this.#parts.report('new_chat_refusals', isNew ? 'began' : 'changed', untilMs)
  }

  /** Prolongs the rest, because the message that tested its end was refused. */
  #probeFailed(nowMs: number): void {
    const state = this.#state
    this.#probedAtMs = null
    const cause = state.restOfNew?.cause ?? 'new_chat_refusals'
    if (cause === 'new_chat_refusals') {
      this.#restAfterRefusals(nowMs)
      return
    }
    state.probeSteps += 1
    this.#restUntil(nowMs + backOffMs(state.probeSteps, PROBE_MIN_MS, PROBE_MAX_MS), cause, nowMs)
  }

  #probePassed(nowMs: number): void {
    const state = this.#state
    const { restOfNew } = state
    if (restOfNew !== null) state.restedMs = Math.min(RESTED_MAX_MS, nowMs - restOfNew.sinceMs)
    if (restOfNew?.cause === 'new_chat_refusals') this.#parts.report('new_chat_refusals', 'ended', null)
    state.restOfNew = null
    state.isProbing = false
    state.probeSteps = 0
    state.slowUntilMs = Math.max(state.slowUntilMs, nowMs + DAY_MS)
    this.#probedAtMs = null
    this.#parts.store()
    this.#parts.onChange()
  }

  /** Spreads the ends, so that accounts that were restricted together do not begin together. */
  #jitterMs(): number {
    return this.#parts.settings.releaseJitterMs * this.#parts.random()
  }
}

function findCause(limits: AccountLimits, nowMs: number): RestCause | null {
  if (isLocked(limits, nowMs)) return 'reachout_timelock'
  return isCapped(limits, nowMs) ? 'new_chat_message_capping' : null
}

interface BudgetInput {
  readonly settings: PacingSettings
  /** The number is in use since then. */
  readonly sinceMs: number
  readonly nowMs: number
  readonly limits: AccountLimits
  /** Messages to people who never wrote on this day, when the network last told of its quota. */
  readonly usedAtCheck: number
}

/** Part of the network's quota that is left to the person who holds the phone. */
const RESERVE = 0.1
/** Parts of the budget that remain after warnings of the network. */
const WARNED: Readonly<Record<string, number>> = { FIRST_WARNING: 0.5, SECOND_WARNING: 0.25 }

/** Returns true if the budget applies to sends of this kind. */
export function isBudgeted({ newChatsOf, newChatsPerDay, newChatsWarmUp }: PacingSettings, kind: PacedKind): boolean {
  const isSet = newChatsPerDay > 0 || newChatsWarmUp.length > 0
  return isSet && (newChatsOf === 'all' || kind === 'campaign')
}

/** Returns the number of messages to people who never wrote that may leave on this UTC day; null: no limit. */
function computeBudget({ settings, sinceMs, nowMs, limits, usedAtCheck }: BudgetInput): number | null {
  const ageDays = Math.max(0, Math.floor((nowMs - sinceMs) / DAY_MS))
  const { newChatsWarmUp, newChatsPerDay } = settings
  const planned = newChatsWarmUp[ageDays] ?? (newChatsPerDay === 0 ? Number.POSITIVE_INFINITY : newChatsPerDay)
  const left = quotaLeft(limits, nowMs)
  const share = isInCycle(limits, nowMs) ? (WARNED[limits.cap?.status ?? ''] ?? 1) : 1
  const budget = Math.min(Math.floor(planned * share), usedAtCheck + Math.floor(left * share))
  return Number.isFinite(budget) ? budget : null
}

/** Returns the number of messages that the network's quota leaves after the reserve; infinite without a quota. */
function quotaLeft(limits: AccountLimits, nowMs: number): number {
  const { cap } = limits
  if (isCapped(limits, nowMs)) return 0
  if (cap === null || !isInCycle(limits, nowMs) || cap.totalQuota === null || cap.totalQuota < 0)
    return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(cap.totalQuota * (1 - RESERVE)) - (cap.usedQuota ?? 0))
}

function isInCycle({ cap }: AccountLimits, nowMs: number): boolean {
  return cap !== null && (cap.cycleEndMs === null || cap.cycleEndMs > nowMs)
}
