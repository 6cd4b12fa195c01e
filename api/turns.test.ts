import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import type { Limit } from '../schemas/errors.js'
import { eventually } from '../test/support/eventually.js'
import { adminToken, NO_MESSAGES, startFakeNode, token } from '../test/support/fake-node.js'
import type { ApiPorts } from './ports.js'

const NONE = { points: 0, durationMs: 1_000 }

/** Work that ends when a test says so. */
function gate() {
  const open: (() => void)[] = []
  return { open, work: () => new Promise<void>((done) => open.push(done)) }
}

describe('the concurrent work of a node for one instance', () => {
  it('is bounded for searches and for calls with files: 429 with Retry-After, and nothing is done', async (t) => {
    const { open, work } = gate()
    const refused: Limit[] = []
    const find = async () => {
      await work()
      return { messages: [], hasMore: false, older: null, newer: null }
    }
    const node = await startFakeNode(
      t,
      { searchesPerInstanceMax: 1, uploadsPerInstanceMax: 1, refused: (limit) => refused.push(limit) },
      { messages: { ...NO_MESSAGES, find } },
    )
    const search = () => node.call('/message/find', { json: {} })
    const under = Array.from({ length: 17 }, search)
    const over = await Promise.race([...under, search(), search()])
    assert.deepEqual([over.status, over.body.code], [429, 'RATE_LIMITED'])
    assert.equal(over.headers.get('retry-after'), '1')
    assert.deepEqual([...new Set(refused)], ['searches'])

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
    assert.ok(refused.includes('uploads'))
  })

  it('is bounded for lists that grow with the instance, until the whole list is sent', async (t) => {
    const { open, work } = gate()
    const contacts = {
      async page() {
        return { contacts: [], total: 0, inBook: 0 }
      },
      async *all() {
        yield []
        await work()
      },
      mapping: async () => null,
      lids: async () => ({ people: [], hasMore: false }),
    }
    const refused: Limit[] = []
    const node = await startFakeNode(
      t,
      { searchesPerInstanceMax: 1, refused: (limit) => refused.push(limit) },
      { contacts },
    )
    const first = await fetch(`${node.url}/contacts`, { headers: { token } })
    assert.equal(first.status, 200)
    // Its list is not at its end: whatever else is asked waits, sixteen calls at most.
    const asked = ['/contacts/list', '/group/list', '/contacts/list', '/group/list']
    const calls = Array.from({ length: 18 }, (_, index) => node.call(asked[index % 4] ?? '', { json: {} }))
    const over = await Promise.race(calls)
    assert.deepEqual([over.status, over.body.code], [429, 'RATE_LIMITED'])
    assert.match(String(over.body.error), /too many searches and lists under way on this node: 1 at once, 16 waiting/)
    while (refused.length < 2) await new Promise(setImmediate)
    assert.ok(!node.touched.includes('contacts.page') && !node.touched.includes('groups.page'))
    open[0]?.()
    assert.deepEqual(await first.json(), [])
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [...Array.from({ length: 16 }, () => 200), 429, 429],
    )
    assert.deepEqual(refused, ['searches', 'searches'])
  })
})

/** Sends a request up to its body, asks first, and notes what comes back. */
function asking(port: number, path: string, headers: Record<string, string>, bytes: number) {
  const lines = Object.entries({ ...headers, 'content-length': String(bytes), expect: '100-continue' })
  const socket = connect(port, '127.0.0.1')
  const said = { text: '' }
  socket.setEncoding('utf8').on('data', (text: string) => {
    said.text += text
  })
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  return { socket, said, isInvited: () => said.text.includes('100 Continue') }
}

describe('the body of a call', () => {
  it('is not read before the turn of its instance comes: of a call, over MCP, and of a webhook of Chatwoot', async (t) => {
    const { open, work } = gate()
    const asked: string[] = []
    const node = await startFakeNode(
      t,
      {
        fairTurn(instance) {
          asked.push(instance)
          return work()
        },
        mcp: { confirmationKey: Buffer.alloc(32), limits: { perKey: NONE, strangersPerKey: NONE } },
      },
      {
        chatwoot: {
          async admit() {},
          async receive() {},
        } as unknown as ApiPorts['chatwoot'],
      },
    )
    const paths = ['/send/text', '/mcp', '/chatwoot/webhook/r1/secret']
    const calls = paths.map((path) => asking(node.port, path, { token, 'content-type': 'application/json' }, 2))
    t.after(() => calls.forEach(({ socket }) => void socket.destroy()))
    await eventually(() => asked.length === 3)
    // A call of no instance waits for none.
    assert.equal((await node.call('/health')).status, 200)
    assert.deepEqual(
      calls.map(({ isInvited }) => isInvited()),
      [false, false, false],
    )
    for (const go of open) go()
    await eventually(() => calls.every(({ isInvited }) => isInvited()))
  })

  it('waits, unread, while sixteen large ones of its instance are on their way; a small one and those of others do not', async (t) => {
    const node = await startFakeNode(t)
    const headers = { token, 'content-type': 'application/json' }
    const large = Array.from({ length: 20 }, () => asking(node.port, '/send/text', headers, 1_000_000))
    t.after(() => large.forEach(({ socket }) => void socket.destroy()))
    const invited = () => large.filter(({ isInvited }) => isInvited())
    await eventually(() => invited().length >= 16)
    assert.equal((await node.call('/send/text', { json: {} })).status, 400)
    const admin = asking(node.port, '/instance/create', { admintoken: adminToken }, 1_000_000)
    await eventually(() => admin.isInvited())
    admin.socket.destroy()
    assert.equal(invited().length, 16)
    invited()[0]?.socket.destroy()
    await eventually(() => invited().length === 17)
  })
})
