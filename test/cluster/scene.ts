/** A cluster with traffic over it, in which something is broken; in the end nothing is lost, doubled or out of order, and nobody had two owners. */
import assert from 'node:assert/strict'
import { startTraffic, type Traffic } from '../durability/traffic.js'
import { type Cleanup, lastFirst } from '../support/cleanup.js'
import { type Cluster, type ClusterOptions, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import type { TestInstance } from '../support/world.js'

export interface Scene {
  readonly cluster: Cluster
  readonly receiver: Receiver
  readonly instances: readonly TestInstance[]
  readonly traffics: readonly Traffic[]
  /** Waits until every traffic has had this many further direct texts taken. */
  goesOn(more?: number, withinMs?: number): Promise<void>
  /** Answers that were errors, by status; what a connection that was cut would have answered is not among them. */
  failed(): Readonly<Record<string, number>>
  /** Ends the traffic and looks at all that came of it. */
  ends(withinMs?: number): Promise<void>
  logins(): Promise<readonly Login[]>
}

export interface Login {
  readonly device: string
  readonly node: string | null
  readonly epoch: string | null
  readonly atMs: number
  readonly endedAtMs: number | null
  readonly end: string | null
  readonly lateFrames: number
}

export interface SceneOptions extends ClusterOptions {
  readonly instances?: number
  /** Pause of each traffic between two texts. A short one fills the processors, and each fault then takes longer. */
  readonly everyMs?: number
}

/** For how long a store is away; POSTHORN_TEST_AWAY_MS makes it longer. */
export function awayMs(usualMs: number): number {
  return Number(process.env.POSTHORN_TEST_AWAY_MS ?? usualMs)
}

export async function startScene(test: Cleanup, options: SceneOptions = {}): Promise<Scene> {
  const t = lastFirst(test)
  const { instances: count = 6, everyMs = 1_000 } = options
  const cluster = await startCluster(t, {
    ...options,
    env: { RECONNECT_DELAY_MAX_MS: '500', WEBHOOK_BACKOFF_MIN_MS: '50', WEBHOOK_BACKOFF_MAX_MS: '500', ...options.env },
  })
  const receiver = await startReceiver(t)
  // A former owner that still speaks is heard and counted, not silenced.
  await cluster.network('POST', '/faults/kick-old-sessions', { enabled: false })
  const choosePeer = (index: number): string => `1555200${String(index).padStart(4, '0')}`
  const instances = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const instance = await cluster.paired(`1555100${String(index).padStart(4, '0')}`, `instance ${index}`)
      await cluster.phone(choosePeer(index))
      await instance.hook(receiver.url)
      return instance
    }),
  )
  const patienceMs = 60_000 + awayMs(0)
  const traffics = instances.map((instance, index) =>
    startTraffic(t, cluster, instance, { peer: choosePeer(index), receiver, everyMs, patienceMs }),
  )

  async function logins(): Promise<readonly Login[]> {
    const all = await cluster.network<Login[]>('GET', '/log/logins')
    return all.filter(({ node }) => node !== null)
  }

  const scene: Scene = {
    cluster,
    receiver,
    instances,
    traffics,
    logins,
    async goesOn(more = 10, withinMs = 40_000) {
      await Promise.all(traffics.map((traffic) => traffic.goesOn(more, withinMs)))
    },
    failed() {
      const failed: Record<string, number> = {}
      for (const { answers } of traffics)
        for (const [status, times] of answers)
          if (status !== 200 && status !== 0) failed[status] = (failed[status] ?? 0) + times
      return failed
    },
    async ends(withinMs = 60_000) {
      await Promise.all(traffics.map((traffic) => traffic.stop()))
      await Promise.all(instances.map((instance) => instance.connected(withinMs)))
      for (const traffic of traffics) await traffic.hasArrived(withinMs)
      hadOneOwner(await logins())
    },
  }
  await scene.goesOn(3)
  return scene
}

/** In the order of logins no epoch goes back, and nothing came from a session after another had taken its place. */
export function hadOneOwner(logins: readonly Login[]): void {
  const epochs = new Map<string, number>()
  for (const { device, epoch, node, lateFrames } of logins) {
    const before = epochs.get(device) ?? 0
    assert.ok(Number(epoch) >= before, `${device} logged in from ${node} under epoch ${epoch}, after ${before}`)
    epochs.set(device, Number(epoch))
    assert.equal(lateFrames, 0, `${device}: ${node} continued under epoch ${epoch} when another had logged in`)
  }
}

/** A node is declared dead, and its shards are another's. */
export async function takenOver(scene: Scene, name: string, withinMs = 20_000): Promise<void> {
  await eventually(
    () => scene.cluster.shards(),
    (shards) => shards[name] === undefined && Object.values(shards).reduce((sum, one) => sum + one, 0) === 256,
    withinMs,
  )
}
