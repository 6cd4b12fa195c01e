/** The source's side of a planned move: one shard of this node is quieted, handed over in SQL, and the target gets its answer. */
import type { CoreCommand, CoreEvent, MonotonicMs } from './protocol.js'
import { isLiving, mergeRow, refusePull, setOwn, takeUp } from './shards.js'
import type { CoreState, OwnShard } from './state.js'

export function pullAsked(
  state: CoreState,
  { requestId, shard, epoch, by }: Extract<CoreEvent, { type: 'pullAsked' }>,
  out: CoreCommand[],
): CoreState {
  const own = state.own.get(shard)
  const target = state.nodes.get(by)
  const isBusy = [...state.own.values()].some((one) => one.handOver?.to === by)
  const isGiven =
    state.phase === 'member' &&
    state.isGuardOpen &&
    isLiving(target) &&
    !target.isDraining &&
    !isBusy &&
    own?.stage === 'active' &&
    own.epoch === epoch
  if (!isGiven) {
    out.push({ type: 'answerPull', requestId, shard, epoch: null })
    return state
  }
  out.push({ type: 'quiet', shard, epoch })
  return setOwn(state, shard, { ...own, stage: 'quieting', handOver: { requestId, to: by } })
}

export function quieted(state: CoreState, shard: number, epoch: number, out: CoreCommand[]): CoreState {
  const own = state.own.get(shard)
  if (own?.stage !== 'quieting' || own.epoch !== epoch || own.handOver === null) return state
  out.push({ type: 'handOver', shard, epoch, to: own.handOver.to })
  return setOwn(state, shard, { ...own, stage: 'handingOver' })
}

export function quietFailed(state: CoreState, shard: number, epoch: number, out: CoreCommand[]): CoreState {
  const own = state.own.get(shard)
  return own?.stage === 'quieting' && own.epoch === epoch ? keepShard(state, shard, own, out) : state
}

type RowEvent<Type extends CoreEvent['type']> = Extract<CoreEvent, { type: Type }>

/** Takes the answer to `handOver` or `raise`. Each was executed once, so nothing of it can land later. */
export function rowAfter(
  state: CoreState,
  { shard, epoch, row }: RowEvent<'rowAfter'>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const own = state.own.get(shard)
  const next = mergeRow(state, shard, row, out)
  if (own?.epoch !== epoch || next.own.get(shard) !== own || row.epoch !== epoch) return next
  if (own.stage === 'handingOver') return keepShard(next, shard, own, out)
  return own.stage === 'raising' ? raiseLater(next, shard, own, nowMs) : next
}

export function rowUntouched(
  state: CoreState,
  { shard, epoch }: RowEvent<'rowUntouched'>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const own = state.own.get(shard)
  if (own?.epoch !== epoch) return state
  if (own.stage === 'handingOver') return keepShard(state, shard, own, out)
  return own.stage === 'raising' ? raiseLater(state, shard, own, nowMs) : state
}

export function rowUnknown(
  state: CoreState,
  { shard, epoch }: RowEvent<'rowUnknown'>,
  nowMs: MonotonicMs,
  out: CoreCommand[],
): CoreState {
  const own = state.own.get(shard)
  if (own?.epoch !== epoch) return state
  if (own.stage === 'raising') return raiseLater(state, shard, own, nowMs)
  if (own.stage !== 'handingOver') return state
  if (!state.rules.raisesWhenUnsure) return keepShard(state, shard, own, out)
  // The target may own the shard already; then it reads so in the table.
  refusePull(own, shard, out)
  return raiseLater(state, shard, { ...own, stage: 'raising', handOver: null }, nowMs)
}

export function raiseDue(state: CoreState, nowMs: MonotonicMs, out: CoreCommand[]): CoreState {
  let next = state
  for (const [shard, own] of state.own) {
    if (own.stage !== 'raising' || nowMs < own.raiseAtMs) continue
    out.push({ type: 'raise', shard, epoch: own.epoch })
    next = setOwn(next, shard, { ...own, raiseAtMs: Number.POSITIVE_INFINITY })
  }
  return next
}

function raiseLater(state: CoreState, shard: number, own: OwnShard, nowMs: MonotonicMs): CoreState {
  return setOwn(state, shard, { ...own, raiseAtMs: nowMs + state.timing.retryMs })
}

/** Lets the source act again under its epoch, since the shard did not move. */
function keepShard(state: CoreState, shard: number, own: OwnShard, out: CoreCommand[]): CoreState {
  refusePull(own, shard, out)
  return takeUp(state, shard, own.epoch, out)
}
