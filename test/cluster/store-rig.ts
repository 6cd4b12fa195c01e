/** A cluster with traffic over two PostgreSQL servers and a switch before them. */
import assert from 'node:assert/strict'
import type { NetConnectOpts } from 'node:net'
import { type Cleanup, lastFirst } from '../support/cleanup.js'
import type { ClusterNode } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js'
import { type Scene, startScene } from './scene.js'

/** All accounts are connected again within this time after a loss. */
const HEALED_MS = 30_000

interface StoreState {
  readonly state: string
  readonly wentBack: {
    readonly era: number
    readonly cause: string
    readonly noticedBy: string
    readonly lostFrom: string | null
    readonly lostUntil: string | null
  } | null
}

export interface Rig extends Scene {
  readonly postgres: ReplicatedPostgres
  ways(): ClusterNode['links']['database'][]
  store(node: ClusterNode): Promise<StoreState>
  /** Waits until each node says so, all shards have owners among them, and all instances are connected. */
  healed(cause: string, nodes?: readonly ClusterNode[]): Promise<void>
  /** Sends a text of each instance, which must arrive once. */
  sends(text: string): Promise<void>
  /** Ends the traffic without a look at what came of it. */
  stops(): Promise<void>
}

export async function startRig(
  test: Cleanup,
  {
    nodes = 2,
    env = {},
    at,
  }: {
    nodes?: number
    env?: Record<string, string>
    at?: (node: string, postgres: ReplicatedPostgres) => NetConnectOpts
  } = {},
): Promise<Rig> {
  const t = lastFirst(test)
  const postgres = await startReplicatedPostgres(t)
  const { connectionString } = postgres
  const database = { connectionString, at: (node: string) => at?.(node, postgres) ?? postgres.at() }
  const scene = await startScene(t, { nodes, instances: 3, everyMs: 100, env, database })
  await postgres.follow()
  const store = async (node: ClusterNode): Promise<StoreState> =>
    (await node.call<{ store: StoreState }>('GET', '/admin/nodes', { admin: true })).body.store
  return {
    ...scene,
    postgres,
    store,
    ways: () => scene.cluster.nodes.map(({ links }) => links.database),
    async healed(cause, nodes = scene.cluster.nodes) {
      for (const node of nodes)
        await eventually(
          () => store(node).catch(() => null),
          (now) => now?.state === 'current' && now.wentBack?.cause === cause,
          HEALED_MS,
        )
      const names = nodes.map(({ name }) => name)
      await eventually(
        () => scene.cluster.shards().catch(() => ({})),
        (shards) =>
          Object.keys(shards).every((name) => names.includes(name)) &&
          Object.values(shards).reduce((sum, one) => sum + one, 0) === 256,
        HEALED_MS,
      )
      await Promise.all(scene.instances.map((instance) => instance.connected(HEALED_MS)))
    },
    async sends(text) {
      for (const [index, instance] of scene.instances.entries()) {
        const peer = `1555200${String(index).padStart(4, '0')}`
        await eventually(async () => (await instance.call('POST', '/send/text', { number: peer, text })).status === 200)
        const all = await eventually(
          () => scene.cluster.network<{ text: string; arrivals: number }[]>('GET', `/phones/${peer}/messages`),
          (messages) => messages.some((message) => message.text === text),
        )
        assert.equal(all.filter((message) => message.text === text).length, 1)
      }
    },
    async stops() {
      await Promise.all(scene.traffics.map((traffic) => traffic.stop()))
    },
  }
}

export async function readiness(node: ClusterNode): Promise<number> {
  try {
    return (await fetch(`${node.url}/ready`)).status
  } catch {
    return 0
  }
}
