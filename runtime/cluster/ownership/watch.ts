/** Watches the other nodes for signs of life, and declares those dead that gave none. */
import type { CoreCommand, CoreEvent, Incarnation, Lease, MonotonicMs, NodeRow } from './protocol.js'
import { type CoreState, mayRegister, type WatchedNode } from './state.js'

/** Takes a new table. A change of a revision is a sign of life; leases then count from the next reading of Redis on. */
export function watchTable(state: CoreState, nowMs: MonotonicMs): CoreState {
  const watched = new Map<Incarnation, WatchedNode>()
  for (const node of state.nodes.values()) {
    if (node.isDead || node.incarnation === state.self.incarnation) continue
    const known = state.watched.get(node.incarnation)
    watched.set(node.incarnation, known === undefined ? newcomer(node, nowMs) : withRevision(state, known, node, nowMs))
  }
  return { ...state, watched }
}

/** Takes a reading of leases. A value that is the same in a reading sent at `sentAtMs` had not changed until then. */
export function watchLeases(
  state: CoreState,
  event: Extract<CoreEvent, { type: 'leases' }>,
  nowMs: MonotonicMs,
): CoreState {
  const leases = new Map(event.leases.map((lease) => [lease.incarnation, lease]))
  const watched = new Map<Incarnation, WatchedNode>()
  for (const [incarnation, known] of state.watched)
    watched.set(incarnation, withLease(state, known, leases.get(incarnation), event, nowMs))
  return { ...state, watched }
}

export function watchNothing(state: CoreState, nowMs: MonotonicMs): CoreState {
  const { sinceMs, tries } = state.redisAway ?? { sinceMs: nowMs, tries: 0 }
  return { ...state, redisAway: { sinceMs, tries: tries + 1 } }
}

export function watchProbe(
  state: CoreState,
  event: Extract<CoreEvent, { type: 'probed' }>,
  nowMs: MonotonicMs,
): CoreState {
  return change(state, event.incarnation, { probe: event.result, probedAtMs: nowMs, isProbing: false })
}

export function watchDeclared(
  state: CoreState,
  event: Extract<CoreEvent, { type: 'declared' }>,
  nowMs: MonotonicMs,
): CoreState {
  const node = state.nodes.get(event.incarnation)
  const next = change(state, event.incarnation, {
    isDeclaring: false,
    declareAtMs: nowMs + state.timing.pollLeasesMs,
  })
  if (event.result !== 'dead' || node === undefined) return next
  const watched = new Map(next.watched)
  watched.delete(event.incarnation)
  const nodes = new Map(next.nodes).set(event.incarnation, { ...node, isDead: true })
  return { ...next, nodes, watched, targets: null }
}

/** Notes that every former life of this node is dead, since no other living row has its name. */
export function watchRegistered(state: CoreState): CoreState {
  const nodes = new Map(state.nodes)
  const watched = new Map(state.watched)
  for (const node of state.nodes.values()) {
    if (node.nodeId !== state.self.nodeId || node.incarnation === state.self.incarnation) continue
    nodes.set(node.incarnation, { ...node, isDead: true })
    watched.delete(node.incarnation)
  }
  return { ...state, nodes, watched, targets: null, isRegistering: false }
}

/** Probes nodes that are in doubt, and declares those dead that are proven to be: a former life of this node by taking its place. */
export function judge(state: CoreState, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  let next = state
  for (const [incarnation, watched] of state.watched) {
    const node = state.nodes.get(incarnation)
    if (node === undefined) continue
    if (needsProbe(state, node, watched, nowMs)) {
      out.push({ type: 'probe', incarnation, nodeId: node.nodeId, address: node.address })
      next = change(next, incarnation, { isProbing: true, probedAtMs: nowMs })
    }
    if (watched.isDeclaring || nowMs < watched.declareAtMs || !isProvenDead(state, node, watched, nowMs)) continue
    if (next.phase === 'joining' && node.nodeId === state.self.nodeId) {
      if (!mayRegister(next, nowMs)) continue
      out.push({ type: 'register', over: { incarnation, revision: watched.revision } })
      next = { ...next, isRegistering: true }
    } else {
      out.push({ type: 'declareDead', incarnation, revision: watched.revision })
      next = change(next, incarnation, { isDeclaring: true })
    }
  }
  return next
}

/** Tells whether a node may be dying, so that it gets no shards. */
export function isSuspect(state: CoreState, watched: WatchedNode | undefined, nowMs: MonotonicMs): boolean {
  if (watched === undefined || watched.unchangedMs < state.timing.suspectMs) return false
  return freshProbe(state, watched, nowMs) !== 'alive'
}

function isProvenDead(state: CoreState, node: NodeRow, watched: WatchedNode, nowMs: MonotonicMs): boolean {
  const { timing } = state
  // The node itself said so in its lease.
  if (watched.hasLeft) return true
  // This node listens where the other one listened, so that process has ended. The wait is for a node elsewhere that was given the
  // same name and address.
  if (isSamePlace(state, node)) {
    return watched.unchangedMs >= timing.predecessorMs || isSilentWithoutRedis(state, watched, nowMs)
  }
  const probe = freshProbe(state, watched, nowMs)
  // A node that answers may still act: its lease may be kept by a Redis that this node does not see.
  if (probe === null || probe === 'alive') return false
  if (isSilentWithoutRedis(state, watched, nowMs)) return probe === 'refused' || probe === 'restarted'
  const isQuiet = watched.unchangedMs >= timing.leaseMs
  if (probe === 'restarted') return isQuiet && watched.unchangedMs >= timing.restartMs
  return isQuiet || (!state.rules.waitsForLease && watched.lease?.value === ABSENT)
}

/** Tells whether Redis is away and the revision in SQL, which a living node then has to change, stayed the same. */
function isSilentWithoutRedis(state: CoreState, watched: WatchedNode, nowMs: MonotonicMs): boolean {
  return isAwayFor(state, state.timing.leaseMs, nowMs) && nowMs - watched.revisionSinceMs >= state.timing.leaseMs
}

/** Tells whether Redis was away for so long, over several requests, which shows that this node did not stand still. */
function isAwayFor({ redisAway, timing }: CoreState, durationMs: number, nowMs: MonotonicMs): boolean {
  if (redisAway === null || nowMs - redisAway.sinceMs < durationMs) return false
  return redisAway.tries * (timing.pollLeasesMs + timing.commandTimeoutMs) >= durationMs
}

function isSamePlace(state: CoreState, node: NodeRow): boolean {
  return node.nodeId === state.self.nodeId && node.address === state.self.address
}

function needsProbe(state: CoreState, node: NodeRow, watched: WatchedNode, nowMs: MonotonicMs): boolean {
  const { timing } = state
  if (watched.isProbing || isSamePlace(state, node) || nowMs - watched.probedAtMs < 2 * timing.retryMs) return false
  return isLate(state, watched, nowMs) || (!state.rules.waitsForLease && watched.lease?.value === ABSENT)
}

/** Tells whether a sign of life is overdue, in Redis or, while Redis is away, in SQL. */
export function isLate(state: CoreState, watched: WatchedNode, nowMs: MonotonicMs): boolean {
  const { suspectMs } = state.timing
  if (watched.unchangedMs >= suspectMs) return true
  return isAwayFor(state, suspectMs, nowMs) && nowMs - watched.revisionSinceMs >= suspectMs
}

function freshProbe(state: CoreState, watched: WatchedNode, nowMs: MonotonicMs): WatchedNode['probe'] {
  const { retryMs, commandTimeoutMs } = state.timing
  return nowMs - watched.probedAtMs <= 2 * (retryMs + commandTimeoutMs) ? watched.probe : null
}

const ABSENT = 'absent'

function newcomer(node: NodeRow, nowMs: MonotonicMs): WatchedNode {
  return {
    revision: node.revision,
    revisionSinceMs: nowMs,
    lease: null,
    unchangedMs: 0,
    hasLeft: false,
    signsOfLife: 0,
    seenAtMs: null,
    probe: null,
    probedAtMs: Number.NEGATIVE_INFINITY,
    isProbing: false,
    isDeclaring: false,
    declareAtMs: nowMs,
  }
}

function withRevision(state: CoreState, known: WatchedNode, node: NodeRow, nowMs: MonotonicMs): WatchedNode {
  if (known.revision === node.revision) return known
  const seen = { signsOfLife: known.signsOfLife + 1, seenAtMs: nowMs }
  if (!state.rules.startsAnewWithRevision) return { ...known, revision: node.revision, ...seen }
  return {
    ...known,
    revision: node.revision,
    revisionSinceMs: nowMs,
    lease: null,
    unchangedMs: 0,
    ...seen,
  }
}

function withLease(
  state: CoreState,
  known: WatchedNode,
  lease: Lease | undefined,
  { sentAtMs, history }: { readonly sentAtMs: MonotonicMs; readonly history: string },
  nowMs: MonotonicMs,
): WatchedNode {
  // A reading that was sent before the revision was known says nothing about the time after.
  if (sentAtMs < known.revisionSinceMs) return known
  const value = lease === undefined ? ABSENT : `${lease.creation} ${lease.counter}`
  const hasLeft = known.hasLeft || lease?.hasLeft === true
  const isSameHistory = known.lease?.history === history || !state.rules.startsAnewWithHistory
  if (known.lease !== null && known.lease.value === value && isSameHistory) {
    return { ...known, hasLeft, unchangedMs: Math.max(0, sentAtMs - known.lease.sinceMs) }
  }
  const isSignOfLife = known.lease !== null && isSameHistory && lease !== undefined
  const seen = isSignOfLife ? { signsOfLife: known.signsOfLife + 1, seenAtMs: nowMs } : {}
  return { ...known, hasLeft, unchangedMs: 0, ...seen, lease: { value, history, sinceMs: nowMs } }
}

function change(state: CoreState, incarnation: Incarnation, news: Partial<WatchedNode>): CoreState {
  const known = state.watched.get(incarnation)
  if (known === undefined) return state
  return { ...state, watched: new Map(state.watched).set(incarnation, { ...known, ...news }) }
}
