import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readConfig } from '../../runtime/config.js'
import { connectRedis } from '../../runtime/connect/redis.js'
import { redisPlace } from '../../runtime/connect/redis-place.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { writeCertificates } from '../support/certificates.js'
import { testFolder } from '../support/embedded.js'
import { redisCluster, redisProcess } from '../support/redis-sets.js'
import { redisUsers } from './redis-users.js'

const password = 'a password: with % and / and @'

function readPlace(env: NodeJS.ProcessEnv) {
  const place = redisPlace(readConfig({ REDIS_PASSWORD: password, REDIS_ANSWER_MAX_MS: '1000', ...env }).redis)
  assert.ok(place !== undefined)
  return place
}

async function server(t: TestContext, host?: string, options: readonly string[] = []) {
  const tls = writeCertificates(testFolder(t), newAuthority(), host)
  const redis = await redisProcess(t, options, { tls, password })
  return { ...redis, tls, url: `rediss://${redis.address}` }
}

/** Why a connection with these settings comes to nothing. */
async function refusal(t: TestContext, env: NodeJS.ProcessEnv): Promise<string> {
  const redis = connectRedis(readPlace(env)).toSlotOf('', { maxRetriesPerRequest: 0 })
  t.after(() => redis.disconnect())
  const told = new Promise<Error>((resolve) => redis.on('error', resolve))
  await assert.rejects(redis.get('key'))
  const { message } = await told
  // As TLS does when the alert of the server comes after a refusal of its certificate: more than one error of one socket.
  for (const error of ['first', 'second']) redis.stream.emit('error', new Error(error))
  return message
}

describe('Redis with TLS and a password', () => {
  it('serves everything that uses it', async (t) => {
    const { url, tls } = await server(t)
    await (await redisUsers(t, readPlace({ REDIS_URL: url, REDIS_TLS_CA_FILE: tls.caFile }))).allWork()
  })

  it('is not believed with a certificate of somebody else, or for another host', async (t) => {
    const { url, tls } = await server(t)
    const other = writeCertificates(testFolder(t), newAuthority())
    assert.match(await refusal(t, { REDIS_URL: url, REDIS_TLS_CA_FILE: other.caFile }), /certificate|signature/)
    assert.match(await refusal(t, { REDIS_URL: url }), /certificate/)
    const elsewhere = { REDIS_URL: url, REDIS_TLS_CA_FILE: tls.caFile, REDIS_TLS_SERVER_NAME: 'elsewhere.example' }
    assert.match(await refusal(t, elsewhere), /does not match certificate's altnames/)
  })

  it('is trusted under the name in its certificate, if REDIS_TLS_SERVER_NAME gives it', async (t) => {
    const { url, tls } = await server(t, 'redis.example')
    const settings = { REDIS_URL: url, REDIS_TLS_CA_FILE: tls.caFile }
    assert.match(await refusal(t, settings), /does not match certificate's altnames/)
    await (await redisUsers(t, readPlace({ ...settings, REDIS_TLS_SERVER_NAME: 'redis.example' }))).allWork()
  })

  it('refuses another password, and never prints it', async (t) => {
    const { url, tls } = await server(t)
    const said = await refusal(t, { REDIS_URL: url, REDIS_TLS_CA_FILE: tls.caFile, REDIS_PASSWORD: 'hunter2' })
    assert.match(said, /WRONGPASS/)
    assert.doesNotMatch(said, /hunter2/)
  })

  it('accepts our certificate when it requires one, and refuses clients without one', async (t) => {
    const { url, tls } = await server(t, undefined, ['--tls-auth-clients', 'yes'])
    const settings = { REDIS_URL: url, REDIS_TLS_CA_FILE: tls.caFile }
    const users = await redisUsers(
      t,
      readPlace({ ...settings, REDIS_TLS_CERT_FILE: tls.certFile, REDIS_TLS_KEY_FILE: tls.keyFile }),
    )
    await users.allWork()
    await refusal(t, settings)
  })

  it('is refused at start with a key that belongs to another certificate', (t) => {
    const folder = testFolder(t)
    const authority = newAuthority()
    const { certFile } = writeCertificates(folder, authority)
    const keyFile = path.join(folder, 'other.pem')
    writeFileSync(keyFile, authority.issue().key)
    assert.throws(
      () => readConfig({ REDIS_URL: 'rediss://host', REDIS_TLS_CERT_FILE: certFile, REDIS_TLS_KEY_FILE: keyFile }),
      /REDIS_TLS_CERT_FILE and REDIS_TLS_KEY_FILE: cannot be used/,
    )
  })
})

describe('a Redis Cluster with TLS and a password', () => {
  it('serves everything that uses it', async (t) => {
    const tls = writeCertificates(testFolder(t), newAuthority())
    const cluster = await redisCluster(t, { tls, password })
    const place = readPlace({ REDIS_CLUSTER_NODES: cluster.nodes, REDIS_TLS: 'true', REDIS_TLS_CA_FILE: tls.caFile })
    await (await redisUsers(t, place)).allWork()
  })
})
