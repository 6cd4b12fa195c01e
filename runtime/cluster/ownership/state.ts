/** What the core knows. Replaced, never changed. */
import type { Incarnation, MonotonicMs, NodeId, NodeRow, ShardRow, Timing } from './protocol.js'

export interface CoreState {
  readonly self: { readonly incarnation: Incarnation; readonly nodeId: NodeId; readonly address: string }
  readonly timing: Timing
  readonly rules: CoreRules
  /** `joining`: waits until no living row has its node id. `leaving`: its actors are being stopped. */
  readonly phase: 'joining' | 'member' | 'leaving' | 'ended'
  readonly isRegistering: boolean
  readonly registerAtMs: MonotonicMs
  /** It was asked to drain and to end then. That it drains at all is said by its row in the table, as of any other node. */
  readonly endsWhenEmpty: boolean
  readonly isGuardOpen: boolean
  /** Since when the guard was seen closed. */
  readonly closedSinceMs: MonotonicMs | null
  readonly isFenced: boolean
  readonly canLogin: boolean

  /** The newest known row of each shard; a row of a lower epoch never replaces one of a higher. */
  readonly shards: readonly ShardRow[]
  readonly nodes: ReadonlyMap<Incarnation, NodeRow>
  readonly isTableAsked: boolean
  /** It was asked before our row was there: that the answer does not have it means nothing. */
  readonly isTableOld: boolean
  readonly tableAtMs: MonotonicMs
  readonly areLeasesAsked: boolean
  readonly leasesAtMs: MonotonicMs
  /** Redis has not answered since then, however often it was asked; null when its last answer came. */
  readonly redisAway: { readonly sinceMs: MonotonicMs; readonly tries: number } | null

  readonly own: ReadonlyMap<number, Own>
  readonly watched: ReadonlyMap<Incarnation, Watched>

  readonly isClaiming: boolean
  /** Since when each shard has been free, as far as we know. */
  readonly freeSinceMs: ReadonlyMap<number, MonotonicMs>
  readonly pull: { readonly shard: number; readonly askedAtMs: MonotonicMs } | null
  readonly pullAtMs: MonotonicMs
  /** The living members and what each may receive, as a string; and since when it has been the same. */
  readonly members: string
  readonly membersSinceMs: MonotonicMs
  /** The plan for the present table and members. */
  readonly targets: readonly (string | null)[] | null
}

/** A shard of ours. Only an `active` one acts. */
export interface Own {
  readonly epoch: number
  readonly stage:
    | 'active'
    /** Its actors finish and close, to be handed over. */
    | 'quieting'
    /** SQL was asked to give it to another node. */
    | 'handingOver'
    /** That question had no answer: it may still become true, so our own epoch is raised before anything of it acts again. */
    | 'raising'
  readonly handOver: HandOver | null
  /** When `raise` is asked again. */
  readonly raiseAtMs: MonotonicMs
}

export interface HandOver {
  readonly requestId: string
  readonly to: Incarnation
}

/** Another node, watched for signs of life. */
export interface Watched {
  readonly revision: number
  /** Since when the revision has been known. */
  readonly revisionSinceMs: MonotonicMs
  /** Null until Redis was read after the revision was known. */
  readonly lease: { readonly value: string; readonly history: string; readonly sinceMs: MonotonicMs } | null
  /** How long the lease has not changed, by the last reading of Redis. */
  readonly unchangedMs: number
  readonly hasLeft: boolean
  readonly signsOfLife: number
  /** When the last of them was seen. */
  readonly seenAtMs: MonotonicMs | null
  readonly probe: 'alive' | 'closed' | 'restarted' | 'refused' | 'silent' | null
  readonly probedAtMs: MonotonicMs
  readonly isProbing: boolean
  readonly isDeclaring: boolean
  readonly declareAtMs: MonotonicMs
}

/** Rules that the simulation switches off, to show that each is needed. */
export interface CoreRules {
  /** What was seen before Redis lost or turned back its data counts no more. */
  readonly startsAnewWithHistory: boolean
  /** Redis counts from after the revision was read. */
  readonly startsAnewWithRevision: boolean
  /** A node is dead after its lease did not change for `leaseMs`; otherwise as soon as it is not found. */
  readonly waitsForLease: boolean
  /** What SQL left unanswered is settled by a raised epoch before the shard acts again. */
  readonly raisesWhenUnsure: boolean
}

const allRules: CoreRules = {
  startsAnewWithHistory: true,
  startsAnewWithRevision: true,
  waitsForLease: true,
  raisesWhenUnsure: true,
}

export function startCore(
  self: CoreState['self'],
  timing: Timing,
  nowMs: MonotonicMs,
  rules: Partial<CoreRules> = {},
): CoreState {
  return {
    self,
    timing,
    rules: { ...allRules, ...rules },
    phase: 'joining',
    isRegistering: false,
    registerAtMs: nowMs,
    endsWhenEmpty: false,
    isGuardOpen: false,
    closedSinceMs: null,
    isFenced: false,
    canLogin: false,
    shards: [],
    nodes: new Map(),
    isTableAsked: false,
    isTableOld: false,
    tableAtMs: nowMs,
    areLeasesAsked: false,
    leasesAtMs: nowMs,
    redisAway: null,
    own: new Map(),
    watched: new Map(),
    isClaiming: false,
    freeSinceMs: new Map(),
    pull: null,
    pullAtMs: nowMs,
    members: '',
    membersSinceMs: nowMs,
    targets: null,
  }
}

export function mayRegister({ phase, isRegistering, registerAtMs }: CoreState, nowMs: MonotonicMs): boolean {
  return phase === 'joining' && !isRegistering && nowMs >= registerAtMs
}
