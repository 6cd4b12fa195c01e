/** Several gateways on one database and one Redis, behind a balancer. */

import { randomBytes } from 'node:crypto'
import type { NetConnectOpts } from 'node:net'
import pg from 'pg'
import { type Sandbox, startSandbox } from '../../sandbox/index.js'
import { type Balancer, startBalancer } from './balancer.js'
import type { Cleanup } from './cleanup.js'
import { migratedDatabase, type TestRedis, testDatabase, testRedis } from './embedded.js'
import { caller, type Gateway, type GatewayOptions, ownProgram, startGateway } from './gateway.js'
import { lastingPort } from './port.js'
import { type CuttableProxy, startDatabaseProxy, startProxy } from './proxy.js'
import { countShards, type Shares, waitUntilShared } from './shards.js'
import { within } from './waits.js'
import { createWorld, type World } from './world.js'

export interface Cluster extends World<Pick<Gateway, 'call' | 'url'>> {
  readonly sandbox: Sandbox
  readonly redis: TestRedis
  readonly balancer: Balancer
  /** Each answers for itself; `gateway` is the balancer before them. */
  readonly nodes: readonly ClusterNode[]
  addNode(env?: Readonly<Record<string, string>>): Promise<ClusterNode>
  /** All shards are owned, by these nodes alone and evenly. */
  shared(nodes: readonly ClusterNode[], withinMs?: number): Promise<void>
  /** How many shards each node owns, by SQL. */
  shards(): Promise<Shares>
}

export interface ClusterNode extends Gateway {
  readonly name: string
  /** Its ways to the stores and to the network, and the way of other nodes to it. */
  readonly links: Links
}

export type Links = Readonly<Record<'database' | 'redis' | 'network' | 'peers', CuttableProxy>>

export interface ClusterOptions {
  readonly nodes?: number
  readonly env?: Readonly<Record<string, string>>
  /** Of another version: what the first nodes run, and the Node.js that runs it. */
  readonly program?: string
  readonly interpreter?: string
  /** Where Redis is at this moment, when that is not the cluster's own. */
  readonly redisAt?: () => NetConnectOpts
  /** A database of the test's own, and where it is at this moment for a node. */
  readonly database?: { readonly connectionString: string; readonly at: (node: string) => NetConnectOpts }
  /** Puts a pooler before the database, in transaction mode, and returns its address. */
  readonly pooler?: (t: Cleanup, databaseUrl: string) => Promise<string>
  /** The way to the nodes that are ready; the test's own balancer unless given. */
  readonly balancer?: (t: Cleanup, urls: () => readonly string[]) => Promise<Balancer>
}

export async function startCluster(t: Cleanup, options: ClusterOptions = {}): Promise<Cluster> {
  const { nodes: count = 3, env = {}, balancer: startFront = startBalancer } = options
  const nodes: ClusterNode[] = []
  // Before their links are cut and the network is gone: a node that cannot give away what it holds takes all its time to end.
  t.after(async () => void (await Promise.all(nodes.map((node) => node.kill('SIGKILL')))))
  const sandbox = await within('The start of the simulated network', startSandbox())
  t.after(() => sandbox.close())
  const database = options.program === undefined ? migratedDatabase : testDatabase
  const { connectionString: databaseUrl } = options.database ?? (await database(t))
  const pooledUrl = await options.pooler?.(t, databaseUrl)
  const aroundPooler: Record<string, string> =
    pooledUrl === undefined ? {} : { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: databaseUrl }
  const redis = await testRedis(t)
  const beside = {
    redis,
    databaseUrl,
    adminToken: randomBytes(16).toString('hex'),
    encryptionKey: randomBytes(32).toString('base64'),
    environment: { CLUSTER_SECRET: randomBytes(16).toString('hex') },
  }
  let started = 0

  async function addNode(
    own: Readonly<Record<string, string>> = {},
    version: Pick<GatewayOptions, 'program' | 'interpreter'> = {},
  ): Promise<ClusterNode> {
    started += 1
    const name = `n${started}`
    const peerPort = await lastingPort()
    const networkAt = new URL(sandbox.websocketUrl)
    const network = new URL(sandbox.websocketUrl)
    const ownAt = options.database?.at
    const database = await startDatabaseProxy(t, pooledUrl ?? databaseUrl, ownAt && (() => ownAt(name)))
    const links: Links = {
      database,
      redis: await startProxy(t, options.redisAt ?? (() => ({ path: redis.url }))),
      network: await startProxy(t, () => ({ host: networkAt.hostname, port: Number(networkAt.port) }), {
        forgetsEnded: true,
      }),
      peers: await startProxy(t, () => ({ host: '127.0.0.1', port: peerPort }), { readsFirst: true }),
    }
    network.port = String(links.network.port)
    const gateway = await startGateway(t, {
      sandbox: { ...sandbox, websocketUrl: network.href },
      beside,
      ...version,
      env: {
        LOGIN_RATE_PER_SECOND: '200',
        MEDIA_STORAGE: 'none',
        ...env,
        ...own,
        NODE_ID: name,
        NODE_ADDRESS: `127.0.0.1:${links.peers.port}`,
        PEER_PORT: String(peerPort),
        DATABASE_URL: database.connectionString,
        ...aroundPooler,
        REDIS_URL: `redis://127.0.0.1:${links.redis.port}`,
      },
    })
    const node = Object.defineProperties({ name, links }, Object.getOwnPropertyDescriptors(gateway)) as ClusterNode
    nodes.push(node)
    return node
  }

  const { program = ownProgram, interpreter = process.execPath } = options
  await Promise.all(Array.from({ length: count }, () => addNode({}, { program, interpreter })))
  nodes.sort((one, other) => one.name.localeCompare(other.name))
  const balancer = await startFront(t, () => nodes.filter(({ pid }) => pid > 0).map(({ url }) => url))
  const outputs = () => nodes.map(({ name, output }) => `${name}:\n${output().slice(-1_500)}`).join('\n')
  const front = { url: balancer.url, call: caller(() => balancer.url, beside.adminToken, outputs) }

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  pool.on('error', () => {})
  t.after(() => pool.end())

  const shards = () => countShards(pool)
  const cluster: Cluster = {
    ...createWorld(sandbox, front),
    sandbox,
    redis,
    balancer,
    nodes,
    addNode,
    shards,
    shared: (among, withinMs = 180_000) => waitUntilShared(pool, among, withinMs),
  }
  await cluster.shared(nodes)
  return cluster
}
