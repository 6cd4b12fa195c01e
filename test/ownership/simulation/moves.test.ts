import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultTiming } from '../../../runtime/cluster/ownership/protocol.js'
import { living, newIdentity, startNode } from './faults.js'
import type { Process } from './process.js'
import { createChance } from './time.js'
import { allRules, createWorld, type World } from './world.js'

const SHARDS = 64
const SEEDS = [1, 2]

describe('a cluster in which nothing else goes wrong', () => {
  it('claims the shards of a killed node within 5 s', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = owners(world)
      world.processes[0]!.kill()
      assert.ok(msUntil(world, () => isSettled(world)) <= 5_000 + 150)
      assert.equal(moved(before, owners(world)), before.filter((owner) => owner === 'n0').length)
    }
  })

  it('leaves its own to a process that is restarted in place, within 2 s, and moves nothing', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = owners(world)
      const former = world.processes[0]!
      former.kill()
      world.time.run(world.time.nowMs + 1_000)
      startNode(world, former.identity, former.clock)
      assert.ok(msUntil(world, () => isSettled(world)) <= 2_000 + 150)
      assert.deepEqual(owners(world), before)
    }
  })

  it('moves no more than its share to a node that joins, one shard at a time', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = owners(world)
      startNode(world, newIdentity(world))
      world.time.run(world.time.nowMs + 30_000)
      assert.equal(moved(before, owners(world)), SHARDS / 4)
    }
  })

  it('moves each shard once when all nodes are replaced, a new one before each old one', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = epochs(world)
      const old = [...world.processes]
      for (const one of old) {
        startNode(world, { ...newIdentity(world), version: '1.0.1' })
        world.time.run(world.time.nowMs + 5_000)
        one.terminate(60_000)
        world.time.run(world.time.nowMs + 15_000)
        assert.equal(one.isAlive, false)
      }
      assert.deepEqual(
        epochs(world).map((epoch, shard) => epoch - before[shard]!),
        before.map(() => 1),
      )
      assert.ok(isSettled(world))
    }
  })

  it('moves everything away from a node that an administrator drains, which stays, and back once it is restarted', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const [asked, drained] = world.processes as [Process, Process]
      const before = owners(world)
      asked.drainAsked(drained.incarnation)
      msUntil(world, () => !owners(world).includes('n1') && isSettled(world))
      assert.equal(moved(before, owners(world)), before.filter((owner) => owner === 'n1').length)
      const after = epochs(world)
      world.time.run(world.time.nowMs + 60_000)
      assert.deepEqual(epochs(world), after)
      assert.ok(drained.isAlive)
      drained.terminate(0)
      msUntil(world, () => !drained.isAlive)
      startNode(world, drained.identity, drained.clock)
      msUntil(world, () => isEven(world, ['n0', 'n1', 'n2']))
    }
  })

  it('leaves everything to a node that is drained alone, until another comes', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 1)
      const before = epochs(world)
      const [only] = world.processes as [Process]
      only.drainAsked(only.incarnation)
      world.time.run(world.time.nowMs + 30_000)
      assert.deepEqual(epochs(world), before)
      assert.ok(isSettled(world))
      startNode(world, newIdentity(world))
      msUntil(world, () => isEven(world, ['n1']))
      assert.ok(only.isAlive)
    }
  })

  it('continues to be even among the others while a drained node stays', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 2)
      const [one, drained] = world.processes as [Process, Process]
      one.drainAsked(drained.incarnation)
      msUntil(world, () => isEven(world, ['n0']))
      startNode(world, newIdentity(world))
      msUntil(world, () => isEven(world, ['n0', 'n2']))
    }
  })

  it('has drained nodes take over from one that is killed, when no other lives', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 2)
      const [one, drained] = world.processes as [Process, Process]
      one.drainAsked(drained.incarnation)
      msUntil(world, () => isEven(world, ['n0']))
      one.kill()
      assert.ok(msUntil(world, () => isSettled(world)) <= 5_000 + defaultTiming.patienceMs + 150)
    }
  })

  it('moves nothing while Redis is wiped, away for a minute, and empty when it returns', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = epochs(world)
      world.redis.wipe()
      world.time.run(world.time.nowMs + 5_000)
      world.redis.isAway = true
      for (let second = 0; second < 60; second++) {
        world.time.run(world.time.nowMs + 1_000)
        assert.ok(isSettled(world))
      }
      world.redis.wipe()
      world.redis.isAway = false
      world.time.run(world.time.nowMs + 20_000)
      assert.deepEqual(epochs(world), before)
      assert.ok(isSettled(world))
    }
  })

  it('keeps every connection while SQL is away for a minute', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      world.sql.state = 'refusing'
      for (let second = 0; second < 60; second++) {
        world.time.run(world.time.nowMs + 1_000)
        assert.ok(isSettled(world))
      }
    }
  })

  it('destroys all sockets when both stores are away, and has them again when they return', () => {
    for (const seed of SEEDS) {
      const world = startWorld(seed, 3)
      const before = epochs(world)
      world.redis.isAway = true
      world.sql.state = 'silent'
      world.time.run(world.time.nowMs + 10_000)
      for (const one of world.processes) assert.equal(one.actors.size, 0)
      world.redis.isAway = false
      world.sql.state = 'up'
      assert.ok(msUntil(world, () => isSettled(world)) <= 3_000)
      assert.deepEqual(epochs(world), before)
    }
  })
})

function startWorld(seed: number, nodes: number): World {
  const options = { shards: SHARDS, timing: defaultTiming, rules: allRules, onlyAtNetwork: false }
  const world = createWorld(createChance(seed), options)
  for (let index = 0; index < nodes; index++) startNode(world, newIdentity(world))
  world.time.run(30_000)
  assert.ok(isSettled(world))
  return world
}

function msUntil(world: World, isSo: () => boolean): number {
  const fromMs = world.time.nowMs
  while (!isSo()) {
    assert.ok(world.time.nowMs - fromMs < 60_000, 'it never came')
    world.time.run(world.time.nowMs + 10)
  }
  assert.equal(world.oracle.violation, undefined)
  return world.time.nowMs - fromMs
}

function isSettled(world: World): boolean {
  return world.sql.read().shards.every(({ owner }, shard) => findProcess(world, owner)?.isOwner(shard) === true)
}

function isEven(world: World, names: readonly string[]): boolean {
  const counts = names.map((name) => owners(world).filter((owner) => owner === name).length)
  return Math.min(...counts) >= Math.floor(SHARDS / names.length) && isSettled(world)
}

function findProcess(world: World, owner: string | null): Process | undefined {
  return living(world).find((one) => one.incarnation === owner)
}

function owners(world: World): readonly (string | undefined)[] {
  const names = new Map(world.processes.map((one) => [one.incarnation, one.identity.nodeId]))
  return world.sql.read().shards.map(({ owner }) => names.get(owner ?? ''))
}

function epochs(world: World): readonly number[] {
  return world.sql.read().shards.map(({ epoch }) => epoch)
}

function moved(before: readonly (string | undefined)[], after: readonly (string | undefined)[]): number {
  return after.filter((owner, shard) => owner !== before[shard]).length
}
