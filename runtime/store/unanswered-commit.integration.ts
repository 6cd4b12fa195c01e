import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import type { Change } from '../../actors/instance/ports.js'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { startCommitProxy } from '../../test/support/commit-proxy.js'
import { aMessage, openTestStore, received, testLog } from '../../test/support/store.js'
import { createAccessKeys } from './access-keys.js'
import { createAdminTokens } from './admin-tokens.js'
import { createAgentRecords } from './agent-records.js'
import { createKnowledgeEntries } from './agents/knowledge-entries.js'
import { openDatabase } from './database.js'
import { createDeadLetters } from './dead-letters.js'
import { createInstances } from './instances.js'
import { createJournal } from './journal.js'
import { createQuickReplies } from './quick-replies.js'
import { askOutcome, readIdentity } from './transaction-outcome.js'
import { createInstanceTransfer } from './transfer/instance-transfer.js'
import { createWebhookRows } from './webhooks.js'

const isCode = (code: ErrorCode) => (error: unknown) => error instanceof GatewayError && error.code === code

/** A store, and the same one behind a proxy that cuts at a COMMIT. */
async function openScene(t: TestContext) {
  const store = await openTestStore(t)
  const proxy = await startCommitProxy(t, store.database.place.connectionString)
  const { connectionString } = proxy
  const behind = openDatabase({ connectionString, poolMax: 4, connectTimeoutMs: 500 }, testLog)
  const told: string[] = []
  const journal = createJournal({
    clientConfig: behind.clientConfig,
    encryption: store.encryption,
    findShard: store.findShard,
    log: testLog,
    onCommitted: ({ events }) => told.push(...events.map(({ instance }) => instance)),
  })
  t.after(async () => {
    await journal.close()
    await behind.close()
  })
  return { store, proxy, behind, journal, told }
}

describe('a commit of the journal that is not answered', () => {
  const key: Change = { type: 'keys', entries: [{ kind: 'session', id: '1', value: Buffer.from('step') }] }

  it('counts as what it was: durable and announced when PostgreSQL has executed it', async (t) => {
    const { store, proxy, journal, told } = await openScene(t)
    const [one, two] = [await store.newInstance(), await store.newInstance()]
    const [first, second] = [journal.forInstance(one, 1), journal.forInstance(two, 1)]
    await first.write([received(aMessage())])
    told.length = 0
    const cut = proxy.cutNext('after', 'posthorn journal')
    const message = aMessage()
    const [written, stepped] = [first.write([received(message)]), second.write([key])]
    const settled = first.settled()
    await cut
    const { messages } = await written
    await Promise.all([stepped, settled])
    assert.equal(messages.get(message.messageid)?.inserted, true)
    assert.deepEqual(told, [one])
    assert.equal((await store.rows('SELECT FROM message')).length, 2)
    assert.equal((await store.rows('SELECT FROM signal_key')).length, 1)
    await first.write([received(aMessage())])
    assert.equal(journal.isFailing, false)
  })

  it('is refused as not accepted when PostgreSQL never got it', async (t) => {
    const { store, proxy, journal, told } = await openScene(t)
    const instance = await store.newInstance()
    const before = journal.forInstance(instance, 1)
    await before.write([key])
    const cut = proxy.cutNext('before', 'posthorn journal')
    const refused = before.write([received(aMessage())])
    await cut
    await assert.rejects(refused, isCode('STORE_UNAVAILABLE'))
    assert.deepEqual(told, [])
    assert.equal((await store.rows('SELECT FROM message')).length, 0)
    await journal.forInstance(instance, 1).write([received(aMessage())])
  })

  it('is of unknown outcome when PostgreSQL cannot be asked, and what was written behind it is not accepted', async (t) => {
    const { store, proxy, journal } = await openScene(t)
    const instance = await store.newInstance()
    const writer = journal.forInstance(instance, 1)
    await writer.write([key])
    const cut = proxy.cutNext('after', 'posthorn journal', { andStays: true })
    const unknown = writer.write([received(aMessage())])
    await cut
    const [behind, settled] = [writer.write([received(aMessage())]), writer.settled()]
    await assert.rejects(unknown, isCode('OUTCOME_UNKNOWN'))
    await assert.rejects(behind, isCode('STORE_UNAVAILABLE'))
    await assert.rejects(settled ?? Promise.resolve())
    assert.equal((await store.rows('SELECT FROM message')).length, 1)
    assert.equal(journal.isFailing, true)
    assert.equal(journal.waitingBytes, 0)
  })
})

describe('the outcome of a transaction', () => {
  async function transaction(t: TestContext) {
    const store = await openTestStore(t)
    const client = new pg.Client(store.database.clientConfig)
    client.on('error', () => {})
    await client.connect()
    t.after(() => client.end().catch(() => {}))
    const server = await readIdentity(client)
    await client.query('BEGIN')
    const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid')
    await client.query("INSERT INTO meta VALUES ('a', 'b')")
    const config = { ...store.database.clientConfig, connectionTimeoutMillis: 1_000 }
    const ask = (asked = server) => askOutcome(config, { xid: rows[0]?.xid ?? '', server: asked })
    return { store, client, server, ask }
  }

  it('is not told by another cluster, and by one that has crashed only when it is sure', async (t) => {
    const { client, server, ask } = await transaction(t)
    assert.match(server.cluster ?? '', /^\d+ [0-9A-F]{8}$/)
    assert.match(server.recovered ?? '', /^\d{4}-/)
    await client.query('COMMIT')
    assert.equal(await ask(), 'committed')
    // A promoted standby has another timeline.
    assert.equal(await ask({ ...server, cluster: server.cluster?.replace(/.$/, 'F') ?? null }), 'unknown')
    assert.equal(await ask({ cluster: null, recovered: null }), 'unknown')
    // The id may have been given out again.
    assert.equal(await ask({ ...server, recovered: '2020-01-01' }), 'unknown')
  })

  it('is reported by a server that has crashed if the transaction is not committed there', async (t) => {
    const { client, server, ask } = await transaction(t)
    await client.query('ROLLBACK')
    assert.equal(await ask({ ...server, recovered: '2020-01-01' }), 'aborted')
  })

  it('is known although its connection still waits for the rest of it', async (t) => {
    const { store, ask } = await transaction(t)
    assert.equal(await ask(), 'aborted')
    assert.equal((await store.rows("SELECT FROM meta WHERE key = 'a'")).length, 0)
  })

  it('is known to a role without privileges', async (t) => {
    const { store, server } = await transaction(t)
    const client = await store.database.pool.connect()
    await client.query('BEGIN; CREATE ROLE nobody_in_particular; SET LOCAL ROLE nobody_in_particular')
    const seen = await readIdentity(client)
    await client.query('ROLLBACK')
    client.release()
    assert.deepEqual(seen, server)
  })
})

/** Each change that the API makes by itself, on an instance that there is. */
async function listChanges({ store, behind }: Awaited<ReturnType<typeof openScene>>) {
  const id = await store.newInstance()
  const { pool } = behind
  const instances = createInstances(behind, { instancesMax: 100, pairingsMax: 100, pairingMaxMs: 60_000 })
  const keys = createAccessKeys({ pool, onWritten() {} })
  const kept = createAccessKeys({ pool: store.database.pool, onWritten() {} })
  const records = createAgentRecords(pool, store.encryption)
  const knowledge = createKnowledgeEntries(pool, () => {})
  const replies = createQuickReplies(pool)
  const webhooks = createWebhookRows(behind, store.encryption)
  const transfer = createInstanceTransfer({
    pool,
    encryption: store.encryption,
    limits: { bytesMax: 1, timeoutMs: 1 },
    webhooksMax: 1,
    async checkWebhook() {},
    onWritten() {},
  })
  const tokens = createAdminTokens({ pool, own: 'own', salt: 'salt', onWritten() {} })
  const fields = { name: '', systemName: '', adminField01: '', adminField02: '' }
  const reply = { shortcut: 'a', type: 'text', text: 'b', file: '', docName: '' } as const
  const webhook: Parameters<typeof webhooks.insert>[0] = {
    ...{ instance: id, enabled: true, url: 'https://example.com', events: ['messages'], excludeMessages: [] },
    ...{ addUrlEvents: false, addUrlTypesMessages: false, secret: 'whsec_a' },
  }
  const hook = await createWebhookRows(store.database, store.encryption).insert(webhook)
  const { key } = await kept.create(id, { name: 'a', scopes: ['read'], chat: null, lifeMs: null })
  const changes: Record<string, () => Promise<unknown>> = {
    'a new instance': () => instances.create(fields),
    'a name': () => instances.rename(id, 'new'),
    'admin fields': () => instances.setAdminFields(id, { adminField01: 'new' }),
    'names of fields': () => instances.setFieldsMap(id, { lead_field01: 'new' }),
    'a new token': () => instances.rotateToken(id, 1_000),
    'that it be connected': () => instances.setDesired(id, true),
    'that it be disconnected': () => instances.setDesired(id, false),
    'a key': () => keys.create(id, { name: 'b', scopes: ['read'], chat: null, lifeMs: null }),
    'a key that is revoked': () => keys.revoke(id, key.id),
    'a new admin token': () => tokens.rotate(1_000),
    'a quick reply': () => replies.save(id, null, reply),
    'a quick reply that is deleted': () => replies.delete(id, 'none'),
    'knowledge that is deleted': () => knowledge.delete(id, 'none'),
    'a function that is deleted': () => records.deleteFunction(id, 'none'),
    'a webhook': () => webhooks.insert(webhook),
    'a webhook that is changed': () => webhooks.update(id, hook.id, { enabled: false }),
    'a webhook among others': () => webhooks.exclusively(id, (rows) => rows.insert(webhook)),
    'a webhook that is deleted': () => webhooks.delete(id, hook.id),
    'dead letters that are replayed': () => createDeadLetters(pool).replay([hook.id], {}),
    'an export that is canceled': () => transfer.unmark(id),
    'an instance that is deleted': () => instances.delete(id),
  }
  return changes
}

describe('a change that the API makes', () => {
  it('is answered as done when its commit was executed and not answered', async (t) => {
    const scene = await openScene(t)
    for (const [name, change] of Object.entries(await listChanges(scene))) {
      const cut = scene.proxy.cutNext('after', 'posthorn')
      await assert.doesNotReject(change(), name)
      await cut
    }
    assert.equal((await scene.store.rows('SELECT FROM instance')).length, 1)
    assert.equal((await scene.store.rows('SELECT FROM webhook')).length, 0)
  })

  it('is answered as not accepted, and is not made, when its commit got lost', async (t) => {
    const scene = await openScene(t)
    const changes = Object.entries(await listChanges(scene))
    const readRows = async () =>
      await scene.store.rows<{ rows: string }>(
        `SELECT string_agg(row::text, '') AS rows FROM (SELECT i::text FROM instance AS i UNION ALL SELECT w::text FROM webhook AS w
         UNION ALL SELECT k::text FROM access_key AS k UNION ALL SELECT q::text FROM quick_reply AS q
         UNION ALL SELECT a::text FROM admin_token AS a) AS row`,
      )
    const before = await readRows()
    for (const [name, change] of changes) {
      const cut = scene.proxy.cutNext('before', 'posthorn')
      await assert.rejects(change(), isCode('STORE_UNAVAILABLE'), name)
      await cut
      assert.deepEqual(await readRows(), before, name)
    }
  })

  it('is of unknown outcome when PostgreSQL cannot be asked', async (t) => {
    const scene = await openScene(t)
    const cut = scene.proxy.cutNext('after', 'posthorn', { andStays: true })
    const instances = createInstances(scene.behind, { instancesMax: 100, pairingsMax: 100, pairingMaxMs: 60_000 })
    const id: InstanceId = await scene.store.newInstance()
    await assert.rejects(instances.rename(id, 'new'), isCode('OUTCOME_UNKNOWN'))
    await cut
    scene.proxy.mend()
    assert.equal((await instances.byId(id))?.name, 'new')
  })
})
