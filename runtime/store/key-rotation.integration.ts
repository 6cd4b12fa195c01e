import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aMessage, openTestStore, received, testLog } from '../../test/support/store.js'
import { createAgentRecords } from './agent-records.js'
import { createAgentDirectory } from './agents/agent-directory.js'
import { createEncryption } from './encryption.js'
import { createKeyRotation } from './key-rotation.js'
import { createReader } from './reader.js'
import { createWebhookRows } from './webhooks.js'

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]

it('seals everything again under the present key, which then opens it alone; what it cannot open it leaves', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  const messages = Array.from({ length: 25 }, () => ({ ...aMessage(), proto: Buffer.from('bytes of the message') }))
  await journal.write([
    { type: 'credentials', data: Buffer.from('credentials') },
    {
      type: 'keys',
      entries: Array.from({ length: 25 }, (_, index) => ({
        kind: 'session',
        id: `${index}`,
        value: Buffer.from('key'),
      })),
    },
    ...messages.map(received),
  ])
  const webhooks = createWebhookRows(store.database, store.encryption)
  const access = { origin: 'https://example.com', headers: { 'x-key': 'key' }, username: '', password: '' }
  const webhook = await webhooks.insert({
    instance,
    url: 'https://example.com/',
    events: ['messages'],
    enabled: true,
    excludeMessages: [],
    addUrlEvents: false,
    addUrlTypesMessages: false,
    secret: 'whsec_secret',
    access,
  })
  const agents = createAgentDirectory(store.database.pool, store.encryption, () => {})
  await agents.saveSettings(instance, (former) => ({ ...former, key: 'sk-of-the-instance' }))
  await agents.saveSettings(await store.newInstance(), (former) => ({ ...former, key: undefined }))
  await createAgentRecords(store.database.pool, store.encryption).saveFunction(instance, null, {
    ...{ name: 'find', description: '', method: 'GET', endpoint: 'https://api.example', active: true, body: '' },
    ...{ parameters: [], undocumented: '', headerError: false, bodyError: false, retrySafe: false },
    headers: '{"authorization":"key"}',
  })
  await store.rows(`UPDATE signal_key SET data = '\\x01ffffffff'::bytea || substring(data FROM 6) WHERE id = '3'`)

  const both = createEncryption(NEW, [OLD])
  const rotation = createKeyRotation({ pool: store.database.pool, encryption: both, log: testLog, pageRows: 10 })
  assert.deepEqual(await rotation.run(), { resealed: 1 + 24 + 2 + 25 + 1 + 1, unopened: 1 })
  assert.deepEqual(await rotation.run(), { resealed: 0, unopened: 1 })
  assert.deepEqual(rotation.progress, { left: 1, resealed: 54 })

  const alone = createReader(store.database.pool, createEncryption(NEW))
  assert.equal(Buffer.from((await alone.credentials(instance)) ?? []).toString(), 'credentials')
  assert.equal(Buffer.from((await alone.keys(instance, 'session', ['7'])).get('7') ?? []).toString(), 'key')
  const [message] = await alone.messagesById(instance, [messages[12]?.messageid as never])
  assert.equal(Buffer.from(message?.proto ?? []).toString(), 'bytes of the message')
  const kept = await createWebhookRows(store.database, createEncryption(NEW)).list(instance)
  assert.equal(kept[0]?.secret, webhook.secret)
  const resealed = createAgentDirectory(store.database.pool, createEncryption(NEW), () => {})
  assert.equal(await resealed.openaiKey(instance), 'sk-of-the-instance')
  const [row] = await createAgentRecords(store.database.pool, createEncryption(NEW)).functions(instance)
  assert.equal(row?.headers, '{"authorization":"key"}')
})
