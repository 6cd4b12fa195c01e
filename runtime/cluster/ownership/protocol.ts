/**
 * Events and commands of the ownership core: plain data. docs/design/ownership.md says why it is safe.
 *
 * There are two pure machines. The **keeper** (`keeper.ts`) keeps this node's proof that it lives: it runs in the lease worker, has a
 * Redis and an SQL connection of its own, and publishes the time until which the guard is open. The **core** (`core.ts`) runs in the
 * main thread and decides which node owns which shard. An adapter turns each command into I/O, **once**, without repeats of its own (a
 * command that was repeated behind the machine's back may land after its answer), and turns the answer, or the lack of one, into exactly
 * one event: an answer that comes after its time-out is dropped.
 *
 * The idea. Nobody compares clocks of two machines and nobody trusts the TTL of a server. A living node changes something again and
 * again: the counter of its lease in Redis, or, while Redis does not answer, the revision of its row in SQL. A node that saw neither
 * change for `leaseMs` of its own monotonic clock says so in SQL ("dead", a compare-and-set on that revision); only then can shards
 * be claimed. A node's guard stays open `guardMs`, which is less, after it sent the request that was answered.
 */

/** One life of one node: random, made at each start of the process, never used again. Leases, rows and shards belong to it. */
export type Incarnation = string

/** The node's name as its operator knows it; a process that is restarted in place has the name of the former. */
export type NodeId = string

/** Milliseconds on the node's monotonic clock (`process.hrtime`, the same in every thread; not `performance.now`). */
export type MonotonicMs = number

/** Both clocks at one moment. The wall clock only notices that the machine slept, during which the monotonic one may stand still. */
export interface Instant {
  readonly monotonicMs: MonotonicMs
  readonly wallMs: number
}

export interface ShardRow {
  readonly owner: Incarnation | null
  /** Grows with each change of the owner. */
  readonly epoch: number
}

/**
 * A row of the table `node`, made by `register`. At most one row that is not dead per node id (a partial unique index). A dead row never
 * lives again; it may be deleted when it owns no shard.
 */
export interface NodeRow {
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  /** Address at which its peers reach it, `host:port`. */
  readonly address: string
  /** `1.2.3`; nodes of an older version are given nothing. */
  readonly version: string
  readonly isDraining: boolean
  readonly isDead: boolean
  /** Grows with every hold. */
  readonly revision: number
}

/** Lease of one incarnation in Redis, under a key of its own. Its expiry only clears the key away (`leaseKeptMs`). */
export interface Lease {
  readonly incarnation: Incarnation
  /** Number of the `createLease` that made it. */
  readonly creation: number
  /** Grows with every renewal. */
  readonly counter: number
  /** True when the process noted at its end that its sockets are destroyed. */
  readonly hasLeft: boolean
}

/** Every constant with its reason: docs/design/ownership.md. */
export interface Timing {
  /** A node whose lease and row did not change for so long is dead. On the clock of the node that watches. */
  readonly leaseMs: number
  /** Time for which a request that succeeded keeps the guard open, counted from its sending. On the owner's clock. */
  readonly guardMs: number
  readonly renewMs: number
  /** Time without an answer of Redis after which holds are written as well. */
  readonly holdAfterMs: number
  readonly holdEveryMs: number
  /** The adapters give up waiting for Redis and for SQL after this, with `…Failed`. */
  readonly commandTimeoutMs: number
  readonly retryMs: number
  /** Expiry of a lease's key. */
  readonly leaseKeptMs: number
  /** The main thread may stand still so long before the worker stops to renew. */
  readonly mainSilenceMs: number
  readonly pollLeasesMs: number
  readonly pollTableMs: number
  /** A process at the same place with the same name waits so long for a sign of life of its predecessor. */
  readonly predecessorMs: number
  /** A node is probed, and given nothing, when it has not changed for so long. */
  readonly suspectMs: number
  /** A restarted process that answers at the address of the dead one is left so long to take back its own. */
  readonly restartMs: number
  /** Sockets are destroyed when the guard has been closed for so long; a process that was only paused has its proof by then. */
  readonly fenceMs: number
  /** No planned move before the members have been the same for so long. */
  readonly stableMs: number
  /** A free shard that its planned owner has not claimed after so long is claimed by anybody. */
  readonly patienceMs: number
  /** The target gives up waiting for the answer to a pull. */
  readonly pullTimeoutMs: number
  /** A target whose timers are so late has more to do than it can: logins wait for each other, and one more would only wait with them. */
  readonly busyMs: number
  /** It then waits so long before it pulls the next shard, since it may be busy for ever. */
  readonly busyPullMs: number
}

export const defaultTiming: Timing = {
  leaseMs: 4_500,
  guardMs: 4_000,
  renewMs: 1_000,
  holdAfterMs: 1_900,
  holdEveryMs: 1_500,
  commandTimeoutMs: 800,
  retryMs: 250,
  leaseKeptMs: 60_000,
  mainSilenceMs: 20_000,
  pollLeasesMs: 250,
  pollTableMs: 1_000,
  predecessorMs: 1_400,
  suspectMs: 2_500,
  restartMs: 10_000,
  fenceMs: 500,
  stableMs: 3_000,
  patienceMs: 2_000,
  pullTimeoutMs: 10_000,
  busyMs: 8,
  busyPullMs: 100,
}

// ---------------------------------------------------------------------------------------------------------------- keeper

/** Event for the keeper. `sentAt` is measured before the request was handed to the socket. */
export type KeeperEvent =
  /** At least every 100 ms. `mainSeenMs`: when the main thread last wrote its sign of life into the shared memory. */
  | { readonly type: 'tick'; readonly mainSeenMs: MonotonicMs }
  /** The core's `register` succeeded: the first proof. */
  | { readonly type: 'begin'; readonly sentAt: Instant }
  | { readonly type: 'leaseCreated'; readonly creation: number }
  /** Also when it was not replicated: see `renewLease`. */
  | { readonly type: 'leaseFailed' }
  | { readonly type: 'leaseRenewed'; readonly creation: number; readonly sentAt: Instant }
  /** There is no lease, or one of another creation. */
  | { readonly type: 'leaseLost'; readonly creation: number }
  /** Other nodes use another store, or a newer timeline or era of it: what this one proves in its own proves nothing. */
  | { readonly type: 'leaseOutdated' }
  | { readonly type: 'held'; readonly sentAt: Instant }
  /** The row is dead or gone: this incarnation is over. */
  | { readonly type: 'holdRefused' }
  | { readonly type: 'holdFailed' }
  /** Sent by the main thread when nothing of this node acts, and the process is about to end. */
  | { readonly type: 'leave' }

export type KeeperCommand =
  /** Set this incarnation's lease, over any former creation, counter 0, to expire after `leaseKeptMs`. → leaseCreated, leaseFailed */
  | { readonly type: 'createLease'; readonly creation: number }
  /**
   * If the lease is there, of this creation and with a lower counter: set the counter and the expiry. Where Redis has replicas, WAIT for
   * all that are configured, in the same round trip; fewer is `leaseFailed` (an isolated former primary would renew for ever).
   * A lease with that counter or a higher one is `leaseFailed`. Where others have noted a newer store than this node uses, nothing is
   * renewed. → leaseRenewed, leaseLost, leaseFailed, leaseOutdated
   */
  | { readonly type: 'renewLease'; readonly creation: number; readonly counter: number }
  /** `UPDATE node SET revision = revision + 1 WHERE incarnation = $me AND NOT dead`, one autocommit statement. A dead row: holdRefused; none, as in a store that went back: holdFailed. → held, holdRefused, holdFailed */
  | { readonly type: 'hold' }
  /**
   * Write into the shared memory that the guard reads at the last step before bytes leave a socket. Open while monotonic now is before
   * `until`, and wall now is before it too, by no more than `guardMs` (`isOpen` in keeper.ts). Never goes back.
   */
  | { readonly type: 'publish'; readonly until: Instant }
  /** Set `hasLeft` in the lease, if it is there and ours, best effort. No event. */
  | { readonly type: 'markLeft' }
  /** Tell the core `{ type: 'refused' }`. */
  | { readonly type: 'refused' }

// ------------------------------------------------------------------------------------------------------------------ core

/** Event for the core. `sentAtMs` is measured before the request was handed to the socket. */
export type CoreEvent =
  /** At once when it starts, then at least every 100 ms. `isGuardOpen` as the sockets see it; `canLogin`: a token for a login is free and the process is not busy, so a pull makes sense. */
  | { readonly type: 'tick'; readonly isGuardOpen: boolean; readonly canLogin: boolean }
  | { readonly type: 'table'; readonly shards: readonly ShardRow[]; readonly nodes: readonly NodeRow[] }
  | { readonly type: 'tableFailed' }
  /**
   * The store went back: a table in which all shards are without owners, under epochs above all that any node has seen. Every node that
   * may act by what was before has noticed, or its guard is closed, `leaseMs` after this.
   */
  | { readonly type: 'storeBack'; readonly shards: readonly ShardRow[]; readonly nodes: readonly NodeRow[] }
  /** A peer announced a change of the table. */
  | { readonly type: 'hint' }
  /**
   * All leases. `history` names the data's unbroken past: another one after a restart, a fail-over, a wipe (server run id, replication
   * id, and a random value kept in a key that never expires and is set when absent), read in the same script.
   */
  | {
      readonly type: 'leases'
      readonly sentAtMs: MonotonicMs
      readonly history: string
      readonly leases: readonly Lease[]
    }
  | { readonly type: 'leasesFailed' }
  | { readonly type: 'registered'; readonly sentAt: Instant }
  /** A row that is not dead has our node id. */
  | { readonly type: 'registerRefused' }
  | { readonly type: 'registerFailed' }
  | {
      readonly type: 'probed'
      readonly incarnation: Incarnation
      /**
       * `alive`: it answered itself and its guard is open. `closed`: it answered itself and its guard is closed. `restarted`: a process
       * of the same node id but another incarnation answered. `refused`: nobody listens there. `silent`: anything else.
       */
      readonly result: 'alive' | 'closed' | 'restarted' | 'refused' | 'silent'
    }
  /** `dead`: it is, by our statement or somebody's. `moved`: it lives, its revision is another. */
  | { readonly type: 'declared'; readonly incarnation: Incarnation; readonly result: 'dead' | 'moved' | 'failed' }
  /** The shards that were granted, with their new epoch. */
  | { readonly type: 'claimed'; readonly granted: readonly { readonly shard: number; readonly epoch: number }[] }
  /** No answer: some may have been granted. */
  | { readonly type: 'claimFailed' }
  /** A target requests a shard of this node. */
  | {
      readonly type: 'pullAsked'
      readonly requestId: string
      readonly shard: number
      readonly epoch: number
      readonly by: Incarnation
    }
  /** The source's answer, or `pullFailed`. `epoch`: ours, when granted. */
  | { readonly type: 'pullAnswered'; readonly shard: number; readonly epoch: number | null }
  | { readonly type: 'pullFailed'; readonly shard: number }
  /** Every actor of the shard has ended, its writes are durable, its sockets are seen closed. */
  | { readonly type: 'quieted'; readonly shard: number; readonly epoch: number }
  /** It did not work in time; some actors may have ended. */
  | { readonly type: 'quietFailed'; readonly shard: number; readonly epoch: number }
  /** The row after the one execution of `handOver` or `raise`; `epoch` is the one that was asked with. */
  | { readonly type: 'rowAfter'; readonly shard: number; readonly epoch: number; readonly row: ShardRow }
  /** `handOver` or `raise` was surely not executed (no connection). */
  | { readonly type: 'rowUntouched'; readonly shard: number; readonly epoch: number }
  /** No answer: it may have been executed, or may be later. */
  | { readonly type: 'rowUnknown'; readonly shard: number; readonly epoch: number }
  /** SIGTERM: give everything away, then end. A node whose row says that it drains (an administrator's wish) gives all away and stays. */
  | { readonly type: 'drainAsked' }
  /** The time for draining is over, or there is nobody to drain to: give up what is left. */
  | { readonly type: 'stopAsked' }
  /** Answer to `stopAll`: no actor lives. */
  | { readonly type: 'stopped' }
  /** Sent by the keeper when this incarnation was declared dead. */
  | { readonly type: 'refused' }

export type CoreCommand =
  /** All of `shard_owner` and `node` in one statement or snapshot. → table, tableFailed, storeBack */
  | { readonly type: 'readTable' }
  /**
   * Where Redis has replicas, a write and WAIT for all of them follow in the same round trip, and fewer is `leasesFailed`: an isolated
   * former primary would show the leases of the living as unchanged. → leases, leasesFailed
   */
  | { readonly type: 'readLeases' }
  /**
   * In one statement: what `declareDead` does to the former life of this node, if one is given, then INSERT our row, revision 1; ON CONFLICT
   * (incarnation) DO UPDATE SET revision = revision + 1 WHERE NOT dead (a former try had landed). No node finds the former dead and us
   * absent, so none takes our shards for ownerless. → registered (also give its `sentAt` to the keeper as `begin`), registerRefused (node id taken), registerFailed
   */
  | {
      readonly type: 'register'
      readonly over: { readonly incarnation: Incarnation; readonly revision: number } | null
    }
  /** `UPDATE node SET draining = true WHERE incarnation = $me`. Best effort, no event: the table shows it. */
  | { readonly type: 'setDraining' }
  /** Tell the keeper `leave`; `UPDATE node SET dead = true WHERE incarnation = $me`. Best effort, no event; `end` follows, which waits for both for a moment. */
  | { readonly type: 'leave' }
  /** Request the state of the process at `address` (authenticated both ways). → probed */
  | { readonly type: 'probe'; readonly incarnation: Incarnation; readonly nodeId: NodeId; readonly address: string }
  /** `UPDATE node SET dead = true WHERE incarnation = $1 AND revision = $2 AND NOT dead`, then look. → declared */
  | { readonly type: 'declareDead'; readonly incarnation: Incarnation; readonly revision: number }
  /**
   * One statement (rows locked in the order of shard numbers): for each, owner = us and epoch + 1 where owner (`IS NOT DISTINCT FROM`)
   * and epoch are the given ones, and no row of `node` that is not dead is the owner's, and our own row is not dead. → claimed, claimFailed
   */
  | { readonly type: 'claim'; readonly shards: readonly ({ readonly shard: number } & ShardRow)[] }
  /** Start the actors of the shard; they act and write under this epoch, and only while the guard is open. Replaces a former epoch. */
  | { readonly type: 'activate'; readonly shard: number; readonly epoch: number }
  /** Destroy the sockets of the shard at once, drop its writes, forget its actors: it has another owner. */
  | { readonly type: 'deactivate'; readonly shard: number }
  /** Park new commands, finish what is in flight (bounded), flush, close the sockets and see them closed. → quieted, quietFailed */
  | { readonly type: 'quiet'; readonly shard: number; readonly epoch: number }
  /** owner = `to`, epoch + 1, where owner = us and epoch = `epoch` and the row of `to` is not dead; RETURNING or reading the row. → rowAfter, rowUntouched, rowUnknown */
  | { readonly type: 'handOver'; readonly shard: number; readonly epoch: number; readonly to: Incarnation }
  /** epoch + 1, where owner = us and epoch = `epoch`; RETURNING or reading the row. → rowAfter, rowUntouched, rowUnknown */
  | { readonly type: 'raise'; readonly shard: number; readonly epoch: number }
  /** Request a shard from its owner. → pullAnswered, pullFailed (also after `pullTimeoutMs`) */
  | {
      readonly type: 'askPull'
      readonly shard: number
      readonly epoch: number
      readonly from: Incarnation
      readonly address: string
    }
  /** `epoch`: the target's; null: not now. The adapter adds the parked calls; unasked they go back to their callers. */
  | { readonly type: 'answerPull'; readonly requestId: string; readonly shard: number; readonly epoch: number | null }
  /** Hint to all nodes that the table has changed. Best effort. */
  | { readonly type: 'announce' }
  /** The guard has closed and stays closed: destroy all sockets now. Actors may be kept or forgotten; `activate` starts them again. */
  | { readonly type: 'fence' }
  /** Stop all actors in order. → stopped */
  | { readonly type: 'stopAll' }
  /** The process ends, with this reason. What is started in its place is a new incarnation. */
  | { readonly type: 'end'; readonly reason: EndReason }

export type EndReason =
  /** Everything was given away, or stopped when asked. */
  | 'left'
  /** It was declared dead: after a pause, or cut off from everything. */
  | 'dead'
  /** A living node has the same node id. */
  | 'nameTaken'
