/** Estimates how many messages of a campaign leave on the present UTC day, and why the others wait. */
import type { HoldReason } from './campaign.js'
import type { PacingOutlook } from './pacing.js'
import { findOpening, type SendWindow } from './send-window.js'

const DAY_MS = 86_400_000

/** A campaign that is about to begin. */
export interface StartingCampaign {
  readonly count: number
  /** Part of its recipients who never wrote to the account, from 0 to 1. */
  readonly strangers: number
  readonly startsInMs: number
  /** Mean pause between two messages. */
  readonly pauseMs: number
  readonly dailyCap?: number | undefined
  readonly window?: SendWindow | undefined
}

export interface LeavingToday {
  /** Messages that leave today. */
  readonly leaving: number
  /** Messages that leave later. */
  readonly waiting: number
  /** Why they wait; null if none does. `scheduled`: the campaign begins on a later day. `pace`: the pauses, or the rate of the instance. */
  readonly reason: HoldReason | 'scheduled' | 'pace' | null
  /** Unix milliseconds until which that holds; null if it is not known. */
  readonly untilMs: number | null
}

/** Other campaigns of the instance share its budget and its rate, so that fewer may leave. */
export function leavingToday(campaign: StartingCampaign, outlook: PacingOutlook): LeavingToday {
  const { count, window, dailyCap } = campaign
  const { nowMs, restUntilMs, newChats } = outlook
  const endMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
  const startMs = Math.max(nowMs + campaign.startsInMs, restUntilMs ?? 0)
  const openMs = openTimeMs(startMs, endMs, window)
  const paced = pacedIn(openMs, findMeanPauseMs(campaign, outlook), count)
  const strangers = Math.round(count * campaign.strangers)
  const limits: readonly (Pick<LeavingToday, 'reason' | 'untilMs'> & { readonly most: number })[] = [
    startMs >= endMs
      ? { most: 0, reason: restUntilMs === startMs ? 'rate_limit' : 'scheduled', untilMs: startMs }
      : { most: count, reason: null, untilMs: null },
    {
      most: newChats === null ? count : count - strangers + Math.min(strangers, newChats.left),
      reason: newChats?.hold ?? 'new_chat_budget',
      untilMs: newChats?.untilMs ?? endMs,
    },
    { most: dailyCap ?? count, reason: 'daily_cap', untilMs: null },
    { most: paced, reason: openMs < endMs - startMs ? 'window' : 'pace', untilMs: null },
  ]
  const least = limits.reduce((one, other) => (other.most < one.most ? other : one))
  if (least.most >= count) return { leaving: count, waiting: 0, reason: null, untilMs: null }
  return { leaving: least.most, waiting: count - least.most, reason: least.reason, untilMs: least.untilMs }
}

/** Returns the estimate in the spelling of the API. */
export function todayRecord({ leaving, waiting, reason, untilMs }: LeavingToday) {
  return { leaving, waiting, reason, until: untilMs === null ? null : new Date(untilMs).toISOString() }
}

/** Days over which the end of a campaign is looked for. */
const DAYS_MAX = 100

/** Returns when the last message of a campaign leaves if nothing changes, in Unix milliseconds; null if that is not known, or too far away. */
export function estimateEnd(campaign: StartingCampaign, outlook: PacingOutlook): number | null {
  const { window } = campaign
  const { nowMs, restUntilMs, newChats } = outlook
  if (newChats !== null && newChats.coming === undefined) return null
  const startMs = Math.max(nowMs + campaign.startsInMs, restUntilMs ?? 0)
  const pauseMs = findMeanPauseMs(campaign, outlook)
  const today = Math.floor(nowMs / DAY_MS)
  let strangers = Math.round(campaign.count * campaign.strangers)
  let others = campaign.count - strangers
  if (campaign.count === 0) return startMs
  for (let day = Math.floor(startMs / DAY_MS); day < today + DAYS_MAX; day += 1) {
    const endMs = (day + 1) * DAY_MS
    const beginMs = Math.max(startMs, day * DAY_MS)
    const openMs = openTimeMs(beginMs, endMs, window)
    const most = Math.min(campaign.dailyCap ?? Number.POSITIVE_INFINITY, pacedIn(openMs, pauseMs, campaign.count))
    const ofStrangers = Math.min(strangers, most, newChatsOn(newChats, day - today, endMs))
    const ofOthers = Math.min(others, most - ofStrangers)
    strangers -= ofStrangers
    others -= ofOthers
    if (strangers + others === 0) return afterOpenMs(beginMs, endMs, (ofStrangers + ofOthers - 1) * pauseMs, window)
  }
  return null
}

/** Returns how many people who never wrote may get a message on a day from now. */
function newChatsOn(newChats: PacingOutlook['newChats'], day: number, endMs: number): number {
  if (newChats === null) return Number.POSITIVE_INFINITY
  if (day === 0) return newChats.left
  const { coming = [], hold, untilMs } = newChats
  if (hold !== null && untilMs !== null && untilMs >= endMs) return 0
  return coming[Math.min(day, coming.length) - 1] ?? Number.POSITIVE_INFINITY
}

/** Returns the instant after so much open time. */
function afterOpenMs(startMs: number, endMs: number, ms: number, window: SendWindow | undefined): number {
  if (window === undefined || window.byRecipient) return startMs + ms
  let leftMs = ms
  for (let atMs = startMs; atMs < endMs; ) {
    const { isOpen, untilMs } = findOpening(window, atMs)
    const toMs = Math.min(endMs, Math.max(untilMs, atMs + 1))
    if (isOpen && leftMs <= toMs - atMs) return atMs + leftMs
    if (isOpen) leftMs -= toMs - atMs
    atMs = toMs
  }
  return endMs
}

/** Returns the mean time between two messages. */
function findMeanPauseMs({ pauseMs }: StartingCampaign, { sendsPerMinute }: PacingOutlook): number {
  return Math.max(pauseMs, sendsPerMinute === 0 ? 0 : 60_000 / sendsPerMinute)
}

/** Returns how many messages leave within an open time. */
function pacedIn(openMs: number, pauseMs: number, count: number): number {
  if (openMs === 0) return 0
  return pauseMs === 0 ? count : 1 + Math.floor(openMs / pauseMs)
}

function openTimeMs(startMs: number, endMs: number, window: SendWindow | undefined): number {
  // A window by the zones of recipients is open for some of them at nearly any time.
  if (window === undefined || window.byRecipient) return Math.max(0, endMs - startMs)
  let openMs = 0
  for (let atMs = startMs; atMs < endMs; ) {
    const { isOpen, untilMs } = findOpening(window, atMs)
    const toMs = Math.min(endMs, Math.max(untilMs, atMs + 1))
    if (isOpen) openMs += toMs - atMs
    atMs = toMs
  }
  return openMs
}

/** When scheduled messages leave. They share the pace of the queue with those that are due before them. */

/** Maximum of sends due before one that count. With more of them the estimate is too early. */
export const BEFORE_MAX = 500

interface Backlog {
  /** When sends are due, in their order. */
  readonly duesMs: readonly number[]
  /** Time until which what is queued already keeps the instance busy. */
  readonly busyUntilMs: number
  /** Time from one scheduled send to the next. */
  readonly intervalMs: number
}

/** Estimates when each of these sends leaves. */
export function estimateLeavings({ duesMs, busyUntilMs, intervalMs }: Backlog): number[] {
  let leavesMs = busyUntilMs
  return duesMs.map((dueMs, index) => {
    leavesMs = Math.max(dueMs, index === 0 ? leavesMs : leavesMs + intervalMs)
    return leavesMs
  })
}

/** Returns the record of a scheduled send with the estimate. */
export function withLeaving(record: Readonly<Record<string, unknown>>, leavesMs: number) {
  const leavesAt = new Date(Math.round(leavesMs)).toISOString()
  return { ...record, schedule: { ...(record.schedule as object), leaves_at: leavesAt } }
}
