import assert from 'node:assert/strict'
import { it } from 'node:test'
import { request } from 'undici'
import { startFakeNode, token } from '../../test/support/fake-node.js'
import { hostileBodies } from '../../test/support/hostile-bodies.js'
import { slowness } from '../../test/support/main-thread-time.js'
import { defaultOptions } from '../options.js'

const MAX_MS = 20
/** A collection of garbage or a compilation is in some of them. */
const ROUNDS_MAX = 40

it('refuses each body at the limit for less than 20 ms of the event loop', async (t) => {
  const node = await startFakeNode(t)
  for (const { kind, path, json } of hostileBodies(defaultOptions.bodyBytesMax)) {
    const bytes = Buffer.from(json)
    assert.ok(bytes.length <= defaultOptions.bodyBytesMax, kind)
    const costs: number[] = []
    while (costs.length < ROUNDS_MAX && !costs.some((cost) => cost < MAX_MS)) {
      const times = costs.length === 0 ? 1 : slowness()
      const before = process.cpuUsage()
      const { statusCode, body } = await request(node.url + path, {
        method: 'POST',
        headers: { token, 'content-type': 'application/json' },
        body: bytes,
      })
      const answer = (await body.json()) as { code?: string }
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1000 / times)
      assert.equal(statusCode, 400, `${kind}: ${JSON.stringify(answer).slice(0, 200)}`)
      assert.ok(JSON.stringify(answer).length < 5_000, kind)
    }
    assert.ok(Math.min(...costs) < MAX_MS, `${kind}: ${costs.map((one) => one.toFixed(1)).join(', ')} ms`)
  }
  assert.deepEqual(node.commands, [])
})
