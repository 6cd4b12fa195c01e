/**
 * A planned move as a model: the source gives its shard away in SQL while its statement or the answer may be lost or late, the target
 * reads the table, and a write of the source is under way. Bad is: both act, or a write commits under an epoch that is not current.
 */
import type { Model } from './explore.js'

export interface HandOverRules {
  /** A statement without an answer is settled by a raised epoch before the source acts again. */
  readonly raisesWhenUnsure: boolean
  /** The check of a write's epoch locks the row until the commit. */
  readonly locksEpoch: boolean
  /** The source asks SQL only when its actors have ended. */
  readonly quietsFirst: boolean
  /** A late answer to a former statement is not taken for that to the present one. */
  readonly knowsItsAnswers: boolean
}

const handOverRules: HandOverRules = {
  raisesWhenUnsure: true,
  locksEpoch: true,
  quietsFirst: true,
  knowsItsAnswers: true,
}

interface HandOverState {
  readonly row: { readonly owner: 'source' | 'target'; readonly epoch: number }
  /** The epoch under which each acts; 0: it does not. */
  readonly source: number
  readonly target: number
  /** The epoch that the source had last. */
  readonly known: number
  readonly stage: 'active' | 'handingOver' | 'raising' | 'done'
  /** Statements on their way, each with the epoch it expects; the answer to the one the source waits for. */
  readonly statements: readonly { readonly kind: 'give' | 'raise'; readonly epoch: number }[]
  readonly answer: HandOverState['row'] | null
  /** A write that has passed the check under this epoch; 0: none. */
  readonly write: number
  readonly hasStaleWrite: boolean
}

type Next = readonly [name: string, next: HandOverState]

const EPOCHS_MAX = 4

export function handOverModel(changed: Partial<HandOverRules> = {}): Model<HandOverState> {
  const rules = { ...handOverRules, ...changed }
  return {
    initial: {
      row: { owner: 'source', epoch: 1 },
      source: 1,
      target: 0,
      known: 1,
      stage: 'active',
      statements: [],
      answer: null,
      write: 0,
      hasStaleWrite: false,
    },
    isBad: (state) => (state.source > 0 && state.target > 0) || state.hasStaleWrite,
    key: (state) => JSON.stringify(state),
    *steps(state) {
      yield* sourceSteps(state, rules)
      yield* sqlSteps(state, rules)
      if (state.row.owner === 'target' && state.target === 0)
        yield ['target learns that it owns, and acts', { ...state, target: state.row.epoch }]
    },
  }
}

function* sourceSteps(state: HandOverState, rules: HandOverRules): Iterable<Next> {
  const { stage, source, known, statements, answer, row } = state
  if (stage === 'active' && row.epoch < EPOCHS_MAX) {
    const sent = [...statements, { kind: 'give', epoch: source } as const]
    const quiet = rules.quietsFirst ? 0 : source
    yield [
      'source asks to hand over',
      { ...state, stage: 'handingOver', source: quiet, statements: sent, answer: null },
    ]
  }
  if ((stage === 'handingOver' || stage === 'raising') && answer !== null) {
    const next = { ...state, answer: null }
    if (answer.owner === 'target') yield ['source learns that it has given', { ...next, stage: 'done', source: 0 }]
    else
      yield [
        'source learns that it still owns, and acts',
        { ...next, stage: 'active', source: answer.epoch, known: answer.epoch },
      ]
  }
  // The answer never comes: the source has only what it knew.
  if (stage === 'handingOver' && answer === null) {
    if (!rules.raisesWhenUnsure)
      yield ['source gets no answer and continues', { ...state, stage: 'active', source: known }]
    else yield ['source gets no answer', { ...state, stage: 'raising' }]
  }
  if (stage === 'raising' && answer === null && !statements.some((one) => one.kind === 'raise')) {
    const sent = [...statements, { kind: 'raise', epoch: known } as const]
    yield ['source raises its epoch', { ...state, statements: sent }]
  }
}

function* sqlSteps(state: HandOverState, rules: HandOverRules): Iterable<Next> {
  const { row, statements, write } = state
  const isLocked = write > 0 && rules.locksEpoch
  for (const [index, { kind, epoch }] of statements.entries()) {
    const left = statements.toSpliced(index, 1)
    yield [`the statement to ${kind} is lost`, { ...state, statements: left }]
    if (isLocked) continue
    const isDone = row.owner === 'source' && row.epoch === epoch
    const after = isDone ? { owner: kind === 'give' ? ('target' as const) : row.owner, epoch: epoch + 1 } : row
    const executed = { ...state, row: after, statements: left }
    yield [`SQL executes the statement to ${kind}, and the answer is lost`, executed]
    const isAwaited =
      state.stage === (kind === 'give' ? 'handingOver' : 'raising') && (epoch === state.known || !rules.knowsItsAnswers)
    if (isAwaited) yield [`SQL executes the statement to ${kind}`, { ...executed, answer: after }]
  }
  if (write === 0 && state.source > 0 && state.source === row.epoch)
    yield ['SQL checks the epoch of a write', { ...state, write: row.epoch }]
  if (write > 0) yield ['SQL commits the write', { ...state, write: 0, hasStaleWrite: write !== row.epoch }]
}
