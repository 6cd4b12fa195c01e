import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FiguresReply } from '../../../schemas/generated.js'
import { asAdministrator, keys, startFakeNode } from '../../../test/support/fake-node.js'

const grafanaUrl = 'https://grafana.example/d/posthorn'

describe('the figures of the installation', () => {
  it('have the last hour of each node, and null for one that did not answer', async (t) => {
    const minute = { atMs: 60_000, lagMs: 12.5, memoryBytes: 200_000_000, commitMs: 3, waitingBytes: 4_000 }
    const stop = { ms: 1_250, kind: 'command', operation: 'send', feature: 'send', instance: 'r1' }
    const readings = {
      read: async () => [
        { nodeId: 'north-1', incarnation: 'a', minutes: [minute, { ...minute, stop }] },
        { nodeId: 'north-2', incarnation: 'b', minutes: null },
      ],
    }
    const { get } = asAdministrator(await startFakeNode(t, { grafanaUrl }, { readings }))
    const { nodes, grafanaUrl: shown } = (await get('/admin/figures')).body as unknown as FiguresReply
    assert.deepEqual(nodes, [
      {
        id: 'north-1',
        incarnation: 'a',
        minutes: [
          {
            at: '1970-01-01T00:01:00.000Z',
            lagSeconds: 0.0125,
            memoryBytes: 200_000_000,
            commitSeconds: 0.003,
            waitingBytes: 4_000,
            longestStop: null,
          },
          {
            at: '1970-01-01T00:01:00.000Z',
            lagSeconds: 0.0125,
            memoryBytes: 200_000_000,
            commitSeconds: 0.003,
            waitingBytes: 4_000,
            longestStop: { seconds: 1.25, kind: 'command', operation: 'send', feature: 'send', instance: 'r1' },
          },
        ],
      },
      { id: 'north-2', incarnation: 'b', minutes: null },
    ])
    assert.equal(shown, grafanaUrl)
  })

  it('have no address of Grafana unless one is configured', async (t) => {
    const { get } = asAdministrator(await startFakeNode(t))
    assert.equal(((await get('/admin/figures')).body as unknown as FiguresReply).grafanaUrl, null)
  })

  it('say for how many days messages are kept', async (t) => {
    const { get } = asAdministrator(await startFakeNode(t, { retentionDays: 14 }))
    assert.equal(((await get('/admin/figures')).body as unknown as FiguresReply).retentionDays, 14)
  })

  it('are shown to administrators only', async (t) => {
    const node = await startFakeNode(t, { grafanaUrl })
    for (const headers of [{}, ...Object.keys(keys).map((token) => ({ token }))]) {
      const { status, body } = await node.call('/admin/figures', { headers })
      assert.equal(status, 401)
      assert.doesNotMatch(JSON.stringify(body), /grafana/)
    }
    assert.deepEqual(node.touched, [])
  })
})
