import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallContext } from '../schemas/call-context.js'
import { startFakeNode } from '../test/support/fake-node.js'

describe('the trace of a call', () => {
  it('goes with its commands, and names the lines of the log', async (t) => {
    const contexts: (CallContext | undefined)[] = []
    const node = await startFakeNode(
      t,
      {},
      {
        router: {
          ask(_instance, _command, context) {
            contexts.push(context)
            return Promise.reject(new Error('the instance fails'))
          },
        },
      },
    )
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await node.call('/instance/status', { headers: { traceparent, 'x-request-id': 'mine' } })
    await node.call('/instance/status')
    const [given, own] = contexts
    assert.equal(given?.requestId, 'mine')
    assert.match(given.traceparent, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.match(own?.traceparent ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    const lines = node.log.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.ok(lines.some((line) => line.requestId === 'mine' && line.traceId === '0af7651916cd43dd8448eb211c80319c'))
    assert.ok(lines.some((line) => line.traceId === own?.traceparent.slice(3, 35)))
  })
})
