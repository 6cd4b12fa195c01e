import type { Logger } from 'pino'
import type { Lease } from './lease.js'
import type { Leases } from './leases.js'
import { decide } from './ownership/core.js'
import type {
  CoreCommand,
  CoreEvent,
  EndReason,
  Incarnation,
  NodeId,
  NodeRow,
  ShardRow,
  Timing,
} from './ownership/protocol.js'
import { type CoreState, startCore } from './ownership/state.js'
import { isLate } from './ownership/watch.js'
import { now } from './proof.js'
import { type Move, movesOf } from './shard-moves.js'
import type { AfterWrite, ShardTable } from './shard-table.js'

export type ProbeResult = Extract<CoreEvent, { type: 'probed' }>['result']

/** What a node asks of the others. */
export interface PeerCalls {
  /** Never rejects; bounded. */
  probe(node: {
    readonly incarnation: Incarnation
    readonly nodeId: NodeId
    readonly address: string
  }): Promise<ProbeResult>
  /** The shard's new epoch, ours; null: not now. Rejects without an answer. */
  pull(
    source: { readonly incarnation: Incarnation; readonly address: string },
    shard: number,
    epoch: number,
  ): Promise<number | null>
  /** Tells all that the table has changed. Best effort. */
  announce(): void
}

/** The actors of the node, by shard. None of these throws. */
export interface ShardActors {
  /** They act and write under this epoch; replaces a former one. */
  activate(shard: number, epoch: number): void
  /** Not ours any more: sockets end at once, actors are forgotten. */
  deactivate(shard: number): void
  /** What is under way is finished, all is durable and all sockets are seen closed. Rejects when that did not work in time. */
  quiet(shard: number, epoch: number): Promise<void>
  /** The guard stays closed: all sockets end at once. */
  fence(): void
  stopAll(): Promise<void>
}

export interface ClusterNodeOptions {
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  /** Where peers reach this node: `host:port`. */
  readonly address: string
  readonly version: string
  readonly timing: Timing
  readonly table: ShardTable
  /** Of a connection of the main thread: what others have. */
  readonly leases: Pick<Leases, 'read'>
  readonly lease: Lease
  readonly peers: PeerCalls
  readonly actors: ShardActors
  /** A login could begin now, so it makes sense to pull a shard. */
  readonly canLogin: () => boolean
  /** The node owns nothing any more and must not go on. */
  readonly onEnd: (reason: EndReason) => void
  /** For metrics. */
  readonly observe?: NodeObserver
  readonly log: Logger
}

export interface NodeObserver {
  readonly moved?: (move: Move) => void
  /** All sockets were ended, since it could not be proven that this node lives. */
  readonly fenced?: () => void
  /** An epoch of ours was raised, since nobody knows what became of a hand-over. */
  readonly raised?: () => void
  /** A node was found without any sign of life, and declared dead. */
  readonly declaredDead?: () => void
}

/** What this node has seen of a node. */
export interface SignOfLife {
  /** Null: none so far. */
  readonly agoMs: number | null
  /** The next one is overdue. */
  readonly isLate: boolean
}

export interface ClusterNode {
  /** Undefined unless this node owns the shard and its actors may act. */
  epochOf(shard: number): number | undefined
  /** The shards that it owns, whether they act or not. */
  owned(): readonly number[]
  /** By the newest table that it knows; null when nobody lives who owns it. */
  ownerOf(shard: number): { readonly node: NodeRow; readonly epoch: number } | null
  nodes(): readonly NodeRow[]
  /** Shards that nobody living owns, by the newest table that it knows. */
  ownerless(): readonly number[]
  /** The newest table that it knows, by shard. */
  shards(): readonly ShardRow[]
  /** Of another node, or of this one: its own proof. Undefined for who is dead or not known. */
  signOfLife(incarnation: Incarnation): SignOfLife | undefined
  /** Calls after each change of ownership that this node learns of. */
  onChange(listener: () => void): () => void
  /** A peer said that the table has changed. */
  hint(): void
  /** A peer asks for a shard of ours: its new epoch, or null. */
  pullAsked(shard: number, epoch: number, by: Incarnation): Promise<number | null>
  /** The lease worker was told that this incarnation is over. */
  refused(): void
  /** Gives everything away, in order; `onEnd` follows. */
  drain(): void
  /** Gives up what is left; `onEnd` follows. */
  stop(): void
}

const TICK_MS = 50

/** Drives the ownership core (`ownership/core.ts`): its commands become I/O, once each, and what they come to becomes events. */
export function startClusterNode(options: ClusterNodeOptions): ClusterNode {
  const { incarnation, nodeId, address, version, timing, table, leases, lease, peers, actors, log } = options
  let state: CoreState = startCore({ incarnation, nodeId, address }, timing, now().monotonicMs)
  const listeners = new Set<() => void>()
  const asked = new Map<string, (epoch: number | null) => void>()
  let requests = 0
  const queue: CoreEvent[] = []
  let isFeeding = false
  let tickedAtMs = now().monotonicMs
  let pulledAtMs = Number.NEGATIVE_INFINITY

  /** One event after the other: a command may cause one at once. */
  function feed(event: CoreEvent): void {
    queue.push(event)
    if (isFeeding) return
    isFeeding = true
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const before = state
        const { state: after, commands } = decide(state, next, now().monotonicMs)
        state = after
        if (options.observe?.moved)
          for (const move of movesOf(before, after, next, commands)) options.observe.moved(move)
        for (const command of commands) run(command)
        if (before.own !== after.own || before.shards !== after.shards || before.nodes !== after.nodes)
          for (const listener of listeners) listener()
      }
    } finally {
      isFeeding = false
    }
  }

  function run(command: CoreCommand): void {
    switch (command.type) {
      case 'readTable':
        answer(table.read(), ({ shards, nodes }) => ({ type: 'table', shards, nodes }), { type: 'tableFailed' })
        return
      case 'readLeases': {
        const sentAtMs = now().monotonicMs
        answer(
          leases.read(),
          (read) => (read === null ? { type: 'leasesFailed' } : { type: 'leases', sentAtMs, ...read }),
          { type: 'leasesFailed' },
        )
        return
      }
      case 'register': {
        const sentAt = now()
        answer(
          table.register({ nodeId, address, version }, command.over),
          (isRegistered) => {
            if (isRegistered) lease.begin(sentAt)
            if (isRegistered && command.over) noteDeath(command.over.incarnation)
            return isRegistered ? { type: 'registered', sentAt } : { type: 'registerRefused' }
          },
          { type: 'registerFailed' },
        )
        return
      }
      case 'setDraining':
        ignore(table.setDraining())
        return
      case 'leave':
        ignore(Promise.all([lease.leave(), table.leave()]))
        return
      case 'probe': {
        const { incarnation: probed } = command
        answer(peers.probe(command), (result) => ({ type: 'probed', incarnation: probed, result }), {
          type: 'probed',
          incarnation: probed,
          result: 'silent',
        })
        return
      }
      case 'declareDead': {
        const { incarnation: declared, revision } = command
        answer(
          table.declareDead(declared, revision),
          (result) => {
            if (result === 'dead') noteDeath(declared)
            return { type: 'declared', incarnation: declared, result }
          },
          { type: 'declared', incarnation: declared, result: 'failed' },
        )
        return
      }
      case 'claim':
        answer(table.claim(command.shards), (granted) => ({ type: 'claimed', granted }), { type: 'claimFailed' })
        return
      case 'activate':
        actors.activate(command.shard, command.epoch)
        return
      case 'deactivate':
        actors.deactivate(command.shard)
        return
      case 'quiet': {
        const { shard, epoch } = command
        answer(actors.quiet(shard, epoch), () => ({ type: 'quieted', shard, epoch }), {
          type: 'quietFailed',
          shard,
          epoch,
        })
        return
      }
      case 'handOver':
        written(command, table.handOver(command.shard, command.epoch, command.to))
        return
      case 'raise':
        options.observe?.raised?.()
        written(command, table.raise(command.shard, command.epoch))
        return
      case 'askPull': {
        const { shard, epoch, from, address: source } = command
        pulledAtMs = now().monotonicMs
        answer(
          peers.pull({ incarnation: from, address: source }, shard, epoch),
          (given) => ({ type: 'pullAnswered', shard, epoch: given }),
          { type: 'pullFailed', shard },
        )
        return
      }
      case 'answerPull':
        asked.get(command.requestId)?.(command.epoch)
        asked.delete(command.requestId)
        return
      case 'announce':
        peers.announce()
        return
      case 'fence':
        log.error('This node cannot prove that it lives; all its connections are ended.')
        actors.fence()
        options.observe?.fenced?.()
        return
      case 'stopAll':
        answer(actors.stopAll(), () => ({ type: 'stopped' }), { type: 'stopped' })
        return
      case 'end':
        end(command.reason)
        return
      default:
        command satisfies never
    }
  }

  function noteDeath(of: Incarnation): void {
    const hasLeft = state.watched.get(of)?.hasLeft ?? false
    if (hasLeft) log.info({ incarnation: of }, 'A node said with its last breath that it ends.')
    else log.warn({ incarnation: of }, 'A node shows no sign of life; it was declared dead.')
    options.observe?.declaredDead?.()
  }

  function answer<T>(work: Promise<T>, toEvent: (result: T) => CoreEvent, failed: CoreEvent): void {
    work.then(
      (result) => feed(toEvent(result)),
      (error: unknown) => {
        log.debug({ err: error, event: failed.type }, 'A question of the ownership core had no answer.')
        feed(failed)
      },
    )
  }

  function written({ shard, epoch }: { shard: number; epoch: number }, work: Promise<AfterWrite>): void {
    const unknown: CoreEvent = { type: 'rowUnknown', shard, epoch }
    answer(
      work,
      (after) => {
        if (after.type === 'row') return { type: 'rowAfter', shard, epoch, row: after.row }
        return after.type === 'untouched' ? { type: 'rowUntouched', shard, epoch } : unknown
      },
      unknown,
    )
  }

  function ignore(work: Promise<unknown>): void {
    work.catch((error: unknown) => log.debug({ err: error }, 'A word to the cluster was not heard.'))
  }

  function end(reason: EndReason): void {
    clearInterval(ticks)
    for (const resolve of asked.values()) resolve(null)
    asked.clear()
    options.onEnd(reason)
  }

  function ownerOf(shard: number): { readonly node: NodeRow; readonly epoch: number } | null {
    const row: ShardRow | undefined = state.shards[shard]
    const node = row?.owner == null ? undefined : state.nodes.get(row.owner)
    return row === undefined || node === undefined || node.isDead ? null : { node, epoch: row.epoch }
  }

  function tick(): void {
    const nowMs = now().monotonicMs
    const isBusy = nowMs - tickedAtMs - TICK_MS >= timing.busyMs && nowMs - pulledAtMs < timing.busyPullMs
    tickedAtMs = nowMs
    feed({ type: 'tick', isGuardOpen: lease.isOpen(), canLogin: !isBusy && options.canLogin() })
  }

  const ticks = setInterval(tick, TICK_MS)
  tick()

  return {
    epochOf(shard) {
      const own = state.own.get(shard)
      return own?.stage === 'active' && !state.isFenced ? own.epoch : undefined
    },
    owned: () => [...state.own.keys()],
    ownerOf,
    nodes: () => [...state.nodes.values()],
    ownerless: () => [...state.shards.keys()].filter((shard) => ownerOf(shard) === null),
    shards: () => state.shards,
    signOfLife(of) {
      if (of === incarnation) return { agoMs: lease.ageMs(), isLate: !lease.isOpen() }
      const watched = state.watched.get(of)
      if (watched === undefined) return undefined
      const nowMs = now().monotonicMs
      const agoMs = watched.seenAtMs === null ? null : nowMs - watched.seenAtMs
      return { agoMs, isLate: isLate(state, watched, nowMs) }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hint: () => feed({ type: 'hint' }),
    pullAsked(shard, epoch, by) {
      requests += 1
      const requestId = `${requests}`
      if (state.phase === 'ended') return Promise.resolve(null)
      return new Promise((resolve) => {
        asked.set(requestId, resolve)
        feed({ type: 'pullAsked', requestId, shard, epoch, by })
      })
    },
    refused: () => feed({ type: 'refused' }),
    drain: () => feed({ type: 'drainAsked' }),
    stop: () => feed({ type: 'stopAsked' }),
  }
}
