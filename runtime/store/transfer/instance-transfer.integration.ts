import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type AgentFields, NO_CHATBOT, type TriggerFields } from '../../../schemas/agents/records.js'
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import type { SendContent } from '../../../schemas/send-content.js'
import { parseSendWindow } from '../../../schemas/send-window.js'
import { eventually } from '../../../test/support/eventually.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createAccessKeys } from '../access-keys.js'
import { createAgentRecords } from '../agent-records.js'
import { createAgentDirectory } from '../agents/agent-directory.js'
import { createCampaigns } from '../campaigns/campaigns.js'
import { CREATION_LOCK } from '../campaigns/creation.js'
import { createCampaignImports } from '../campaigns/imports.js'
import { type ChatwootSettings, createChatwootConfigs } from '../chatwoot/config-rows.js'
import { createEncryption } from '../encryption.js'
import { TABLES_OF_INSTANCE } from '../instance-deletion.js'
import { createProxies } from '../proxies.js'
import { createReader } from '../reader.js'
import { CARRIED_TABLES, LEFT_TABLES } from './carried-tables.js'
import { createInstanceTransfer } from './instance-transfer.js'

const PASSPHRASE = 'a passphrase of some length'
const ALL = { webhooks: true, messages: true }
const chat = { pn: '5511900000001@s.whatsapp.net' as Jid }

const isCode = (code: ErrorCode) => (error: unknown) => error instanceof GatewayError && error.code === code

async function openPlace(t: TestContext, key: number) {
  const store = await openTestStore(t)
  const encryption = createEncryption(Buffer.alloc(32, key))
  const transfer = createInstanceTransfer({
    pool: store.database.pool,
    encryption,
    onWritten() {},
    limits: { bytesMax: 2 ** 31, timeoutMs: 60_000 },
    webhooksMax: 20,
    checkWebhook: async () => {},
  })
  return { ...store, encryption, transfer, reader: createReader(store.database.pool, encryption) }
}

/** A paired instance with so many sessions, a chat and two messages of it. */
async function pairedInstance(store: TestStore, sessions = 3): Promise<InstanceId> {
  const id = await store.newInstance()
  const journal = store.journal.forInstance(id, store.findEpoch(id))
  const entries = Array.from({ length: sessions }, (_, index) => ({
    kind: 'session',
    id: `5511900000001.${index}`,
    value: Buffer.alloc(1_500, index),
  }))
  await journal.write([
    { type: 'instance', set: { ownerJid: '5511900000009:3@s.whatsapp.net' as Jid } },
    { type: 'credentials', data: Buffer.from('the credentials') },
    { type: 'keys', entries },
    received(aMessage({ chat, text: 'one', proto: Buffer.from('proto of one') })),
    received(aMessage({ chat, text: 'two' })),
  ])
  return id
}

const anAgent: AgentFields = {
  ...{ name: 'Ana', provider: 'openai' as const, model: 'm', baseUrl: '', basePrompt: 'Be kind.', maxTokens: 1_000 },
  ...{ temperature: 70, diversityLevel: null, frequencyPenalty: null, presencePenalty: null },
  ...{ signMessages: true, readMessages: false, maxMessageLength: 500, typingDelaySeconds: 3, contextHours: 24 },
  ...{ contextMessagesMax: 50, contextMessagesMin: 3, functions: null, knowledge: [], fallbackMessage: 'Later.' },
  ...{ inputPrice: 150_000, outputPrice: null, embeddingModel: 'nomic-embed-text' },
}
const aFunction = {
  ...{ name: 'find', description: '', method: 'GET', endpoint: 'https://api.example', active: true, body: '' },
  ...{ parameters: [], undocumented: '', headerError: false, bodyError: false, retrySafe: false },
}
const aTrigger: Omit<TriggerFields, 'agentId'> = {
  ...{ active: true, ignoreGroups: true, leadField: '', leadOperator: 'equals' as const, leadValue: '' },
  ...{ priority: 1, wordsToStart: 'oi', responseDelaySeconds: 10 },
  schedule: { windows: [parseSendWindow({ timezone: 'UTC' })], closedMessage: 'Closed.' },
}

const aChatwoot: ChatwootSettings = {
  ...{ enabled: true, url: 'https://chatwoot.example', accountId: 1, inboxId: 3, inboxIdentifier: 'abc' },
  ...{ tokenMask: '...ator', ignoreGroups: true, signMessages: true, createNewConversation: false },
}

describe('an instance that is exported', () => {
  it('is written by nobody from then on, and its credentials are read by nobody, until the export is canceled', async (t) => {
    const store = await openPlace(t, 7)
    const id = await pairedInstance(store)
    const journal = store.journal.forInstance(id, store.findEpoch(id))
    const stored = async () => (await store.rows('SELECT FROM message')).length
    await store.transfer.mark(id, ALL)
    const before = await stored()
    await assert.rejects(journal.write([received(aMessage({ chat }))]), isCode('INSTANCE_EXPORTED'))
    assert.equal(await stored(), before)
    await assert.rejects(store.reader.credentials(id), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(store.instances.setDesired(id, true), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(store.transfer.mark(id, ALL), isCode('INSTANCE_EXPORTED'))
    // Deliveries that are due to its webhooks are still sent.
    await store.journal.writeDeliveries(id, store.findEpoch(id), [])
    assert.equal((await store.instances.byId(id))?.isExported, true)

    await store.transfer.unmark(id)
    await journal.write([received(aMessage({ chat }))])
    await store.instances.setDesired(id, true)
    assert.deepEqual(await store.reader.credentials(id), Buffer.from('the credentials'))
  })

  it('must be paired, wanted no more and marked, and have nothing to send that would stay behind', async (t) => {
    const { transfer, ...store } = await openPlace(t, 7)
    await assert.rejects(transfer.mark('i00000000000000' as InstanceId, ALL), isCode('INSTANCE_NOT_FOUND'))
    await assert.rejects(transfer.mark(await store.newInstance(), ALL), isCode('INSTANCE_NOT_PAIRED'))
    const id = await pairedInstance(store)
    await assert.rejects(transfer.read(id, PASSPHRASE, ALL), isCode('INSTANCE_CONNECTED'))
    await store.instances.setDesired(id, true)
    await assert.rejects(transfer.mark(id, ALL), isCode('INSTANCE_CONNECTED'))
    await store.instances.setDesired(id, false)

    const queued = aMessage({ chat, fromMe: true, status: 'queued', wasSentByApi: true })
    await store.journal.forInstance(id, store.findEpoch(id)).write([received(queued)])
    await assert.rejects(transfer.mark(id, { ...ALL, messages: false }), isCode('SENDS_WAITING'))
    await transfer.mark(id, ALL)
    await transfer.unmark(id)
    await store.rows('INSERT INTO media_file (name, owner_id, messageid) VALUES ($1, $2, $3)', [
      'a',
      id,
      queued.messageid,
    ])
    await assert.rejects(transfer.mark(id, ALL), isCode('SENDS_WAITING'))
  })

  it('has the settings of its Chatwoot where it is imported, switched off and with a receiver of their own', async (t) => {
    const [from, to] = [await openPlace(t, 7), await openPlace(t, 9)]
    const id = await pairedInstance(from)
    const configs = createChatwootConfigs(from.database.pool, from.encryption)
    const path = 'ab'.repeat(24)
    const secrets = { token: 'token of an administrator', path, signature: 'key of the signatures' }
    const receiver = await configs.save(id, aChatwoot, secrets, `${aChatwoot.url}/inboxes/3`, false)
    await from.transfer.mark(id, ALL)
    const file = Buffer.concat(await (await from.transfer.read(id, PASSPHRASE, ALL)).toArray())
    assert.equal(await to.transfer.write(inPieces(file), PASSPHRASE), id)
    const there = createChatwootConfigs(to.database.pool, to.encryption)
    const { webhookId, ...config } = (await there.byInstance(id)) ?? assert.fail('no settings')
    const { enabledAtMs: _enabled, linkedAtMs: _linked, lookedAtMs: _looked, ...rest } = config
    assert.deepEqual(rest, {
      ...{ ...aChatwoot, ...secrets, instance: id, enabled: false, state: 'ok', lastError: '' },
      ...{ lastSent: null, lastReceived: null, missed: 0 },
    })
    assert.notEqual(webhookId, receiver)
    assert.deepEqual(await to.rows('SELECT FROM webhook WHERE instance_id = $1', [id]), [])
    assert.equal(await there.save(id, aChatwoot, secrets, `${aChatwoot.url}/inboxes/3`, false), webhookId)
  })

  it('is the same where it is imported, under another key and beside other chats, once', async (t) => {
    const [from, to] = [await openPlace(t, 7), await openPlace(t, 9)]
    const id = await pairedInstance(from, 2_000)
    const keys = createAccessKeys({ pool: from.database.pool, onWritten: () => {} })
    const key = await keys.create(id, { name: 'one chat', scopes: ['read'], chat: chat.pn, lifeMs: null })
    // Numbers of chats that the other has given already.
    await pairedInstance(to)
    const proxy = { url: 'socks5h://ana:secret@proxy.example:1080', fallback: 'none' }
    const proxies = createProxies(from.database.pool, from.encryption)
    await proxies.set(id, proxy)
    const agents = createAgentDirectory(from.database.pool, from.encryption, () => {})
    const agent = await agents.saveAgent(id, null, () => ({ ...anAgent, key: 'sk-0123456789abcdef' }))
    const trigger = await agents.saveTrigger(id, null, () => ({ ...aTrigger, agentId: agent.id }))
    const headers = '{"authorization":"Bearer key-of-the-shop"}'
    await createAgentRecords(from.database.pool, from.encryption).saveFunction(id, null, { ...aFunction, headers })
    const settings = { ...NO_CHATBOT, isEnabled: true, stopWord: 'parar' }
    await agents.saveSettings(id, () => ({ ...settings, key: 'sk-of-the-instance' }))
    await from.transfer.mark(id, ALL)
    await assert.rejects(proxies.set(id, proxy), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(proxies.remove(id), isCode('INSTANCE_EXPORTED'))
    const file = Buffer.concat(await (await from.transfer.read(id, PASSPHRASE, ALL)).toArray())
    const write = (bytes: Buffer) => to.transfer.write(inPieces(bytes), PASSPHRASE)

    await assert.rejects(write(file.subarray(0, -1)), isCode('INVALID_EXPORT'))
    assert.equal(await to.instances.byId(id), null)
    assert.equal(await write(file), id)
    await assert.rejects(write(file), isCode('INSTANCE_EXISTS'))
    await to.instances.delete(id)
    await assert.rejects(async () => {
      await to.rows('INSERT INTO deleted_instance VALUES ($1)', [id])
      await write(file)
    }, isCode('INSTANCE_EXISTS'))
    await to.rows('DELETE FROM deleted_instance')
    assert.equal(await write(file), id)

    const imported = await to.instances.byId(id)
    assert.deepEqual(
      [imported?.isExported, imported?.desiredConnected, imported?.owner],
      [false, false, '5511900000009'],
    )
    const opened = (await to.instances.byToken(key.token))?.key
    assert.deepEqual([opened?.scopes, opened?.chat], [['read'], chat.pn])
    assert.deepEqual(await to.reader.credentials(id), Buffer.from('the credentials'))
    assert.deepEqual(await to.reader.proxy(id), proxy)
    const there = createAgentDirectory(to.database.pool, to.encryption, () => {})
    assert.deepEqual(await there.agents(id), [agent])
    assert.deepEqual(await there.triggers(id), [trigger])
    assert.equal(await there.agentKey(id, agent.id), 'sk-0123456789abcdef')
    const [carried] = await createAgentRecords(to.database.pool, to.encryption).functions(id)
    assert.equal(carried?.headers, headers)
    assert.equal(await there.openaiKey(id), 'sk-of-the-instance')
    const config = await to.reader.agentConfig(id)
    assert.deepEqual([config?.settings, config?.triggers], [{ ...settings, openaiKeyMask: 'sk-...ance' }, [trigger]])
    const { basePrompt: _prompt, created: _created, updated: _updated, ...inMemory } = agent
    assert.deepEqual(config?.agents.get(agent.id), inMemory)
    // One of OpenAI without a key uses that of the instance; without an active trigger nothing is in memory.
    await there.saveAgent(id, agent.id, () => ({ ...anAgent, key: null }))
    assert.equal(await there.agentKey(id, agent.id), 'sk-of-the-instance')
    await there.saveTrigger(id, trigger.id, () => ({ ...aTrigger, agentId: agent.id, active: false }))
    assert.equal(await to.reader.agentConfig(id), null)
    const last = '5511900000001.1999'
    assert.deepEqual(await to.reader.keys(id, 'session', [last]), new Map([[last, Buffer.alloc(1_500, 1_999)]]))
    const texts =
      'SELECT m."text", c."wa_chatid" FROM message m JOIN chat c ON c.instance_id = m.instance_id AND c.id = m.chat_id'
    const found = await to.rows(`${texts} WHERE m.instance_id = $1 ORDER BY m.position`, [id])
    assert.deepEqual(found, [
      { text: 'one', wa_chatid: chat.pn },
      { text: 'two', wa_chatid: chat.pn },
    ])
    const counts = (store: TestStore) =>
      Promise.all(
        CARRIED_TABLES.map(({ name, instance }) =>
          store.rows(`SELECT count(*) FROM ${name} WHERE ${instance} = $1`, [id]),
        ),
      )
    assert.deepEqual(await counts(to), await counts(from))
    // It continues: the same chat, and sequences after those that readers have seen.
    await to.journal.forInstance(id, to.findEpoch(id)).write([received(aMessage({ chat }))])
    const [row] = await to.rows<{ chats: number; sequence: number }>(
      'SELECT (SELECT count(*) FROM chat WHERE instance_id = $1) AS chats, (SELECT max(sequence) FROM event WHERE instance_id = $1) AS sequence',
      [id],
    )
    assert.deepEqual(row, { chats: 1, sequence: 3 })
  })

  it('takes its campaigns along, each recipient as it is; those whose files would stay behind hold the export back', async (t) => {
    const [from, to] = [await openPlace(t, 7), await openPlace(t, 9)]
    const id = await pairedInstance(from)
    const campaigns = createCampaigns(from.database.pool)
    const send = (content: SendContent) => ({ content, options: {} })
    const file = { name: 'outgoing/a', sizeBytes: 1, sha256: '', mimetype: 'image/png' }
    const image = { kind: 'media', media: 'image', file } as unknown as SendContent
    const recipients = Array.from({ length: 600 }, (_, index) => ({
      address: `${5_511_900_000_000 + index}@s.whatsapp.net` as Jid,
      send: null,
      vars: { name: `Person ${index}` },
    }))
    const made = (id: string, content: SendContent, more = recipients) => {
      const head = { info: 'info', variants: [{ text: 'a', weight: 1 }], delayMinMs: 1, delayMaxMs: 2, dedupe: true }
      const window = parseSendWindow({ timezone: 'UTC' })
      return { ...head, id, send: send(content), recipients: more, startsInMs: 86_400_000, window, folder: id }
    }
    const [open, withFile] = ['r00000000000001', 'r00000000000002']
    await campaigns.create(id, made(open, { kind: 'text', text: 'hello' } as SendContent))
    await campaigns.create(id, made(withFile, image, recipients.slice(0, 2)))
    const filed = 'INSERT INTO media_file (name, owner_id, messageid, stored) VALUES ($1, $2, $3, true)'
    await from.rows(filed, [file.name, id, withFile])
    await assert.rejects(from.transfer.mark(id, ALL), (error: GatewayError) => {
      assert.deepEqual([error.code, error.details], ['SENDS_WAITING', { campaigns: [withFile] }])
      return /r00000000000002 have files, which stay in the storage/.test(error.message)
    })
    await from.rows("UPDATE campaign SET status = 'done' WHERE id = $1", [withFile])
    await assert.rejects(from.transfer.mark(id, { ...ALL, messages: false }), isCode('SENDS_WAITING'))
    // Under way, parked until tomorrow, failed, left out, and the parts of an import that has not ended. A counter is wrong.
    const state =
      'UPDATE campaign_recipient SET place = $2, status = $3, due_at = now() + $4::interval WHERE ordinal = $1'
    for (const one of [
      [0, 0, 1, null],
      [1, 2, 0, '1 day'],
      [2, 3, 20, null],
      [3, 4, 21, null],
    ])
      await from.rows(`${state} AND folder_id = '${open}'`, one)
    await from.rows(
      `UPDATE campaign_progress SET taken = 7, failed = 1, skipped = 1, last_ordinal = 3 WHERE folder_id = '${open}'`,
    )
    const imports = createCampaignImports(from.database.pool)
    const begun = await imports.begin(id, { id: 'r00000000000003', idempotencyKey: 'k', requestHash: 'h' })
    const [{ address }] = recipients as [(typeof recipients)[0]]
    const person = { line: 2, address, person: address, timezone: '', vars: null }
    assert.ok('running' in begun)
    await imports.add(id, begun.running, { people: [person], lastLine: 2 }, { dedupe: true, recentDays: null })

    // A campaign that is being created is waited for.
    const client = await from.database.pool.connect()
    await client.query('BEGIN')
    await client.query(CREATION_LOCK, [id])
    const marking = from.transfer.mark(id, ALL)
    await eventually(
      async () => (await from.rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0,
    )
    await client.query('COMMIT')
    client.release()
    await marking
    const late = made('r00000000000004', { kind: 'text', text: 'late' } as SendContent)
    await assert.rejects(campaigns.create(id, late), isCode('INSTANCE_EXPORTED'))

    const sealed = Buffer.concat(await (await from.transfer.read(id, PASSPHRASE, ALL)).toArray())
    assert.equal(await to.transfer.write(inPieces(sealed), PASSPHRASE), id)
    const of = (store: TestStore, table: string, columns = '*') =>
      store.rows(
        `SELECT ${columns} FROM ${table} WHERE instance_id = $1 AND NOT folder_id = 'r00000000000003' ORDER BY 1, 2, 3`,
        [id],
      )
    const same = 'instance_id, folder_id, ordinal, address, place, status, due_at, vars, dedupe_key'
    assert.deepEqual(await of(to, 'campaign_recipient', same), await of(from, 'campaign_recipient', same))
    const there = createCampaigns(to.database.pool)
    const [moved, before] = [await there.find(id, open), await campaigns.find(id, open)]
    assert.deepEqual(moved, { ...before, taken: 1, parked: 1, updated: moved?.updated })
    const [active] = await to.reader.activeCampaigns(id)
    assert.deepEqual(
      [active?.id, active?.send?.content, active?.window?.timezone],
      [open, { kind: 'text', text: 'hello' }, 'UTC'],
    )
    assert.equal((await to.rows('SELECT FROM campaign_recipient')).length, 602)
    // The name of a file here would be somebody else's there.
    const stays = { ...image, file: { ...file, name: '' } }
    assert.deepEqual(await to.rows('SELECT template FROM campaign WHERE id = $1', [withFile]), [
      { template: JSON.stringify(send(stays)) },
    ])
    const copy = there.copy(id, withFile, 'all', { id: 'r00000000000005', startsInMs: 0 })
    await assert.rejects(copy, isCode('MEDIA_FILE_GONE'))
    assert.equal(await there.find(id, 'r00000000000005'), null)
  })

  it('takes with it, or leaves on purpose, what is in every table of an instance', () => {
    const carried = CARRIED_TABLES.filter(({ instance }) => instance === 'instance_id').map(({ name }) => name)
    assert.deepEqual([...carried, ...LEFT_TABLES].toSorted(), [...TABLES_OF_INSTANCE].toSorted())
  })
})

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
}
