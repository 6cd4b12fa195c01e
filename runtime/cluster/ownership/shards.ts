/** The table as this node knows it, and the shards of its own that follow from it. */
import type { CoreCommand, CoreEvent, Incarnation, MonotonicMs, NodeRow, ShardRow } from './protocol.js'
import type { CoreState, OwnShard } from './state.js'
import { watchTable } from './watch.js'

/** Tells whether no living node owns the shard. */
export function isFree(state: CoreState, row: ShardRow): boolean {
  return row.owner === null || !isLiving(state.nodes.get(row.owner))
}

export function isLiving(node: NodeRow | undefined): node is NodeRow {
  return node !== undefined && !node.isDead
}

/** Takes a table that was read. Answers may overtake each other, so nothing goes back. The caller checks whether this node is dead. */
export function mergeTable(
  state: CoreState,
  shards: readonly ShardRow[],
  rows: readonly NodeRow[],
  out: CoreCommand[],
): CoreState {
  const nodes = new Map<Incarnation, NodeRow>()
  for (const row of rows) {
    const known = state.nodes.get(row.incarnation)
    nodes.set(row.incarnation, known === undefined ? row : newer(known, row))
  }
  let next: CoreState = { ...state, nodes, targets: null }
  for (const [shard, row] of shards.entries()) next = mergeRow(next, shard, row, out)
  return next
}

/**
 * Forgets everything that was known by a store that went back. All shards are free, under epochs above those that were seen, so that late
 * answers from before change nothing. This node registers again if the store has lost its row.
 */
export function startAgain(
  state: CoreState,
  event: Extract<CoreEvent, { type: 'storeBack' }>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  for (const [shard, own] of state.own) {
    out.push({ type: 'deactivate', shard })
    refusePull(own, shard, out)
  }
  const nodes = new Map(event.nodes.map((node) => [node.incarnation, node]))
  const isRegistered = isLiving(nodes.get(state.self.incarnation))
  const phase = state.phase === 'member' && !isRegistered ? 'joining' : state.phase
  return watchTable(
    {
      ...state,
      phase,
      nodes,
      shards: event.shards,
      own: new Map(),
      watched: new Map(),
      targets: null,
      freeSinceMs: new Map(),
      isRegistering: false,
      registerAtMs: nowMs,
      isClaiming: false,
      claimsFromMs: nowMs + state.timing.leaseMs,
      pull: null,
      pullAtMs: nowMs,
      isTableAsked: false,
      isTableOld: false,
    },
    nowMs,
  )
}

/** Takes a row that was read, or written by this node. A shard of this node follows it. */
export function mergeRow(state: CoreState, shard: number, row: ShardRow, out: CoreCommand[]): CoreState {
  const known = state.shards[shard]
  if (known !== undefined && row.epoch < known.epoch) return state
  const isNews = known === undefined || row.epoch !== known.epoch || row.owner !== known.owner
  const next = isNews ? { ...state, shards: state.shards.toSpliced(shard, 1, row), targets: null } : state
  return followRow(next, shard, row, out)
}

function followRow(state: CoreState, shard: number, row: ShardRow, out: CoreCommand[]): CoreState {
  const own = state.own.get(shard)
  const isMine = row.owner === state.self.incarnation
  if (own === undefined) return isMine && state.phase === 'member' ? takeUp(state, shard, row.epoch, out) : state
  if (row.epoch <= own.epoch) return state
  if (isMine) {
    if (own.stage !== 'raising' && own.handOver) refusePull(own, shard, out)
    return takeUp(state, shard, row.epoch, out)
  }
  if (own.handOver?.to === row.owner) {
    const { requestId } = own.handOver
    out.push({ type: 'answerPull', requestId, shard, epoch: row.epoch }, { type: 'announce' })
  } else {
    out.push({ type: 'deactivate', shard })
    if (own.handOver) refusePull(own, shard, out)
  }
  return disown(state, shard)
}

/** Makes the shard this node's own under this epoch, and lets its actors act. */
export function takeUp(state: CoreState, shard: number, epoch: number, out: CoreCommand[]): CoreState {
  if (!state.isFenced) out.push({ type: 'activate', shard, epoch })
  return setOwn(state, shard, { epoch, stage: 'active', handOver: null, raiseAtMs: 0 })
}

export function refusePull(own: OwnShard, shard: number, out: CoreCommand[]): void {
  if (own.handOver) out.push({ type: 'answerPull', requestId: own.handOver.requestId, shard, epoch: null })
}

export function setOwn(state: CoreState, shard: number, own: OwnShard): CoreState {
  return { ...state, own: new Map(state.own).set(shard, own) }
}

function disown(state: CoreState, shard: number): CoreState {
  const own = new Map(state.own)
  own.delete(shard)
  return { ...state, own }
}

function newer(known: NodeRow, row: NodeRow): NodeRow {
  return {
    ...row,
    isDead: known.isDead || row.isDead,
    isDraining: known.isDraining || row.isDraining,
    revision: Math.max(known.revision, row.revision),
  }
}

/** Returns the time since which each free shard has been free. */
export function freeShards(state: CoreState, nowMs: MonotonicMs): ReadonlyMap<number, MonotonicMs> {
  const free = new Map<number, MonotonicMs>()
  for (const [shard, row] of state.shards.entries())
    if (isFree(state, row)) free.set(shard, state.freeSinceMs.get(shard) ?? nowMs)
  return free
}
