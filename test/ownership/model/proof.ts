/**
 * The proof of life and the declaration of death as a model: one owner, one taker, a Redis that may lose data or go back, an SQL
 * database, and messages that take any time or are lost. A process that is paused is one whose steps do not come. Time goes in
 * ticks. Bad is: the owner is dead in SQL (so that its shards can be claimed) and its guard is open.
 */
import type { Model } from './explore.js'

export interface ProofRules {
  readonly guardTicks: number
  readonly leaseTicks: number
  readonly countsFromRequest: boolean
  readonly confirmsLease: boolean
  readonly reopensBySql: boolean
  readonly startsAnewWithHistory: boolean
  readonly startsAnewWithRevision: boolean
  readonly waitsForLease: boolean
  readonly checksRevision: boolean
}

const proofRules: ProofRules = {
  guardTicks: 2,
  leaseTicks: 2,
  countsFromRequest: true,
  confirmsLease: true,
  reopensBySql: true,
  startsAnewWithHistory: true,
  startsAnewWithRevision: true,
  waitsForLease: true,
  checksRevision: true,
}

/** Few are enough for every failure that we know of, and keep the model small. */
const RENEWALS_MAX = 2
const CREATIONS_MAX = 2
const HOLDS_MAX = 2
const LOSSES_MAX = 2

interface Stored {
  readonly creation: number
  readonly counter: number
}

interface ProofState {
  /** Ticks for which the owner's guard is still open. */
  readonly open: number
  readonly lease: { readonly creation: number; readonly isMade: boolean; readonly isConfirmed: boolean }
  readonly counter: number
  readonly renewal: (Stored & Message) | null
  readonly creating: ({ readonly creation: number } & Message) | null
  readonly hold: ({ readonly confirms: number } & Message) | null
  readonly isOver: boolean

  readonly redis: { readonly lease: Stored | null; readonly history: number; readonly losses: number }
  readonly saved: Stored | null | undefined
  readonly revision: number
  readonly isDead: boolean

  readonly taker: {
    readonly revision: number | null
    readonly seen: { readonly value: string; readonly history: number } | null
    readonly age: number
    /** True when the taker may declare the death at any time from now on: its statement may take any time. */
    readonly isProven: boolean
  }
}

/** On its way, or on its way back with an answer. */
interface Message {
  readonly age: number
  readonly answer: boolean | null
}

type Next = readonly [name: string, next: ProofState]

export function proofModel(changed: Partial<ProofRules> = {}): Model<ProofState> {
  const rules = { ...proofRules, ...changed }
  return {
    initial: {
      open: rules.guardTicks,
      lease: { creation: 1, isMade: true, isConfirmed: true },
      counter: 0,
      renewal: null,
      creating: null,
      hold: null,
      isOver: false,
      redis: { lease: { creation: 1, counter: 0 }, history: 1, losses: 0 },
      saved: undefined,
      revision: 1,
      isDead: false,
      taker: { revision: null, seen: null, age: 0, isProven: false },
    },
    isBad: (state) => state.isDead && state.open > 0,
    key: formatKey,
    *steps(state) {
      if (!state.isOver) yield* ownerSteps(state, rules)
      yield* serverSteps(state)
      yield* takerSteps(state, rules)
      yield ['a tick', tick(state, rules)]
    },
  }
}

function formatKey(state: ProofState): string {
  const { lease, renewal, creating, hold, redis, saved, taker } = state
  let key = `${state.open}${+state.isOver}${+state.isDead}${state.counter}${state.revision}`
  key += `|${lease.creation}${+lease.isMade}${+lease.isConfirmed}`
  key += `|${redis.history}${redis.losses}${storedKey(redis.lease)}|${saved === undefined ? '?' : storedKey(saved)}`
  key += `|${taker.revision ?? '-'}${taker.age}${+taker.isProven}${taker.seen?.value ?? '-'}@${taker.seen?.history ?? '-'}`
  if (renewal !== null) key += `|r${renewal.age}${renewal.answer}${storedKey(renewal)}`
  if (creating !== null) key += `|c${creating.answer}${creating.creation}`
  if (hold !== null) key += `|h${hold.age}${hold.answer}${hold.confirms}`
  return key
}

function storedKey(lease: Stored | null): string {
  return lease === null ? '-' : `${lease.creation}.${lease.counter}`
}

function tick(state: ProofState, rules: ProofRules): ProofState {
  const older = <M extends Message>(message: M | null): M | null =>
    message && { ...message, age: Math.min(rules.guardTicks, message.age + 1) }
  return {
    ...state,
    open: Math.max(0, state.open - 1),
    renewal: older(state.renewal),
    hold: older(state.hold),
    taker: { ...state.taker, age: state.taker.seen === null ? 0 : Math.min(rules.leaseTicks, state.taker.age + 1) },
  }
}

function* ownerSteps(state: ProofState, rules: ProofRules): Iterable<Next> {
  const { lease, renewal, creating, hold } = state
  const proves = (message: Message) =>
    Math.max(state.open, rules.guardTicks - (rules.countsFromRequest ? message.age : 0))

  if (renewal === null && lease.isMade && state.counter < RENEWALS_MAX) {
    const counter = state.counter + 1
    const sent = { creation: lease.creation, counter, age: 0, answer: null }
    yield ['owner asks for a renewal', { ...state, counter, renewal: sent }]
  }
  if (renewal?.answer === false) {
    const lost = { ...lease, isMade: false, isConfirmed: false }
    yield ['owner learns that its lease is lost', { ...state, renewal: null, lease: lost }]
  }
  if (renewal?.answer === true) {
    const counts = lease.isConfirmed && (state.open > 0 || !rules.reopensBySql)
    const open = counts ? proves(renewal) : state.open
    yield [`owner learns of its renewal${counts ? '' : ', which does not count'}`, { ...state, renewal: null, open }]
  }
  if (creating === null && renewal === null && !lease.isMade && lease.creation < CREATIONS_MAX) {
    const creation = lease.creation + 1
    const sent = { creation, age: 0, answer: null }
    yield ['owner makes a lease', { ...state, creating: sent, lease: { ...lease, creation } }]
  }
  if (creating?.answer === true) {
    const made = { ...lease, isMade: true, isConfirmed: !rules.confirmsLease }
    yield ['owner learns that its lease is made', { ...state, creating: null, lease: made }]
  }
  if (hold === null && state.revision <= HOLDS_MAX) {
    const sent = { confirms: lease.isMade ? lease.creation : 0, age: 0, answer: null }
    yield ['owner asks for a hold', { ...state, hold: sent }]
  }
  if (hold?.answer === true) {
    const isConfirmed = lease.isConfirmed || (lease.isMade && hold.confirms === lease.creation)
    const held = { ...state, hold: null, open: proves(hold), lease: { ...lease, isConfirmed } }
    yield ['owner learns of its hold', held]
  }
  if (hold?.answer === false)
    yield ['owner learns that it is dead', { ...state, hold: null, isOver: true, renewal: null, creating: null }]
  for (const name of ['renewal', 'hold'] as const)
    if (state[name] !== null) yield [`the ${name} or its answer is lost`, { ...state, [name]: null }]
}

function* serverSteps(state: ProofState): Iterable<Next> {
  const { redis, renewal, creating, hold } = state
  if (renewal?.answer === null) {
    const isThere = redis.lease?.creation === renewal.creation
    const lease = isThere ? { creation: renewal.creation, counter: renewal.counter } : redis.lease
    const next = { ...state, redis: { ...redis, lease }, renewal: { ...renewal, answer: isThere } }
    yield [isThere ? 'Redis renews' : 'Redis finds no lease to renew', next]
  }
  if (creating?.answer === null) {
    const lease = { creation: creating.creation, counter: state.counter }
    yield ['Redis makes the lease', { ...state, redis: { ...redis, lease }, creating: { ...creating, answer: true } }]
  }
  if (hold?.answer === null) {
    const revision = state.isDead ? state.revision : state.revision + 1
    yield ['SQL answers the hold', { ...state, revision, hold: { ...hold, answer: !state.isDead } }]
  }
  if (redis.lease !== null && redis.losses < LOSSES_MAX)
    yield ['Redis evicts the lease', { ...state, redis: { ...redis, lease: null, losses: redis.losses + 1 } }]
  if (state.saved === undefined) yield ['Redis saves', { ...state, saved: redis.lease }]
  else if (redis.history === 1)
    yield ['Redis goes back to what it saved', { ...state, redis: { ...redis, lease: state.saved, history: 2 } }]
}

/**
 * A reading is one step: an answer that comes later only makes the taker wait longer, and one that was asked for earlier only counts for
 * less.
 */
function* takerSteps(state: ProofState, rules: ProofRules): Iterable<Next> {
  const { taker } = state
  if (state.isDead) return
  if (taker.revision !== state.revision) {
    const anew = rules.startsAnewWithRevision || taker.revision === null
    const next = anew ? { seen: null, age: 0, isProven: false } : taker
    yield ['taker reads the revision', { ...state, taker: { ...next, revision: state.revision } }]
  }
  if (taker.revision === null) return
  if (!taker.isProven) yield ['taker reads the lease', { ...state, taker: learn(state, rules) }]
  else if (taker.revision === state.revision || !rules.checksRevision)
    yield ['taker declares the owner dead', { ...state, isDead: true }]
}

function learn({ taker, redis }: ProofState, rules: ProofRules): ProofState['taker'] {
  const value = redis.lease === null ? 'absent' : `${redis.lease.creation}.${redis.lease.counter}`
  const { history } = redis
  const isSame = taker.seen?.value === value && (taker.seen.history === history || !rules.startsAnewWithHistory)
  const isProven = (isSame && taker.age >= rules.leaseTicks) || (value === 'absent' && !rules.waitsForLease)
  if (isProven) return { ...taker, seen: null, age: 0, isProven }
  return isSame ? taker : { ...taker, seen: { value, history }, age: 0 }
}
