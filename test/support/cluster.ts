/** Several gateways on one database and one Redis, behind a balancer. */
import pg from 'pg'
import { type Sandbox, startSandbox } from '../../sandbox/index.js'
import { startBalancer } from './balancer.js'
import type { Cleanup } from './cleanup.js'
import { eventually } from './eventually.js'
import { caller, type Gateway, type GatewayOptions, startGateway } from './gateway.js'
import { type World, worldOf } from './world.js'

export interface Cluster extends World<Pick<Gateway, 'call' | 'url'>> {
  readonly sandbox: Sandbox
  /** Each answers for itself; `gateway` is the balancer before them. */
  readonly nodes: readonly ClusterNode[]
  addNode(): Promise<ClusterNode>
  /** All 256 shards are owned, by these nodes alone and evenly. */
  shared(nodes: readonly ClusterNode[], withinMs?: number): Promise<void>
  /** How many shards each node owns, by SQL. */
  shards(): Promise<Readonly<Record<string, number>>>
}

export interface ClusterNode extends Gateway {
  readonly name: string
}

export interface ClusterOptions {
  readonly nodes?: number
  readonly env?: Readonly<Record<string, string>>
  /** Settings of one node, asked before it starts. */
  readonly envOf?: (name: string) => Promise<Readonly<Record<string, string>>>
  readonly stores?: GatewayOptions['stores']
}

export async function startCluster(t: Cleanup, options: ClusterOptions = {}): Promise<Cluster> {
  const { nodes: count = 3, env = {}, envOf = async () => ({}) } = options
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const nodes: ClusterNode[] = []
  let started = 0

  async function addNode(): Promise<ClusterNode> {
    started += 1
    const name = `n${started}`
    const gateway = await startGateway(t, {
      sandbox,
      env: { LOGIN_RATE_PER_SECOND: '200', ...env, NODE_ID: name, ...(await envOf(name)) },
      ...(options.stores === undefined ? {} : { stores: options.stores }),
      ...(nodes[0] === undefined ? {} : { beside: nodes[0] }),
    })
    const node = Object.defineProperties({ name }, Object.getOwnPropertyDescriptors(gateway)) as ClusterNode
    nodes.push(node)
    return node
  }

  const first = await addNode()
  // Each waits for its part of the shards; together they need not wait for each other.
  await Promise.all(Array.from({ length: count - 1 }, addNode))
  const balancer = await startBalancer(t, () => nodes.filter(({ pid }) => pid > 0).map(({ url }) => url))
  const front = { url: balancer.url, call: caller(() => balancer.url, first.adminToken) }

  const pool = new pg.Pool({ connectionString: first.databaseUrl, max: 1 })
  t.after(() => pool.end())

  async function shards(): Promise<Record<string, number>> {
    const { rows } = await pool.query<{ name: string; shards: number }>(
      `SELECT n.node_id AS name, count(*)::integer AS shards FROM shard_owner AS s JOIN node AS n ON n.incarnation = s.owner
       WHERE NOT n.dead GROUP BY 1`,
    )
    return Object.fromEntries(rows.map(({ name, shards: owned }) => [name, owned]))
  }

  const cluster: Cluster = {
    ...worldOf(sandbox, front),
    sandbox,
    nodes,
    addNode,
    shards,
    async shared(among, withinMs = 30_000) {
      await eventually(
        shards,
        (owned) => {
          const own = among.map(({ name }) => owned[name] ?? 0)
          return own.reduce((sum, one) => sum + one, 0) === 256 && Math.max(...own) - Math.min(...own) <= 1
        },
        withinMs,
      )
    },
  }
  await cluster.shared(nodes)
  return cluster
}
