/** The table as this node knows it, and the shards of its own that follow from it. */
import type { CoreCommand, CoreEvent, Incarnation, MonotonicMs, NodeRow, ShardRow } from './protocol.js'
import type { CoreState, OwnShard } from './state.js'
import { watchTable } from './watch.js'

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
  // A plan depends on the names of owners and on the members; `place` compares the members.
  const areSame = nodes.size === state.nodes.size && [...nodes.keys()].every((one) => state.nodes.has(one))
  return mergeRows({ ...state, nodes, targets: areSame ? state.targets : null }, shards.entries(), out)
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

export function mergeRow(state: CoreState, shard: number, row: ShardRow, out: CoreCommand[]): CoreState {
  return mergeRows(state, [[shard, row]], out)
}

/**
 * Takes rows that were read, or written by this node. Shards of this node follow them. Copies the table once: a copy for each row would take
 * a second with 4,096 shards.
 */
export function mergeRows(
  state: CoreState,
  rows: Iterable<readonly [shard: number, row: ShardRow]>,
  out: CoreCommand[],
): CoreState {
  let shards: ShardRow[] | undefined
  let own: Map<number, OwnShard> | undefined
  for (const [shard, row] of rows) {
    const known = (shards ?? state.shards)[shard]
    if (known !== undefined && row.epoch < known.epoch) continue
    if (known === undefined || row.epoch !== known.epoch || row.owner !== known.owner) {
      shards ??= [...state.shards]
      shards[shard] = row
    }
    const mine = (own ?? state.own).get(shard)
    if (!concernsUs(state, mine, row)) continue
    own ??= new Map(state.own)
    const next = followRow(state, mine, shard, row, out)
    if (next === undefined) own.delete(shard)
    else own.set(shard, next)
  }
  return { ...state, ...(shards && { shards, targets: null }), ...(own && { own }) }
}

/** @param mine the shard as this node has it; undefined if it does not */
function concernsUs(state: CoreState, mine: OwnShard | undefined, row: ShardRow): boolean {
  if (mine !== undefined) return row.epoch > mine.epoch
  return row.owner === state.self.incarnation && state.phase === 'member'
}

/** Returns the shard as this node has it after the row; undefined if another node has it. */
function followRow(
  state: CoreState,
  mine: OwnShard | undefined,
  shard: number,
  row: ShardRow,
  out: CoreCommand[],
): OwnShard | undefined {
  if (row.owner === state.self.incarnation) {
    if (mine !== undefined && mine.stage !== 'raising') refusePull(mine, shard, out)
    return activate(state, shard, row.epoch, out)
  }
  if (mine?.handOver && mine.handOver.to === row.owner) {
    const { requestId } = mine.handOver
    out.push({ type: 'answerPull', requestId, shard, epoch: row.epoch }, { type: 'announce' })
    return undefined
  }
  out.push({ type: 'deactivate', shard })
  if (mine !== undefined) refusePull(mine, shard, out)
  return undefined
}

/** Makes the shard this node's own under this epoch, and lets its actors act. */
export function takeUp(state: CoreState, shard: number, epoch: number, out: CoreCommand[]): CoreState {
  return setOwn(state, shard, activate(state, shard, epoch, out))
}

function activate(state: CoreState, shard: number, epoch: number, out: CoreCommand[]): OwnShard {
  if (!state.isFenced) out.push({ type: 'activate', shard, epoch })
  return { epoch, stage: 'active', handOver: null, raiseAtMs: 0 }
}

export function refusePull(own: OwnShard, shard: number, out: CoreCommand[]): void {
  if (own.handOver) out.push({ type: 'answerPull', requestId: own.handOver.requestId, shard, epoch: null })
}

export function setOwn(state: CoreState, shard: number, own: OwnShard): CoreState {
  return { ...state, own: new Map(state.own).set(shard, own) }
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
  const living = livingNodes(state)
  state.shards.forEach(({ owner }, shard) => {
    if (owner === null || !living.has(owner)) free.set(shard, state.freeSinceMs.get(shard) ?? nowMs)
  })
  return free
}

function livingNodes({ nodes }: CoreState): ReadonlySet<Incarnation> {
  return new Set([...nodes.values()].filter(isLiving).map(({ incarnation }) => incarnation))
}
