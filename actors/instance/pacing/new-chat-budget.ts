import { type AccountLimits, isCapped } from '../../../schemas/account-limits.js'
import type { PacedKind, PacingSettings } from '../../../schemas/pacing.js'
import { DAY_MS } from './state.js'

export interface BudgetInput {
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
export function budgetOf({ settings, sinceMs, nowMs, limits, usedAtCheck }: BudgetInput): number | null {
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
