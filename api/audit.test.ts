import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { GatewayError } from '../schemas/errors.js'
import type { AuditedCall } from '../schemas/ports/requests.js'
import { adminPassToken, adminToken, passToken, startFakeNode, token } from '../test/support/fake-node.js'
import { isAudited } from './audit.js'
import type { Route } from './route.js'
import { routes } from './routes.js'

interface Written {
  readonly call: AuditedCall
  status: number | null
  code: string
}

/** A node whose log is in memory. */
async function start(t: TestContext, begin: () => void = () => {}) {
  const written: Written[] = []
  const node = await startFakeNode(
    t,
    {},
    {
      audit: {
        async begin(call, outcome) {
          begin()
          return written.push({ call, status: null, code: '', ...outcome })
        },
        async end(position, outcome, { subject, pass }) {
          const row = written[position - 1]
          if (row === undefined) throw new Error('It was not begun.')
          Object.assign(row, outcome, {
            call: { ...row.call, subject: subject || row.call.subject, pass: pass || row.call.pass },
          })
        },
        find: async () => ({ entries: [], hasMore: false }),
      },
    },
  )
  return { node, written }
}

const admin = { admintoken: adminToken }

describe('the audit log', () => {
  it('has what administrators change, and what changes who may use an instance or whether it runs', () => {
    const names = (list: readonly Route[]) => list.map(({ name }) => name).sort()
    // A search is a POST that changes nothing.
    const changes = routes.filter(({ auth, method, reads }) => auth === 'admin' && method !== 'GET' && reads !== true)
    assert.deepEqual(names(changes.filter((route) => !isAudited(route))), [])
    assert.deepEqual(names(routes.filter(({ auth, reads }) => auth === 'admin' && reads === true)), ['findInstances'])
    // Written out: nothing shall drop out of it because a route was declared so.
    assert.deepEqual(
      names(routes.filter((route) => route.auth !== 'admin' && isAudited(route))),
      [
        ...['openPass', 'openPassCode', 'openPairingLink', 'endPass', 'endListedPass'],
        ...['createKey', 'deleteKey', 'rotateToken', 'answerPasskey', 'confirmPasskey'],
        ...[
          'connectInstance',
          'disconnectInstance',
          'startInstance',
          'stopInstance',
          'resetInstance',
          'deleteInstance',
        ],
        ...['setProxy', 'removeProxy', 'setPresence', 'setPrivacy', 'setWebhook', 'replayWebhook'],
        ...['setCallSettings', 'updateReadingSettings', 'updateChatbotSettings', 'updateDelaySettings'],
      ].sort(),
    )
  })

  it('records the caller, the operation, the address, the instance and the outcome', async (t) => {
    const { node, written } = await start(t)
    await node.call('/instance/init', { json: { name: 'one' }, headers: admin })
    await node.call('/admin/nodes/gone/drain', { method: 'POST', headers: admin })
    await node.call('/instance/token/rotate', { json: { graceSeconds: -1 } })
    await node.call('/instance/keys/k1', { method: 'DELETE', headers: { token: 'key-that-reads' } })
    const lines = written.map(({ call: { actorKind, actor, operation, subject, address }, status, code }) =>
      [actorKind, actor, operation, subject, address, status, code].join(' '),
    )
    assert.deepEqual(lines, [
      'admin ADMIN_TOKEN initInstance i00000000000001 127.0.0.1 200 ',
      'admin ADMIN_TOKEN drainNode gone 127.0.0.1 404 NODE_NOT_FOUND',
      `token ${written[2]?.call.actor} rotateToken i00000000000001 127.0.0.1 400 INVALID_REQUEST`,
      'key k1 deleteKey i00000000000001 127.0.0.1 403 KEY_NOT_ENOUGH',
    ])
    assert.match(written[2]?.call.actor ?? '', /^[0-9a-f]{12}$/)
    for (const secret of [token, adminToken]) assert.ok(!JSON.stringify(written).includes(secret))
  })

  it("has each change by an administrator's pass of an instance, and its first read of each kind", async (t) => {
    const { node, written } = await start(t)
    const headers = { token: passToken }
    for (let times = 0; times < 2; times += 1) {
      await node.call('/message/find', { json: {}, headers })
      await node.call('/send/text', { json: { number: '5511999990002', text: 'x' }, headers })
    }
    const refused = await node.call('/admin/token/rotate', { json: {}, headers: { admintoken: adminPassToken } })
    assert.equal(refused.body.code, 'PASS_NOT_ENOUGH')
    assert.deepEqual(
      written.map(({ call: { actorKind, actor, operation, pass }, status }) =>
        [actorKind, actor, operation, pass, status].join(' '),
      ),
      [
        'admin ADMIN_TOKEN findMessages 0a1b2c3d4e5f 200',
        'admin ADMIN_TOKEN sendText 0a1b2c3d4e5f 200',
        'admin ADMIN_TOKEN sendText 0a1b2c3d4e5f 200',
        'admin ADMIN_TOKEN rotateAdminToken 0a1b2c3d4e5f 403',
      ],
    )
    assert.ok(!JSON.stringify(written).includes(passToken))
  })

  it('is written before anything is done: what cannot be written down is not done', async (t) => {
    const { node } = await start(t, () => {
      throw new GatewayError('STORE_UNAVAILABLE')
    })
    node.touched.length = 0
    const answer = await node.call('/instance/init', { json: { name: 'one' }, headers: admin })
    assert.deepEqual([answer.status, answer.body.code], [503, 'STORE_UNAVAILABLE'])
    assert.equal((await node.call('/instance', { method: 'DELETE' })).status, 503)
    assert.deepEqual([node.touched, node.commands], [[], []])
  })

  it('has calls with a wrong token too, but not each of who guesses', async (t) => {
    const { node, written } = await start(t)
    for (let guess = 0; guess < 5; guess += 1)
      await node.call('/instance/init', { json: { name: 'one' }, headers: { admintoken: `guess-${guess}` } })
    assert.deepEqual(
      written.map(({ call, status, code }) => [call.actorKind, call.operation, status, code]),
      [['unknown', 'initInstance', 401, 'INVALID_ADMIN_TOKEN']],
    )
  })
})
