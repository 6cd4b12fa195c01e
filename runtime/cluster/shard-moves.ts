/** Moves of shards, done or failed, read from one step of the ownership core, for metrics. */
import type { CoreCommand, CoreEvent } from './ownership/protocol.js'
import type { CoreState } from './ownership/state.js'

export interface Move {
  readonly direction: 'taken' | 'given'
  /**
   * `pull`: planned, from one living node to another. `claim`: of shards that no living node owned. `table`: the table showed the move
   * before the answer arrived, or without one.
   */
  readonly cause: 'pull' | 'claim' | 'table'
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly shards: number
}

export function listMoves(
  before: CoreState,
  after: CoreState,
  event: CoreEvent,
  commands: readonly CoreCommand[],
): readonly Move[] {
  return [...taken(before, after, event), ...given(before, after, commands), ...failed(before, event, commands)]
}

function taken(before: CoreState, after: CoreState, event: CoreEvent): readonly Move[] {
  if (before.own === after.own) return []
  const shards = [...after.own.keys()].filter((shard) => !before.own.has(shard)).length
  const cause = event.type === 'claimed' ? 'claim' : event.type === 'pullAnswered' ? 'pull' : 'table'
  return some({ direction: 'taken', cause, outcome: 'done', shards })
}

/** Returns moves to other nodes. A node that has ended gave nothing away: its shards are claimed. */
function given(before: CoreState, after: CoreState, commands: readonly CoreCommand[]): readonly Move[] {
  if (before.own === after.own || after.phase === 'ended') return []
  const gone = [...before.own.keys()].filter((shard) => !after.own.has(shard))
  const told = new Set(commands.flatMap((one) => (one.type === 'answerPull' && one.epoch !== null ? [one.shard] : [])))
  const pulled = gone.filter((shard) => told.has(shard)).length
  return [
    ...some({ direction: 'given', cause: 'pull', outcome: 'done', shards: pulled }),
    ...some({ direction: 'given', cause: 'table', outcome: 'done', shards: gone.length - pulled }),
  ]
}

function failed(before: CoreState, event: CoreEvent, commands: readonly CoreCommand[]): readonly Move[] {
  const moves: Move[] = []
  const pulled = { direction: 'taken', cause: 'pull', shards: 1 } as const
  if (event.type === 'pullFailed') moves.push({ ...pulled, outcome: 'failed' })
  if (event.type === 'pullAnswered' && event.epoch === null) moves.push({ ...pulled, outcome: 'refused' })
  if (event.type === 'claimFailed') moves.push({ direction: 'taken', cause: 'claim', outcome: 'failed', shards: 1 })
  for (const command of commands) {
    if (command.type !== 'answerPull' || command.epoch !== null) continue
    const wasBegun = before.own.get(command.shard)?.handOver?.requestId === command.requestId
    moves.push({ direction: 'given', cause: 'pull', outcome: wasBegun ? 'failed' : 'refused', shards: 1 })
  }
  return moves
}

function some(move: Move): readonly Move[] {
  return move.shards > 0 ? [move] : []
}
