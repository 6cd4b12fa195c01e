import type { Logger } from 'pino'
import type { NodeLease } from './lease.js'
import type { Leases } from './leases.js'
import type { CoreCommand, CoreEvent, EndReason, Incarnation, NodeId, Timing } from './ownership/protocol.js'
import { now } from './proof.js'
import type { Move } from './shard-moves.js'
import { type AfterWrite, OtherShards, type ShardTable } from './shard-table.js'
import type { StoreWatch } from './store-watch.js'

/** Parts of the core's driver that the commands need. */
export interface CoreHooks {
  /** Gives an event to the core. */
  readonly feed: (event: CoreEvent) => void
  /** Tells whether a node's lease says that nothing of it acts. */
  readonly hasLeft: (incarnation: Incarnation) => boolean
  readonly answerPull: (requestId: string, epoch: number | null) => void
  readonly end: (reason: EndReason) => void
}

/** A command of one type. */
type Of<Type extends CoreCommand['type']> = Extract<CoreCommand, { readonly type: Type }>

/** Carries out the commands of the ownership core, each once. Results become events. */
export class CoreCommands {
  /** Monotonic time of the last pull. */
  pulledAtMs = Number.NEGATIVE_INFINITY
  readonly #options: ClusterNodeOptions
  readonly #hooks: CoreHooks

  constructor(options: ClusterNodeOptions, hooks: CoreHooks) {
    this.#options = options
    this.#hooks = hooks
  }

  run(command: CoreCommand): void {
    const { table, lease, peers, actors } = this.#options
    switch (command.type) {
      case 'readTable':
        this.#readTable()
        return
      case 'readLeases':
        this.#readLeases()
        return
      case 'register':
        this.#register(command)
        return
      case 'setDraining':
        this.#runUnanswered(table.setDraining())
        return
      case 'leave':
        this.#runUnanswered(Promise.all([lease.leave(), table.leave()]))
        return
      case 'probe':
        this.#probe(command)
        return
      case 'declareDead':
        this.#declareDead(command)
        return
      case 'claim':
        this.#claim(command)
        return
      case 'activate':
        actors.activate(command.shard, command.epoch)
        return
      case 'deactivate':
        actors.deactivate(command.shard)
        return
      case 'quiet':
        this.#quiet(command)
        return
      case 'handOver':
        this.#write(command, table.handOver(command.shard, command.epoch, command.to))
        return
      case 'raise':
        this.#raise(command)
        return
      case 'askPull':
        this.#pull(command)
        return
      case 'answerPull':
        this.#hooks.answerPull(command.requestId, command.epoch)
        return
      case 'announce':
        peers.announce()
        return
      case 'fence':
        this.#fence()
        return
      case 'stopAll':
        this.#runAnswered(actors.stopAll(), () => ({ type: 'stopped' }), { type: 'stopped' })
        return
      case 'end':
        this.#hooks.end(command.reason)
        return
      default:
        command satisfies never
    }
  }

  #readTable(): void {
    this.#runAnswered(
      this.#options.store.read(),
      (read) => {
        if (read === null) return { type: 'tableFailed' }
        const { shards, nodes, isBack } = read
        return { type: isBack ? 'storeBack' : 'table', shards, nodes }
      },
      { type: 'tableFailed' },
    )
  }

  #readLeases(): void {
    const sentAtMs = now().monotonicMs
    this.#runAnswered(
      this.#options.leases.read(),
      (read) => (read === null ? { type: 'leasesFailed' } : { type: 'leases', sentAtMs, ...read }),
      { type: 'leasesFailed' },
    )
  }

  #register({ over }: Of<'register'>): void {
    const { nodeId, address, version, shards, table, lease } = this.#options
    const sentAt = now()
    const registered = table.register({ nodeId, address, version, shards }, over).catch((error: unknown) => {
      if (!(error instanceof OtherShards)) throw error
      // It would look for instances in the wrong shards. The next start reads the number.
      this.#options.log.error({ err: error }, 'This node must end.')
      this.#hooks.feed({ type: 'refused' })
      return false
    })
    this.#runAnswered(
      registered,
      (isRegistered) => {
        if (isRegistered) lease.begin(sentAt)
        if (isRegistered && over) this.#noteDeath(over.incarnation)
        return isRegistered ? { type: 'registered', sentAt } : { type: 'registerRefused' }
      },
      { type: 'registerFailed' },
    )
  }

  #probe(command: Of<'probe'>): void {
    const { incarnation } = command
    this.#runAnswered(this.#options.peers.probe(command), (result) => ({ type: 'probed', incarnation, result }), {
      type: 'probed',
      incarnation,
      result: 'silent',
    })
  }

  #declareDead({ incarnation, revision }: Of<'declareDead'>): void {
    this.#runAnswered(
      this.#options.table.declareDead(incarnation, revision),
      (result) => {
        if (result === 'dead') this.#noteDeath(incarnation)
        return { type: 'declared', incarnation, result }
      },
      { type: 'declared', incarnation, result: 'failed' },
    )
  }

  #claim({ shards }: Of<'claim'>): void {
    const work = this.#options.table.claim(shards)
    this.#runAnswered(work, (granted) => ({ type: 'claimed', granted }), { type: 'claimFailed' })
  }

  #quiet({ shard, epoch }: Of<'quiet'>): void {
    const work = this.#options.actors.quiet(shard, epoch)
    this.#runAnswered(work, () => ({ type: 'quieted', shard, epoch }), { type: 'quietFailed', shard, epoch })
  }

  #raise(command: Of<'raise'>): void {
    this.#options.observe?.raised?.()
    this.#write(command, this.#options.table.raise(command.shard, command.epoch))
  }

  #pull({ shard, epoch, from, address }: Of<'askPull'>): void {
    this.pulledAtMs = now().monotonicMs
    this.#runAnswered(
      this.#options.peers.pull({ incarnation: from, address }, shard, epoch),
      (granted) => ({ type: 'pullAnswered', shard, epoch: granted }),
      { type: 'pullFailed', shard },
    )
  }

  #fence(): void {
    const { actors, observe, log } = this.#options
    log.error('This node cannot prove that it lives; all its connections are ended.')
    actors.fence()
    observe?.fenced?.()
  }

  #noteDeath(incarnation: Incarnation): void {
    const { observe, log } = this.#options
    if (this.#hooks.hasLeft(incarnation)) log.info({ incarnation }, 'A node announced its end; it was declared dead.')
    else log.warn({ incarnation }, 'A node shows no sign of life; it was declared dead.')
    observe?.declaredDead?.()
  }

  /** Turns the row after a write into an event. */
  #write({ shard, epoch }: { readonly shard: number; readonly epoch: number }, work: Promise<AfterWrite>): void {
    const unknown: CoreEvent = { type: 'rowUnknown', shard, epoch }
    this.#runAnswered(
      work,
      (after) => {
        if (after.type === 'row') return { type: 'rowAfter', shard, epoch, row: after.row }
        return after.type === 'untouched' ? { type: 'rowUntouched', shard, epoch } : unknown
      },
      unknown,
    )
  }

  /** Gives the result of some work to the core, or the event of its failure. */
  #runAnswered<T>(work: Promise<T>, toEvent: (result: T) => CoreEvent, failure: CoreEvent): void {
    work.then(
      (result) => this.#hooks.feed(toEvent(result)),
      (error: unknown) => {
        this.#options.log.debug({ err: error, event: failure.type }, 'A request of the ownership core failed.')
        this.#hooks.feed(failure)
      },
    )
  }

  /** Ignores the failure of work on whose result nothing depends. */
  #runUnanswered(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#options.log.debug({ err: error }, 'A message to the cluster failed.'))
  }
}

export type ProbeResult = Extract<CoreEvent, { type: 'probed' }>['result']

/** Requests to the other nodes. */
export interface PeerCalls {
  /** Never rejects, and takes a limited time. */
  probe(node: {
    readonly incarnation: Incarnation
    readonly nodeId: NodeId
    readonly address: string
  }): Promise<ProbeResult>
  /** Requests a shard. Returns its epoch under this node, or null when it cannot move now. Rejects when there is no answer. */
  pull(
    source: { readonly incarnation: Incarnation; readonly address: string },
    shard: number,
    epoch: number,
  ): Promise<number | null>
  /** Tells all nodes that the table has changed. Best effort. */
  announce(): void
}

/** The actors of the node, by shard. None of these throws. */
export interface ShardActors {
  /** Lets the actors of a shard act and write under this epoch, which replaces a former one. */
  activate(shard: number, epoch: number): void
  /** Drops a shard that has another owner: sockets end at once, actors are forgotten. */
  deactivate(shard: number): void
  /** Finishes work under way, makes all durable and sees all sockets closed. Rejects when that did not work in time. */
  quiet(shard: number, epoch: number): Promise<void>
  /** Ends all sockets at once, because the guard stays closed. */
  fence(): void
  stopAll(): Promise<void>
}

export interface ClusterNodeOptions {
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  /** Address at which peers reach this node: `host:port`. */
  readonly address: string
  readonly version: string
  /** Number of shards of the cluster. */
  readonly shards: number
  readonly timing: Timing
  /** Names of the nodes that start together with this one, for whom it waits before it takes shards. */
  readonly startsWith: readonly NodeId[]
  readonly table: ShardTable
  /** Reads the table, and notices when the store went back. */
  readonly store: Pick<StoreWatch, 'read'>
  /** Reads the leases of others, over a connection of the main thread. */
  readonly leases: Pick<Leases, 'read'>
  readonly lease: NodeLease
  readonly peers: PeerCalls
  readonly actors: ShardActors
  /** Tells whether a login could begin now, so that it makes sense to pull a shard. */
  readonly canLogin: () => boolean
  /** Called when the node owns nothing and must not go on. */
  readonly onEnd: (reason: EndReason) => void
  /** For metrics. */
  readonly observe?: NodeObserver
  readonly log: Logger
}

export interface NodeObserver {
  readonly moved?: (move: Move) => void
  /** All sockets were ended, since this node could not prove that it lives. */
  readonly fenced?: () => void
  /** This node raised one of its epochs, since the result of a hand-over is not known. */
  readonly raised?: () => void
  /** This node declared another one dead, which showed no sign of life. */
  readonly declaredDead?: () => void
}
