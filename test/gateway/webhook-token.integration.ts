import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gatewaySuite } from '../support/gateway-suite.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>
const BEN = '15550499002'

const text = (to: string) => ({ to, text: 'hello' })

describe('a webhook with includeToken', () => {
  const {
    world,
    account: ana,
    receiver,
    cleanup,
  } = gatewaySuite({
    env: { WEBHOOK_TOKEN: 'true' },
    phones: { [BEN]: 'Ben' },
    account: ['15550499001', 'Ana'],
    events: ['messages'],
  })
  const set = (body: Json) => ana.call<Json>('POST', '/webhook', body)
  const events = () => receiver.of('messages').map(({ body }) => body)

  it('carries the token of the instance in each event, and no list of deliveries has it', async () => {
    const received = async () => {
      const { id } = await world.network<{ id: string }>('POST', `/phones/${BEN}/text`, text(ana.number))
      await receiver.message(id)
      return events().find(({ message }) => (message as Json).messageid === id)
    }
    assert.equal((await received())?.token, undefined)
    const answer = await set({ includeToken: true })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal((answer.body as unknown as Json[])[0]?.includeToken, true)
    assert.equal((await received())?.token, ana.token)
    const deliveries = await ana.call<Json>('GET', '/webhook/deliveries')
    assert.ok(!JSON.stringify(deliveries.body).includes(ana.token))
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    const { rows } = await database.query<{ sealed: Buffer }>('SELECT sealed FROM instance_token_copy')
    assert.ok(rows.length > 0 && rows.every(({ sealed }) => !sealed.includes(ana.token)))
  })

  it('needs a token of which there is a copy: an older one is rotated first', async () => {
    const made = await world.gateway.call<{ token: string }>('POST', '/instance/init', {
      admin: true,
      body: { name: 'Zoe' },
    })
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    await database.query('DELETE FROM instance_token_copy')
    const hook = { url: receiver.url, events: ['messages'], includeToken: true }
    const asked = (token: string) => world.gateway.call<Json>('POST', '/webhook', { token, body: hook })
    const refused = await asked(made.body.token)
    assert.deepEqual([refused.status, refused.body.code], [409, 'TOKEN_NOT_KEPT'])
    assert.match(String(refused.body.error), /rotate the token first/)
    const { token } = made.body
    const rotated = await world.gateway.call<{ token: string }>('POST', '/instance/token/rotate', { token, body: {} })
    assert.equal((await asked(rotated.body.token)).status, 200)
  })
})

describe('a webhook with includeToken, where the operator does not want it', () => {
  const { account: ana, receiver } = gatewaySuite({ account: ['15550499101', 'Ana'], events: ['messages'] })

  it('is refused with the setting that it needs', async () => {
    const { status, body } = await ana.call<Json>('POST', '/webhook', { url: receiver.url, includeToken: true })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /includeToken.*WEBHOOK_TOKEN=true/)
    assert.equal((await ana.call<Json[]>('GET', '/webhook')).body[0]?.includeToken, false)
  })
})
