/** A cluster with traffic over two PostgreSQL servers and a switch before them. */
import assert from 'node:assert/strict'
import type { NetConnectOpts } from 'node:net'
import { uniqueByEvent } from '../durability/tally.js'
import { type Cleanup, lastFirst } from '../support/cleanup.js'
import type { ClusterNode } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js'
import { hadOneOwner, type Scene, startScene } from './scene.js'

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
  /** Waits until each node says so, all shards have owners among them, and all instances are connected: within 30 s from now. */
  healed(cause: string, nodes?: readonly ClusterNode[]): Promise<void>
  /** Sends a text of each instance, which is then once at its phone, at the webhook and in the store. */
  sends(text: string): Promise<void>
  /** Ends the traffic of a store that lost commits: what is missing may be missing, but no phone got a text twice, and nobody had two owners. */
  stops(): Promise<void>
}

export async function startRig(
  test: Cleanup & { diagnostic?(message: string): void },
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
  const scene = await startScene(t, { nodes, instances: 3, everyMs: 700, env, database })
  await postgres.follow()
  const store = async (node: ClusterNode): Promise<StoreState> =>
    (await node.call<{ store: StoreState }>('GET', '/admin/nodes', { admin: true })).body.store
  return {
    ...scene,
    postgres,
    store,
    ways: () => scene.cluster.nodes.map(({ links }) => links.database),
    async healed(cause, nodes = scene.cluster.nodes) {
      const startedMs = performance.now()
      const leftMs = () => Math.max(0, HEALED_MS - (performance.now() - startedMs))
      for (const node of nodes)
        await eventually(
          () => store(node).catch(() => null),
          (now) => now?.state === 'current' && now.wentBack?.cause === cause,
          leftMs(),
        )
      const names = nodes.map(({ name }) => name)
      await eventually(
        () => scene.cluster.shards().catch(() => ({})),
        (shards) =>
          Object.keys(shards).every((name) => names.includes(name)) &&
          Object.values(shards).reduce((sum, one) => sum + one, 0) === 256,
        leftMs(),
      )
      await Promise.all(scene.instances.map((instance) => instance.connected(leftMs())))
      test.diagnostic?.(`healed after ${Math.round(performance.now() - startedMs)} ms`)
    },
    async sends(text) {
      for (const [index, instance] of scene.instances.entries()) {
        const peer = `1555200${String(index).padStart(4, '0')}`
        await eventually(async () => (await instance.call('POST', '/send/text', { number: peer, text })).status === 200)
        const has = ({ text: one }: { readonly text: string }) => one === text
        const atPhone = await eventually(
          () => scene.cluster.network<{ text: string }[]>('GET', `/phones/${peer}/messages`),
          (messages) => messages.some(has),
        )
        const ofInstance = () =>
          uniqueByEvent(scene.receiver.of('messages'))
            .map(({ body }) => body.message as { text: string; chatid: string })
            .filter(({ chatid, text: one }) => chatid.startsWith(peer) && one === text)
        await eventually(() => ofInstance().length > 0)
        const stored = (await instance.messages({ chatid: peer, limit: 100 })) as { text: string }[]
        const counts = [atPhone.filter(has).length, ofInstance().length, stored.filter(has).length]
        assert.deepEqual(counts, [1, 1, 1], `"${text}" at the phone, at the webhook and in the store`)
      }
    },
    async stops() {
      await Promise.all(scene.traffics.map((traffic) => traffic.stop()))
      for (const traffic of scene.traffics) await traffic.isOnce()
      hadOneOwner(await scene.logins())
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
