import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatsPlugin } from 'ajv-formats'
import { startProviders } from '../../sandbox/providers/index.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { documentedEvents, listFields } from '../support/webhooks-page.js'
import { startWorld } from '../support/world.js'

const FILES = {
  connection: 'connection',
  messages: 'messages',
  messages_update: 'messages-update',
  presence: 'presence',
  contacts: 'contacts',
  chats: 'chats',
  history: 'history',
  call: 'call',
  leads: 'leads',
  labels: 'labels',
  chat_labels: 'chat-labels',
  blocks: 'blocks',
  groups: 'groups',
  limits: 'limits',
  suppressions: 'suppressions',
  sender: 'sender',
  agents: 'agents',
  status: 'status',
  newsletter_messages: 'newsletter-messages',
} as const

it('every kind of event is delivered, with the envelope and the shape that its schema says', async (t) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
  ;((formats as unknown as { default?: FormatsPlugin }).default ?? (formats as unknown as FormatsPlugin))(ajv)
  const { files } = loadSchemas()
  for (const { schema } of files) ajv.addSchema(schema as object)

  const world = await startWorld(t)
  const receiver = await startReceiver(t)
  const BEN = '15550800002'
  await world.phone('15550800001', 'Ana')
  await world.phone(BEN, 'Ben')
  await world.network('PUT', '/phones/15550800001/history', {
    chats: [{ id: `${BEN}@s.whatsapp.net`, name: 'Ben', messages: [{ text: 'long ago', timestamp: 1_700_000_000 }] }],
    contacts: [{ number: BEN, name: 'Ben from the book' }],
  })
  const ana = await world.instance('Ana')
  await ana.call('POST', '/webhook', { url: receiver.url, events: Object.keys(FILES), enabled: true })
  const { body } = await ana.call<{ instance: { paircode: string } }>('POST', '/instance/connect', {
    phone: '15550800001',
  })
  await world.network('POST', '/phones/15550800001/code', { code: body.instance.paircode })
  await ana.connected()
  const providers = await startProviders()
  t.after(() => providers.close())
  const about = { name: 'Bot', provider: 'custom', model: 'm', apikey: '', baseUrl: providers.baseUrl('custom') }
  const agent = await ana.call<{ id: string }>('POST', '/agent/edit', { agent: about })
  const trigger = { type: 'agent', agent_id: agent.body.id, wordsToStart: 'hello yourself', responseDelay_seconds: 0 }
  assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
  await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
  providers.fail({ kind: 'status', status: 401, body: { error: { message: 'Wrong key.' } } })
  await ana.text(BEN, 'hello')
  await world.network('POST', `/phones/${BEN}/text`, { to: '15550800001', text: 'hello yourself' })
  const database = await connectDatabase(t, world.gateway.databaseUrl)
  await database.query(`INSERT INTO campaign_contact VALUES ($1, '${BEN}@s.whatsapp.net', now())`, [ana.id])
  await world.write(BEN, '15550800001', 'STOP')
  await world.network('POST', `/phones/${BEN}/typing`, { to: '15550800001', state: 'composing' })
  await world.network('POST', `/phones/${BEN}/presence`, { available: true })
  await world.network('POST', `/phones/${BEN}/call`, { to: '15550800001', video: true })
  await world.network('POST', '/phones/15550800001/limits', { lock: { is_active: true }, tell: true })
  await eventually(
    () => receiver.of('messages').length,
    (count) => count >= 2,
  )
  // The network tells presence to devices that are available and have subscribed, which no gateway's is; one that comes all the same is told.
  assert.deepEqual(receiver.of('presence'), [])
  const from = `${BEN}@s.whatsapp.net`
  const stanza = { tag: 'chatstate', attrs: { from }, content: [{ tag: 'composing' }] }
  await world.network('POST', '/faults/stanza', { phone: '15550800001', stanza })
  await ana.text(BEN, 'and read', { readchat: true })
  await world.network('POST', `/phones/${BEN}/status`, { to: '15550800001', text: 'we are open' })
  await ana.call('POST', '/chat/editLead', { id: `${BEN}@s.whatsapp.net`, lead_tags: ['new'], lead_isTicketOpen: true })
  const onPhone = (what: string, how: object) => world.network('POST', `/phones/15550800001/${what}`, how)
  await onPhone('labels', { id: '1', name: 'Friends', color: 2 })
  await onPhone('chat-labels', { chat: BEN, label: '1' })
  await onPhone('block', { number: BEN })
  // What the history says of a contact is told by no event, whatever came with it.
  await onPhone('contacts', { number: BEN, name: 'Benjamin' })
  await world.network('POST', '/groups', { owner: BEN, subject: 'Us', members: ['15550800001'] })
  const news = { owner: BEN, name: 'News', followers: ['15550800001'] }
  const { jid } = await world.network<{ jid: string }>('POST', '/channels', news)
  await world.network('POST', `/channels/${jid}/posts`, { text: 'a post' })
  await ana.done('/newsletter/subscribe', { id: jid })
  await world.network('POST', `/channels/${jid}/counts`, { views: 250, emoji: '👍', by: [BEN] })
  await eventually(
    () => receiver.of('newsletter_messages').length,
    (count) => count >= 2,
  )
  await ana.done('/sender/simple', { numbers: [BEN], type: 'text', text: 'to many' })

  for (const [kind, file] of Object.entries(FILES)) {
    const events = await eventually(
      () => receiver.of(kind),
      (all) => all.length > 0,
    ).catch(() => assert.fail(`No event ${kind} came.`))
    const validate = ajv.getSchema(String(files.find((one) => one.file === `events/${file}.json`)?.schema.$id))
    assert.ok(validate, file)
    for (const { body: event } of events)
      assert.ok(validate(event), `${kind} ${JSON.stringify(validate.errors)} ${JSON.stringify(event).slice(0, 1500)}`)
  }
  for (const documented of documentedEvents()) {
    const sent = receiver.of(documented.EventType).map(({ body: event }) => comparable(event))
    assert.ok(sent.includes(comparable(documented)), `docs/guides/webhooks.md: ${documented.EventType}`)
  }
  const sequences = receiver.got.map(({ body: { sequence } }) => sequence).toSorted((a, b) => a - b)
  assert.equal(new Set(sequences).size, sequences.length)
  const page = await fetch(`${world.gateway.url}/docs`)
  const html = await page.text()
  assert.equal(page.status, 200)
  for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.doesNotMatch(String(path), /^(https?:)?\/\//, 'the page loads nothing from elsewhere')
    assert.equal((await fetch(new URL(String(path), `${world.gateway.url}/docs`))).status, 200, path)
  }
  for (const path of ['/health', '/ready', '/metrics', '/openapi.json'])
    assert.equal((await world.gateway.call('GET', path)).status, 200, path)
  const metrics = (await world.gateway.call<string>('GET', '/metrics')).body
  assert.match(String(metrics), /posthorn_instances\{status="connected"\} 1/)
})

/** The fields of an event. Those of a chat grow with what happened in it before, which other parts of the gateway may not have written yet. */
function comparable(event: object): string {
  return listFields('chat' in event ? { ...event, chat: null } : event)
    .toSorted()
    .join(' ')
}
