import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../runtime/config.js'
import { redisPlace } from '../../runtime/connect/redis-place.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { writeCertificates } from '../support/certificates.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type SentinelSet, sentinelSet } from '../support/redis-sets.js'
import { redisUsers } from './redis-users.js'

const [password, sentinelPassword] = ['the password of the servers', 'the password of the Sentinels']

function readPlace({ sentinels, name }: SentinelSet, env: NodeJS.ProcessEnv = {}) {
  const place = redisPlace(
    readConfig({
      REDIS_SENTINELS: sentinels,
      REDIS_SENTINEL_NAME: name,
      REDIS_SENTINEL_PASSWORD: sentinelPassword,
      REDIS_PASSWORD: password,
      REDIS_ANSWER_MAX_MS: '1000',
      ...env,
    }).redis,
  )
  assert.ok(place !== undefined)
  return place
}

describe('with Sentinels', () => {
  for (const how of ['dies', 'hangs'] as const)
    it(`leases, hints, jobs and rate limits continue when the primary ${how} and its replica takes over`, async (t) => {
      const set = await sentinelSet(t, { password }, sentinelPassword)
      const users = await redisUsers(t, readPlace(set))
      await users.allWork()
      assert.deepEqual(users.warnings, [])
      if (how === 'dies') await set.primary.kill()
      else set.primary.pause()
      assert.deepEqual(await users.failing(), ['leases', 'hints', 'jobs', 'rate limits'])
      await users.allWork(30_000)
      if (how === 'dies') await set.primary.start()
      else set.primary.resume()
      await eventually(
        () => set.primary.ask((redis) => redis.info('replication')),
        (info) => info.includes('role:slave'),
        30_000,
      )
      await users.allWork()
    })

  it('and TLS at all of them, everything works', async (t) => {
    const tls = writeCertificates(testFolder(t), newAuthority())
    const set = await sentinelSet(t, { password, tls }, sentinelPassword)
    const users = await redisUsers(t, readPlace(set, { REDIS_TLS: 'true', REDIS_TLS_CA_FILE: tls.caFile }))
    await users.allWork()
  })

  it('a former primary that the Sentinels can no longer reach is left by all', async (t) => {
    const set = await sentinelSet(t, { password }, sentinelPassword)
    const users = await redisUsers(t, readPlace(set))
    await users.allWork()
    // Connected instances stay connected; the Sentinels are made to connect again.
    await set.primary.ask(async (redis) => {
      await redis.config('SET', 'requirepass', 'another')
      for (const line of ((await redis.client('LIST')) as string).split('\n')) {
        const [, id] = /^id=(\d+) .* name=sentinel-/.exec(line) ?? []
        if (id !== undefined) await redis.client('KILL', 'ID', id)
      }
    })
    const leaseAtNew = () => set.replica.ask((redis) => redis.exists('{posthorn:cluster}:lease:a'))
    await eventually(
      () => set.replica.ask((redis) => redis.info('replication')),
      (info) => info.includes('role:master'),
    )
    await set.replica.ask((redis) => redis.del('{posthorn:cluster}:lease:a'))
    await eventually(
      async () => {
        await users.failing()
        return await leaseAtNew()
      },
      (exists) => exists === 1,
    )
    await users.allWork()
  })
})
