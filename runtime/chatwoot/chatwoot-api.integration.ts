import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createOutgoing } from '../outgoing/client.js'
import { ChatwootApi } from './chatwoot-api.js'
import { ChatwootRefusal, type RefusalKind } from './refusal.js'

/** A server that answers every call so. */
async function apiAt(t: TestContext, answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  t.after(() => outgoing.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return new ChatwootApi(outgoing, { url, accountId: 1, token: 'token', owner: 'ana' })
}

const isKind = (kind: RefusalKind) => (error: unknown) => error instanceof ChatwootRefusal && error.kind === kind

describe('a call of something that is no Chatwoot', () => {
  const answers: Record<string, (body: string) => RequestListener> = {
    'a page': () => (_, response) => response.end('<html>It works!</html>'),
    'JSON that is null': () => (_, response) => response.end('null'),
    'JSON that is a text': () => (_, response) => response.end('"fine"'),
    'no id': () => (_, response) => response.end('{"payload":{"contact":{}}}'),
    'an id that is no number': () => (_, response) => response.end('{"id":"x","payload":[{"id":"1e400"}]}'),
    'a redirect': () => (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'an answer without an end': (body) => (_, response) => {
      response.on('error', () => {})
      const more = () => {
        while (!response.destroyed && response.write(body));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    },
  }
  for (const [what, answer] of Object.entries(answers))
    it(`counts as one that is away when it gets ${what}`, async (t) => {
      const api = await apiAt(t, answer(' '.repeat(65_536)))
      await assert.rejects(api.createMessage(1, { content: 'x', type: 'incoming' }), isKind('away'))
      await assert.rejects(api.createContact({ name: 'x' }), isKind('away'))
    })

  it('names the address to which it is redirected', async (t) => {
    const location = 'https://chatwoot.example/api/v1/profile'
    const api = await apiAt(t, (_, response) => response.writeHead(301, { location }).end())
    await assert.rejects(api.accounts(), /answered 301, which leads to https:\/\/chatwoot\.example: use the address/)
  })

  it('tells a list that is too large from one that is not there', async (t) => {
    const api = await apiAt(t, (_, response) => response.end(`[${' '.repeat(4_100_000)}]`))
    await assert.rejects(api.messages(1, 5), isKind('large'))
  })

  it('takes at most a thousand conversations from pages that do not end', async (t) => {
    const page = JSON.stringify(
      Array.from({ length: 25 }, (_, at) => ({ id: at + 1, last_activity_at: Math.ceil(Date.now() / 1_000) + 60 })),
    )
    const api = await apiAt(t, ({ url }, response) =>
      response.end(url?.includes('updated_within') === true ? `[${' '.repeat(4_100_000)}]` : page),
    )
    assert.equal((await api.activeConversations(1, 60)).length, 1_000)
  })
})
