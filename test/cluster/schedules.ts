/**
 * Random faults over a cluster with traffic, a few of them at a time, by a seed. After each schedule everything is mended, and must be as if
 * nothing had been: each text once and in order at both ends, one owner for each instance at each moment.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { defaultTiming } from '../../runtime/cluster/ownership/protocol.js'
import { seededRandom } from '../durability/random.js'
import { startTraffic } from '../durability/traffic.js'
import { startChosenBalancer } from '../support/balancer.js'
import { type Cleanup, lastFirst } from '../support/cleanup.js'
import type { ClusterNode, Links } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { startCampaignTraffic, UNPACED } from './campaign-traffic.js'
import { hadOneOwner, type Scene, startScene } from './scene.js'

export interface Schedules {
  readonly scene: Scene
  /**
   * Tells what was done.
   * @throws Error by what is lost, doubled, out of order or owned twice; what the nodes printed is in files that it names
   */
  run(seed: number): Promise<readonly string[]>
}

type Random = () => number

interface Fault {
  readonly name: string
  readonly weight: number
  /** Does it, and undoes it after a while. */
  readonly happen: (random: Random) => Promise<void>
}

const FAULTS_MAX = 4
/** With the time that typing is shown before each they take as long as a schedule. */
const CAMPAIGN_MESSAGES = 30
const WITHIN_MS = 3_000
const LEASE_MS = defaultTiming.leaseMs / 3

/** A third of the usual times, so that a schedule is over in seconds. */
function fastTiming(): Record<string, string> {
  const names = Object.entries(defaultTiming).map(([name, ms]) => {
    const setting = name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter}`)
    return [`CLUSTER_${setting.toUpperCase()}_MS`, String(name === 'leaseKeptMs' ? ms : Math.ceil(ms / 3))]
  })
  return Object.fromEntries(names) as Record<string, string>
}

/** `everyMs`: pause of each traffic between two texts. */
export async function startSchedules(test: Cleanup, everyMs = 400): Promise<Schedules> {
  const t = lastFirst(test)
  const scene = await startScene(t, {
    instances: 4,
    everyMs,
    balancer: startChosenBalancer,
    env: {
      ...fastTiming(),
      ...UNPACED,
      NETWORK_SILENCE_MAX_MS: '6000',
      PARK_TIMEOUT_MS: '8000',
      SHUTDOWN_TIMEOUT_MS: '14000',
    },
  })
  await Promise.all(scene.traffics.map((traffic) => traffic.stop()))
  const { cluster } = scene
  for (const index of scene.instances.keys()) await cluster.phone(`1555300${String(index).padStart(4, '0')}`)
  const redis = new Redis(cluster.redis.url, { maxRetriesPerRequest: 0 })
  redis.on('error', () => {})
  /** Nodes that a fault keeps down, and those that are being started. */
  const down = new Set<ClusterNode>()
  const starting = new Map<ClusterNode, Promise<void>>()
  let isOver = false
  // As an orchestrator does: who ends is started again.
  const orchestrator = setInterval(() => {
    for (const node of cluster.nodes) if (!node.isRunning && !down.has(node)) void bringUp(node)
  }, 100)
  t.after(async () => {
    isOver = true
    clearInterval(orchestrator)
    redis.disconnect()
    await Promise.allSettled(starting.values())
  })

  function bringUp(node: ClusterNode): Promise<void> {
    const known = starting.get(node)
    if (known !== undefined || isOver) return known ?? Promise.resolve()
    // One that is declared dead while it starts is started again by the next look.
    const started = node.start().catch(() => {})
    starting.set(node, started)
    void started.finally(() => starting.delete(node))
    return started
  }

  async function end(node: ClusterNode, signal: NodeJS.Signals, forMs: number): Promise<void> {
    if (down.has(node)) return
    down.add(node)
    await starting.get(node)
    await node.kill(signal)
    await pause(forMs)
    down.delete(node)
    await bringUp(node)
  }

  async function stand(pid: number, forMs: number): Promise<void> {
    if (pid === 0) return
    tryKill(pid, 'SIGSTOP')
    await pause(forMs)
    tryKill(pid, 'SIGCONT')
  }

  const nodeBy = (random: Random): ClusterNode =>
    cluster.nodes[Math.floor(random() * cluster.nodes.length)] as ClusterNode
  const upTo = (random: Random, leastMs: number, mostMs: number): number => leastMs + random() * (mostMs - leastMs)

  const faults: readonly Fault[] = [
    {
      name: 'kill',
      weight: 3,
      happen: async (random) => end(nodeBy(random), 'SIGKILL', upTo(random, 0, 2 * LEASE_MS)),
    },
    { name: 'term', weight: 2, happen: async (random) => end(nodeBy(random), 'SIGTERM', upTo(random, 0, LEASE_MS)) },
    {
      name: 'stand still',
      weight: 3,
      happen: async (random) => stand(nodeBy(random).pid, upTo(random, 100, 3 * LEASE_MS)),
    },
    {
      name: 'cut off',
      weight: 6,
      async happen(random) {
        const links = nodeBy(random).links
        const names: readonly (keyof Links)[] = ['redis', 'database', 'peers', 'network']
        const link = links[names[Math.floor(random() * names.length)] as keyof Links]
        const how = Math.floor(random() * 4)
        if (how === 0) link.cut()
        else link.silence({ way: ([undefined, 'up', 'down'] as const)[how - 1] })
        await pause(upTo(random, 100, 3 * LEASE_MS))
        link.mend()
      },
    },
    {
      name: 'PostgreSQL away from all',
      weight: 1,
      async happen(random) {
        for (const { links } of cluster.nodes) links.database.silence()
        await pause(upTo(random, 100, 3 * LEASE_MS))
        for (const { links } of cluster.nodes) links.database.mend()
      },
    },
    { name: 'Redis emptied', weight: 1, happen: async () => void (await redis.flushall().catch(() => {})) },
    {
      name: 'Redis stands still',
      weight: 1,
      happen: async (random) => stand(cluster.redis.pid, upTo(random, 100, 3 * LEASE_MS)),
    },
    {
      name: 'Redis killed',
      weight: 1,
      async happen(random) {
        await cluster.redis.kill()
        await pause(upTo(random, 0, 2 * LEASE_MS))
        await cluster.redis.start({ empty: true })
      },
    },
    {
      name: 'conflicts at the network',
      weight: 1,
      happen: async () => void (await cluster.network('POST', '/faults/stream-error', { code: 440 })),
    },
    {
      name: 'the network drops all',
      weight: 1,
      happen: async () => void (await cluster.network('POST', '/faults/close', { abrupt: true })),
    },
  ]

  function pick(random: Random): Fault {
    let left = random() * faults.reduce((sum, { weight }) => sum + weight, 0)
    for (const fault of faults) {
      left -= fault.weight
      if (left < 0) return fault
    }
    return faults[0] as Fault
  }

  async function mendAll(): Promise<void> {
    for (const { links } of cluster.nodes) for (const link of Object.values(links)) link.mend()
    await eventually(
      () => cluster.nodes.every((node) => node.isRunning) && starting.size === 0 && down.size === 0,
      (isUp) => isUp,
      40_000,
    )
    await eventually(
      async () => Object.values(await cluster.shards()).reduce((sum, one) => sum + one, 0),
      (sum) => sum === 256,
      30_000,
    )
    await Promise.all(scene.instances.map((instance) => instance.connected(30_000)))
  }

  async function tellOnFailure(seed: number, work: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const logins = (await scene.logins()).length
    try {
      return await work()
    } catch (error) {
      const folder = mkdtempSync(path.join(os.tmpdir(), `schedule-${seed}-`))
      for (const node of cluster.nodes) writeFileSync(path.join(folder, `${node.name}.log`), node.output())
      writeFileSync(
        path.join(folder, 'logins.json'),
        JSON.stringify((await scene.logins()).slice(logins), undefined, 1),
      )
      throw new Error(`Seed ${seed} fails; what the nodes printed is in ${folder}.`, { cause: error })
    }
  }

  async function schedule(seed: number): Promise<readonly string[]> {
    const random = seededRandom(seed)
    const traffics = scene.instances.map((instance, index) =>
      startTraffic(t, cluster, instance, {
        peer: `1555200${String(index).padStart(4, '0')}`,
        receiver: scene.receiver,
        everyMs,
        label: `seed${seed}`,
        patienceMs: 90_000,
      }),
    )
    const campaigns = await Promise.all(
      scene.instances.map((instance, index) =>
        startCampaignTraffic(cluster, instance, {
          peers: [`1555300${String(index).padStart(4, '0')}`],
          label: `seed${seed} campaign`,
          count: CAMPAIGN_MESSAGES,
          typingMs: 100,
          random: seededRandom(seed * 100 + index),
        }),
      ),
    )
    const done: string[] = []
    const happening: Promise<void>[] = []
    const count = 1 + Math.floor(random() * FAULTS_MAX)
    // Drawn in advance, so that the order in which faults end changes nothing.
    const plans = Array.from({ length: count }, () => ({
      atMs: random() * WITHIN_MS,
      fault: pick(random),
      random: seededRandom(Math.floor(random() * 2 ** 31)),
    })).toSorted((one, other) => one.atMs - other.atMs)
    let passedMs = 0
    for (const { atMs, fault, random: own } of plans) {
      await pause(atMs - passedMs)
      passedMs = atMs
      done.push(`${Math.round(atMs)} ms: ${fault.name}`)
      happening.push(fault.happen(own))
    }
    await Promise.all(happening)
    await mendAll()
    await Promise.all(traffics.map((traffic) => traffic.goesOn(3, 60_000)))
    await Promise.all(traffics.map((traffic) => traffic.stop()))
    for (const traffic of traffics) await traffic.hasArrived(60_000)
    await Promise.all(campaigns.map((campaign) => campaign.hasArrived(60_000)))
    hadOneOwner(await scene.logins())
    return done
  }

  return { scene, run: (seed) => tellOnFailure(seed, () => schedule(seed)) }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
