import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  adminPassToken,
  adminToken,
  type FakeNode,
  passToken,
  startFakeNode,
  token,
} from '../../test/support/fake-node.js'
import type { McpOptions } from '../options.js'

const NO_LIMIT = { points: 0, durationMs: 60_000 }
const mcp: McpOptions = { confirmationKey: Buffer.alloc(32), limits: { perKey: NO_LIMIT, strangersPerKey: NO_LIMIT } }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const accept = 'application/json, text/event-stream'

async function connectClient({ url }: FakeNode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { token } } }),
  )
  return client
}

/** Calls a tool, and returns the code of the failure, or `done`. */
async function outcome(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  return isError === true ? (JSON.parse(first?.text ?? '{}') as { code: string }).code : 'done'
}

describe('the door for agents', () => {
  it('is closed unless it is enabled', async (t) => {
    const node = await startFakeNode(t)
    assert.equal((await node.call('/mcp', { json: LIST })).status, 404)
  })

  it('refuses pages of origins that are not allowed, before it looks at the token', async (t) => {
    const node = await startFakeNode(t, { mcp, corsOrigins: ['https://app.example'] })
    const from = (origin: string) => node.call('/mcp', { json: LIST, headers: { origin, accept } })
    const refused = await from('https://evil.example')
    assert.deepEqual([refused.status, refused.body.code, node.lookups.count], [403, 'ORIGIN_NOT_ALLOWED', 0])
    const allowed = await fetch(`${node.url}/mcp`, {
      method: 'POST',
      headers: { token, accept, origin: 'https://app.example', 'content-type': 'application/json' },
      body: JSON.stringify(LIST),
    })
    assert.equal(allowed.status, 200)
  })

  it('opens for tokens and keys of an instance only', async (t) => {
    const node = await startFakeNode(t, { mcp })
    const tried = async (headers: Record<string, string>) => {
      const { status, body } = await node.call('/mcp', { json: LIST, headers: { token: '', accept, ...headers } })
      return `${status} ${body.code}`
    }
    assert.deepEqual(
      await Promise.all([
        tried({}),
        tried({ token: 'wrong' }),
        tried({ token: adminToken }),
        tried({ admintoken: adminToken }),
        tried({ authorization: `Bearer ${adminToken}` }),
        tried({ token: adminPassToken }),
        tried({ token: passToken }),
      ]),
      [...Array<string>(6).fill('401 INVALID_TOKEN'), '403 PASS_NOT_ENOUGH'],
    )
  })

  it('takes no other method, and no body that is not JSON', async (t) => {
    const node = await startFakeNode(t, { mcp })
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers, body } = await node.call('/mcp', { method })
      assert.deepEqual([status, headers.get('allow'), body.code], [405, 'POST', 'METHOD_NOT_ALLOWED'])
    }
    const { status, body } = await node.call('/mcp', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([status, body.code], [400, 'MALFORMED_JSON'])
  })

  it('limits the calls of each key, and counts what it refuses', async (t) => {
    const refused: string[] = []
    const used: string[] = []
    const limits = { ...mcp.limits, perKey: { points: 2, durationMs: 60_000 } }
    const node = await startFakeNode(t, {
      mcp: { ...mcp, limits, observe: (tool, how) => void used.push(`${tool} ${how}`) },
      refused: (limit) => void refused.push(limit),
    })
    const client = await connectClient(node)
    const outcomes = []
    for (let call = 0; call < 3; call += 1) outcomes.push(await outcome(client, 'account_status'))
    assert.deepEqual(outcomes, ['done', 'done', 'RATE_LIMITED'])
    assert.deepEqual(refused, ['mcp_calls'])
    assert.deepEqual(used, ['account_status done', 'account_status done', 'account_status refused'])
  })

  it('limits the strangers to whom each key writes', async (t) => {
    const limits = { ...mcp.limits, strangersPerKey: { points: 1, durationMs: 3_600_000 } }
    const node = await startFakeNode(t, { mcp: { ...mcp, limits } })
    const client = await connectClient(node)
    const write = async (to: string) => {
      const args = { to, text: 'Hello' }
      const asked = await client.callTool({ name: 'send_message', arguments: args })
      const [first] = asked.content as { text: string }[]
      const { code, confirm } = JSON.parse(first?.text ?? '{}') as { code: string; confirm: string }
      assert.equal(code, 'CONFIRMATION_NEEDED')
      return await outcome(client, 'send_message', { ...args, confirm })
    }
    assert.deepEqual([await write('15550000001'), await write('15550000002')], ['done', 'RATE_LIMITED'])
    assert.equal(node.commands.filter(({ type }) => type === 'send').length, 1)
  })

  it('keeps no connection open', async (t) => {
    const node = await startFakeNode(t, { mcp })
    const client = await connectClient(node)
    await assert.rejects(client.listen({ toolsListChanged: true }, { timeout: 2_000 }))
  })
})
