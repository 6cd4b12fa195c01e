import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startSandbox } from '../../sandbox/index.js'
import { eventually } from '../support/eventually.js'
import { type Gateway, startGateway } from '../support/gateway.js'
import { startReceiver } from '../support/receiver.js'
import { sharedEvenly } from '../support/shards.js'
import { createWorld } from '../support/world.js'

// Own processors: three gateways run in it.

interface Login {
  readonly device: string
  readonly node: string
  readonly atMs: number
}

const PASSPHRASE = 'correct horse battery'
const ZOE = '15550910009'
const RECIPIENTS = ['15550910011', '15550910012', '15550910013']

it('an account moves from one installation to another without a new pairing, and is off on every node where it was', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const env = { MEDIA_STORAGE: 'none' }
  const here = await startGateway(t, { sandbox, env: { ...env, NODE_ID: 'here-1' } })
  const alsoHere = await startGateway(t, { sandbox, beside: here, env: { ...env, NODE_ID: 'here-2' } })
  const there = await startGateway(t, { sandbox, env: { NODE_ID: 'there' } })
  await sharedEvenly([here, alsoHere])
  const world = createWorld(sandbox, here)
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550910001', 'Ana')
  // Of a newer release, with what its receiver asks for.
  const hook = {
    events: ['messages', 'tomorrow'],
    headers: { 'X-Key': 'key-of-the-receiver' },
    includeAiMetadata: true,
  }
  await ana.hook(receiver.url.replace('//', '//me:pass@'), hook)
  const batches = await startReceiver(t)
  await ana.call('POST', '/webhook', {
    action: 'add',
    url: batches.url,
    ...hook,
    enabled: true,
    batch: { max: 20, waitMs: 300 },
  })
  await world.phone(ZOE, 'Zoe')
  const fromZoe = (text: string) => world.network('POST', `/phones/${ZOE}/text`, { to: ana.number, text })
  const heard = () =>
    receiver
      .of('messages')
      .map(({ body }) => body.message as { text: string; fromMe: boolean })
      .flatMap(({ text, fromMe }) => (fromMe ? [] : [text]))
  await ana.text(ZOE, 'one from here')
  await fromZoe('one')
  await eventually(() => heard().includes('one'))

  const { id } = ana
  // Its campaign is under way when it moves.
  for (const phone of RECIPIENTS) await world.phone(phone, phone)
  const campaign = { numbers: RECIPIENTS, type: 'text', text: 'of the campaign', delayMin: 5, delayMax: 5 }
  const begun = (await ana.call<{ folder_id: string }>('POST', '/sender/simple', campaign)).body.folder_id
  const folderPath = `/sender/folder?id=${begun}`
  type Folder = Readonly<Record<string, unknown>>
  await eventually(async () => (await ana.call<Folder>('GET', folderPath)).body.log_sucess === 1)

  // A node without it asks one that has it.
  const stranger = await eventually(async () => {
    const ask = (node: Gateway) => node.call('GET', `/admin/instances/${id}/placement`, { admin: true })
    const states = await Promise.all([here, alsoHere].map(async (node) => (await ask(node)).body.state))
    if (!states.includes('here') || !states.includes('there')) return null
    return states[0] === 'there' ? here : alsoHere
  })
  assert.ok(stranger !== null)
  const refused = async (body: object) => {
    const { status, body: said } = await stranger.call('POST', '/admin/instance/export', { admin: true, body })
    return [status, said.code]
  }
  assert.deepEqual(await refused({ id, passphrase: PASSPHRASE }), [409, 'INSTANCE_CONNECTED'])
  assert.deepEqual(await refused({ id, passphrase: 'short', stop: true }), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await refused({ id: 'nobody', passphrase: PASSPHRASE }), [404, 'INSTANCE_NOT_FOUND'])
  const asInstance = await ana.call('POST', '/admin/instance/export', { id, passphrase: PASSPHRASE, stop: true })
  assert.equal(asInstance.status, 401)

  await ana.done('/instance/updateDefaultCountry', { defaultCountry: 'US' })
  const file = await exported(stranger, { id, passphrase: PASSPHRASE, stop: true })
  const movedMs = Date.now()
  assert.equal((await ana.status()).instance.status, 'disconnected')
  for (const node of [here, alsoHere]) {
    const connect = await node.call('POST', '/instance/connect', { token: ana.token, body: {} })
    assert.deepEqual([connect.status, connect.body.code], [409, 'INSTANCE_EXPORTED'])
  }
  assert.equal((await ana.call('POST', '/send/text', { number: ZOE, text: 'from nobody' })).status, 409)
  await fromZoe('while nobody was there')

  const imported = (bytes: Buffer, passphrase = PASSPHRASE) =>
    there.call<{ code?: string; instance?: { id: string; status: string } }>('POST', '/admin/instance/import', {
      admin: true,
      body: { passphrase, file: bytes.toString('base64'), connect: true },
    })
  const damaged = Buffer.from(file)
  damaged[file.length >> 1] = (damaged[file.length >> 1] ?? 0) ^ 1
  for (const [bytes, passphrase] of [
    [damaged, PASSPHRASE],
    [file.subarray(0, -1), PASSPHRASE],
    [Buffer.from('no file'), PASSPHRASE],
    [file, 'a wrong passphrase'],
  ] as const)
    assert.deepEqual((await imported(bytes, passphrase)).body.code, 'INVALID_EXPORT')
  assert.deepEqual((await there.call('GET', '/instance/all', { admin: true })).body, [])

  const { status, body } = await imported(file)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.instance?.id, id)
  assert.equal((body.instance as { defaultCountry?: string } | undefined)?.defaultCountry, 'US')
  assert.deepEqual((await imported(file)).body.code, 'INSTANCE_EXISTS')
  const moved = createWorld(sandbox, there)
  const asAna = <T>(method: string, path: string, json?: object) =>
    there.call<T>(method, path, { token: ana.token, body: json })
  await eventually(
    async () => (await asAna<{ status: { connected: boolean } }>('GET', '/instance/status')).body.status.connected,
  )
  await eventually(() => heard().includes('while nobody was there'))
  await fromZoe('two')
  await eventually(() => heard().includes('two'))
  const [{ events, headers, includeAiMetadata, url }, { batch }] = (await asAna<[Folder, Folder]>('GET', '/webhook'))
    .body
  assert.deepEqual([events, headers, includeAiMetadata], [hook.events, { 'X-Key': '***' }, true])
  assert.match(String(url), /\/\/me:\*\*\*@/)
  const last = receiver.got.at(-1)?.headers
  const basic = `Basic ${Buffer.from('me:pass').toString('base64')}`
  assert.deepEqual([last?.['x-key'], last?.authorization], ['key-of-the-receiver', basic])
  assert.deepEqual(batch, { max: 20, waitMs: 300 })
  const inBatches = () =>
    batches.got.flatMap(({ body: all }) => all as unknown as { message: { text: string; fromMe: boolean } }[])
  const heardInBatches = () => inBatches().flatMap(({ message: { text, fromMe } }) => (fromMe ? [] : [text]))
  await eventually(heardInBatches, (all) => all.length >= 3)
  assert.deepEqual(heardInBatches(), ['one', 'while nobody was there', 'two'])
  assert.equal((await asAna('POST', '/send/text', { number: ZOE, text: 'two from there' })).status, 200)
  const stored = await asAna<{ messages: { text: string }[] }>('POST', '/message/find', { limit: 20 })
  const texts = stored.body.messages.map(({ text }) => text).filter((text) => text !== 'of the campaign')
  assert.deepEqual(texts.toSorted(), ['one', 'one from here', 'two', 'two from there', 'while nobody was there'])

  const ended = await eventually(
    async () => (await asAna<Folder>('GET', folderPath)).body,
    ({ status: now, log_delivered: delivered }) => now === 'done' && delivered === 3,
  )
  assert.deepEqual([ended.log_total, ended.log_sucess, ended.log_failed], [3, 3, 0])
  for (const phone of RECIPIENTS) {
    const got = await moved.network<{ text: string; arrivals: number }[]>('GET', `/phones/${phone}/messages?own=false`)
    assert.deepEqual(
      got.map(({ text, arrivals }) => [text, arrivals]),
      [['of the campaign', 1]],
    )
  }

  // Also after a restart, and when it is deleted there it is not logged out.
  await Promise.all([here, alsoHere].map((node) => node.kill()))
  await here.start()
  assert.equal((await ana.status()).instance.status, 'disconnected')
  const gone = await here.call('DELETE', '/instance', { token: ana.token })
  assert.match(String(gone.body.info), /where it was imported it continues/)
  assert.equal((await asAna('POST', '/send/text', { number: ZOE, text: 'three from there' })).status, 200)

  const arrived = await eventually(
    () => moved.network<{ text: string; own: boolean; arrivals: number }[]>('GET', `/phones/${ZOE}/messages`),
    (all) => all.some(({ text }) => text === 'three from there'),
  )
  assert.deepEqual(
    arrived.flatMap(({ text, own, arrivals }) => (own ? [] : [[text, arrivals]])),
    [
      ['one from here', 1],
      ['two from there', 1],
      ['three from there', 1],
    ],
  )
  assert.deepEqual(heard(), ['one', 'while nobody was there', 'two'])
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
  const logins = (await world.network<Login[]>('GET', '/log/logins?phone=15550910001')).filter(({ device }) =>
    device.startsWith('15550910001:'),
  )
  assert.equal(new Set(logins.map(({ device }) => device)).size, 1, 'no new pairing')
  assert.deepEqual([...new Set(logins.filter(({ atMs }) => atMs > movedMs).map(({ node }) => node))], ['there'])
})

async function exported(gateway: Gateway, body: object): Promise<Buffer> {
  const answer = await fetch(`${gateway.url}/admin/instance/export`, {
    method: 'POST',
    headers: { admintoken: gateway.adminToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
  return Buffer.from(await answer.arrayBuffer())
}
