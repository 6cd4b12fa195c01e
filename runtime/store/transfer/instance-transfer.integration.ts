import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createAccessKeys } from '../access-keys.js'
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
  const journal = store.journal.forInstance(id, store.epochOf(id))
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

describe('an instance that is exported', () => {
  it('is written by nobody from then on, and its credentials are read by nobody, until the export is canceled', async (t) => {
    const store = await openPlace(t, 7)
    const id = await pairedInstance(store)
    const journal = store.journal.forInstance(id, store.epochOf(id))
    await store.transfer.mark(id, ALL)
    await assert.rejects(journal.write([received(aMessage({ chat }))]), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(store.reader.credentials(id), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(store.instances.setDesired(id, true), isCode('INSTANCE_EXPORTED'))
    await assert.rejects(store.transfer.mark(id, ALL), isCode('INSTANCE_EXPORTED'))
    // What is due to its webhooks still goes out.
    await store.journal.writeDeliveries(id, store.epochOf(id), [])
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
    await store.journal.forInstance(id, store.epochOf(id)).write([received(queued)])
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
    // It goes on: the same chat, and sequences after those that readers have seen.
    await to.journal.forInstance(id, to.epochOf(id)).write([received(aMessage({ chat }))])
    const [row] = await to.rows<{ chats: number; sequence: number }>(
      'SELECT (SELECT count(*) FROM chat WHERE instance_id = $1) AS chats, (SELECT max(sequence) FROM event WHERE instance_id = $1) AS sequence',
      [id],
    )
    assert.deepEqual(row, { chats: 1, sequence: 3 })
  })

  it('takes with it, or leaves on purpose, what is in every table of an instance', () => {
    const carried = CARRIED_TABLES.filter(({ instance }) => instance === 'instance_id').map(({ name }) => name)
    assert.deepEqual([...carried, ...LEFT_TABLES].toSorted(), [...TABLES_OF_INSTANCE].toSorted())
  })
})

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
}
