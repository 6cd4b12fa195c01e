/** Decides which node owns which shard, as a pure machine: no I/O, no clock, no chance. docs/design/ownership.md says why it is safe. */
import { pullAsked, quieted, quietFailed, raiseDue, rowAfter, rowUnknown, rowUntouched } from './moves.js'
import { place } from './placement.js'
import type { CoreCommand, CoreEvent, EndReason, MonotonicMs } from './protocol.js'
import { isLiving, mergeRow, mergeRows, mergeTable, startAgain } from './shards.js'
import { type CoreState, mayRegister } from './state.js'
import { judge, watchDeclared, watchLeases, watchNothing, watchProbe, watchRegistered, watchTable } from './watch.js'

/** Number of shards up to which each hint is followed at once, and how many above it are read in a millisecond. */
const HINTED_AT_ONCE = 256
const HINTED_PER_MS = 32

export function decide(
  state: CoreState,
  event: CoreEvent,
  nowMs: MonotonicMs,
): { state: CoreState; commands: readonly CoreCommand[] } {
  if (state.phase === 'ended') return { state, commands: [] }
  const out: CoreCommand[] = []
  const taken = take(state, event, nowMs, out)
  return { state: advance(taken, event, nowMs, out), commands: out }
}

function take(state: CoreState, event: CoreEvent, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  switch (event.type) {
    case 'tick':
      return tick(state, event, nowMs, out)
    case 'table':
      if (state.isTableOld) return { ...state, isTableAsked: false, isTableOld: false, tableAtMs: nowMs }
      return tableRead({ ...state, isTableAsked: false }, event, nowMs, out)
    case 'tableFailed':
      return { ...state, isTableAsked: false, isTableOld: false, tableAtMs: nowMs + state.timing.retryMs }
    case 'storeBack':
      return startAgain(state, event, nowMs, out)
    case 'hint':
      return {
        ...state,
        tableAtMs: Math.min(state.tableAtMs, Math.max(nowMs, state.tableAskedAtMs + hintGapMs(state))),
      }
    case 'leases':
      return watchLeases({ ...state, areLeasesAsked: false, redisAway: null }, event, nowMs)
    case 'leasesFailed':
      return watchNothing({ ...state, areLeasesAsked: false }, nowMs)
    case 'registered':
      return { ...watchRegistered(state), phase: 'member', tableAtMs: nowMs, isTableOld: state.isTableAsked }
    case 'registerRefused':
    case 'registerFailed': {
      const againAtMs = nowMs + state.timing.retryMs
      return { ...state, isRegistering: false, registerAtMs: againAtMs, tableAtMs: againAtMs }
    }
    case 'probed':
      return watchProbe(state, event, nowMs)
    case 'declared':
      return { ...watchDeclared(state, event, nowMs), tableAtMs: nowMs }
    case 'claimed':
      return claimed(state, event, nowMs, out)
    case 'claimFailed':
      return { ...state, isClaiming: false, tableAtMs: nowMs }
    case 'pullAsked':
      return pullAsked(state, event, out)
    case 'pullAnswered':
      return pullAnswered(state, event, nowMs, out)
    case 'pullFailed':
      return { ...state, pull: null, pullAtMs: nowMs + 4 * state.timing.retryMs, tableAtMs: nowMs }
    case 'quieted':
      return quieted(state, event.shard, event.epoch, out)
    case 'quietFailed':
      return quietFailed(state, event.shard, event.epoch, out)
    case 'rowAfter':
      return rowAfter(state, event, nowMs, out)
    case 'rowUntouched':
      return rowUntouched(state, event, nowMs, out)
    case 'rowUnknown':
      return rowUnknown(state, event, nowMs, out)
    case 'drainAsked':
      return drainAsked(state, out)
    case 'stopAsked':
      return stopAsked(state, out)
    case 'stopped':
      return state.phase === 'leaving' ? leave(state, out) : state
    case 'refused':
      return end(state, 'dead', out)
    default:
      return event satisfies never
  }
}

/** Takes the next steps that the new state calls for, whatever the event was. */
function advance(state: CoreState, event: CoreEvent, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  if (state.phase === 'ended') return state
  let next = changesJoining(event) ? join(state, nowMs, out) : state
  if (next.phase === 'ended') return next
  if (changesJudgement(event)) next = judge(next, nowMs, out)
  // An idle node ticks four times a second, and a look at all shards costs as much as the rest of a tick.
  const isIdle = event.type === 'tick' && isQuiet(next)
  if (changesPlacement(event) && !isIdle) next = place(next, nowMs, out)
  next = read(next, nowMs, out)
  const isEmpty = next.own.size === 0 && !next.isClaiming && next.pull === null
  return next.phase === 'member' && next.endsWhenEmpty && isEmpty ? leave(next, out) : next
}

function changesJoining({ type }: CoreEvent): boolean {
  return type === 'table' || type === 'storeBack' || type === 'tick' || type === 'declared'
}

function changesJudgement({ type }: CoreEvent): boolean {
  return type === 'tick' || type === 'table' || type === 'leases' || type === 'probed'
}

function changesPlacement({ type }: CoreEvent): boolean {
  return type === 'tick' || type === 'table' || type === 'declared' || type === 'claimed' || type === 'pullAnswered'
}

function tick(
  state: CoreState,
  { isGuardOpen, canLogin }: Extract<CoreEvent, { type: 'tick' }>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const closedSinceMs = isGuardOpen ? null : (state.closedSinceMs ?? nowMs)
  const next = raiseDue({ ...state, isGuardOpen, canLogin, closedSinceMs }, nowMs, out)
  if (next.endsWhenEmpty && !next.nodes.get(next.self.incarnation)?.isDraining) out.push({ type: 'setDraining' })
  const mayFence = state.phase !== 'joining' && !state.isFenced
  if (closedSinceMs !== null && nowMs - closedSinceMs >= state.timing.fenceMs && mayFence) {
    out.push({ type: 'fence' })
    return { ...next, isFenced: true }
  }
  return isGuardOpen && state.isFenced ? unfence(next, out) : next
}

/** Lets the actors act again. The guard is open, so nobody has declared this node dead, and it still owns its shards. */
function unfence(state: CoreState, out: CoreCommand[]): CoreState {
  for (const [shard, { epoch, stage }] of state.own)
    if (stage === 'active') out.push({ type: 'activate', shard, epoch })
  return { ...state, isFenced: false }
}

function tableRead(
  state: CoreState,
  event: Extract<CoreEvent, { type: 'table' }>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const next = watchTable(mergeTable(state, event.shards, event.nodes, out), nowMs)
  const isMember = state.phase === 'member' || state.phase === 'leaving'
  return isMember && !isLiving(next.nodes.get(next.self.incarnation)) ? end(next, 'dead', out) : next
}

/**
 * Registers this node when no living row has its name; `judge` does so when the node of that row is proven dead. Ends when that node
 * shows that it lives.
 */
function join(state: CoreState, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  if (!mayRegister(state, nowMs) || state.shards.length === 0) return state
  const { nodeId, incarnation } = state.self
  const namesake = [...state.nodes.values()].find(
    (node) => isLiving(node) && node.nodeId === nodeId && node.incarnation !== incarnation,
  )
  if (namesake === undefined) {
    out.push({ type: 'register', over: null })
    return { ...state, isRegistering: true }
  }
  // A single sign may be a last request that was still on its way.
  const lives = (state.watched.get(namesake.incarnation)?.signsOfLife ?? 0) >= 2
  return lives ? end(state, 'nameTaken', out) : state
}

function claimed(
  state: CoreState,
  { granted }: Extract<CoreEvent, { type: 'claimed' }>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const owner = state.self.incarnation
  const rows = granted.map(({ shard, epoch }) => [shard, { owner, epoch }] as const)
  const next = mergeRows({ ...state, isClaiming: false, tableAtMs: nowMs }, rows, out)
  if (granted.length > 0) out.push({ type: 'announce' })
  return next
}

function pullAnswered(
  state: CoreState,
  { shard, epoch }: Extract<CoreEvent, { type: 'pullAnswered' }>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  if (epoch === null) return { ...state, pull: null, pullAtMs: nowMs + 4 * state.timing.retryMs, tableAtMs: nowMs }
  return mergeRow({ ...state, pull: null }, shard, { owner: state.self.incarnation, epoch }, out)
}

function read(state: CoreState, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  let next = state
  if (!next.isTableAsked && nowMs >= next.tableAtMs) {
    out.push({ type: 'readTable' })
    const pollMs = isAlone(next) ? 2 * next.timing.pollTableMs : next.timing.pollTableMs
    next = { ...next, isTableAsked: true, tableAtMs: nowMs + pollMs, tableAskedAtMs: nowMs }
  }
  // There is nobody to watch. An absence of Redis meanwhile says nothing about later nodes.
  if (next.watched.size === 0) return next.redisAway === null ? next : { ...next, redisAway: null }
  // A node that joins waits for a sign of life of its predecessor, and its callers wait with it.
  const isJoining = next.phase === 'joining'
  const pollMs = isJoining ? next.timing.pollLeasesMs / 5 : next.timing.pollLeasesMs
  if (!next.areLeasesAsked && nowMs >= next.leasesAtMs) {
    out.push({ type: 'readLeases' })
    next = { ...next, areLeasesAsked: true, leasesAtMs: nowMs + pollMs }
  }
  return next
}

/**
 * Returns the least time between a reading of the table and one that a hint asks for. Each planned move is a hint to all nodes, and a reading brings all
 * shards: 4,096 of them, moved one by one, would be read by every node without pause.
 */
function hintGapMs({ shards }: CoreState): number {
  return Math.max(0, shards.length - HINTED_AT_ONCE) / HINTED_PER_MS
}

/** Returns true for a member without other living nodes: nobody can die, and a node that joins announces itself. */
function isAlone({ phase, watched }: CoreState): boolean {
  return phase === 'member' && watched.size === 0
}

/**
 * Returns true while a tick can only notice that the guard has closed, or read the table again after seconds: a lone member that owns all
 * shards and whose shards all act.
 */
export function isQuiet(state: CoreState): boolean {
  const { isGuardOpen, isFenced, isClaiming, pull, endsWhenEmpty, own, shards } = state
  if (!isAlone(state) || !isGuardOpen || isFenced || isClaiming || pull !== null || endsWhenEmpty) return false
  return own.size === shards.length && [...own.values()].every(({ stage }) => stage === 'active')
}

function drainAsked(state: CoreState, out: CoreCommand[]): CoreState {
  if (state.phase === 'joining') return end(state, 'left', out)
  out.push({ type: 'setDraining' }, { type: 'announce' })
  return { ...state, endsWhenEmpty: true }
}

function stopAsked(state: CoreState, out: CoreCommand[]): CoreState {
  if (state.phase === 'joining') return end(state, 'left', out)
  out.push({ type: 'stopAll' })
  return { ...state, phase: 'leaving' }
}

function leave(state: CoreState, out: CoreCommand[]): CoreState {
  out.push({ type: 'leave' }, { type: 'announce' })
  return end(state, 'left', out)
}

function end(state: CoreState, reason: EndReason, out: CoreCommand[]): CoreState {
  if (reason === 'dead') out.push({ type: 'fence' })
  out.push({ type: 'end', reason })
  return { ...state, phase: 'ended', own: new Map() }
}
