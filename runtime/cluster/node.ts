import { type ClusterNodeOptions, CoreCommands } from './core-commands.js'
import { decide, isQuiet } from './ownership/core.js'
import type { CoreEvent, EndReason, Incarnation, NodeRow, ShardRow } from './ownership/protocol.js'
import { type CoreState, startCore } from './ownership/state.js'
import { isLate } from './ownership/watch.js'
import { now } from './proof.js'
import { listMoves } from './shard-moves.js'

/** Signs of life of a node, as this node has seen them. */
export interface SignOfLife {
  /** Time since the last one; null when there was none so far. */
  readonly agoMs: number | null
  /** True when the next one is overdue. */
  readonly isLate: boolean
}

export interface ClusterNode {
  /** Returns undefined unless this node owns the shard and its actors may act. */
  findEpoch(shard: number): number | undefined
  /** Returns the shards that this node owns, whether their actors act or not. */
  owned(): readonly number[]
  /** Returns the owner by the newest table known here; null when no living node owns the shard. */
  findOwner(shard: number): { readonly node: NodeRow; readonly epoch: number } | null
  nodes(): readonly NodeRow[]
  /** Returns the shards that no living node owns, by the newest table known here. */
  ownerless(): readonly number[]
  /** Returns the newest table known here, by shard. */
  shards(): readonly ShardRow[]
  /** Returns the signs of life of a node; for this node, its own proof. Undefined when the node is dead or not known. */
  signOfLife(incarnation: Incarnation): SignOfLife | undefined
  /** Calls the listener after each change of ownership that this node learns of. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /** Call when a peer announced that the table has changed. */
  hint(): void
  /** Call when a peer requests a shard of this node. Returns the shard's new epoch, or null when it cannot move now. */
  pullAsked(shard: number, epoch: number, by: Incarnation): Promise<number | null>
  /** Call when the lease worker learned that this incarnation was declared dead. */
  refused(): void
  /** Gives all shards to other nodes, in order; `onEnd` follows. */
  drain(): void
  /** Gives up the remaining shards; `onEnd` follows. */
  stop(): void
}

const TICK_MS = 50
/**
 * While the node is alone and all is in order, but no longer than between two looks at the leases. An idle node should not wake twenty times
 * a second.
 */
const QUIET_TICK_MAX_MS = 250

/** Drives the ownership core (`ownership/core.ts`): its commands become I/O, once each, and their results become events. */
export function startClusterNode(options: ClusterNodeOptions): ClusterNode {
  const driver = new CoreDriver(options)
  return {
    findEpoch: (shard) => driver.findEpoch(shard),
    owned: () => [...driver.state.own.keys()],
    findOwner: (shard) => driver.findOwner(shard),
    nodes: () => [...driver.state.nodes.values()],
    ownerless: () => [...driver.state.shards.keys()].filter((shard) => driver.findOwner(shard) === null),
    shards: () => driver.state.shards,
    signOfLife: (incarnation) => driver.signOfLife(incarnation),
    onChange: (listener) => driver.onChange(listener),
    hint: () => driver.feed({ type: 'hint' }),
    pullAsked: (shard, epoch, by) => driver.pullAsked(shard, epoch, by),
    refused: () => driver.feed({ type: 'refused' }),
    drain: () => driver.feed({ type: 'drainAsked' }),
    stop: () => driver.feed({ type: 'stopAsked' }),
  }
}

class CoreDriver {
  readonly #options: ClusterNodeOptions
  readonly #commands: CoreCommands
  readonly #listeners = new Set<() => void>()
  /** Requests of peers for shards that are not answered yet, by their id. */
  readonly #pulls = new Map<string, (epoch: number | null) => void>()
  readonly #queue: CoreEvent[] = []
  #nextTick: NodeJS.Timeout | undefined
  #state: CoreState
  #lastPull = 0
  #isFeeding = false
  #tickDueMs = now().monotonicMs
  #isQuiet = false

  constructor(options: ClusterNodeOptions) {
    const { incarnation, nodeId, address, timing, startsWith } = options
    this.#options = options
    this.#state = startCore({ incarnation, nodeId, address }, timing, now().monotonicMs, {}, startsWith)
    this.#commands = new CoreCommands(options, {
      feed: (event) => this.feed(event),
      hasLeft: (of) => this.#state.watched.get(of)?.hasLeft ?? false,
      answerPull: (requestId, epoch) => this.#answerPull(requestId, epoch),
      end: (reason) => this.#end(reason),
    })
    this.#tick()
  }

  get state(): CoreState {
    return this.#state
  }

  /** Gives an event to the core, after those that wait: a command may cause one at once. */
  feed(event: CoreEvent): void {
    this.#queue.push(event)
    if (this.#isFeeding) return
    this.#isFeeding = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#step(next)
    } finally {
      this.#isFeeding = false
    }
  }

  findEpoch(shard: number): number | undefined {
    const own = this.#state.own.get(shard)
    return own?.stage === 'active' && !this.#state.isFenced ? own.epoch : undefined
  }

  findOwner(shard: number): { readonly node: NodeRow; readonly epoch: number } | null {
    const row: ShardRow | undefined = this.#state.shards[shard]
    const node = row?.owner == null ? undefined : this.#state.nodes.get(row.owner)
    return row === undefined || node === undefined || node.isDead ? null : { node, epoch: row.epoch }
  }

  signOfLife(incarnation: Incarnation): SignOfLife | undefined {
    const { lease } = this.#options
    if (incarnation === this.#options.incarnation) return { agoMs: lease.ageMs(), isLate: !lease.isOpen() }
    const watched = this.#state.watched.get(incarnation)
    if (watched === undefined) return undefined
    const nowMs = now().monotonicMs
    const agoMs = watched.seenAtMs === null ? null : nowMs - watched.seenAtMs
    return { agoMs, isLate: isLate(this.#state, watched, nowMs) }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  pullAsked(shard: number, epoch: number, by: Incarnation): Promise<number | null> {
    this.#lastPull += 1
    const requestId = `${this.#lastPull}`
    if (this.#state.phase === 'ended') return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#pulls.set(requestId, resolve)
      this.feed({ type: 'pullAsked', requestId, shard, epoch, by })
    })
  }

  #step(event: CoreEvent): void {
    const { observe } = this.#options
    const before = this.#state
    const { state: after, commands } = decide(before, event, now().monotonicMs)
    this.#state = after
    if (observe?.moved) for (const move of listMoves(before, after, event, commands)) observe.moved(move)
    for (const command of commands) this.#commands.run(command)
    if (before.own !== after.own || before.shards !== after.shards || before.nodes !== after.nodes)
      for (const listener of this.#listeners) listener()
    if (this.#isQuiet && !isQuiet(after)) this.#planTick()
  }

  #tick(): void {
    const { timing, lease, canLogin } = this.#options
    const nowMs = now().monotonicMs
    const isLateTick = nowMs - this.#tickDueMs >= timing.busyMs
    const isBusy = isLateTick && nowMs - this.#commands.pulledAtMs < timing.busyPullMs
    this.feed({ type: 'tick', isGuardOpen: lease.isOpen(), canLogin: !isBusy && canLogin() })
    this.#planTick(nowMs)
  }

  /** @param fromMs start of the last tick: the time that a tick itself takes counts as lateness of the next one */
  #planTick(fromMs = now().monotonicMs): void {
    clearTimeout(this.#nextTick)
    if (this.#state.phase === 'ended') return
    this.#isQuiet = isQuiet(this.#state)
    const quietTickMs = Math.min(QUIET_TICK_MAX_MS, this.#options.timing.pollLeasesMs)
    const inMs = this.#isQuiet ? quietTickMs : TICK_MS
    this.#tickDueMs = fromMs + inMs
    this.#nextTick = setTimeout(() => this.#tick(), inMs)
  }

  #answerPull(requestId: string, epoch: number | null): void {
    this.#pulls.get(requestId)?.(epoch)
    this.#pulls.delete(requestId)
  }

  #end(reason: EndReason): void {
    clearTimeout(this.#nextTick)
    for (const resolve of this.#pulls.values()) resolve(null)
    this.#pulls.clear()
    this.#options.onEnd(reason)
  }
}
