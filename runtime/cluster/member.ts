/** Puts a node of the cluster together: its proof that it lives, its table of shards, its server for the others, and its router. */
import type { Logger } from 'pino'
import type { OutputGuard } from '../../actors/network/port/connection.js'
import type { RepeatRules } from '../../actors/operations/index.js'
import type { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { OperatorError } from '../../schemas/operator-error.js'
import type { MinuteReading } from '../../schemas/ports/cluster.js'
import { connectRedis } from '../connect/redis.js'
import type { RedisPlace } from '../connect/redis-place.js'
import type { Database } from '../store/database.js'
import type { NodeObserver, PeerCalls, ProbeResult, ShardActors } from './core-commands.js'
import { createJoinedNode, type JoinedNode } from './joined-node.js'
import { type NodeLease, startLease } from './lease.js'
import type { StoreIdentity } from './lease-scripts.js'
import { connectLeases, createLeases, type Leases } from './leases.js'
import { endFormerLife, Membership } from './membership.js'
import { type ClusterNode, startClusterNode } from './node.js'
import { chooseBinding, joinAddress, splitAddress } from './node-address.js'
import { createNodeReadings } from './node-readings.js'
import type { EndReason, Incarnation, NodeId, NodeRow, Timing } from './ownership/protocol.js'
import { type PeerClient, type PeerClientOptions, PeerLinks } from './peers/client.js'
import type { NodePlace, NodeState } from './peers/protocol.js'
import { HttpPeerServer, type PeerServer } from './peers/server.js'
import { OwnerRouter } from './router.js'
import type { LocalInstances, Router, RouterObserver, RoutingTable } from './router-types.js'
import { createShardTable, type ShardTable } from './shard-table.js'
import { tellNeighbours } from './store-neighbours.js'
import { StoreWatch } from './store-watch.js'
import type { WatchdogSettings } from './watchdog/watchdog.js'

/** Unix sockets for calls between the processes of one machine, in a folder that only the user of the gateway can enter. */
export interface LocalSockets {
  /** The socket of this process. */
  readonly own: string
  /** Returns the socket of another process of this machine; undefined for a node of another one. */
  of(node: NodeId): string | undefined
}

export interface MemberOptions {
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  readonly version: string
  readonly timing: Timing
  /** Address at which the other nodes reach this one: a host, with a port if that is not the one that it listens on. */
  readonly address: string
  /** Port to listen on. 0 takes any free one. */
  readonly port: number
  /** Sockets of the processes of this machine, if there are several. */
  readonly local: LocalSockets | null
  /** CLUSTER_SECRET. */
  readonly secret: string
  readonly redis: RedisPlace
  readonly replicas: number
  readonly database: Pick<Database, 'place' | 'session' | 'reconnect'>
  /** Number of shards of the cluster. */
  readonly shards: number
  /** True when something else proves that no other process of this name lives, so that this one need not wait for its end. */
  readonly isNameOurs: boolean
  /** Returns true while other nodes cannot read the files of this one, so that it keeps its instances until it shuts down. */
  readonly keepsInstances: () => boolean
  readonly watchdog: WatchdogSettings | null
  /** Names of the nodes that start together with this one. */
  readonly startsWith: readonly NodeId[]
  /** Returns how this process did in the last hour. */
  readonly readings: () => readonly MinuteReading[]
  readonly logger: Logger
}

/** Parts that a member acts on. They are made after it, since actors need its guard. */
export interface MemberParts {
  readonly actors: ShardActors & {
    isReady(shard: number): boolean
    onChange(listener: () => void): void
    canLogin(): boolean
  }
  readonly local: LocalInstances
  readonly findShard: (instance: InstanceId) => number
  readonly rules: RepeatRules
  readonly parkTimeoutMs: number
  /** Tells all nodes that the table has changed. */
  readonly announce: () => void
  /** Removes everything that a node which died long ago has left in Redis. */
  readonly removeLeftOf: (node: NodeId) => Promise<void>
  readonly explain: (error: unknown) => GatewayError | undefined
  readonly observe: {
    readonly router: RouterObserver
    readonly attempt: NonNullable<PeerClientOptions['observe']>
    readonly node: NodeObserver
  }
  /** Called when this incarnation was declared dead: its sockets have ended, and the process must end. */
  readonly onDead: () => void
}

export interface Member {
  readonly guard: ReturnType<typeof createGuard>
  /** Whether the store went back in time. */
  readonly store: StoreWatch
  readonly lease: Pick<NodeLease, 'isOpen' | 'ageMs' | 'counts'>
  /**
   * Resolves when this node is a member of the cluster and every shard has an owner that takes commands, or after a while without.
   * @throws OperatorError
   */
  join(parts: MemberParts): Promise<JoinedNode>
  close(): Promise<void>
}

interface StartedParts {
  readonly node: ClusterNode
  readonly router: Router
  readonly server: PeerServer
}

export class ClusterMember implements Member {
  readonly guard = createGuard(() => this.lease.isOpen())
  readonly lease: NodeLease
  readonly store: StoreWatch
  readonly #options: MemberOptions
  readonly #log: Logger
  readonly #table: ShardTable
  readonly #redis: ReturnType<typeof connectLeases>
  readonly #leases: Leases
  #client: PeerClient | undefined
  #started: StartedParts | undefined
  #endReason: EndReason | undefined
  /** Time of the last request of another node for the state of this one. */
  #metAtMs = Number.NEGATIVE_INFINITY

  constructor(options: MemberOptions) {
    const { incarnation, nodeId, timing, replicas, database, redis, watchdog, logger } = options
    this.#options = options
    this.#log = logger.child({ part: 'cluster' })
    this.#table = createShardTable({ pool: database.session, incarnation })
    this.#redis = connectLeases(connectRedis(redis), timing.commandTimeoutMs)
    this.#leases = createLeases({
      redis: this.#redis,
      incarnation,
      keptMs: timing.leaseKeptMs,
      replicas,
      commandTimeoutMs: timing.commandTimeoutMs,
    })
    const lease = startLease({
      redis,
      replicas,
      database: database.place,
      incarnation,
      timing,
      watchdog,
      onRefused: (why) => {
        this.#log.error({ why }, 'This node must end.')
        this.#started?.node.refused()
      },
      onOutdated: () => this.#started?.node.hint(),
    })
    this.store = new StoreWatch({
      table: this.#table,
      leases: this.#leases,
      incarnation,
      nodeId,
      onIdentity: (store) => lease.follow(store),
      tell: (store, nodes) => this.#tellOthers(store, nodes),
      onNews: () => this.#started?.node.hint(),
      reconnect: () => database.reconnect(),
      log: this.#log,
    })
    // What a node proves in a store that the others do not use proves nothing.
    this.lease = { ...lease, isOpen: () => lease.isOpen() && this.store.mayAct }
  }

  async join(parts: MemberParts): Promise<JoinedNode> {
    const { incarnation, nodeId, timing } = this.#options
    const peers = new PeerLinks({
      secret: this.#options.secret,
      nodeId,
      findLocalPath: (address) => this.#findLocalPath(address),
      observe: parts.observe.attempt,
    })
    this.#client = peers
    const server = this.#createServer(parts)
    const address = await this.#listen(server)
    const { isNameOurs, nodeId: name, database } = this.#options
    if (isNameOurs) await endFormerLife(database.session, name)
    const node = this.#startNode(address, peers, parts)
    const router = this.#createRouter(address, node, peers, parts)
    this.#started = { node, router, server }
    const membership = new Membership({ incarnation, nodeId }, node, () => this.#endReason)
    node.onChange(() => peers.retain(membership.living().map((other) => other.address)))
    await membership.settled((shard) => parts.actors.isReady(shard))
    await probePeers(membership.others(), { address, peers, timeoutMs: timing.commandTimeoutMs }, this.#log)
    this.#table
      .forgetDead(parts.removeLeftOf)
      .catch((err: unknown) =>
        this.#log.debug({ err }, 'Dead nodes of the past were not removed; a later start removes them.'),
      )
    this.#log.info({ incarnation, address, nodes: membership.living().length }, 'This node is a part of the cluster.')
    return createJoinedNode({
      node,
      router,
      server,
      membership,
      readings: createNodeReadings({
        incarnation,
        own: this.#options.readings,
        nodes: () => membership.living(),
        ask: (other) => peers.readings(other, timing.commandTimeoutMs),
      }),
      lease: this.lease,
      table: this.#table,
      sinceMetMs: () => performance.now() - this.#metAtMs,
      pollTableMs: timing.pollTableMs,
    })
  }

  async close(): Promise<void> {
    this.#started?.router.close()
    await this.#started?.server.close()
    this.#client?.close()
    await this.lease.close()
    this.#redis.disconnect()
  }

  #createServer({ explain }: MemberParts): PeerServer {
    const { incarnation, nodeId, secret, readings, logger } = this.#options
    return new HttpPeerServer({
      secret,
      state: () => {
        this.#metAtMs = performance.now()
        return this.#state()
      },
      serve: (command) => {
        if (this.#started === undefined) return Promise.resolve({ type: 'moved', owner: 'moving', wasBegun: false })
        return this.#started.router.serve(command)
      },
      pull: async ({ shard, epoch, by }) => ({
        epoch: this.#mayGive() ? ((await this.#started?.node.pullAsked(shard, epoch, by)) ?? null) : null,
      }),
      readings,
      store: (news) => ({ incarnation, nodeId, isHeeded: this.store.heed(news), nodes: this.#living() }),
      explain,
      logger,
    })
  }

  #mayGive(): boolean {
    return !this.#options.keepsInstances() || this.#state().isDraining
  }

  #living(): readonly NodePlace[] {
    const nodes = this.#started?.node.nodes() ?? []
    return nodes
      .filter(({ isDead }) => !isDead)
      .map(({ incarnation, nodeId, address }) => ({ incarnation, nodeId, address }))
  }

  async #tellOthers(store: StoreIdentity, nodes: readonly NodePlace[]): Promise<boolean> {
    const { incarnation, timing } = this.#options
    const peers = this.#client
    if (peers === undefined) return nodes.length === 0
    return await tellNeighbours(store, nodes, { incarnation, peers, timeoutMs: timing.commandTimeoutMs })
  }

  #state(): NodeState {
    const { incarnation, nodeId, version } = this.#options
    const row = this.#started?.node.nodes().find((node) => node.incarnation === incarnation)
    return { incarnation, nodeId, version, isDraining: row?.isDraining ?? false, isGuardOpen: this.lease.isOpen() }
  }

  /** Returns the address at which the other nodes reach the server. */
  async #listen(server: PeerServer): Promise<string> {
    const { host, port: givenPort } = splitAddress(this.#options.address)
    const { port, local } = this.#options
    const where = { host: chooseBinding(host), port, localPath: local?.own }
    const listening = await server.listen(where).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `The port for other nodes, ${port}, cannot be listened on (${error.code}). Give this node another PEER_PORT.`,
        { cause: error },
      )
    })
    return joinAddress(host, givenPort ?? listening.port)
  }

  #findLocalPath(address: string): string | undefined {
    const { local } = this.#options
    if (local === null) return undefined
    const node = this.#started?.node.nodes().find((one) => one.address === address && !one.isDead)
    return node === undefined ? undefined : local.of(node.nodeId)
  }

  #startNode(address: string, peers: PeerClient, { actors, announce, observe, onDead }: MemberParts): ClusterNode {
    const { incarnation, nodeId, version, shards, timing, startsWith } = this.#options
    return startClusterNode({
      incarnation,
      nodeId,
      address,
      version,
      shards,
      timing,
      startsWith,
      table: this.#table,
      store: this.store,
      leases: this.#leases,
      lease: this.lease,
      peers: createPeerCalls({ peers, incarnation, timing, announce }),
      actors,
      canLogin: () => actors.canLogin(),
      onEnd: (reason) => {
        this.#endReason = reason
        if (reason === 'dead') onDead()
      },
      observe: observe.node,
      log: this.#log,
    })
  }

  #createRouter(address: string, node: ClusterNode, peers: PeerClient, parts: MemberParts): Router {
    const { incarnation } = this.#options
    const { actors, local, findShard, rules, parkTimeoutMs, observe } = parts
    return new OwnerRouter({
      table: createRoutingTable({ incarnation, address, node, actors }),
      self: incarnation,
      local,
      peers,
      findShard,
      rules,
      parkTimeoutMs,
      observe: observe.router,
    })
  }
}

const LOOK_MS = 10

/** Returns a guard that tells before each frame whether it may leave. Waiting sockets share one timer, whatever their number. */
function createGuard(isOpen: () => boolean): OutputGuard {
  let waiting: Promise<void> | undefined

  return {
    isOpen,
    opened() {
      waiting ??= new Promise((resolve) => {
        const timer = setInterval(() => {
          if (!isOpen()) return
          clearInterval(timer)
          waiting = undefined
          resolve()
        }, LOOK_MS)
        timer.unref()
      })
      return waiting
    },
  }
}

/**
 * Probes the other nodes once, to find wrong addresses and secrets at the start instead of in calls that wait in vain.
 * @throws OperatorError when none of the nodes that listen accepts our secret
 */
export async function probePeers(
  others: readonly NodeRow[],
  own: { readonly address: string; readonly peers: Pick<PeerClient, 'probe'>; readonly timeoutMs: number },
  log: Logger,
): Promise<void> {
  const namesake = others.find(({ address }) => address === own.address)
  if (namesake !== undefined)
    log.warn(
      { address: own.address, nodeId: namesake.nodeId },
      'Another node has the same address as this one. Give each node a NODE_ADDRESS at which the others reach it.',
    )
  const answers = await Promise.all(
    others
      .filter((other) => other !== namesake)
      .map(async ({ address }) => await own.peers.probe(address, own.timeoutMs)),
  )
  const isStranger = answers.some((answer) => answer.type === 'lost' && answer.why === 'garbled')
  if (isStranger && !answers.some(({ type }) => type === 'answered'))
    throw new OperatorError('The other nodes have another CLUSTER_SECRET; it must be the same on every node.')
}

interface RoutingTableOptions {
  /** This node. */
  readonly incarnation: Incarnation
  readonly address: string
  readonly node: Pick<ClusterNode, 'findEpoch' | 'findOwner' | 'onChange'>
  readonly actors: {
    isReady(shard: number): boolean
    onChange(listener: () => void): void
  }
}

/** The owners of shards for the router: this node once its actors are ready, another one as the table of shards says. */
function createRoutingTable({ incarnation, address, node, actors }: RoutingTableOptions): RoutingTable {
  return {
    findOwner(shard) {
      const own = node.findEpoch(shard)
      if (own !== undefined && actors.isReady(shard)) return { incarnation, address, epoch: own }
      const known = node.findOwner(shard)
      if (known === null) return 'none'
      if (known.node.incarnation === incarnation) return 'moving'
      return { incarnation: known.node.incarnation, address: known.node.address, epoch: known.epoch }
    },
    onChange(listener) {
      actors.onChange(listener)
      return node.onChange(listener)
    },
  }
}

interface PeerCallsOptions {
  readonly peers: Pick<PeerClient, 'probe' | 'pull'>
  /** This node. */
  readonly incarnation: Incarnation
  readonly timing: Timing
  readonly announce: () => void
}

/** Requests of the ownership core to other nodes, over the peer client. */
function createPeerCalls({ peers, incarnation, timing, announce }: PeerCallsOptions): PeerCalls {
  return {
    probe: (node) => peers.probe(node.address, timing.commandTimeoutMs).then((answer) => probeResult(node, answer)),
    async pull({ address }, shard, epoch) {
      const answer = await peers.pull(address, { shard, epoch, by: incarnation }, timing.pullTimeoutMs)
      if (answer === null) throw new Error('The owner of a shard did not answer.')
      return answer.epoch
    },
    announce,
  }
}

function probeResult(
  { incarnation, nodeId }: { readonly incarnation: Incarnation; readonly nodeId: NodeId },
  answer: Awaited<ReturnType<PeerClient['probe']>>,
): ProbeResult {
  if (answer.type === 'lost') return answer.why === 'refused' ? 'refused' : 'silent'
  if (answer.state.incarnation === incarnation) return answer.state.isGuardOpen ? 'alive' : 'closed'
  return answer.state.nodeId === nodeId ? 'restarted' : 'silent'
}
