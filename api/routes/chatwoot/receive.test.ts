import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import { startFakeNode } from '../../../test/support/fake-node.js'
import { defaultOptions } from '../../options.js'

/** Sends a head whose body does not come. Resolves with the first line of the answer. */
function sendHead(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n{`,
      ),
    )
    socket.setTimeout(20_000, () => socket.destroy(new Error('There was no answer.')))
    socket.once('data', (data) => {
      resolve(String(data).split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('the webhook of Chatwoot', () => {
  it('is refused by a wrong secret before its body is read', async (t) => {
    const node = await startFakeNode(
      t,
      {},
      {
        chatwoot: {
          show: async () => null,
          set: () => Promise.reject(new Error('It is not set here.')),
          async admit(_instance, secret) {
            if (secret !== 'secret') throw new GatewayError('CHATWOOT_WEBHOOK_REFUSED')
          },
          async receive() {},
        },
      },
    )
    const { port } = new URL(node.url)
    const { status } = await node.call('/chatwoot/webhook/r1/secret', { json: {} })
    assert.equal(status, 200)
    const refused = new GatewayError('CHATWOOT_WEBHOOK_REFUSED').status
    assert.match(await sendHead(Number(port), '/chatwoot/webhook/r1/wrong'), new RegExp(`^HTTP/1.1 ${refused} `))
  })

  it('counts against the limit of its instance', async (t) => {
    const limits = { ...defaultOptions.limits, perInstance: { points: 2, durationMs: 60_000 } }
    const node = await startFakeNode(t, { limits })
    const call = async (instance: string) =>
      (await node.call(`/chatwoot/webhook/${instance}/secret`, { json: {} })).status
    assert.deepEqual([await call('r1'), await call('r1'), await call('r1'), await call('r2')], [200, 200, 429, 200])
  })
})
