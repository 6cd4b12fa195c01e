import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import type { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { testFolder } from '../../test/support/embedded.js'
import { openTestStore } from '../../test/support/store.js'
import { createMediaFiles } from '../store/media-files.js'
import { createDiskStorage } from './disk-storage.js'
import { createSweep } from './sweep.js'

it('the sweep takes away what nobody needs: sent and lost files, old received ones, those of deleted instances; never what is queued', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const folder = testFolder(t)
  const storage = await createDiskStorage(path.join(folder, 'media'))
  const files = createMediaFiles(pool)
  const instance = await store.newInstance()
  const made = async (
    name: string,
    age: string,
    begin: (file: Parameters<typeof files.beginReceived>[0]) => Promise<void>,
  ) => {
    await begin({ name, mimetype: 'a/b', fileName: '', sizeBytes: 1 })
    const file = path.join(folder, 'given')
    writeFileSync(file, 'a')
    await storage.put(name, file, { durable: false })
    await files.stored(name)
    await pool.query('UPDATE media_file SET created = now() - $2::interval WHERE name = $1', [name, age])
  }
  const outgoing = (name: string, age: string, messageid: string) =>
    made(name, age, (file) => files.beginOutgoing(file, instance, messageid as MessageId))
  const received = (name: string, age: string, of = instance) =>
    made(name, age, (file) => files.beginReceived(file, of))
  const row = (messageid: string, status: string) =>
    pool.query(
      `INSERT INTO message (instance_id, id, chat_id, "messageid", "fromMe", "isGroup", "messageType", "messageTimestamp", "sender", "status", "wasSentByApi")
       VALUES ($1, $2, 1, $2, true, false, 'image', 0, '', $3, true)`,
      [instance, messageid, status],
    )
  await row('queued', 'queued')
  await row('sent', 'sent')
  await outgoing('outgoing/queued', '30 days', 'queued')
  await outgoing('outgoing/sent', '2 hours', 'sent')
  await outgoing('outgoing/lost', '2 hours', 'lost')
  await outgoing('outgoing/new', '1 minute', 'new')
  await received('received/new', '47 hours')
  await received('received/old', '49 hours')
  await received('received/orphan', '2 hours', 'i00000000000002' as InstanceId)

  const campaign = (id: string, status: string, ofCampaign = '') =>
    pool.query(
      `INSERT INTO campaign (instance_id, id, folder, status, delay_min_ms, delay_max_ms, scheduled_at, files_of) VALUES ($1, $2, '', $3, 0, 0, now(), $4)`,
      [instance, id, status, ofCampaign],
    )
  // A file has one byte. Of the ended campaigns, the two newest files stay, one of them by a copy of a copy.
  for (const [id, age] of [
    ['r1', '5 days'],
    ['r2', '4 days'],
    ['r3', '3 days'],
    ['r4', '2 days'],
  ] as const) {
    if (id !== 'r3') await campaign(id, id === 'r1' ? 'sending' : 'done')
    await outgoing(`outgoing/${id}`, age, id)
  }
  await campaign('r5', 'done', 'r3')
  const sweep = createSweep({ storage, files, receivedMs: 48 * 3_600_000, campaignBytes: 2 })
  assert.equal(await sweep.run(), 5)
  const isThere = async (name: string) =>
    await storage.read(name).then(
      (stream) => Boolean(stream.destroy()),
      (error: GatewayError) => error.code !== 'MEDIA_FILE_GONE',
    )
  const campaigns = ['outgoing/r1', 'outgoing/r3', 'outgoing/r4']
  for (const name of ['outgoing/queued', 'outgoing/new', 'received/new', ...campaigns])
    assert.equal(await isThere(name), true, name)
  for (const name of ['outgoing/r2', 'outgoing/sent', 'outgoing/lost', 'received/old', 'received/orphan'])
    assert.equal(await isThere(name), false, name)
  assert.equal(await sweep.run(), 0)
})

it('a file that is fetched again while the sweep takes it away keeps its row', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const files = createMediaFiles(pool)
  const instance = await store.newInstance()
  const begin = (name: string) => files.beginReceived({ name, mimetype: 'a/b', fileName: '', sizeBytes: 1 }, instance)
  for (const name of ['received/again', 'received/old']) await begin(name)
  await pool.query("UPDATE media_file SET created = now() - interval '49 hours'")
  const storage = {
    ...(await createDiskStorage(path.join(testFolder(t), 'media'))),
    delete: async () => {
      await begin('received/again')
      await files.stored('received/again')
    },
  }
  await createSweep({ storage, files, receivedMs: 48 * 3_600_000, campaignBytes: 0 }).run()
  assert.equal((await files.find('received/again'))?.name, 'received/again')
  const { rows } = await pool.query('SELECT name FROM media_file')
  assert.deepEqual(rows, [{ name: 'received/again' }])
})
