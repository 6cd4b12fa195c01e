import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestsReply } from '../../schemas/generated.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

describe('the log of calls', () => {
  const { world, account: ana } = gatewaySuite({ account: ['15551420001', 'Ana'], phones: { '15551420002': 'Ben' } })
  const list = async (query = '') => (await ana.call<RequestsReply>('GET', `/instance/requests${query}`)).body

  it('says who called which operation, how it ended and how long it took', async () => {
    const made = await ana.call<{ key: { id: string }; token: string }>('POST', '/instance/keys', {
      name: 'crm',
      scopes: ['send'],
    })
    const send = (body: Json) =>
      world.gateway.call<Json>('POST', '/send/text', {
        token: made.body.token,
        body,
        headers: { 'user-agent': 'crm/2' },
      })
    assert.equal((await send({ number: '15551420002', text: 'hello' })).status, 200)
    assert.equal((await send({ number: '15551420002' })).status, 400)
    const { requests } = await eventually(
      () => list(`?key=${made.body.key.id}`),
      ({ requests: found }) => found.length === 2,
    )
    assert.deepEqual(
      requests.map(({ operation, by, key, client, status, code, dashboard }) => ({
        ...{ operation, by, key, client, status, code, dashboard },
      })),
      [400, 200].map((status) => ({
        ...{ operation: 'sendText', by: 'key', key: made.body.key.id, client: 'crm/2', status },
        ...{ code: status === 400 ? 'INVALID_REQUEST' : null, dashboard: false },
      })),
    )
    assert.ok(requests.every(({ ms, requestId }) => ms >= 0 && ms < 60_000 && requestId !== ''))
    assert.deepEqual((await list('?failed=true')).requests.length, 1)
  })

  it('leaves out what the dashboard reads, unless it is asked for', async () => {
    const opened = await ana.call<{ token: string }>('POST', '/pass', {})
    const asDashboard = (method: string, path: string, body?: Json) =>
      world.gateway.call<Json>(method, path, { token: opened.body.token, ...(body === undefined ? {} : { body }) })
    await asDashboard('GET', '/instance/status')
    await asDashboard('POST', '/instance/updateInstanceName', { name: 'shop' })
    const shown = await eventually(
      () => list(),
      ({ requests }) => requests.some(({ operation }) => operation === 'updateInstanceName'),
    )
    assert.ok(shown.requests.every(({ dashboard, operation }) => !dashboard || operation === 'updateInstanceName'))
    const all = await list('?dashboard=true&operation=showStatus')
    assert.ok(all.requests.some(({ dashboard }) => dashboard))
  })
})
