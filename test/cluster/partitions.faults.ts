import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { suiteCleanup } from '../support/cleanup.js'
import type { ClusterNode, Links } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'
import { type Scene, startScene, takenOver } from './scene.js'

/** Two leases; and where there is no lease in it, time enough to notice. */
const AWAY_MS = { redis: 9_000, database: 6_000, network: 6_000, peers: 6_000 }
/** Both directions, and one. */
const ways = [undefined, 'up', 'down'] as const

describe('a node that is cut off', () => {
  const cleanup = suiteCleanup()
  let scene: Scene
  let victim: ClusterNode

  before(async () => {
    scene = await startScene(cleanup, { env: { NETWORK_SILENCE_MAX_MS: '4000' } })
    victim = scene.cluster.nodes[1] as ClusterNode
  })

  /** Returns the state that must stay the same: who owns what, and, unless its connections were cut, how often anyone has logged in. */
  async function cutOff(link: keyof Links, way: (typeof ways)[number], isConnected: boolean): Promise<void> {
    const state = async () => [await scene.cluster.shards(), isConnected ? (await scene.logins()).length : 0]
    const former = await state()
    victim.links[link].silence({ way })
    await pause(AWAY_MS[link])
    if (link === 'redis') await scene.goesOn(3)
    victim.links[link].mend()
    await scene.goesOn(3)
    assert.deepEqual(await state(), former)
  }

  for (const way of ways) {
    const direction = way === undefined ? '' : `, of one direction (${way})`

    it(`from Redis${direction}: keeps its instances connected, and takes sends all along`, async () => {
      const failed = scene.failed()
      await cutOff('redis', way, true)
      assert.deepEqual(scene.failed(), failed)
    })

    it(`from the other nodes${direction}: nothing changes hands, nobody logs in, and who asked meanwhile is answered`, async () => {
      const failed = scene.failed()
      await cutOff('peers', way, true)
      assert.deepEqual(scene.failed(), failed)
    })

    it(`from PostgreSQL${direction}: nothing changes hands, and all continues on its own`, async () => {
      await cutOff('database', way, false)
    })

    // One direction of it is among the faults of the schedules.
    if (way === undefined)
      it(`from the network${direction}: nothing changes hands, and its instances come back`, async () => {
        await cutOff('network', way, false)
      })
  }

  it('from one other node only: owners stay, its calls go through the third node, and waiting callers get answers', async () => {
    const { nodes } = scene.cluster
    const [instance] = scene.instances as [TestInstance]
    const login = (await scene.logins()).findLast(({ device }) => device.startsWith(instance.number))
    const owner = nodes.find(({ name }) => name === login?.node)
    const [first, third] = nodes.filter((node) => node !== owner)
    assert.ok(owner !== undefined && first !== undefined && third !== undefined)
    const former = await scene.cluster.shards()
    const failed = scene.failed()
    owner.links.peers.silence({ beginning: `posthorn ${first.name}` })
    const ask = (node: ClusterNode) => node.call('GET', '/instance/status', { token: instance.token })
    let isAnswered = false
    const waits = ask(first).then((answer) => {
      isAnswered = true
      return answer
    })
    for (let times = 0; times < 5; times += 1) {
      assert.equal((await ask(third)).status, 200)
      await pause(AWAY_MS.peers / 5)
    }
    assert.equal(isAnswered, false, 'there is no way from the first')
    owner.links.peers.mend()
    assert.equal((await waits).status, 200)
    await scene.goesOn(3)
    assert.deepEqual(await scene.cluster.shards(), former)
    assert.deepEqual(scene.failed(), failed)
  })

  it('from both stores: ends its sockets, and the others take over', async () => {
    victim.links.redis.silence()
    victim.links.database.silence()
    await takenOver(scene, victim.name)
    await scene.goesOn(3)
    victim.links.redis.mend()
    victim.links.database.mend()
    await eventually(
      () => victim.output(),
      (output) => output.includes('declared this one dead'),
    )
    await victim.kill()
    await victim.start()
    await scene.cluster.shared(scene.cluster.nodes)
  })

  it('delivers everything once and in order in the end, and no instance had two owners', async () => {
    await scene.ends()
  })
})
