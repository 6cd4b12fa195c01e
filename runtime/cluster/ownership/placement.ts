/** Shards that this node takes: free ones that the plan gives it, and, one at a time, those that it pulls from others. */
import { type PlanMember, plan } from './plan.js'
import type { CoreCommand, MonotonicMs, NodeRow } from './protocol.js'
import { freeShards, isLiving } from './shards.js'
import type { CoreState } from './state.js'
import { isSuspect } from './watch.js'

// Ours: addresses and errors of our own nodes.

/** Maximum of shards in one claim. To take up all 4,096 of a cluster in one turn of the event loop would hold it for some 30 ms. */
const CLAIM_MAX = 512

export function place(state: CoreState, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  if (state.phase !== 'member' || !state.isGuardOpen || state.isFenced) return state
  if (waitsForOthers(state, nowMs)) return state
  const members = findMembers(state, nowMs)
  const known = members.map(({ name, kind }) => `${name} ${kind}`).join(',')
  const changed = known === state.members ? state : { ...state, members: known, membersSinceMs: nowMs, targets: null }
  const targets = changed.targets ?? plan(homes(changed), members)
  const next = { ...changed, targets, freeSinceMs: freeShards(changed, nowMs) }
  const self = members.find((member) => member.name === state.self.nodeId)
  if (self === undefined) return next
  if (self.kind === 'empties') return canBeLeftToOthers(next, members) ? next : claim(next, targets, self, nowMs, out)
  return pull(claim(next, targets, self, nowMs, out), targets, self, nowMs, out)
}

/** Tells whether this node, which has just started, waits for those that start with it. They may have joined earlier, under the same names. */
function waitsForOthers({ together, own, nodes }: CoreState, nowMs: MonotonicMs): boolean {
  if (together === null || nowMs >= together.untilMs || own.size > 0) return false
  const living = new Set([...nodes.values()].filter(isLiving).map(({ nodeId }) => nodeId))
  return together.names.some((name) => !living.has(name))
}

/** Returns the members and which of them may receive shards. A node of an older version gets none: it is about to be replaced. */
function findMembers(state: CoreState, nowMs: MonotonicMs): readonly PlanMember[] {
  const living = [...state.nodes.values()].filter(isLiving)
  const newest = living
    .filter((node) => !node.isDraining)
    .reduce<string | null>((best, { version }) => (best === null || isOlder(best, version) ? version : best), null)
  return living
    .map((node) => ({ name: node.nodeId, kind: chooseKind(state, node, newest, nowMs) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function chooseKind(state: CoreState, node: NodeRow, newest: string | null, nowMs: MonotonicMs): PlanMember['kind'] {
  if (node.isDraining) return 'empties'
  if (newest !== null && isOlder(node.version, newest)) return 'keeps'
  return isSuspect(state, state.watched.get(node.incarnation), nowMs) ? 'keeps' : 'open'
}

/** Tells whether a draining node may leave free shards alone: it claims them only if no other node can, and if it is not about to end. */
function canBeLeftToOthers(state: CoreState, members: readonly PlanMember[]): boolean {
  return state.endsWhenEmpty || members.some((member) => member.kind !== 'empties')
}

/** Returns the name of the node that has each shard. A dead node's name counts too: a process of this name may live again. */
function homes(state: CoreState): readonly (string | null)[] {
  return state.shards.map(({ owner }) => (owner === null ? null : (state.nodes.get(owner)?.nodeId ?? null)))
}

function claim(
  state: CoreState,
  targets: readonly (string | null)[],
  self: PlanMember,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  if (state.isClaiming || nowMs < state.claimsFromMs) return state
  const { patienceMs } = state.timing
  const shards = [...state.freeSinceMs]
    .filter(
      ([shard, sinceMs]) => targets[shard] === self.name || (self.kind !== 'keeps' && nowMs - sinceMs >= patienceMs),
    )
    .slice(0, CLAIM_MAX)
    .map(([shard]) => ({ shard, ...state.shards[shard]! }))
  if (shards.length === 0) return state
  out.push({ type: 'claim', shards })
  return { ...state, isClaiming: true }
}

function pull(
  state: CoreState,
  targets: readonly (string | null)[],
  self: PlanMember,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  // A node that is about to end takes nothing, even before the table says so.
  if (self.kind !== 'open' || state.endsWhenEmpty || state.pull !== null || !state.canLogin || nowMs < state.pullAtMs)
    return state
  const isStable =
    nowMs - state.membersSinceMs >= state.timing.stableMs && state.freeSinceMs.size === 0 && !isRollOut(state)
  const wanted: { shard: number; epoch: number; source: NodeRow }[] = []
  targets.forEach((name, shard) => {
    if (name !== self.name) return
    const { owner, epoch } = state.shards[shard]!
    if (owner === null || owner === state.self.incarnation) return
    const source = state.nodes.get(owner)
    if (!isLiving(source) || source.nodeId === self.name) return
    if (source.isDraining || isStable) wanted.push({ shard, epoch, source })
  })
  const first = wanted.find(({ source }) => source.isDraining) ?? wanted[0]
  if (first === undefined) return state
  const { shard, epoch, source } = first
  out.push({ type: 'askPull', shard, epoch, from: source.incarnation, address: source.address })
  return { ...state, pull: { shard, askedAtMs: nowMs } }
}

/** Tells whether a node gives all its shards away, or two versions run. A node that has drained and stays does not count. */
function isRollOut(state: CoreState): boolean {
  const draining = new Set([...state.nodes.values()].filter((node) => node.isDraining).map((node) => node.incarnation))
  const isEmptying = draining.size > 0 && state.shards.some(({ owner }) => owner !== null && draining.has(owner))
  const staying = [...state.nodes.values()].filter((node) => isLiving(node) && !node.isDraining)
  return isEmptying || new Set(staying.map((node) => node.version)).size > 1
}

/** Compares versions of the form `1.2.3+4` part by part, the revision last. A part that is no number counts as 0. */
function isOlder(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split(/[.+]/).map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < Math.max(left!.length, right!.length); index++) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
