import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startFakeNode, token } from '../test/support/fake-node.js'
import { createOwnerSlots } from './owner-slots.js'

/** Work that ends when a test says so. */
function gate() {
  const open: (() => void)[] = []
  return { open, work: () => new Promise<void>((done) => open.push(done)) }
}

describe('what a node does for one instance at once', () => {
  it('waits in turn, is refused beyond that, and keeps no other instance waiting', async () => {
    const slots = createOwnerSlots({ max: 2, waitingMax: 1, what: 'searches' })
    const { open, work } = gate()
    const mine = [slots.run('one', work), slots.run('one', work), slots.run('one', work)]
    await assert.rejects(slots.run('one', work), {
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      message: /too many searches under way on this node: 2 at once, 1 waiting/,
    })
    assert.equal(await slots.run('other', async () => 'done'), 'done')
    assert.equal(open.length, 2)
    open[0]?.()
    await mine[0]
    await new Promise(setImmediate)
    assert.equal(open.length, 3)
    for (const end of open) end()
    await Promise.all(mine)
    await assert.rejects(
      slots.run('one', async () => {
        throw new Error('fails')
      }),
      /fails/,
    )
    assert.equal(await slots.run('one', async () => 'again'), 'again')
  })

  it('is bounded for searches and for calls with files: 429 with Retry-After, and nothing is done', async (t) => {
    const { open, work } = gate()
    const find = async () => {
      await work()
      return { messages: [], hasMore: false }
    }
    const node = await startFakeNode(
      t,
      { searchesPerInstanceMax: 1, uploadsPerInstanceMax: 1 },
      { messages: { find, isKnownKey: async () => false } },
    )
    const search = () => node.call('/message/find', { json: {} })
    const under = Array.from({ length: 17 }, search)
    const over = await Promise.race([...under, search(), search()])
    assert.deepEqual([over.status, over.body.code], [429, 'RATE_LIMITED'])
    assert.equal(over.headers.get('retry-after'), '1')

    // A body that does not end holds the place of its call.
    const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"number":"')) })
    const abort = new AbortController()
    const held = fetch(`${node.url}/send/menu`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body,
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit).catch(() => {})
    for (;;) {
      const { status } = await node.call('/send/menu', { json: {} })
      if (status === 429) break
      assert.equal(status, 400)
    }
    abort.abort()
    await held
    const end = setInterval(() => {
      for (const one of open.splice(0)) one()
    }, 5)
    t.after(() => clearInterval(end))
    assert.ok((await Promise.all(under)).some(({ status }) => status === 200))
    for (;;) if ((await node.call('/send/menu', { json: {} })).status === 400) break
    assert.deepEqual(node.commands, [])
  })
})
