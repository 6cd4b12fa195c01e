/** State of the ownership core. Replaced, never changed. */
import type { Incarnation, MonotonicMs, NodeId, NodeRow, ShardRow, Timing } from './protocol.js'

export interface CoreState {
  readonly self: { readonly incarnation: Incarnation; readonly nodeId: NodeId; readonly address: string }
  readonly timing: Timing
  readonly rules: CoreRules
  /** `joining`: waits until no living row has its node id. `leaving`: its actors are being stopped. */
  readonly phase: 'joining' | 'member' | 'leaving' | 'ended'
  readonly isRegistering: boolean
  readonly registerAtMs: MonotonicMs
  /** True when the node shall end once it owns nothing. Its row in the table says that it drains, as for any other node. */
  readonly endsWhenEmpty: boolean
  readonly isGuardOpen: boolean
  /** Time since which the guard was seen closed. */
  readonly closedSinceMs: MonotonicMs | null
  readonly isFenced: boolean
  readonly canLogin: boolean
  readonly together: Together | null

  /** The newest known row of each shard; a row of a lower epoch never replaces one of a higher. */
  readonly shards: readonly ShardRow[]
  readonly nodes: ReadonlyMap<Incarnation, NodeRow>
  readonly isTableAsked: boolean
  /** True when the reading under way was sent before this node's row was there, so that a missing row means nothing. */
  readonly isTableOld: boolean
  /** Time of the next reading of the table, and of the last one. */
  readonly tableAtMs: MonotonicMs
  readonly tableAskedAtMs: MonotonicMs
  readonly areLeasesAsked: boolean
  readonly leasesAtMs: MonotonicMs
  /** Time since which Redis has not answered, and the number of requests; null when the last request was answered. */
  readonly redisAway: { readonly sinceMs: MonotonicMs; readonly tries: number } | null

  readonly own: ReadonlyMap<number, OwnShard>
  readonly watched: ReadonlyMap<Incarnation, WatchedNode>

  readonly isClaiming: boolean
  /** Time before which no shard is claimed: a node may still act by a store that went back. */
  readonly claimsFromMs: MonotonicMs
  /** Time since which each free shard has been free, as far as this node knows. */
  readonly freeSinceMs: ReadonlyMap<number, MonotonicMs>
  readonly pull: { readonly shard: number; readonly askedAtMs: MonotonicMs } | null
  readonly pullAtMs: MonotonicMs
  /** The living members and which may receive shards, as a string; `membersSinceMs` is the time of its last change. */
  readonly members: string
  readonly membersSinceMs: MonotonicMs
  /** The plan for the present table and members. */
  readonly targets: readonly (string | null)[] | null
}

/** Nodes that start with this one. It takes no shards before all of them live, so that none moves a moment later. */
export interface Together {
  readonly names: readonly NodeId[]
  /** Time at which its wait ends. */
  readonly untilMs: MonotonicMs
}

/** A shard of this node. Only an `active` one acts. */
export interface OwnShard {
  readonly epoch: number
  readonly stage:
    | 'active'
    /** Its actors finish and close, to be handed over. */
    | 'quieting'
    /** A statement that gives it to another node is under way. */
    | 'handingOver'
    /** The statement had no answer and may still be executed, so the epoch is raised before the shard acts again. */
    | 'raising'
  readonly handOver: HandOver | null
  /** Time of the next `raise`. */
  readonly raiseAtMs: MonotonicMs
}

export interface HandOver {
  readonly requestId: string
  readonly to: Incarnation
}

/** Another node, watched for signs of life. */
export interface WatchedNode {
  readonly revision: number
  /** Time since which the revision has been known. */
  readonly revisionSinceMs: MonotonicMs
  /** Null until Redis was read after the revision was known. */
  readonly lease: { readonly value: string; readonly history: string; readonly sinceMs: MonotonicMs } | null
  /** Time for which the lease has not changed, by the last reading of Redis. */
  readonly unchangedMs: number
  readonly hasLeft: boolean
  readonly signsOfLife: number
  /** Time of the last sign of life. */
  readonly seenAtMs: MonotonicMs | null
  readonly probe: 'alive' | 'closed' | 'restarted' | 'refused' | 'silent' | null
  readonly probedAtMs: MonotonicMs
  readonly isProbing: boolean
  readonly isDeclaring: boolean
  readonly declareAtMs: MonotonicMs
}

/** Rules that the simulation switches off, to show that each is needed. */
export interface CoreRules {
  /** Readings from before Redis lost or turned back its data do not count. */
  readonly startsAnewWithHistory: boolean
  /** Readings of Redis count only after the revision was read. */
  readonly startsAnewWithRevision: boolean
  /** A node is dead after its lease did not change for `leaseMs`; otherwise as soon as it is not found. */
  readonly waitsForLease: boolean
  /** A raised epoch settles an unanswered statement before the shard acts again. */
  readonly raisesWhenUnsure: boolean
}

const allRules: CoreRules = {
  startsAnewWithHistory: true,
  startsAnewWithRevision: true,
  waitsForLease: true,
  raisesWhenUnsure: true,
}

/** Less than a node that joins waits for an owner of each shard. Of those that start with it, one that takes longer gets its shards by moves. */
const TOGETHER_MAX_MS = 8_000

export function startCore(
  self: CoreState['self'],
  timing: Timing,
  nowMs: MonotonicMs,
  rules: Partial<CoreRules> = {},
  startsWith: readonly NodeId[] = [],
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
    together: startsWith.length === 0 ? null : { names: startsWith, untilMs: nowMs + TOGETHER_MAX_MS },
    shards: [],
    nodes: new Map(),
    isTableAsked: false,
    isTableOld: false,
    tableAtMs: nowMs,
    tableAskedAtMs: Number.NEGATIVE_INFINITY,
    areLeasesAsked: false,
    leasesAtMs: nowMs,
    redisAway: null,
    own: new Map(),
    watched: new Map(),
    isClaiming: false,
    claimsFromMs: Number.NEGATIVE_INFINITY,
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
