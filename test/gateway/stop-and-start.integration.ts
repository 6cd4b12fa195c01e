import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const ANA = '15550730001'
const BEN = '15550730002'
const STOPPED = 'No session: the instance is stopped; POST /instance/start connects it again.'

const shown = async (instance: TestInstance) => (await instance.status()).instance as unknown as Json
const stop = (instance: TestInstance) => instance.call<Json>('POST', '/instance/stop', {})
const start = (instance: TestInstance) => instance.call<Json>('POST', '/instance/start', {})
const send = (instance: TestInstance, text: string) => instance.call<Json>('POST', '/send/text', { number: BEN, text })

describe('an instance that is stopped', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({ phones: { [BEN]: 'Ben' }, account: [ANA, 'Ana'], events: ['messages', 'connection'] })

  const devices = async () => (await world.network<{ devices: { id: number }[] }>('GET', `/phones/${ANA}`)).devices
  const logins = async () => (await world.network<Json[]>('GET', `/log/logins?phone=${ANA}`)).length

  it('keeps its pairing, sends nothing and says why, and connects again when it is started', async () => {
    const before = await devices()
    const stopped = await stop(ana)
    assert.deepEqual([stopped.status, stopped.body.response], [200, 'Stopped'])
    assert.deepEqual(
      [(stopped.body.instance as Json).status, (stopped.body.instance as Json).stopped],
      ['disconnected', true],
    )
    assert.deepEqual(
      (await devices()).map(({ id }) => id),
      before.map(({ id }) => id),
    )
    assert.match(String((await shown(ana)).lastDisconnectReason), /Stopped on request; the pairing is kept/)
    const refused = await send(ana, 'too early')
    assert.deepEqual([refused.status, refused.body.code, refused.body.error], [409, 'INSTANCE_NOT_CONNECTED', STOPPED])
    const waiting = await world.write(BEN, ANA, 'while it was stopped')
    assert.equal((await stop(ana)).status, 200)
    const started = await start(ana)
    assert.equal(started.status, 200, JSON.stringify(started.body))
    await ana.connected()
    assert.equal((await shown(ana)).stopped, false)
    await receiver.message(waiting)
    assert.equal((await send(ana, 'again')).status, 200)
    const count = await logins()
    assert.deepEqual([(await start(ana)).body.connected, await logins()], [true, count])
    await eventually(() =>
      receiver.of('connection').some(({ body }) => (body.instance as Json).status === 'disconnected'),
    )
  })

  it('is one of many that a single call stops and starts; one without a pairing is skipped', async () => {
    const bare = await world.instance('Never paired')
    const change = async (action: string) => {
      const fields = { action, ids: [ana.id, bare.id] }
      const post = (more: Json) =>
        world.gateway.call<Json>('POST', '/admin/instances/bulk', { admin: true, body: { ...fields, ...more } })
      const { digest } = (await post({ dryRun: true })).body
      const begun = await post({ digest })
      assert.equal(begun.status, 202, JSON.stringify(begun.body))
      const path = `/admin/instances/bulk?id=${(begun.body.job as Json).id}`
      const job = async () => (await world.gateway.call<{ jobs: Json[] }>('GET', path, { admin: true })).body.jobs[0]
      const { done, skipped } = (await eventually(job, (one) => one?.state === 'done')) as Json
      assert.deepEqual([done, skipped], [1, 1])
    }
    await change('stop')
    assert.equal((await shown(ana)).stopped, true)
    assert.equal((await send(ana, 'too early')).body.error, STOPPED)
    await change('start')
    await ana.connected()
    assert.equal((await shown(ana)).stopped, false)
    const { entries } = (
      await world.gateway.call<{ entries: Json[] }>('GET', `/admin/audit?subject=${ana.id}&operation=changeInstances`, {
        admin: true,
      })
    ).body
    assert.equal(entries.length, 2)
  })

  it('stays so after a restart of the gateway, also if all instances are restarted, until it is started', async () => {
    await stop(ana)
    await world.gateway.kill('SIGTERM')
    await world.gateway.start()
    const other = await world.paired('15550730003', 'connects')
    await world.gateway.call('POST', '/admin/restart', { admin: true, body: {} })
    await other.connected()
    const now = await shown(ana)
    assert.deepEqual([now.status, now.stopped], ['disconnected', true])
    assert.equal((await send(ana, 'too early')).body.error, STOPPED)
    await start(ana)
    await ana.connected()
    assert.equal((await send(ana, 'after the restart')).status, 200)
  })

  it('is connected by /instance/connect too, and is not stopped then', async () => {
    await stop(ana)
    const connected = await ana.call<Json>('POST', '/instance/connect', {})
    assert.deepEqual([connected.status, (connected.body.instance as Json).stopped], [200, false])
    await ana.connected()
  })

  it('must be paired: another one is refused, and stays as it is', async () => {
    const idle = await world.instance('idle')
    for (const answer of [await stop(idle), await start(idle)])
      assert.deepEqual([answer.status, answer.body.code], [409, 'INSTANCE_NOT_PAIRED'])
    assert.equal((await shown(idle)).stopped, false)
    const refused = await send(idle, 'x')
    assert.deepEqual([refused.status, refused.body.error], [409, 'No session'])
  })
})

describe('an instance that is stopped, in a cluster', () => {
  const cleanup = suiteCleanup()

  it('is stopped through any node, stays so when its owner dies, and is started through any node', async () => {
    const cluster = await startCluster(cleanup, { nodes: 2, env: { RECONNECT_DELAY_MAX_MS: '500' } })
    await cluster.phone(BEN, 'Ben')
    const ana = await cluster.paired(ANA, 'Ana')
    const logins = () => cluster.network<{ node: string | null }[]>('GET', `/log/logins?phone=${ANA}`)
    const name = (await logins()).at(-1)?.node
    const owner = cluster.nodes.find((node) => node.name === name)
    const other = cluster.nodes.find((node) => node.name !== name)
    const through = (path: string) => other?.call<Json>('POST', path, { token: ana.token, body: {} })
    assert.equal((await through('/instance/stop'))?.status, 200)
    const count = (await logins()).length
    await owner?.kill('SIGKILL')
    // The other node owns all instances, and connects those that are to be connected.
    await eventually(async () => {
      const { status, body } = (await other?.call<Json>('GET', '/instance/status', { token: ana.token })) ?? {}
      return status === 200 && (body?.instance as Json | undefined)?.status === 'disconnected'
    })
    assert.equal((await logins()).length, count)
    await eventually(async () => (await through('/instance/start'))?.body.connected === true)
    assert.equal((await logins()).at(-1)?.node, other?.name)
  })
})
