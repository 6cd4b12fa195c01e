import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'
import { watchStatus } from './status-watch.js'
import { startTraffic } from './traffic.js'

describe('when Redis is killed and returns', () => {
  for (const [how, empty] of [
    ['with its data', false],
    ['empty', true],
  ] as const) {
    it(`${how}: nobody is disconnected, sends answer all along, nothing is lost, doubled or left behind`, async (t) => {
      const world = await startWorld(t, {}, { redisKeepsData: true })
      const { redis } = world.gateway
      const receiver = await startReceiver(t)
      const ana = await world.paired('15550710001', 'Ana')
      await world.phone('15550710002')
      await ana.hook(receiver.url)
      const logins = async () => (await world.network<unknown[]>('GET', '/log/logins?phone=15550710001')).length
      const loginsBefore = await logins()
      const watch = watchStatus(t, world, [ana])
      const traffic = startTraffic(t, world, ana, { peer: '15550710002', receiver, everyMs: 30 })

      await traffic.goesOn(20)
      await redis.kill()
      await traffic.goesOn(20)
      await pause(1_500)
      await redis.start({ empty })
      // At many moments, so that some wake-ups are in it, and before the gateway has settled.
      for (let kill = 0; kill < 6; kill += 1) {
        await traffic.goesOn(3)
        await redis.kill()
        if (kill % 4 === 0) await traffic.goesOn(3)
        await redis.start({ empty })
      }
      await traffic.goesOn(20)
      await traffic.stop()

      await traffic.hasArrived()
      assert.deepEqual([...traffic.answers.keys()], [200])
      assert.equal(await logins(), loginsBefore, 'it was disconnected')
      assert.deepEqual(await watch.stop(), [])
      assert.equal(watch.saidNotConnected, 0)
      await eventually(
        () => jobsIn(redis.url),
        (jobs) => jobs.length === 0,
      )
      const after = startTraffic(t, world, ana, { peer: await anotherPhone(), receiver, everyMs: 1 })
      await pause(500)
      await after.stop()
      await after.hasArrived()

      async function anotherPhone(): Promise<string> {
        await world.phone('15550710003')
        return '15550710003'
      }
    })
  }
})

/** Jobs that Bull holds and that are still to be done. */
async function jobsIn(url: string): Promise<string[]> {
  const redis = new Redis(url, { lazyConnect: true })
  redis.on('error', () => {})
  try {
    await redis.connect()
    const keys = await redis.keys('*')
    return keys.filter((key) => !/:(id|stalled-check|meta-paused)$/.test(key) && /^{posthorn:jobs}:/.test(key))
  } finally {
    redis.disconnect()
  }
}
