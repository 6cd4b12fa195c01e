/** Faults of a simulated world. Each fault mends itself; `mendAll` ends those that last. */
import { createClock } from './clock.js'
import { type Identity, Process } from './process.js'
import type { World } from './world.js'

export type Fault = keyof typeof faults

const HOUR_MS = 3_600_000

/** Faults that are no reason to move anything. */
export const harmless: readonly Fault[] = [
  'redisAway',
  'redisWiped',
  'redisClock',
  'leaseEvicted',
  'redisFailOver',
  'redisRestart',
  'briefPause',
  'mainStalls',
  'wallJumps',
  'peersApart',
  'sameNameElsewhere',
]

export const faults = {
  crash(world: World) {
    const victim = someProcess(world)
    if (victim === undefined || living(world).length < 2) return
    if (world.chance.happens(0.2)) victim.fall()
    else victim.kill()
    if (world.chance.happens(0.6)) restart(world, victim, world.chance.between(200, 6_000))
  },
  pause(world: World) {
    stop(world, ['main', 'worker'], world.chance.between(500, 15_000))
  },
  briefPause(world: World) {
    stop(world, ['main', 'worker'], world.chance.between(50, 900))
  },
  mainStalls(world: World) {
    stop(world, ['main'], world.chance.between(500, 15_000))
  },
  mainHangs(world: World) {
    stop(world, ['main'], world.chance.between(15_000, 25_000))
  },
  suspend(world: World) {
    const victim = someProcess(world)
    if (victim === undefined) return
    victim.clock.sleep()
    victim.stop('main')
    victim.stop('worker')
    world.time.at(world.chance.between(1_000, 15_000), () => {
      victim.clock.wake()
      victim.go('main')
      victim.go('worker')
    })
  },
  wallJumps(world: World) {
    const victim = someProcess(world)
    victim?.clock.jumpWall(world.chance.pick([-HOUR_MS, HOUR_MS]))
    if (victim !== undefined) world.oracle.opened(victim, victim.actors.keys())
  },
  redisApart(world: World) {
    cut(world, someAddress(world), 'redis')
  },
  sqlApart(world: World) {
    cut(world, someAddress(world), 'sql')
  },
  messagesApart(world: World) {
    cut(world, someAddress(world), 'messages')
  },
  peersApart(world: World) {
    cut(world, someAddress(world), someAddress(world))
  },
  allApart(world: World) {
    const victim = someAddress(world)
    for (const other of ['redis', 'sql', ...addresses(world)]) if (other !== victim) cut(world, victim, other, 12_000)
  },
  slow(world: World) {
    const [from, to] = [someAddress(world), world.chance.pick(['redis', 'sql', someAddress(world)])]
    const delayMs = world.chance.between(100, 2_000)
    world.wires.slow(from, to, delayMs)
    if (world.chance.happens(0.5)) world.wires.slow(to, from, delayMs)
    mendLater(world, from, to, world.chance.between(1_000, 15_000))
  },
  redisAway(world: World) {
    world.redis.isAway = true
    world.time.at(world.chance.between(500, 20_000), () => {
      world.redis.isAway = false
      if (world.chance.happens(0.5)) world.redis.wipe()
    })
  },
  redisWiped(world: World) {
    world.redis.wipe()
  },
  redisClock(world: World) {
    world.redis.jumpClock(world.chance.pick([-HOUR_MS, HOUR_MS]))
  },
  leaseEvicted(world: World) {
    const victim = someProcess(world)
    if (victim !== undefined) world.redis.evict(victim.incarnation)
  },
  redisRestart(world: World) {
    world.redis.save()
    world.time.at(world.chance.between(0, 6_000), () => world.redis.restart())
  },
  redisFailOver(world: World) {
    failOver(world, [])
  },
  /** Some nodes are left with the former primary, which continues on its own. */
  redisSplit(world: World) {
    failOver(
      world,
      addresses(world).filter(() => world.chance.happens(0.5)),
    )
  },
  /** Redis goes back to older data while one node does not see it. */
  redisForgets(world: World) {
    const blindMs = world.chance.between(4_000, 7_000)
    const blind = someAddress(world)
    world.redis.save()
    cutBoth(world, blind, 'redis', blindMs)
    cutFromPeers(world, blind, blindMs + 2_000)
    world.time.at(blindMs - world.chance.between(0, 1_400), () => world.redis.restart())
  },
  /** A lease vanishes, is made again and vanishes again, and one node does not see the middle part. */
  leaseEvictedTwice(world: World) {
    const [victim, other] = [someProcess(world), someAddress(world)]
    if (victim === undefined || other === victim.identity.address) return
    const blindMs = world.chance.between(4_000, 7_000)
    world.redis.evict(victim.incarnation)
    world.wires.slow(victim.identity.address, 'redis', 700)
    world.time.at(world.chance.between(200, 2_000), () => {
      cutBoth(world, other, 'redis', blindMs)
      cutFromPeers(world, other, blindMs + 2_000)
      world.time.at(blindMs / 2, () => world.wires.mend(victim.identity.address, 'redis'))
      world.time.at(blindMs - world.chance.between(0, 1_400), () => world.redis.evict(victim.incarnation))
    })
  },
  /** One node lives by its holds, and another gets no answers from SQL, which hears it. */
  holdsUnseen(world: World) {
    const [one, other] = [someAddress(world), someAddress(world)]
    if (one === other) return
    cutBoth(world, one, 'redis', world.chance.between(6_000, 14_000))
    world.time.at(world.chance.between(0, 3_000), () => {
      world.wires.cut('sql', other)
      mendLater(world, 'sql', other, world.chance.between(4_000, 10_000))
    })
    if (world.chance.happens(0.7)) cutBoth(world, one, other, 14_000)
  },
  /** Answers come late, then not at all. */
  answersLate(world: World) {
    const victim = someAddress(world)
    for (const server of ['redis', 'sql']) world.wires.slow(server, victim, 790)
    world.time.at(world.chance.between(1_000, 4_000), () => {
      for (const server of ['redis', 'sql']) cutBoth(world, victim, server, 6_000)
      cutFromPeers(world, victim, 6_000)
    })
  },
  sqlAway(world: World) {
    world.sql.state = world.chance.pick(['refusing', 'silent'])
    world.time.at(world.chance.between(500, 15_000), () => {
      world.sql.state = 'up'
    })
  },
  drain(world: World) {
    const victim = someProcess(world)
    if (victim === undefined || living(world).length < 2) return
    victim.terminate(10_000)
  },
  /** The node gives all away and stays. Some are restarted later, which is how an administrator ends the draining. */
  drainByAdministrator(world: World) {
    const [asked, victim] = [someProcess(world), someProcess(world)]
    if (asked === undefined || victim === undefined) return
    world.log(`${asked.incarnation} is asked to drain ${victim.incarnation}`)
    asked.drainAsked(victim.incarnation)
    if (world.chance.happens(0.4)) world.time.at(world.chance.between(1_000, 15_000), () => victim.terminate(10_000))
  },
  join(world: World) {
    if (living(world).length < 6) startNode(world, newIdentity(world))
  },
  sameNameElsewhere(world: World) {
    const victim = someProcess(world)
    if (victim === undefined) return
    // Some give two machines the same `127.0.0.1` as well.
    const address = world.chance.happens(0.5) ? victim.identity.address : `${victim.identity.address}-second`
    startNode(world, { ...victim.identity, address })
  },
} satisfies Record<string, (world: World) => void>

export function living(world: World): readonly Process[] {
  return world.processes.filter((one) => one.isAlive)
}

export function startNode(world: World, identity: Identity, clock = newClock(world)): Process {
  return new Process(world, identity, clock)
}

export function newIdentity(world: World): Identity {
  const nodeId = `n${new Set(world.processes.map((one) => one.identity.nodeId)).size}`
  return { nodeId, address: nodeId, version: '1.0.0' }
}

/** In the same place under the same name, as a supervisor does it. */
export function restart(world: World, former: Process, delayMs: number, version = former.identity.version): void {
  world.time.at(delayMs, () => {
    const isTaken = living(world).some((one) => one.identity.address === former.identity.address)
    if (!former.isAlive && !isTaken) startNode(world, { ...former.identity, version }, former.clock)
  })
}

export function mendAll(world: World): void {
  world.wires.mendAll()
  world.redis.isAway = false
  world.redis.endFailOver()
  world.sql.state = 'up'
}

function newClock(world: World): ReturnType<typeof createClock> {
  return createClock(world.time, {
    rate: world.chance.between(0.99, 1.01),
    startMs: world.chance.between(0, 1e9),
    wallOffsetMs: world.chance.pick([-HOUR_MS, 0, 0, HOUR_MS]),
  })
}

function failOver(world: World, stayBehind: readonly string[]): void {
  if (world.chance.happens(0.7)) world.redis.stopReplicating()
  world.time.at(world.chance.between(0, 3_000), () => {
    world.redis.failOver(stayBehind)
    world.time.at(world.chance.between(2_000, 15_000), () => world.redis.endFailOver())
  })
}

function stop(world: World, threads: readonly ('main' | 'worker')[], durationMs: number): void {
  const victim = someProcess(world)
  if (victim === undefined) return
  world.log(`${victim.incarnation} stops: ${threads.join(', ')} for ${Math.round(durationMs)} ms`)
  for (const thread of threads) victim.stop(thread)
  world.time.at(durationMs, () => {
    for (const thread of threads) victim.go(thread)
  })
}

function cut(world: World, one: string, other: string, maxMs = 15_000): void {
  if (one === other) return
  const directions = world.chance.pick([
    [[one, other]],
    [[other, one]],
    [
      [one, other],
      [other, one],
    ],
  ])
  const durationMs = world.chance.between(500, maxMs)
  for (const [from, to] of directions as [string, string][]) {
    world.log(`cut ${from} > ${to} for ${Math.round(durationMs)} ms`)
    world.wires.cut(from, to)
    mendLater(world, from, to, durationMs)
  }
}

function cutBoth(world: World, one: string, other: string, durationMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    world.wires.cut(from, to)
    mendLater(world, from, to, durationMs)
  }
}

function cutFromPeers(world: World, one: string, durationMs: number): void {
  for (const other of addresses(world)) if (other !== one) cutBoth(world, one, other, durationMs)
}

function mendLater(world: World, from: string, to: string, delayMs: number): void {
  world.time.at(delayMs, () => world.wires.mend(from, to))
}

/** Picks a process: in half of the worlds mostly the same one, since trouble comes in company. */
function someProcess(world: World): Process | undefined {
  const all = living(world)
  const unlucky = all.find((one) => one.identity.address === world.unlucky)
  if (unlucky !== undefined && world.chance.happens(0.6)) return unlucky
  return all.length === 0 ? undefined : world.chance.pick(all)
}

function addresses(world: World): readonly string[] {
  return [...world.listeners.keys()]
}

function someAddress(world: World): string {
  const all = addresses(world)
  if (all.includes(world.unlucky) && world.chance.happens(0.4)) return world.unlucky
  return all.length === 0 ? 'nowhere' : world.chance.pick(all)
}
