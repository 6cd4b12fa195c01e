import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestStore } from '../../test/support/store.js'
import { createCampaignImports, purgeImports } from '../store/campaign-imports.js'
import { createRecipientImports } from './recipient-import.js'

const head = { info: '', send: null, variants: [], delayMinMs: 0, delayMaxMs: 0, startsInMs: 0, requestHash: 'h' }

/** A list of so many people, every tenth of whom stands before, nearby or far up; it breaks off behind that line. */
function listOf(count: number, endsAfter = Number.POSITIVE_INFINITY) {
  async function* open(): AsyncGenerator<Buffer> {
    yield Buffer.from('number,name\n')
    for (let line = 2; line < count + 2; line += 1) {
      if (line > endsAfter) throw new Error('The connection broke.')
      const person = line % 10 === 0 ? line - (line > 3_000 ? 2_499 : 1) : line
      yield Buffer.from(`${15_551_000_000 + person},Person ${line}\n`)
    }
  }
  return { open, format: 'csv', rules: { dedupe: true, recentDays: null } } as const
}

it('an import that broke off goes on where it was, and nothing of it starts before', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const imports = createRecipientImports(createCampaignImports(pool))
  const instance = await store.newInstance()
  const key = { ...head, id: 'r00000000000001', idempotencyKey: 'key' }
  const begun = await imports.begin(instance, key)
  assert.ok('running' in begun)
  await assert.rejects(imports.store(instance, begun.running, listOf(6_000, 5_500), key), /broke/)
  assert.equal((await store.rows('SELECT FROM campaign')).length, 0)
  // Another call with the key goes on, one that began before it does not.
  const again = await imports.begin(instance, { ...key, id: 'r00000000000002' })
  assert.ok('running' in again && again.running.lastLine >= 4_000, JSON.stringify(again))
  await assert.rejects(imports.store(instance, begun.running, listOf(6_000), key), { code: 'IMPORT_RUNNING' })
  const stored = await imports.store(instance, again.running, listOf(6_000), key)
  assert.deepEqual(stored, { folderId: key.id, count: 5_400, duplicates: 600, optedOut: 0, recent: 0 })
  const [row] = await store.rows<Record<string, number>>(
    'SELECT count(*)::int AS rows, count(DISTINCT address)::int AS people, max(ordinal) AS last FROM campaign_recipient',
  )
  assert.deepEqual(row, { rows: 5_400, people: 5_400, last: 5_399 })
  assert.deepEqual(await store.rows('SELECT total FROM campaign_progress'), [{ total: 5_400 }])
  const made = await imports.begin(instance, key)
  assert.ok('former' in made && made.former.id === key.id)

  // Nobody comes back to this one.
  const lost = { ...key, id: 'r00000000000003', idempotencyKey: 'another' }
  const left = await imports.begin(instance, lost)
  assert.ok('running' in left)
  await assert.rejects(imports.store(instance, left.running, listOf(6_000, 5_100), lost), /broke/)
  await purgeImports(pool)
  assert.equal((await store.rows('SELECT FROM campaign_import')).length, 1)
  await store.rows("UPDATE campaign_import SET updated = updated - interval '25 hours'")
  await purgeImports(pool)
  assert.equal((await store.rows('SELECT FROM campaign_import')).length, 0)
  assert.equal((await store.rows("SELECT FROM campaign_recipient WHERE folder_id = 'r00000000000003'")).length, 0)
  const over = await imports
    .begin(instance, { ...key, idempotencyKey: 'key', requestHash: 'other' })
    .catch((error) => error)
  assert.equal(over.code, 'IDEMPOTENCY_CONFLICT')
})
