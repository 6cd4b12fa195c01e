import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handleReceipt } from '../../sandbox/network/receipts.js'
import { type BareClient, until } from './bare-client.js'
import { type SeenMessage, useSandbox } from './fixture.js'

const fixture = useSandbox(15550002000)

interface Login {
  device: string
  node: string | null
  epoch: string | null
  end: string | null
  lateFrames: number
}

test('messages for a dead client wait for it and arrive once, in order', async () => {
  const { phone: ana, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'before' })
  await until('a live text', () => client.received('before'))
  await client.kill()
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'while away', count: 20 })
  const again = fixture.makeClient({ credentials: client.credentials })
  again.connect()
  await again.opened()
  const expected = Array.from({ length: 20 }, (_, index) => `while away ${index + 1}`)
  await until('all texts', () => again.received('while away 20'))
  const texts = again.upserts
    .filter(({ type }) => type === 'append')
    .map(({ message }) => message.message?.conversation)
    .filter((text) => text?.startsWith('while'))
  assert.deepEqual(texts, expected)
  await until('nothing to be pending', () => countPending(ana) === 0)
  await again.end()
  const third = fixture.makeClient({ credentials: client.credentials }).connect()
  await third.opened()
  await until('the end of the offline stanzas', () => offlineCount(third) !== undefined)
  assert.equal(offlineCount(third), 0)
})

function countPending(phone: string, device = 1): number | undefined {
  return fixture.sandbox.network.directory.accounts.get(phone)?.devices.get(device)?.pending.size
}

function offlineCount(client: BareClient): number | undefined {
  for (const { tag, content } of client.stanzas) {
    const [first] = Array.isArray(content) ? content : []
    if (tag === 'ib' && first?.tag === 'offline') return Number(first.attrs.count)
  }
  return undefined
}

test('unconfirmed messages are delivered again', async () => {
  const { phone: ana, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'session' })
  await until('a session', () => client.received('session'))
  // Everything that the client says from now on is lost.
  const raw = (client.socket.ws as unknown as { socket: { send: (data: unknown, done?: () => void) => void } }).socket
  raw.send = (_data, done) => done?.()
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'unconfirmed' })
  const first = await until('the text', () => client.received('unconfirmed'))
  await client.kill()
  const again = fixture.makeClient({ credentials: client.credentials }).connect()
  await again.opened()
  const stanza = await until('the stanza again', () =>
    again.stanzas.find(({ tag, attrs }) => tag === 'message' && attrs.id === first.key.id),
  )
  assert.equal(stanza.attrs.offline, '1')
  await until('the client to have refused what it cannot decrypt twice', () => countPending(ana) === 0)
})

test('all unconfirmed stanzas are delivered again in order, and a read receipt confirms none', async () => {
  const { phone: ana, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  const own = await client.sendText(`${bruno}@s.whatsapp.net`, 'to be read')
  await fixture.seen(bruno, 'to be read')
  await until('nothing to be pending', () => countPending(ana) === 0)
  await client.kill()
  const texts = await fixture.call<{ ids: string[] }>('POST', `/phones/${bruno}/text`, { to: ana, text: 'n', count: 2 })
  await fixture.call('POST', `/phones/${bruno}/read`, { ids: [own] })
  await fixture.call('POST', '/groups', { owner: bruno, subject: 'Friends', members: [ana] })
  await fixture.call('POST', `/phones/${bruno}/call`, { to: ana })
  const { network } = fixture.sandbox
  const device = network.directory.accounts.get(ana)?.devices.get(1)
  assert.ok(device)
  const [first] = texts.ids
  const answer = (attrs: Record<string, string>) =>
    handleReceipt(
      network,
      { device, login: 0, active: false, send: () => {}, end: () => {} },
      { tag: 'receipt', attrs },
    )
  const to = `${bruno}@s.whatsapp.net`
  // One that was read, played, or confirmed in another chat, waits on.
  for (const attrs of [{ to, type: 'read' }, { to, type: 'played' }, { to: `${ana}@s.whatsapp.net` }])
    answer({ ...attrs, id: String(first) })
  const again = fixture.makeClient({ credentials: client.credentials }).connect()
  await again.opened()
  await until('the end of the offline stanzas', () => offlineCount(again) !== undefined)
  const waited = again.stanzas.filter(({ attrs }) => attrs.offline === '1')
  assert.deepEqual(
    waited.map(({ tag, attrs }) => (tag === 'notification' ? attrs.type : tag)),
    ['message', 'message', 'receipt', 'w:gp2', 'call'],
  )
  assert.deepEqual(
    waited.slice(0, 3).map(({ attrs }) => attrs.id),
    [...texts.ids, own],
  )
  await until('nothing to be pending', () => countPending(ana) === 0)
})

test('messages wait while a phone is offline', async () => {
  const { client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/offline`)
  const id = await client.sendText(`${bruno}@s.whatsapp.net`, 'later')
  await until('the ack', () => client.acks.find(({ attrs }) => attrs.id === id))
  assert.equal(client.findStatus(id) < 3, true)
  await fixture.call('POST', `/phones/${bruno}/online`)
  assert.equal((await fixture.seen(bruno, 'later')).offline, true)
  await until('the delivery receipt', () => client.findStatus(id) === 3)
})

test('a second login of a device ends the first with conflict, and both are logged with their node and epoch', async () => {
  const { phone, client } = await fixture.linked()
  const headers = { 'x-posthorn-node': 'node-b', 'x-posthorn-epoch': '7' }
  const second = fixture.makeClient({ credentials: client.credentials, config: { options: { headers } } }).connect()
  await second.opened()
  assert.equal(await client.closedWith(), 440)
  const logins = await fixture.call<Login[]>('GET', `/log/logins?phone=${phone}`)
  assert.deepEqual(
    logins.map(({ node, epoch, end }) => ({ node, epoch, end })),
    [
      { node: null, epoch: null, end: 'conflict' },
      { node: 'node-b', epoch: '7', end: null },
    ],
  )
})

test('with kicking disabled, the network keeps the old session and counts its late frames', async () => {
  const { phone, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', '/faults/kick-old-sessions', { enabled: false })
  const second = fixture.makeClient({ credentials: client.credentials }).connect()
  await second.opened()
  await client.socket.sendPresenceUpdate('composing', `${bruno}@s.whatsapp.net`)
  await until('a late frame', async () => {
    const [first] = await fixture.call<Login[]>('GET', `/log/logins?phone=${phone}`)
    return first && first.lateFrames > 0
  })
  assert.equal(client.state, 'open')
})

test('a client logs itself out, and its credentials open nothing any more', async () => {
  const { phone, client } = await fixture.linked()
  await client.socket.logout()
  assert.equal(await client.closedWith(), 401)
  await until('the device to be gone', () => countPending(phone) === undefined)
  const again = fixture.makeClient({ credentials: client.credentials }).connect()
  assert.equal(await again.closedWith(), 401)
})

test('a phone unlinks a device: the client gets 401', async () => {
  const { phone, client } = await fixture.linked()
  await fixture.call('DELETE', `/phones/${phone}/devices/1`)
  assert.equal(await client.closedWith(), 401)
})

for (const code of [403, 405, 503]) {
  test(`a login fails with ${code} when told so, once`, async () => {
    const { phone, client } = await fixture.linked()
    await client.end()
    await fixture.call('POST', '/faults', { kind: 'login-failure', phone, code, times: 1 })
    const refused = fixture.makeClient({ credentials: client.credentials }).connect()
    assert.equal(await refused.closedWith(), code)
    const again = fixture.makeClient({ credentials: client.credentials }).connect()
    await again.opened()
  })
}

for (const code of [401, 403, 428, 440, 500, 503, 515]) {
  test(`a stream ends with ${code} when told so`, async () => {
    const { phone, client } = await fixture.linked()
    client.reconnectAfterPairing = false
    const answer = await fixture.call('POST', '/faults/stream-error', { phone, code })
    assert.deepEqual(answer, { sessions: 1 })
    assert.equal(await client.closedWith(), code)
  })
}

test('a silent network lets the client find out by itself', async () => {
  const { phone, client } = await fixture.linked('Ana', { keepAliveIntervalMs: 300 })
  await fixture.call('POST', '/faults', { kind: 'silent', phone })
  assert.equal(client.state, 'open')
  const found = await until('the client to give up', () => (typeof client.state === 'number' ? client.state : 0))
  assert.equal(found, 408)
})

test('a message is refused, left without an ack, or delayed on command', async () => {
  const { phone, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  const to = `${bruno}@s.whatsapp.net`
  await fixture.call('POST', '/faults', { kind: 'ack-error', phone, recipient: bruno, code: 479, times: 1 })
  const refused = await client.sendText(to, 'refused')
  await until('the refusal', () => client.acks.find(({ attrs }) => attrs.id === refused && attrs.error === '479'))

  const { id } = await fixture.call<{ id: number }>('POST', '/faults', { kind: 'swallow-acks', phone })
  const unanswered = await client.sendText(to, 'unanswered')
  await fixture.seen(bruno, 'unanswered')
  assert.equal(
    client.acks.some(({ attrs }) => attrs.id === unanswered),
    false,
  )
  await fixture.call('DELETE', `/faults/${id}`)

  await fixture.call('POST', '/faults', { kind: 'delay', phone, delayMs: 300 })
  const startMs = Date.now()
  const slow = await client.sendText(to, 'slow')
  await until('the late ack', () => client.acks.find(({ attrs }) => attrs.id === slow))
  assert.ok(Date.now() - startMs >= 295)
  assert.equal((await fixture.call<SeenMessage[]>('GET', `/phones/${bruno}/messages?text=refused`)).length, 0)
})

test('a rate limit refuses further messages', async () => {
  const { phone, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await client.sendText(`${bruno}@s.whatsapp.net`, 'first')
  await fixture.call('POST', '/faults', { kind: 'rate-limit', phone, perSecond: 2 })
  for (let index = 0; index < 4; index++) await client.sendText(`${bruno}@s.whatsapp.net`, `burst ${index}`)
  await until('a refusal', () => client.acks.find(({ attrs }) => attrs.error === '429'))
})

test('stanzas are repeated and reordered on command, and the log shows each', async () => {
  const { phone: ana, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'session' })
  await until('a session', () => client.received('session'))
  await fixture.call('POST', '/faults', { kind: 'duplicate', phone: ana, device: 1, times: 1 })
  const { id } = await fixture.call<{ id: string }>('POST', `/phones/${bruno}/text`, { to: ana, text: 'twice' })
  await until('both stanzas', () => messageIds(client).filter((seen) => seen === id).length === 2)
  const stanzas = await fixture.call<{ tag: string; device: string; direction: string }[]>('GET', `/log/messages/${id}`)
  const deliveries = stanzas.filter(
    ({ tag, device, direction }) => tag === 'message' && device === `${ana}:1` && direction === 'out',
  )
  assert.equal(deliveries.length, 2)

  await fixture.call('POST', '/faults', { kind: 'reorder', phone: ana, device: 1, times: 1 })
  const { ids } = await fixture.call<{ ids: string[] }>('POST', `/phones/${bruno}/text`, {
    to: ana,
    text: 'n',
    count: 2,
  })
  await until('both', () => ids.every((wanted) => messageIds(client).includes(wanted)))
  const order = messageIds(client).filter((seen) => ids.includes(seen))
  assert.deepEqual(order, [...ids].reverse())
})

function messageIds(client: BareClient): string[] {
  return client.stanzas.filter(({ tag }) => tag === 'message').map(({ attrs }) => attrs.id ?? '')
}
