/** A node of the cluster, put together: its proof, its table, its door for the others, and the way of calls. */
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import pg from 'pg'
import type { Logger } from 'pino'
import type { RepeatRules } from '../../actors/operations/index.js'
import type { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { connectRedis } from '../connect/redis.js'
import type { RedisPlace } from '../connect/redis-place.js'
import type { Database } from '../store/database.js'
import { createGuard } from './guard.js'
import { type Lease, type LeaseOptions, startLease } from './lease.js'
import { connectLeases, createLeases } from './leases.js'
import { meetNeighbours } from './neighbours.js'
import { type ClusterNode, type NodeObserver, type ProbeResult, type ShardActors, startClusterNode } from './node.js'
import type { EndReason, Incarnation, NodeId, NodeRow, Timing } from './ownership/protocol.js'
import { createPeerClient, type PeerClientOptions } from './peers/client.js'
import type { NodeState } from './peers/protocol.js'
import { createPeerServer } from './peers/server.js'
import { createRouter, type LocalInstances, type Router, type RouterObserver } from './router.js'
import { createShardTable } from './shard-table.js'

export interface MemberOptions {
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  readonly version: string
  readonly timing: Timing
  /** Where the other nodes reach this one: a host, with a port where that is not the one that it listens on. */
  readonly address: string
  /** Port 0 takes any free one. */
  readonly port: number
  /** CLUSTER_SECRET. */
  readonly secret: string
  readonly redis: RedisPlace
  readonly replicas: number
  readonly database: Pick<Database, 'place' | 'clientConfig'>
  /** Something else proves that no process of this name lives: a former one need not be waited for. */
  readonly isNameOurs: boolean
  readonly logger: Logger
}

/** What a member acts on; made after it, since actors need its guard. */
export interface MemberParts {
  readonly actors: ShardActors & {
    isReady(shard: number): boolean
    onChange(listener: () => void): void
    canLogin(): boolean
  }
  readonly local: LocalInstances
  readonly shardOf: (instance: InstanceId) => number
  readonly rules: RepeatRules
  readonly parkTimeoutMs: number
  /** Tells all that the table has changed. */
  readonly announce: () => void
  /** Removes what a node that died long ago has left in Redis. */
  readonly removeLeftOf: (node: NodeId) => Promise<void>
  readonly explain: (error: unknown) => GatewayError | undefined
  readonly observe: {
    readonly router: RouterObserver
    readonly attempt: NonNullable<PeerClientOptions['observe']>
    readonly node: NodeObserver
  }
  /** This incarnation was declared dead: its sockets have ended, and the process must. */
  readonly onDead: () => void
}

export interface Member {
  readonly guard: ReturnType<typeof createGuard>
  readonly lease: Pick<Lease, 'isOpen' | 'ageMs' | 'counts'>
  /** Resolves when it is a node of the cluster and every shard has an owner that takes commands, or after a while without. @throws OperatorError */
  join(parts: MemberParts): Promise<Joined>
  close(): Promise<void>
}

export interface Joined {
  readonly node: ClusterNode
  readonly router: Router
  /**
   * Whether no other node lives that answers callers, as far as is known. Who joins speaks to the others before it answers any
   * (`meetNeighbours`), and stands in the table that is read a moment later.
   */
  isAlone(): boolean
  /** Calls that are served for other nodes. */
  served(): number
  /** Gives everything to the others, within that time and, so that balancers notice, not before the other. At once false when there is nobody. */
  drain(withinMs: number, notBeforeMs: number): Promise<boolean>
  /** Ends what is left here and says so to the others. */
  leave(): Promise<void>
  /** With the last breath: the sockets have ended, so that others need not wait; calls that are held here are answered. */
  abandon(): void
}

/** All shards of a cluster that starts have owners well before that. */
const SETTLE_MAX_MS = 10_000
const LOOK_MS = 50
/** For so many readings of the table somebody whom we met may not be in it yet. */
const MET_POLLS = 10
const POOL_MAX = 4

export function createMember(options: MemberOptions): Member {
  const { incarnation, nodeId, version, timing, secret, replicas, database, logger } = options
  const log = logger.child({ part: 'cluster' })
  let joined: { node: ClusterNode; router: Router; server: ReturnType<typeof createPeerServer> } | undefined
  const pool = new pg.Pool({
    ...database.clientConfig,
    max: POOL_MAX,
    application_name: 'posthorn ownership',
    connectionTimeoutMillis: timing.commandTimeoutMs,
    statement_timeout: timing.commandTimeoutMs,
    query_timeout: timing.commandTimeoutMs,
  })
  pool.on('error', () => {})
  // A connection that dies while it is out of the pool reports here as well as in its query.
  pool.on('connect', (client) => client.on('error', () => {}))
  const table = createShardTable({ pool, incarnation })
  const redis = connectLeases(connectRedis(options.redis), timing.commandTimeoutMs)
  const leaseOptions: LeaseOptions = {
    redis: options.redis,
    replicas,
    database: database.place,
    incarnation,
    timing,
    onRefused(why) {
      log.error({ why }, 'This node is over.')
      joined?.node.refused()
    },
  }
  const lease = startLease(leaseOptions)
  let client: ReturnType<typeof createPeerClient> | undefined
  let metAtMs = Number.NEGATIVE_INFINITY

  return {
    guard: createGuard(() => lease.isOpen()),
    lease,

    async join(parts) {
      const peers = createPeerClient({ secret, nodeId, observe: parts.observe.attempt })
      client = peers
      const state = (): NodeState => ({
        incarnation,
        nodeId,
        version,
        isDraining: joined?.node.nodes().find((node) => node.incarnation === incarnation)?.isDraining ?? false,
        isGuardOpen: lease.isOpen(),
      })
      const server = createPeerServer({
        secret,
        state() {
          metAtMs = performance.now()
          return state()
        },
        serve: (command) => {
          if (joined === undefined) return Promise.resolve({ type: 'moved', owner: 'moving', wasBegun: false })
          return joined.router.serve(command)
        },
        pull: async ({ shard, epoch, by }) => ({ epoch: (await joined?.node.pullAsked(shard, epoch, by)) ?? null }),
        explain: parts.explain,
        logger,
      })
      const { host, port: toldPort } = partsOf(options.address)
      const listening = await server
        .listen({ host: bindingOf(host), port: options.port })
        .catch((error: NodeJS.ErrnoException) => {
          throw new OperatorError(
            `The port for other nodes, ${options.port}, cannot be listened on (${error.code}). Give this node another PEER_PORT.`,
            { cause: error },
          )
        })
      const address = `${isIPv6(host) ? `[${host}]` : host}:${toldPort ?? listening.port}`
      if (options.isNameOurs) await pool.query('UPDATE node SET dead = true WHERE node_id = $1 AND NOT dead', [nodeId])
      let ended: EndReason | undefined
      const node = startClusterNode({
        incarnation,
        nodeId,
        address,
        version,
        timing,
        table,
        leases: createLeases({
          redis,
          incarnation,
          keptMs: timing.leaseKeptMs,
          replicas,
          commandTimeoutMs: timing.commandTimeoutMs,
        }),
        lease,
        peers: {
          probe: ({ incarnation: of, nodeId: name, address: at }) =>
            peers.probe(at, timing.commandTimeoutMs).then((answer): ProbeResult => {
              if (answer.type === 'lost') return answer.why === 'refused' ? 'refused' : 'silent'
              if (answer.state.incarnation === of) return answer.state.isGuardOpen ? 'alive' : 'closed'
              return answer.state.nodeId === name ? 'restarted' : 'silent'
            }),
          async pull({ address: at }, shard, epoch) {
            const answer = await peers.pull(at, { shard, epoch, by: incarnation }, timing.pullTimeoutMs)
            if (answer === null) throw new Error('The owner of a shard did not answer.')
            return answer.epoch
          },
          announce: parts.announce,
        },
        actors: parts.actors,
        canLogin: () => parts.actors.canLogin(),
        onEnd(reason) {
          ended = reason
          if (reason === 'dead') parts.onDead()
        },
        observe: parts.observe.node,
        log,
      })
      const router = createRouter({
        table: {
          ownerOf(shard) {
            const own = node.epochOf(shard)
            if (own !== undefined && parts.actors.isReady(shard)) return { incarnation, address, epoch: own }
            const known = node.ownerOf(shard)
            if (known === null) return 'none'
            if (known.node.incarnation === incarnation) return 'moving'
            return { incarnation: known.node.incarnation, address: known.node.address, epoch: known.epoch }
          },
          onChange(listener) {
            parts.actors.onChange(listener)
            return node.onChange(listener)
          },
        },
        self: incarnation,
        local: parts.local,
        peers,
        shardOf: parts.shardOf,
        rules: parts.rules,
        parkTimeoutMs: parts.parkTimeoutMs,
        observe: parts.observe.router,
      })
      joined = { node, router, server }
      node.onChange(() => peers.retain(addressesOf(node)))
      await settled(node, () => ended, parts.actors.isReady)
      const others = (): readonly NodeRow[] => livingOf(node).filter((other) => other.incarnation !== incarnation)
      await meetNeighbours(others(), { address, peers, timeoutMs: timing.commandTimeoutMs }, log)
      table
        .forgetDead(parts.removeLeftOf)
        .catch((err: unknown) => log.debug({ err }, 'Nodes of the past are forgotten another time.'))
      log.info({ incarnation, address, nodes: livingOf(node).length }, 'This node is a part of the cluster.')

      const takers = (): boolean => others().some(({ isDraining }) => !isDraining)
      return {
        node,
        router,
        isAlone: () => others().length === 0 && performance.now() - metAtMs > MET_POLLS * timing.pollTableMs,
        served: () => server.inFlight,
        async drain(withinMs, notBeforeMs) {
          const endMs = performance.now() + withinMs
          if (ended !== undefined || !takers()) return false
          const noticed = pause(Math.min(withinMs, notBeforeMs))
          node.drain()
          while (ended === undefined && takers() && performance.now() < endMs) await pause(LOOK_MS)
          await noticed
          return ended !== undefined
        },
        async leave() {
          node.stop()
          while (ended === undefined) await pause(LOOK_MS)
          await Promise.allSettled([lease.leave(), table.leave()])
        },
        abandon() {
          router.abandon()
          void lease.leave()
          table.leave().catch(() => {})
        },
      }
    },

    async close() {
      joined?.router.close()
      await joined?.server.close()
      await client?.close()
      await lease.close()
      redis.disconnect()
      await pool.end().catch(() => {})
    },
  }

  async function settled(
    node: ClusterNode,
    ended: () => EndReason | undefined,
    isReady: (shard: number) => boolean,
  ): Promise<void> {
    const endMs = performance.now() + SETTLE_MAX_MS
    for (;;) {
      const reason = ended()
      if (reason === 'nameTaken')
        throw new OperatorError(
          `Another node of this cluster is named "${nodeId}" and lives. Give this one another NODE_ID, or stop the other.`,
        )
      if (reason !== undefined) throw new OperatorError('This node was ended while it joined the cluster.')
      if (isMember(node) && node.ownerless().length === 0 && node.owned().every(isReady)) return
      if (performance.now() > endMs) {
        if (isMember(node)) return
        throw new OperatorError('This node could not join the cluster: PostgreSQL or Redis did not answer in time.')
      }
      await pause(LOOK_MS)
    }
  }

  function isMember(node: ClusterNode): boolean {
    return livingOf(node).some((one) => one.incarnation === incarnation)
  }
}

function livingOf(node: ClusterNode) {
  return node.nodes().filter(({ isDead }) => !isDead)
}

function addressesOf(node: ClusterNode): string[] {
  return livingOf(node).map(({ address }) => address)
}

/** `host`, `host:port`, or an IPv6 address, which is in brackets where a port follows. */
function partsOf(address: string): { host: string; port: number | undefined } {
  const match = isIPv6(address) ? null : /^\[?(.+?)\]?:(\d+)$/.exec(address)
  return match === null
    ? { host: address.replace(/^\[(.+)\]$/, '$1'), port: undefined }
    : { host: match[1] ?? '', port: Number(match[2]) }
}

/** The address itself where it is one of this machine; behind a name or a translated address we listen on all. */
function bindingOf(host: string): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
  if (own.includes(host)) return host
  return host === 'localhost' ? '127.0.0.1' : '0.0.0.0'
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
