import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { STORED_RECIPIENTS_MAX } from '../../schemas/campaign.js'
import type { Jid } from '../../schemas/ids.js'
import type { CampaignImport, ImportedRecipient } from '../../schemas/ports/campaign-imports.js'
import { eventually } from '../../test/support/eventually.js'
import { openTestStore } from '../../test/support/store.js'
import { createCampaigns } from '../store/campaigns/campaigns.js'
import { CREATION_LOCK } from '../store/campaigns/creation.js'
import { createCampaignImports, purgeImports } from '../store/campaigns/imports.js'
import { createChatValues } from '../store/chat-values.js'
import { createWork } from '../work/work.js'
import { createRecipientImports } from './recipient-import.js'

const NO_PLACEHOLDERS = { names: [], fieldsMap: {} }
const RULES = { dedupe: true, recentDays: null }
const head = { info: '', send: null, variants: [], delayMinMs: 0, delayMaxMs: 0, startsInMs: 0, requestHash: 'h' }

/** A list of so many people, every tenth of whom stands before, nearby or far up; it breaks off behind that line. */
function makeList(count: number, endsAfter = Number.POSITIVE_INFINITY) {
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

it('an import that broke off continues where it was, and nothing of it starts before', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const imports = createRecipientImports(createCampaignImports(pool), createWork(), createChatValues(pool))
  const instance = await store.newInstance()
  const key = { ...head, id: 'r00000000000001', idempotencyKey: 'key' }
  const begun = await imports.begin(instance, key)
  assert.ok('running' in begun)
  await assert.rejects(imports.store(instance, begun.running, makeList(6_000, 5_500), key, NO_PLACEHOLDERS), /broke/)
  assert.equal((await store.rows('SELECT FROM campaign')).length, 0)
  // Another call with the key continues, one that began before it does not.
  const again = await imports.begin(instance, { ...key, id: 'r00000000000002' })
  assert.ok('running' in again && again.running.lastLine >= 4_000, JSON.stringify(again))
  await assert.rejects(imports.store(instance, begun.running, makeList(6_000), key, NO_PLACEHOLDERS), {
    code: 'IMPORT_RUNNING',
  })
  const stored = await imports.store(instance, again.running, makeList(6_000), key, NO_PLACEHOLDERS)
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
  await assert.rejects(imports.store(instance, left.running, makeList(6_000, 5_100), lost, NO_PLACEHOLDERS), /broke/)
  await purgeImports(pool)
  assert.equal((await store.rows('SELECT FROM campaign_import')).length, 1)
  // No call can continue one without a key.
  const keyless = await imports.begin(instance, { ...head, id: 'r00000000000004' })
  assert.ok('running' in keyless)
  await store.rows("UPDATE campaign_import SET updated = updated - interval '2 hours'")
  await purgeImports(pool)
  assert.deepEqual(await store.rows('SELECT folder_id FROM campaign_import'), [{ folder_id: lost.id }])
  await store.rows("UPDATE campaign_import SET updated = updated - interval '25 hours'")
  await purgeImports(pool)
  assert.equal((await store.rows('SELECT FROM campaign_import')).length, 0)
  assert.equal((await store.rows("SELECT FROM campaign_recipient WHERE folder_id = 'r00000000000003'")).length, 0)
  const over = await imports
    .begin(instance, { ...key, idempotencyKey: 'key', requestHash: 'other' })
    .catch((error) => error)
  assert.equal(over.code, 'IDEMPOTENCY_CONFLICT')
})

/** Recipients of a slice, as lines that nobody has read yet. */
function peopleFrom(line: number, count: number): ImportedRecipient[] {
  return Array.from({ length: count }, (_, index) => {
    const address = `${15_551_000_000 + line + index}@s.whatsapp.net` as Jid
    return { line: line + index, address, person: address, timezone: '', vars: null }
  })
}

it('an instance stores no more recipients than its limit, those of imports that have not ended included', async (t) => {
  const store = await openTestStore(t)
  const imports = createCampaignImports(store.database.pool)
  const instance = await store.newInstance()
  const counters = 'INSERT INTO campaign_progress (instance_id, folder_id, total, deleted) VALUES ($1, $2, $3, 5)'
  await store.rows(counters, [instance, 'r00000000000001', STORED_RECIPIENTS_MAX - 15])
  const begun = async (id: string, idempotencyKey: string) => {
    const { running } = (await imports.begin(instance, { ...head, id, idempotencyKey })) as { running: CampaignImport }
    return running
  }
  const add = (running: CampaignImport, line: number, count: number) =>
    imports.add(instance, running, { people: peopleFrom(line, count), lastLine: line + count - 1 }, RULES)
  const one = await add(await begun('r00000000000002', 'one'), 2, 12)
  const other = await begun('r00000000000003', 'other')
  await assert.rejects(add(other, 2, 9), {
    code: 'CAMPAIGNS_FULL',
    message: /would have 3000001 recipients \(21 of them in imports that have not ended\), and may have 3000000/,
  })
  const campaign = { ...head, id: 'r00000000000004', dedupe: false }
  const recipients = peopleFrom(2, 9).map(({ address }) => ({ address, send: null }))
  await assert.rejects(createCampaigns(store.database.pool).create(instance, { ...campaign, recipients }), {
    code: 'CAMPAIGNS_FULL',
  })
  assert.equal((await store.rows('SELECT FROM campaign_recipient')).length, 12)
  // The slice that fits is stored, and each import ends.
  const full = await add(other, 2, 8)
  assert.equal((await imports.finish(instance, one, { ...head, id: one.folderId })).count, 12)
  assert.equal((await imports.finish(instance, full, { ...head, id: full.folderId })).count, 8)
  await assert.rejects(add(await begun('r00000000000005', 'third'), 2, 1), { code: 'CAMPAIGNS_FULL' })
  assert.equal((await store.rows('SELECT FROM campaign_recipient')).length, 20)
})

it('imports that wait for another creation of their instance hold no connection, and none waits for the same list', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const imports = createCampaignImports(pool)
  const instance = await store.newInstance()
  const key = { ...head, id: 'r00000000000001', idempotencyKey: 'one' }
  const { running } = (await imports.begin(instance, key)) as { running: CampaignImport }
  const other = new pg.Client(store.database.clientConfig)
  await other.connect()
  t.after(() => other.end())
  await other.query('BEGIN')
  await other.query(CREATION_LOCK, [instance])
  await other.query('SELECT FROM campaign_import FOR UPDATE')
  const begins = Array.from({ length: 10 }, (_, index) =>
    imports.begin(instance, { ...head, id: `r1000000000000${index}`, idempotencyKey: `key ${index}` }),
  )
  const waiting = () => store.rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
  await eventually(async () => (await waiting()).length === 1)
  const held = store.database.figures().reduce((sum, lane) => sum + lane.held, 0)
  assert.ok(held <= 1, 'others have the connections')
  const slice = { people: peopleFrom(2, 1), lastLine: 2 }
  await assert.rejects(imports.add(instance, running, slice, RULES), { code: 'IMPORT_RUNNING' })
  await other.query('COMMIT')
  const ends = await Promise.allSettled(begins)
  // An instance has at most five imports.
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 4)
})

it('PostgreSQL knows how many recipients a campaign has right after a large import, and takes a small one for granted', async (t) => {
  const store = await openTestStore(t)
  const imports = createCampaignImports(store.database.pool)
  const instance = await store.newInstance()
  await store.rows('ALTER TABLE campaign_recipient SET (autovacuum_enabled = false)')
  const imported = async (number: number, count: number) => {
    const key = { ...head, id: `r0000000000000${number}`, idempotencyKey: `key ${number}` }
    const { running } = (await imports.begin(instance, key)) as { running: CampaignImport }
    const slice = { people: peopleFrom(2, count), lastLine: count + 1 }
    const before = await imports.add(instance, running, slice, RULES)
    const expected = () => rowsExpected(`SELECT FROM campaign_recipient WHERE folder_id = '${key.id}' ORDER BY ordinal`)
    const without = await expected()
    await imports.finish(instance, before, key)
    return [without, await expected()]
  }
  const rowsExpected = async (query: string): Promise<number> => {
    const [plan] = await store.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${query}`)
    return Number(/rows=(\d+)/.exec(plan?.['QUERY PLAN'] ?? '')?.[1])
  }
  const analyzed = () =>
    store.rows('SELECT analyze_count::int AS n FROM pg_stat_user_tables WHERE relid = $1::regclass', [
      'campaign_recipient',
    ])
  await imported(1, 1_000)
  assert.deepEqual(await analyzed(), [{ n: 0 }])
  const [without = 0, known = 0] = await imported(2, 20_000)
  assert.ok(without < 1_000 && known > 19_000, `${without}, then ${known} rows`)
  // The next one within a minute does not read the table again.
  await imported(3, 20_000)
  assert.deepEqual(await analyzed(), [{ n: 1 }])
})
