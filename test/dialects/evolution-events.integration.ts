/** Webhooks in the form of Evolution API: what a receiver gets, in which order, and under which names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { type EvolutionInstance, evolutionClient, type Json, pairedEvolution } from '../support/evolution.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { png } from '../support/samples.js'

const ANA = '5511988880021'
const BEN = '5511988880022'
const BEN_JID = `${BEN}@s.whatsapp.net`

describe('webhooks of Evolution API', () => {
  let ana: EvolutionInstance
  let receiver: Receiver
  const suite = gatewaySuite({
    env: { DIALECTS: 'evolution' },
    phones: { [BEN]: 'Ben' },
    complete: async () => {
      receiver = await startReceiver(suite.cleanup)
      const webhook = { url: receiver.url, byEvents: false, base64: true, headers: { 'x-own': 'value' }, events: [] }
      ana = await pairedEvolution(suite.world, 'ana', ANA, { webhook })
    },
  })
  const { world } = suite
  const bodies = () => receiver.got.map(({ body }) => body as unknown as Json)
  /** Waits for a body with this event for which `isSo` holds. */
  const body = (event: string, isSo: (data: Json) => boolean = () => true): Promise<Json> =>
    eventually(() => bodies().find((one) => one.event === event && isSo(one.data as Json))) as Promise<Json>
  const hasKey = (id: unknown) => (data: Json) => (data.key as Json | undefined)?.id === id
  const send = (kind: string, fields: Json) =>
    ana.done<Json>('POST', `/message/${kind}/ana`, { number: BEN, ...fields })

  it('reports the pairing and the connection', async () => {
    const { data } = await body('qrcode.updated')
    assert.deepEqual(Object.keys((data as { qrcode: Json }).qrcode).sort(), [
      'base64',
      'code',
      'instance',
      'pairingCode',
    ])
    const open = await body('connection.update', ({ state }) => state === 'open')
    assert.deepEqual(open.data, {
      instance: 'ana',
      wuid: `${ANA}@s.whatsapp.net`,
      state: 'open',
      statusReason: 200,
    })
  })

  it('reports received texts in an envelope with the key of the instance', async () => {
    const id = await world.write(BEN, ANA, 'hello')
    const whole = await body('messages.upsert', hasKey(id))
    const { data, date_time, ...envelope } = whole
    assert.deepEqual(envelope, {
      event: 'messages.upsert',
      instance: 'ana',
      destination: receiver.url,
      sender: `${ANA}@s.whatsapp.net`,
      server_url: `${world.gateway.url}/evolution`,
      apikey: ana.token,
    })
    assert.match(String(date_time), /^\d{4}-\d\d-\d\dT.*Z$/)
    const { key, messageTimestamp, instanceId, contextInfo: _, ...rest } = data as Json
    assert.deepEqual((key as Json).remoteJid, BEN_JID)
    assert.equal((key as Json).fromMe, false)
    assert.equal(typeof messageTimestamp, 'number')
    assert.equal(typeof instanceId, 'string')
    assert.deepEqual(
      { ...rest, source: typeof rest.source },
      {
        pushName: 'Ben',
        status: 'DELIVERY_ACK',
        message: { conversation: 'hello' },
        messageType: 'conversation',
        source: 'string',
      },
    )
    const got = receiver.got.find(({ text }) => text.includes(id))
    assert.equal(got?.headers['x-own'], 'value')
    assert.match(String(got?.headers['webhook-signature']), /^v1,/)
  })

  it('reports what the API sends as send.message and never as an upsert, with every status', async () => {
    const { key } = (await send('sendText', { text: 'an answer' })) as { key: Json }
    const { data } = await body('send.message', hasKey(key.id))
    assert.equal((data as Json).status, 'PENDING')
    const statusIs = (status: string) => (one: Json) => one.keyId === key.id && one.status === status
    const taken = await body('messages.update', statusIs('SERVER_ACK'))
    assert.deepEqual([(taken.data as Json).fromMe, (taken.data as Json).remoteJid], [true, BEN_JID])
    await world.network('POST', `/phones/${BEN}/read`, { ids: [key.id] })
    const read = await body('messages.update', statusIs('READ'))
    assert.equal((read.data as Json).fromMe, true)
    const order = bodies()
      .filter((one) => one.event === 'messages.update' && (one.data as Json).keyId === key.id)
      .map((one) => (one.data as Json).status)
    assert.deepEqual([order[0], order.at(-1)], ['SERVER_ACK', 'READ'])
    assert.equal(
      bodies().some((one) => one.event === 'messages.upsert' && hasKey(key.id)(one.data as Json)),
      false,
    )
  })

  it('reports edits and deletions', async () => {
    const { key } = (await send('sendText', { text: 'befor' })) as { key: Json }
    await ana.done('POST', '/chat/updateMessage/ana', { number: BEN, key, text: 'before {{x}}' }, 200)
    const edited = await body('messages.edited', hasKey(key.id))
    assert.deepEqual((edited.data as Json).editedMessage, { conversation: 'before {{x}}' })
    const id = await world.write(BEN, ANA, 'gone soon')
    await body('messages.upsert', hasKey(id))
    await world.network('POST', `/phones/${BEN}/delete`, { id })
    const deleted = await body('messages.delete', (data) => data.id === id)
    assert.deepEqual(deleted.data, { id, remoteJid: BEN_JID, fromMe: false, status: 'DELETED' })
  })

  it('puts files into events as base64, with a link beside them', async () => {
    const file = (await png()).toString('base64')
    const { id } = await world.network('POST', `/phones/${BEN}/media`, {
      to: ANA,
      kind: 'image',
      mimetype: 'image/png',
      base64: file,
      caption: 'look',
    })
    const { data } = await body('messages.upsert', hasKey(id))
    const { message, messageType } = data as { message: Json; messageType: string }
    assert.equal(messageType, 'imageMessage')
    assert.equal(message.base64, file)
    assert.match(String(message.mediaUrl), /^http/)
    assert.equal((message.imageMessage as Json).caption, 'look')
    const asked = await ana.done<Json>('POST', '/chat/getBase64FromMediaMessage/ana', { message: { key: { id } } })
    assert.deepEqual(
      [asked.base64, asked.mediaType, asked.mimetype, asked.caption],
      [file, 'imageMessage', 'image/png', 'look'],
    )
  })

  it('delivers the chosen events only, under paths if wanted, and keeps our own webhooks as they are', async () => {
    const other = await startReceiver(suite.cleanup)
    const own = await world.gateway.call<Json[]>('POST', '/webhook', {
      token: ana.token,
      body: { action: 'add', url: other.url, events: ['messages'], enabled: true },
    })
    assert.equal(own.status, 200)
    const set = await ana.done<Json>('POST', '/webhook/set/ana', {
      webhook: {
        enabled: true,
        url: receiver.url,
        webhookByEvents: true,
        webhookBase64: false,
        events: ['MESSAGES_UPSERT'],
      },
    })
    assert.deepEqual([set.webhookByEvents, set.webhookBase64, set.events], [true, false, ['MESSAGES_UPSERT']])
    assert.deepEqual((await ana.done<Json>('GET', '/webhook/find/ana')).url, receiver.url)
    const before = receiver.got.length
    await send('sendText', { text: 'not reported' })
    const id = await world.write(BEN, ANA, 'reported')
    await body('messages.upsert', hasKey(id))
    const after = receiver.got.slice(before).filter(({ text }) => !text.includes('"chats.update"'))
    assert.deepEqual([...new Set(after.map(({ path }) => path))], ['/hook/messages-upsert'])
    assert.equal((await other.message(id)).text, 'reported')
    const unknown = await ana.call('POST', '/webhook/set/ana', { webhook: { url: receiver.url, events: ['NOTHING'] } })
    assert.match(JSON.stringify(unknown.body), /webhook\.events has an unknown event: NOTHING/)
  })

  it('is a form of our own webhooks too, also for the test of one', async () => {
    const other = await startReceiver(suite.cleanup)
    const fields = {
      action: 'add',
      url: other.url,
      events: ['messages'],
      enabled: true,
      form: 'evolution',
      formEvents: ['SEND_MESSAGE'],
    }
    const hooks = (await world.gateway.call<Json[]>('POST', '/webhook', { token: ana.token, body: fields })).body
    const made = hooks.find(({ url }) => url === other.url) as Json
    assert.deepEqual([made.form, made.formEvents, made.includeBase64], ['evolution', ['SEND_MESSAGE'], false])
    const tested = await world.gateway.call('POST', '/webhook/test', { token: ana.token, body: { id: made.id } })
    assert.equal(tested.status, 200, JSON.stringify(tested.body))
    assert.match(String((other.got[0]?.body as Json | undefined)?.event), /^(messages\.upsert|send\.message)$/)
    const { key } = (await send('sendText', { text: 'for both' })) as { key: Json }
    await eventually(() => other.got.find(({ text }) => text.includes(String(key.id))))
    assert.deepEqual(
      [...new Set(other.got.slice(1).map(({ body: one }) => (one as unknown as Json).event))],
      ['send.message'],
    )
    const batch = { max: 10, waitMs: 100 }
    const change = (body: Json) => world.gateway.call<Json | Json[]>('POST', '/webhook', { token: ana.token, body })
    // In one call and in two: of a batch, all but the first event would be lost.
    const { body: plain } = await change({ ...fields, url: `${other.url}/batches`, form: '1.0', batch })
    const { id } = (plain as Json[]).find(({ url }) => url === `${other.url}/batches`) as Json
    for (const [body, field] of [
      [{ ...fields, batch }, 'batch'],
      [{ id: made.id, batch }, 'batch'],
      [{ id, form: 'evolution' }, 'form'],
    ] as const) {
      const refused = await change(body)
      assert.equal(refused.status, 400, JSON.stringify(refused.body))
      assert.match(String((refused.body as Json).error), new RegExp(`^Invalid request: ${field} must be .*batches`))
    }
    assert.equal((await change({ id, form: 'evolution', batch: null })).status, 200)
  })

  it('carries out settings: reads messages, ignores groups, rejects calls', async () => {
    const flags = {
      rejectCall: true,
      msgCall: 'Please write',
      groupsIgnore: true,
      alwaysOnline: true,
      readMessages: true,
      readStatus: false,
      syncFullHistory: true,
    }
    const set = await ana.done<{ settings: { settings: Json } }>('POST', '/settings/set/ana', flags)
    assert.deepEqual({ ...set.settings.settings, wavoipToken: undefined }, { ...flags, wavoipToken: undefined })
    assert.deepEqual(await ana.done('GET', '/settings/find/ana'), { ...flags, wavoipToken: '' })
    const own = await world.gateway.call('GET', '/instance/readingsettings', { token: ana.token })
    assert.deepEqual(own.body, { readMessages: true, readStatus: false, fullHistory: true })
    const id = await world.write(BEN, ANA, 'read me')
    const found = () =>
      ana.done<{ messages: { records: Json[] } }>('POST', '/chat/findMessages/ana', { where: { key: { id } } }, 200)
    await eventually(
      found,
      ({ messages }) => JSON.stringify(messages.records[0]?.MessageUpdate) === '[{"status":"READ"}]',
    )
    const missing = await evolutionClient(world, ana.token).call('POST', '/settings/set/ana', { rejectCall: true })
    assert.match(JSON.stringify(missing.body), /instance requires property \\"groupsIgnore\\"/)
  })
})
