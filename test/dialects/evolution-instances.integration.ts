/** Instances in the form of Evolution API: keys, making, pairing, state, end. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { type EvolutionClient, evolutionClient, type Json, pairedEvolution } from '../support/evolution.js'
import { gatewaySuite } from '../support/gateway-suite.js'

const ANA = '5511988880001'

describe('instances of Evolution API', () => {
  const { world, cleanup: _ } = gatewaySuite({ env: { DIALECTS: 'evolution' } })
  const admin = (): EvolutionClient => evolutionClient(world)
  const create = (fields: Json) =>
    admin().call('POST', '/instance/create', { integration: 'WHATSAPP-BAILEYS', ...fields })

  it('makes an instance, pairs it, and ends it with its data', async () => {
    const made = await create({ instanceName: 'shop' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { instance, hash, settings } = made.body as { instance: Json; hash: string; settings: Json }
    assert.deepEqual(
      { ...instance, instanceId: typeof instance.instanceId },
      {
        instanceName: 'shop',
        instanceId: 'string',
        integration: 'WHATSAPP-BAILEYS',
        webhookWaBusiness: null,
        accessTokenWaBusiness: '',
        status: 'close',
      },
    )
    assert.equal(settings.rejectCall, false)
    const own = evolutionClient(world, hash)
    const shown = await own.done('GET', '/instance/connect/shop')
    assert.match(String(shown.base64), /^data:image\/png;base64,/)
    assert.match(String(shown.code), /^\d@/)
    assert.deepEqual(await own.done('GET', '/instance/connectionState/shop'), {
      instance: { instanceName: 'shop', state: 'connecting' },
    })
    const gone = await own.done('DELETE', '/instance/delete/shop')
    assert.deepEqual(gone, { status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } })
    const again = await admin().call('GET', '/instance/connectionState/shop')
    assert.deepEqual(again.body, {
      status: 404,
      error: 'Not Found',
      response: { message: ['The "shop" instance does not exist'] },
    })
  })

  it('connects with a pairing code, and lists the instance with its key', async () => {
    const ana = await pairedEvolution(world, 'ana', ANA)
    const list = async () => (await ana.done<readonly Json[]>('GET', '/instance/fetchInstances'))[0]
    const entry = await eventually(list, (one) => one?.connectionStatus === 'open')
    const { name, token, connectionStatus, ownerJid, number, Setting, _count } = entry as Json
    assert.deepEqual(
      { name, token, connectionStatus, ownerJid, number },
      { name: 'ana', token: ana.token, connectionStatus: 'open', ownerJid: `${ANA}@s.whatsapp.net`, number: ANA },
    )
    assert.equal((Setting as Json).readMessages, false)
    assert.deepEqual(Object.keys(_count as Json), ['Message', 'Contact', 'Chat'])
    assert.deepEqual(await ana.done('GET', '/instance/connect/ana'), {
      instance: { instanceName: 'ana', state: 'open' },
    })
    assert.deepEqual(await ana.done('POST', '/instance/setPresence/ana', { presence: 'available' }), {
      presence: 'available',
    })
    await ana.done('POST', '/instance/restart/ana', {}, 200)
    await eventually(
      async () => (await ana.done<{ instance: Json }>('GET', '/instance/connectionState/ana')).instance.state,
      (state) => state === 'open',
    )
    await ana.done('DELETE', '/instance/logout/ana')
    const after = await ana.done<{ instance: Json }>('GET', '/instance/connectionState/ana')
    assert.equal(after.instance.state, 'close')
  })

  it('refuses unknown keys, keys of others and unknown paths in its own form', async () => {
    const made = await create({ instanceName: 'one' })
    const other = await create({ instanceName: 'two' })
    const { hash } = other.body as { hash: string }
    const unauthorized = { status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } }
    assert.equal(made.status, 201)
    assert.deepEqual(
      (await admin().call('GET', '/instance/connectionState/one', undefined, 'nobody')).body,
      unauthorized,
    )
    assert.deepEqual((await admin().call('GET', '/instance/connectionState/one', undefined, hash)).body, unauthorized)
    assert.deepEqual((await admin().call('POST', '/instance/create', { instanceName: 'x' }, hash)).body, unauthorized)
    assert.deepEqual((await admin().call('GET', '/nothing/here')).body, {
      status: 404,
      error: 'Not Found',
      response: { message: ['Cannot GET /nothing/here'] },
    })
    const bot = await admin().call<{ response: { message: string[] } }>('POST', '/typebot/create/one', {})
    assert.match(String(bot.body.response.message[0]), /POST \/webhook/)
  })

  it('takes a key of the caller once, and a name once', async () => {
    const token = 'a-key-of-my-own'
    assert.equal((await create({ instanceName: 'three', token })).body.hash, token)
    const sameName = await create({ instanceName: 'three' })
    assert.deepEqual(
      [sameName.status, sameName.body.response],
      [403, { message: ['This name "three" is already in use.'] }],
    )
    const sameToken = await create({ instanceName: 'four', token })
    assert.deepEqual([sameToken.status, sameToken.body.response], [403, { message: ['This token is already in use.'] }])
    const tooShort = await create({ instanceName: 'five', token: 'short' })
    assert.equal(tooShort.status, 400)
    assert.equal((await create({ instanceName: 'five', token: world.gateway.adminToken })).status, 403)
    const noName = await create({})
    assert.deepEqual(noName.body.response, { message: [['instance requires property "instanceName"']] })
    const other = await create({ instanceName: 'six', integration: 'WHATSAPP-BUSINESS' })
    assert.equal(other.status, 400)
  })

  it('reaches an instance of our own interface by its name if no other has it, and keeps the key that rotates', async () => {
    const mine = await world.instance('mine')
    const state = () => admin().call<{ instance: Json }>('GET', '/instance/connectionState/mine')
    assert.deepEqual((await state()).body.instance, { instanceName: 'mine', state: 'close' })
    assert.equal((await admin().call('GET', '/instance/connectionState/mine', undefined, mine.token)).status, 200)
    await world.instance('mine')
    assert.equal((await state()).status, 404)

    const { hash } = (await create({ instanceName: 'turning' })).body as { hash: string }
    const rotated = await world.gateway.call<{ token: string }>('POST', '/instance/token/rotate', {
      token: hash,
      body: {},
    })
    assert.equal(rotated.status, 200)
    const [entry] = (await admin().call<readonly Json[]>('GET', '/instance/fetchInstances?instanceName=turning')).body
    assert.equal(entry?.token, rotated.body.token)
  })

  it('is not there when it is not switched on', async () => {
    // The front page of the other tests is that of our own interface.
    const own = await world.gateway.call('GET', '/health')
    assert.equal(own.status, 200)
    const welcome = await world.gateway.call('GET', '/evolution/')
    assert.equal((welcome.body as Json).version, '2.3.7')
    assert.equal((await world.gateway.call('GET', '/evolutions')).status, 404)
  })
})
