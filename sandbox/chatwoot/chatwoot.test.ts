import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { lastingPort } from '../../test/support/port.js'
import { type ChatwootOptions, type FakeChatwoot, startChatwoot } from './index.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of many shapes.
type Json = Record<string, any>

const undo: (() => unknown)[] = []
after(async () => {
  for (const work of undo.reverse()) await work()
})

async function platform(options: ChatwootOptions = {}): Promise<FakeChatwoot> {
  const fake = await startChatwoot({ port: await lastingPort(), ...options })
  undo.push(() => fake.close())
  return fake
}

async function call(
  fake: FakeChatwoot,
  method: string,
  path: string,
  body?: object,
  token = fake.tokens.administrator,
): Promise<{ status: number; body: Json }> {
  const place = path.startsWith('/public') || path.startsWith('/api') ? path : `/api/v1/accounts/1${path}`
  const isForm = body instanceof FormData
  const response = await fetch(fake.url + place, {
    method,
    headers: { api_access_token: token, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text } }
}

/** Creates a contact and its conversation; returns the number of the conversation. */
async function conversation(fake: FakeChatwoot, phone: string): Promise<number> {
  const made = await call(fake, 'POST', '/contacts', { inbox_id: 1, source_id: `s${phone}`, phone_number: phone })
  const contact_id = made.body.payload.contact.id
  const { body } = await call(fake, 'POST', '/conversations', { inbox_id: 1, contact_id, source_id: `s${phone}` })
  return body.id as number
}

async function receiver(answer: (body: Json) => number | undefined) {
  const received: { body: Json; raw: string; headers: Record<string, unknown> }[] = []
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const part of request) raw += String(part)
    received.push({ body: JSON.parse(raw), raw, headers: request.headers })
    const status = answer(JSON.parse(raw))
    if (status !== undefined) response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

describe('access to the fake platform', () => {
  it('refuses wrong tokens, foreign accounts, agents without membership and bots that search', async () => {
    const fake = await platform()
    const { agent, outsider, bot } = fake.tokens
    const wrong = await call(fake, 'GET', '/inboxes/1', undefined, 'wrong')
    assert.deepEqual([wrong.status, wrong.body], [401, { error: 'Invalid Access Token' }])
    assert.equal((await call(fake, 'GET', '/api/v1/accounts/2/inboxes/1')).status, 401)
    assert.equal((await call(fake, 'GET', '/api/v1/accounts/77/inboxes/1')).status, 404)
    assert.equal((await call(fake, 'GET', '/inboxes/1', undefined, outsider)).status, 401)
    assert.equal((await call(fake, 'GET', '/inboxes/9')).status, 404)
    assert.equal((await call(fake, 'GET', '/contacts/search?q=x', undefined, bot)).status, 401)
    assert.equal((await call(fake, 'PATCH', '/inboxes/1', { channel: { webhook_url: 'http://x' } }, agent)).status, 401)
    assert.equal((await call(fake, 'GET', '/inboxes/1', undefined, agent)).body.secret, undefined)
    assert.equal((await call(fake, 'GET', '/inboxes/1')).body.secret, fake.inbox.secret)
    const long = { channel: { webhook_url: `http://x/${'a'.repeat(2048)}` } }
    assert.equal((await call(fake, 'PATCH', '/inboxes/1', long)).status, 422)
    const { body } = await call(fake, 'GET', '/api/v1/profile', undefined, agent)
    assert.deepEqual(body.accounts[0], { id: 1, name: 'Sandbox', role: 'agent', status: 'active' })
  })

  it('tells the secret of an inbox from 4.13.0 on', async () => {
    const old = await platform({ version: '4.12.1' })
    assert.equal((await call(old, 'GET', '/inboxes/1')).body.secret, undefined)
    assert.equal((await call(old, 'GET', '/api')).body.version, '4.12.1')
  })
})

describe('contacts of the fake platform', () => {
  it('refuse wrong and taken fields with the words of the platform', async () => {
    const fake = await platform()
    await call(fake, 'POST', '/contacts', {
      phone_number: '+5511999998888',
      identifier: 'a',
      inbox_id: 1,
      source_id: 's',
    })
    for (const [fields, message] of [
      [{ phone_number: '5511999998888' }, 'Phone number should be in e164 format'],
      [{ phone_number: '+5511999998888' }, 'Phone number has already been taken'],
      [{ identifier: 'a' }, 'Identifier has already been taken'],
    ] as const) {
      const { status, body } = await call(fake, 'POST', '/contacts', fields)
      assert.deepEqual([status, body.message], [422, message])
    }
    const taken = await call(fake, 'POST', '/contacts', { name: 'B', inbox_id: 1, source_id: 's' })
    assert.deepEqual([taken.status, taken.body.error], [422, 'source_id should be unique'])
    assert.equal(fake.contacts().length, 1)
    const other = await call(fake, 'POST', '/contacts', { name: 'B' })
    const contact_id = other.body.payload.contact.id
    for (const [path, status] of [
      ['/conversations', 422],
      [`/contacts/${contact_id}/contact_inboxes`, 500],
    ] as const)
      assert.equal((await call(fake, 'POST', path, { inbox_id: 1, contact_id, source_id: 's' })).status, status, path)
  })

  it('are found by a number without + only, and by parts of a text in pages of 15', async () => {
    const fake = await platform()
    for (let n = 10; n < 30; n += 1)
      await call(fake, 'POST', '/contacts', { name: `P${n}`, phone_number: `+551199999${n}` })
    const by = (value: string) => ({
      payload: [{ attribute_key: 'phone_number', filter_operator: 'equal_to', values: [value], query_operator: null }],
    })
    assert.equal((await call(fake, 'POST', '/contacts/filter', by('55119999911'))).body.payload.length, 1)
    assert.equal((await call(fake, 'POST', '/contacts/filter', by('+55119999911'))).body.payload.length, 0)
    assert.match(fake.mistakes().join(), /phone number with \+/)
    const { body } = await call(fake, 'GET', '/contacts/search?q=p')
    assert.deepEqual([body.payload.length, body.meta.count], [15, 20])
    const badly = {
      payload: [{ attribute_key: 'x', filter_operator: 'equal_to', values: ['1'], query_operator: null }],
    }
    assert.equal((await call(fake, 'POST', '/contacts/filter', badly)).status, 422)
  })

  it('limit searches to 100 a minute', async () => {
    const fake = await platform({ contactSearchesPerMinute: 1 })
    assert.equal((await call(fake, 'GET', '/contacts/search?q=p')).status, 200)
    assert.equal((await call(fake, 'GET', '/contacts/search?q=p')).status, 429)
  })

  it('are found or made once by the public call, and merged into one', async () => {
    const fake = await platform()
    const path = `/public/api/v1/inboxes/${fake.inbox.identifier}/contacts`
    const first = await call(fake, 'POST', path, { source_id: 'posthorn:1', name: 'Carla' })
    const again = await call(fake, 'POST', path, { source_id: 'posthorn:1', name: 'Other' })
    assert.equal(first.body.id, again.body.id)
    const other = await call(fake, 'POST', '/contacts', { phone_number: '+5511999998888' })
    const base_contact_id = other.body.payload.contact.id
    await call(fake, 'POST', '/actions/contact_merge', { base_contact_id, mergee_contact_id: first.body.id })
    assert.deepEqual(
      fake.contacts().map(({ id, name }) => [id, name]),
      [[base_contact_id, 'Carla']],
    )
    assert.equal((await call(fake, 'POST', path, { source_id: 'posthorn:1' })).body.id, base_contact_id)
  })
})

describe('conversations and messages of the fake platform', () => {
  it('make a second contact_inbox for a conversation without source_id', async () => {
    const fake = await platform()
    await conversation(fake, '+5511999998888')
    await call(fake, 'POST', '/conversations', { inbox_id: 1, contact_id: 1 })
    const { body } = await call(fake, 'GET', '/contacts/1')
    assert.equal(body.payload.contact_inboxes.length, 2)
    assert.match(fake.mistakes().join(), /without source_id/)
  })

  it('are created again by each repeated call, and refused after 200 a minute', async () => {
    let now = 1_000_000
    const fake = await platform({ messagesPerMinute: 2, now: () => now })
    const id = await conversation(fake, '+5511999998888')
    const message = { content: 'Oi', message_type: 'incoming', source_id: 'WAID:1' }
    for (const status of [200, 200, 422])
      assert.equal((await call(fake, 'POST', `/conversations/${id}/messages`, message)).status, status)
    now += 60_000
    assert.equal((await call(fake, 'POST', `/conversations/${id}/messages`, message)).status, 200)
    assert.equal(fake.messages(id).filter(({ sourceId }) => sourceId === 'WAID:1').length, 3)
  })

  it('are refused when they are incoming in another inbox, too long, or of another type', async () => {
    const fake = await platform()
    const id = await conversation(fake, '+5511999998888')
    const post = (body: object) => call(fake, 'POST', `/conversations/${id}/messages`, body)
    assert.equal((await post({ content: 'a'.repeat(150_001) })).status, 422)
    assert.equal((await post({ content: 'a', message_type: 'activity' })).status, 422)
    assert.equal((await call(fake, 'POST', '/conversations/99/messages', { content: 'a' })).status, 404)
    const site = await call(fake, 'POST', '/conversations', { inbox_id: 2, contact_id: 1, source_id: 'web' })
    const refused = await call(fake, 'POST', `/conversations/${site.body.id}/messages`, {
      content: 'a',
      message_type: 'incoming',
    })
    assert.equal(refused.body.error, 'Incoming messages are only allowed in Api inboxes')
    const own = await call(fake, 'POST', `/conversations/${site.body.id}/messages`, { content: 'a' })
    const patched = await call(fake, 'PATCH', `/conversations/${site.body.id}/messages/${own.body.id}`, {
      status: 'read',
    })
    assert.equal(patched.status, 403)
    await post({ content: 'a', colour: 'red' })
    assert.match(fake.mistakes().join(), /unknown parameter colour/)
  })

  it('keep the attributes of their era', async () => {
    for (const [version, kept] of [
      ['4.3.0', { external_created_at: '5' }],
      ['4.15.0', { external_echo: true, external_created_at: 5 }],
    ] as const) {
      const fake = await platform({ version })
      const id = await conversation(fake, '+5511999998888')
      const first = await call(fake, 'POST', `/conversations/${id}/messages`, { content: 'a' })
      const { body } = await call(fake, 'POST', `/conversations/${id}/messages`, {
        content: 'b',
        external_created_at: 5,
        content_attributes: { in_reply_to: first.body.id, external_echo: true, external_created_at: 5 },
      })
      const { in_reply_to, in_reply_to_external_id, ...others } = body.content_attributes
      assert.equal(in_reply_to, first.body.id, version)
      assert.equal(in_reply_to_external_id, null)
      assert.deepEqual(others, kept, version)
    }
  })

  it('go from read to sent, but not to delivered, and lose their content when deleted', async () => {
    const fake = await platform()
    const id = await conversation(fake, '+5511999998888')
    const { body } = await call(fake, 'POST', `/conversations/${id}/messages`, { content: 'a' })
    const patch = async (status: string) =>
      (await call(fake, 'PATCH', `/conversations/${id}/messages/${body.id}`, { status, content: 'edited' })).body
    assert.equal((await patch('read')).status, 'read')
    assert.equal((await patch('delivered')).status, 'read')
    assert.deepEqual([(await patch('sent')).status, (await patch('sent')).content], ['sent', 'a'])
    const gone = (await call(fake, 'DELETE', `/conversations/${id}/messages/${body.id}`)).body
    assert.deepEqual([gone.content_attributes, gone.content], [{ deleted: true }, 'This message was deleted'])
  })

  it('come in pages, take files, and redirect to their storage', async () => {
    const fake = await platform()
    const id = await conversation(fake, '+5511999998888')
    for (let n = 0; n < 105; n += 1) fake.agentReplies(id, `n${n}`)
    const ids = async (query: string): Promise<number[]> =>
      (await call(fake, 'GET', `/conversations/${id}/messages${query}`)).body.payload.map((one: Json) => one.id)
    assert.deepEqual((await ids('')).length, 20)
    assert.deepEqual((await ids('?after=2')).slice(0, 2), [3, 4])
    assert.equal((await ids('?after=2')).length, 100)
    assert.deepEqual((await ids('?before=30')).at(-1), 29)
    const form = new FormData()
    form.append('content', 'look')
    form.append('message_type', 'incoming')
    form.append('content_attributes', JSON.stringify({ in_reply_to: 1 }))
    form.append('attachments[]', new Blob(['bytes'], { type: 'image/png' }), 'a.png')
    const { body } = await call(fake, 'POST', `/conversations/${id}/messages`, form)
    assert.deepEqual([body.attachments[0].file_type, body.content_attributes.in_reply_to], ['image', 1])
    const direct = await fetch(body.attachments[0].data_url, { redirect: 'manual' })
    assert.equal(direct.status, 302)
    assert.equal(await (await fetch(body.attachments[0].data_url)).text(), 'bytes')
  })

  it('are listed as open in pages of 25, or all that were updated within a time', async () => {
    const fake = await platform()
    for (let n = 10; n < 40; n += 1) await conversation(fake, `+551199999${n}`)
    await call(fake, 'POST', '/conversations/1/toggle_status', { status: 'resolved' })
    const list = async (query: string) => (await call(fake, 'GET', `/conversations${query}`)).body.data.payload.length
    assert.deepEqual([await list(''), await list('?page=2'), await list('?status=all&updated_within=60')], [25, 4, 30])
    await call(fake, 'POST', '/conversations/1/messages', { content: 'a', message_type: 'incoming' })
    assert.equal((await call(fake, 'GET', '/conversations/1')).body.status, 'open')
  })
})

describe('webhooks of the fake platform', () => {
  it('carry every message, the own ones and notes included, with a signature over time and body', async () => {
    const fake = await platform()
    const { url, received } = await receiver(() => 200)
    await call(fake, 'PATCH', '/inboxes/1', { channel: { webhook_url: url } })
    const id = await conversation(fake, '+5511999998888')
    await call(fake, 'POST', `/conversations/${id}/messages`, {
      content: 'own',
      message_type: 'incoming',
      source_id: 'WAID:1',
    })
    fake.agentReplies(id, { content: 'note', isPrivate: true })
    await fake.settled()
    const messages = received.filter(({ body }) => body.event === 'message_created')
    assert.deepEqual(
      messages.map(({ body }) => [body.content, body.message_type, body.private, body.source_id]).sort(),
      [
        ['note', 'outgoing', true, null],
        ['own', 'incoming', false, 'WAID:1'],
      ],
    )
    const [one] = messages
    assert.equal(typeof one?.body.conversation.messages[0].message_type, 'number')
    const signed = `${String(one?.headers['x-chatwoot-timestamp'])}.${one?.raw}`
    const expected = `sha256=${createHmac('sha256', fake.inbox.secret).update(signed).digest('hex')}`
    assert.equal(one?.headers['x-chatwoot-signature'], expected)
  })

  it('are sent once, and mark the message as failed when they fail or take too long', async () => {
    const fake = await platform({ version: '4.12.0', webhookTimeoutMs: 200 })
    const { url, received } = await receiver(({ event, content }) =>
      event !== 'message_created' ? 200 : content === 'slow' ? undefined : 503,
    )
    const id = await conversation(fake, '+5511999998888')
    await call(fake, 'PATCH', '/inboxes/1', { channel: { webhook_url: url } })
    for (const content of ['refused', 'slow']) fake.agentReplies(id, content)
    await fake.settled()
    assert.deepEqual(
      fake.messages(id).map(({ status, attributes }) => [status, attributes.external_error]),
      [
        ['failed', '503 Server Error'],
        ['failed', 'Timed out reading data from server'],
      ],
    )
    assert.equal(received.filter(({ body }) => body.event === 'message_created').length, 2)
    assert.equal(received[0]?.headers['x-chatwoot-signature'], undefined)
    fake.agents.retries(fake.messages(id)[0]?.id ?? 0)
    await fake.settled()
    const last = received.at(-1)?.body
    assert.deepEqual(
      [last?.event, last?.content_attributes.external_error, last?.status],
      ['message_updated', null, undefined],
    )
  })

  it('refuse private addresses from 4.14.0 on, unless they are allowed', async () => {
    const fake = await platform({ version: '4.14.0', allowsPrivateNetwork: false })
    const { url } = await receiver(() => 200)
    const id = await conversation(fake, '+5511999998888')
    await call(fake, 'PATCH', '/inboxes/1', { channel: { webhook_url: url } })
    fake.agentReplies(id, 'a')
    await fake.settled()
    assert.match(String(fake.messages(id)[0]?.attributes.external_error), /has no public ip addresses/)
  })

  it('come doubled, in reverse, or before the answer when told so; and wait while the platform is away', async () => {
    const fake = await platform()
    const { url, received } = await receiver(() => 200)
    const id = await conversation(fake, '+5511999998888')
    await call(fake, 'PATCH', '/inboxes/1', { channel: { webhook_url: url } })
    const contents = () => received.splice(0).map(({ body }) => body.content as string)
    fake.failWebhooks({ kind: 'doubled' })
    fake.agentReplies(id, 'twice')
    await fake.settled()
    assert.deepEqual(contents(), ['twice', 'twice'])
    fake.failWebhooks({ kind: 'reversed', count: 2 })
    fake.agentReplies(id, 'one')
    fake.agentReplies(id, 'two')
    await fake.settled()
    assert.deepEqual(contents(), ['two', 'one'])
    fake.failWebhooks({ kind: 'before-answer' })
    await call(fake, 'POST', `/conversations/${id}/messages`, { content: 'early' })
    assert.deepEqual(contents(), ['early'])
    fake.failWebhooks({ kind: 'lost' })
    fake.agentReplies(id, 'lost')
    await fake.stop()
    assert.throws(() => fake.agentReplies(id, 'nobody'), /away/)
    await assert.rejects(call(fake, 'GET', '/inboxes/1'))
    await fake.start()
    assert.equal((await call(fake, 'GET', '/inboxes/1')).status, 200)
    assert.deepEqual(contents(), [])
  })
})

it('fails calls as told: before or after the work, cut, hanging, and as a proxy does', async () => {
  const fake = await platform({ maxBodyBytes: 5000 })
  const id = await conversation(fake, '+5511999998888')
  const path = `/conversations/${id}/messages`
  const post = (content = 'a') => call(fake, 'POST', path, { content })
  fake.fail({ fault: { kind: 'error', when: 'after' }, path: /messages$/ })
  assert.deepEqual([(await post()).status, fake.messages(id).length], [500, 1])
  fake.fail({ fault: { kind: 'error', when: 'before', status: 503 }, method: 'POST' })
  assert.deepEqual([(await post()).status, fake.messages(id).length], [503, 1])
  fake.fail({ fault: { kind: 'cut' } })
  await assert.rejects(post())
  assert.equal(fake.messages(id).length, 2)
  fake.fail({ fault: { kind: 'html' } })
  assert.match((await post()).body.text, /502 Bad Gateway/)
  fake.fail({ fault: { kind: 'rate-limited', retryAfterSeconds: 7 } })
  assert.equal((await post()).status, 429)
  assert.equal((await post('a'.repeat(6000))).status, 413)
  fake.fail({ fault: { kind: 'hang', when: 'after' } })
  const hanging = post()
  const isOver = await Promise.race([hanging.then(() => true), new Promise((done) => setTimeout(done, 100, false))])
  assert.deepEqual([isOver, fake.messages(id).length], [false, 3])
  void hanging.catch(() => {})
  assert.equal((await post()).status, 200)
})

it('answers a person who plays with the demo', async () => {
  const fake = await platform()
  const id = await conversation(fake, '+5511999998888')
  const reply = await fetch(`${fake.url}/sandbox/reply`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversation: id, text: 'Olá' }),
  })
  assert.equal(((await reply.json()) as Json).content, 'Olá')
  assert.equal((await fetch(`${fake.url}/sandbox/nothing`)).status, 404)
})
