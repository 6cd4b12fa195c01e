/**
 * Keeps the proof that this node lives: renews its lease in Redis, writes holds in SQL while that is in doubt, and publishes the time until
 * which the guard is open. Runs in the lease worker, so that a main thread that stands still loses nothing.
 */
import type { Instant, KeeperCommand, KeeperEvent, MonotonicMs, Timing } from './protocol.js'

export interface KeeperState {
  readonly timing: Timing
  /** `over`: the node was declared dead, or leaves; nothing is proven. */
  readonly phase: 'waiting' | 'keeping' | 'over'
  /** Time until which the guard is open. */
  readonly until: Instant
  readonly lease: OwnLease
  /** Time at which the request of the last answer of Redis that counted was sent. */
  readonly renewedAtMs: MonotonicMs
  readonly renewAtMs: MonotonicMs
  readonly isRedisAsked: boolean
  readonly holdAtMs: MonotonicMs
  readonly isHoldAsked: boolean
  /** True while other nodes use a newer store: holds, which this node writes to its own, prove nothing then. */
  readonly isOutdated: boolean
  /** Creation of the lease that was already made when the hold under way was sent; null when none was. */
  readonly holdConfirms: number | null
}

interface OwnLease {
  readonly creation: number
  readonly counter: number
  readonly isMade: boolean
  /** True when renewals count as proof, since a hold followed the creation. */
  readonly isConfirmed: boolean
}

/** Rules that the simulation switches off, to show that each is needed. */
export interface KeeperRules {
  /** The deadline counts from before the request, not from its answer. */
  readonly countsFromRequest: boolean
  /** A lease counts only after a hold that followed its creation: a node that read Redis before may be declaring this one dead. */
  readonly confirmsLease: boolean
  /** Only a hold opens a guard that has closed, for the same reason. */
  readonly reopensBySql: boolean
}

const allRules: KeeperRules = { countsFromRequest: true, confirmsLease: true, reopensBySql: true }

export function startKeeper(timing: Timing): KeeperState {
  return {
    timing,
    phase: 'waiting',
    until: { monotonicMs: 0, wallMs: 0 },
    lease: { creation: 0, counter: 0, isMade: false, isConfirmed: false },
    renewedAtMs: Number.NEGATIVE_INFINITY,
    renewAtMs: 0,
    isRedisAsked: false,
    holdAtMs: 0,
    isHoldAsked: false,
    isOutdated: false,
    holdConfirms: null,
  }
}

export function keep(
  state: KeeperState,
  event: KeeperEvent,
  now: Instant,
  rules: KeeperRules = allRules,
): { state: KeeperState; commands: readonly KeeperCommand[] } {
  if (state.phase === 'over') return { state, commands: [] }
  switch (event.type) {
    case 'tick': {
      if (state.phase === 'waiting') return { state, commands: [] }
      if (now.monotonicMs - event.mainSeenMs >= state.timing.mainSilenceMs) return { state, commands: [] }
      return ask(state, now)
    }
    case 'begin':
      return state.phase === 'waiting' ? proven({ ...state, phase: 'keeping' }, event.sentAt) : { state, commands: [] }
    case 'leaseCreated': {
      const isMade = event.creation === state.lease.creation
      const lease = { ...state.lease, isMade, isConfirmed: isMade && !rules.confirmsLease }
      return ask({ ...state, lease, isRedisAsked: false, holdAtMs: now.monotonicMs }, now)
    }
    case 'leaseFailed':
      return {
        state: { ...state, isRedisAsked: false, renewAtMs: now.monotonicMs + state.timing.retryMs },
        commands: [],
      }
    case 'leaseOutdated':
      return { state: { ...state, isRedisAsked: false, isOutdated: true }, commands: [] }
    case 'leaseRenewed':
      return renewed({ ...state, isRedisAsked: false, isOutdated: false }, event, now, rules)
    case 'leaseLost': {
      const lease = { ...state.lease, isMade: false, isConfirmed: false }
      return ask({ ...state, lease, isRedisAsked: false, renewAtMs: now.monotonicMs, holdAtMs: now.monotonicMs }, now)
    }
    case 'held': {
      const isConfirmed = state.lease.isConfirmed || (state.lease.isMade && state.holdConfirms === state.lease.creation)
      const lease = { ...state.lease, isConfirmed }
      const held = {
        ...state,
        lease,
        isHoldAsked: false,
        holdAtMs: event.sentAt.monotonicMs + state.timing.holdEveryMs,
      }
      if (state.isOutdated) return { state: held, commands: [] }
      return proven(held, rules.countsFromRequest ? event.sentAt : now)
    }
    case 'holdFailed':
      return { state: { ...state, isHoldAsked: false, holdAtMs: now.monotonicMs + state.timing.retryMs }, commands: [] }
    case 'holdRefused':
      return { state: { ...state, phase: 'over' }, commands: [{ type: 'refused' }] }
    case 'leave':
      return { state: { ...state, phase: 'over' }, commands: [{ type: 'markLeft' }] }
    default:
      return event satisfies never
  }
}

/** Maximum time between two ticks while an answer is awaited, or the proof is in doubt. */
const TICK_MS = 100

/** Returns the time until the next tick: in calm times until the lease must be renewed, since nothing else is decided before. */
export function nextTickMs(state: KeeperState, now: Instant): number {
  const { phase, lease, isRedisAsked, isHoldAsked, renewAtMs, until, timing } = state
  const isCalm =
    phase === 'keeping' && lease.isConfirmed && !isRedisAsked && !isHoldAsked && isOpen(until, now, timing.guardMs)
  const leftMs = renewAtMs - now.monotonicMs
  // A renewal that is overdue waits for the main thread; frequent ticks would not help.
  return isCalm && leftMs > 0 ? Math.min(Math.ceil(leftMs), timing.renewMs) : TICK_MS
}

/** Tells whether the guard is open. A wall clock that was set back closes it too, since it cannot show whether the machine slept. */
export function isOpen(until: Instant, now: Instant, guardMs: number): boolean {
  return now.monotonicMs < until.monotonicMs && now.wallMs < until.wallMs && now.wallMs >= until.wallMs - guardMs
}

/** Sends the requests to Redis and SQL that are due. */
function ask(state: KeeperState, now: Instant): { state: KeeperState; commands: readonly KeeperCommand[] } {
  const commands: KeeperCommand[] = []
  const nowMs = now.monotonicMs
  let next = state
  if (!next.isRedisAsked && nowMs >= next.renewAtMs) {
    const lease = next.lease.isMade
      ? { ...next.lease, counter: next.lease.counter + 1 }
      : { creation: next.lease.creation + 1, counter: 0, isMade: false, isConfirmed: false }
    const { creation, counter } = lease
    commands.push(next.lease.isMade ? { type: 'renewLease', creation, counter } : { type: 'createLease', creation })
    next = { ...next, lease, isRedisAsked: true, renewAtMs: nowMs + next.timing.renewMs }
  }
  if (!next.isHoldAsked && nowMs >= next.holdAtMs && needsHold(next, now)) {
    commands.push({ type: 'hold' })
    next = { ...next, isHoldAsked: true, holdConfirms: next.lease.isMade ? next.lease.creation : null }
  }
  return { state: next, commands }
}

function needsHold(state: KeeperState, now: Instant): boolean {
  if (state.isOutdated) return false
  if (!state.lease.isConfirmed || !isOpen(state.until, now, state.timing.guardMs)) return true
  return now.monotonicMs - state.renewedAtMs >= state.timing.holdAfterMs
}

function renewed(
  state: KeeperState,
  event: { readonly creation: number; readonly sentAt: Instant },
  now: Instant,
  rules: KeeperRules,
): { state: KeeperState; commands: readonly KeeperCommand[] } {
  if (event.creation !== state.lease.creation) return { state, commands: [] }
  const counts = state.lease.isConfirmed && (isOpen(state.until, now, state.timing.guardMs) || !rules.reopensBySql)
  if (!counts) return ask(state, now)
  return proven({ ...state, renewedAtMs: event.sentAt.monotonicMs }, rules.countsFromRequest ? event.sentAt : now)
}

function proven(state: KeeperState, from: Instant): { state: KeeperState; commands: readonly KeeperCommand[] } {
  const until = {
    monotonicMs: from.monotonicMs + state.timing.guardMs,
    wallMs: from.wallMs + state.timing.guardMs,
  }
  if (until.monotonicMs <= state.until.monotonicMs) return { state, commands: [] }
  return { state: { ...state, until }, commands: [{ type: 'publish', until }] }
}
