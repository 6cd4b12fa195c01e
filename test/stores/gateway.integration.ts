import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startSandbox } from '../../sandbox/index.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { writeCertificates } from '../support/certificates.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'
import { startReceiver } from '../support/receiver.js'
import { redisCluster } from '../support/redis-sets.js'
import { tlsPostgres } from '../support/tls-postgres.js'
import { startWorld } from '../support/world.js'

describe('a gateway on a Redis Cluster and a PostgreSQL with TLS', () => {
  it('sends, receives and tells webhooks, also after a primary of Redis has died', async (t) => {
    const password = 'a password of Redis'
    const tls = writeCertificates(testFolder(t), newAuthority())
    const cluster = await redisCluster(t, { tls, password })
    const postgres = await tlsPostgres(t, newAuthority())
    const world = await startWorld(t, {
      DATABASE_URL: postgres.url,
      DATABASE_TLS_CA_FILE: postgres.caFile,
      REDIS_URL: '',
      REDIS_CLUSTER_NODES: cluster.nodes,
      REDIS_PASSWORD: password,
      REDIS_TLS: 'true',
      REDIS_TLS_CA_FILE: tls.caFile,
      NODE_ID: 'one',
    })
    const receiver = await startReceiver(t)
    const ana = await world.paired('15550001111', 'Ana')
    const ben = await world.paired('15550002222', 'Ben')
    for (const instance of [ana, ben]) await instance.hook(receiver.url)

    async function converse(text: string): Promise<void> {
      assert.equal((await ana.text(ben.number, text)).status, 'sent')
      assert.equal((await ben.text(ana.number, `${text}, too`)).status, 'sent')
      await eventually(
        () => receiver.of('messages').filter(({ body }) => (body.message as { text: string }).text.startsWith(text)),
        (heard) => heard.length === 4,
      )
    }
    await converse('before')
    assert.match(world.gateway.output(), /The queue of jobs has reached Redis/)
    const { primary } = await cluster.of('{posthorn:jobs}')
    await primary.kill()
    await converse('meanwhile')
    await eventually(
      () => world.gateway.output().split('The queue of jobs has reached Redis').length,
      (times) => times === 3,
      30_000,
    )
    await converse('after')
    assert.doesNotMatch(world.gateway.output(), new RegExp(password))
  })

  it('does not start when the database shows the certificate of somebody else, and says so', async (t) => {
    const sandbox = await startSandbox()
    t.after(() => sandbox.close())
    const postgres = await tlsPostgres(t, newAuthority())
    const other = writeCertificates(testFolder(t), newAuthority())
    const env = { DATABASE_URL: postgres.url, DATABASE_TLS_CA_FILE: other.caFile }
    await assert.rejects(startGateway(t, { sandbox, env }), /PostgreSQL .*certificate/)
  })
})
