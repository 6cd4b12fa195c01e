/**
 * Measures how long pages of a large campaign take, at several states of its progress: pages of `POST /sender/listmessages` and the counters.
 * `npm run bench -- campaign-pages [recipients] [calls]`
 */
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { runBench } from './harness/processes.js'
import { say, table, timed } from './harness/report.js'
import { type BenchStores, startStores } from './harness/stores.js'

const recipients = Number(process.argv[2] ?? 1_000_000)
const calls = Number(process.argv[3] ?? 200)
const FOLDER = 'r00000000000001'
const PAGE = 100
const OTHER_CAMPAIGNS = 99
/** Deepest page by number of those with a status. */
const OFFSET_MAX = 20_000

// Of those before the next one 2 % have failed, 1 in 1,000 was left out, and each fifth message is answered by each further receipt. Of those
// that wait, 1 in 500 is parked.
// $1 instance   $2 recipients   $3 recipients who are done with
const FILL = `
  INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, place, status, messageid, reason, error, due_at, updated)
  SELECT $1, '${FOLDER}', i, '55119' || lpad(i::text, 8, '0') || '@s.whatsapp.net', place, status,
    CASE WHEN i < $3 AND status <> 21 THEN '3EB0' || md5(i::text) END, CASE WHEN status = 20 THEN 'refused' WHEN status = 21 THEN 'opted_out' END,
    CASE WHEN status = 20 THEN 'WhatsApp refused the message.' END, CASE WHEN place = 2 THEN now() + interval '1 hour' END, now()
  FROM generate_series(0, $2::int - 1) AS i
  CROSS JOIN LATERAL (SELECT CASE WHEN i >= $3 THEN 0 WHEN i % 50 = 0 THEN 20 WHEN i % 1000 = 1 THEN 21 ELSE 2 + i % 4 END AS status) AS s
  CROSS JOIN LATERAL (SELECT CASE WHEN i >= $3 THEN CASE WHEN i % 500 = 0 THEN 2 ELSE 1 END
    WHEN status = 20 THEN 3 WHEN status = 21 THEN 4 ELSE 0 END AS place) AS p`
const CAMPAIGNS = `
  INSERT INTO campaign (instance_id, id, folder, status, delay_min_ms, delay_max_ms, scheduled_at)
  SELECT $1, CASE WHEN i = 0 THEN '${FOLDER}' ELSE 'r' || lpad(to_hex(i), 14, 'f') END, 'campaign ' || i, 'paused', 0, 0, now()
  FROM generate_series(0, ${OTHER_CAMPAIGNS}) AS i`
const PROGRESS = `
  INSERT INTO campaign_progress (instance_id, folder_id, total) SELECT $1, id, 1000 FROM campaign WHERE instance_id = $1`
const COUNT = `
  UPDATE campaign_progress AS p SET total = $2, last_ordinal = $3::int - 1, parked = n.parked, sent = n.sent, failed = n.failed, skipped = n.skipped
  FROM (SELECT count(*) FILTER (WHERE place = 2) AS parked, count(*) FILTER (WHERE status BETWEEN 2 AND 5) AS sent,
    count(*) FILTER (WHERE status = 20) AS failed, count(*) FILTER (WHERE status = 21) AS skipped FROM campaign_recipient) AS n
  WHERE p.instance_id = $1 AND p.folder_id = '${FOLDER}'`

await runBench(async () => {
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), undefined, { env: stores.env })
  const token = await gateway.newInstance('large')
  const [instance] = await stores.rows<{ id: string }>('SELECT id FROM instance')
  await stores.rows(CAMPAIGNS, [instance?.id])
  await stores.rows(PROGRESS, [instance?.id])
  const lines: string[][] = []
  const status = await timed(calls, () => gateway.call('GET', '/instance/status', token))
  for (const share of [0, 0.5, 0.99]) {
    const done = Math.round(recipients * share)
    await fill(stores, instance?.id ?? '', done)
    for (const [name, call] of cases(gateway, token, done)) {
      const { p50, p95 } = await timed(calls, call)
      lines.push([`${share * 100} %`, name, p50.toFixed(1), p95.toFixed(1)])
    }
  }
  say(
    table(['sent', `${recipients} recipients`, 'p50, ms', 'p95, ms'], lines),
    '',
    `Pages of ${PAGE}; beside ${OTHER_CAMPAIGNS} further campaigns of the instance; ${calls} calls one after the other, each after 20 that do not count;`,
    `\`GET /instance/status\` takes ${status.p50.toFixed(1)} ms. The campaign is paused: nothing else runs. Node.js ${process.version}.`,
  )
  await gateway.stop()
  await stores.stop()
})

async function fill(stores: BenchStores, instance: string, done: number): Promise<void> {
  await stores.rows('TRUNCATE campaign_recipient')
  await stores.rows(FILL, [instance, recipients, done])
  await stores.rows(COUNT, [instance, recipients, done])
  await stores.rows('VACUUM ANALYZE campaign_recipient')
}

function cases(
  gateway: BenchGateway,
  token: string,
  done: number,
): readonly (readonly [string, () => Promise<unknown>])[] {
  const list =
    (query: object): (() => Promise<unknown>) =>
    () =>
      gateway.call('POST', '/sender/listmessages', token, { folder_id: FOLDER, pageSize: PAGE, ...query })
  const [deep, beforeEnd] = [Math.round(recipients * 0.9), Math.max(0, done - 2 * PAGE)]
  const byNumber = Math.min(OFFSET_MAX, Math.max(0, done - PAGE))
  return [
    ['counters, `folder`', () => gateway.call('GET', `/sender/folder?id=${FOLDER}`, token)],
    ['counters of all, `listfolders`', () => gateway.call('GET', '/sender/listfolders', token)],
    ['first page', list({})],
    ['page at 90 %, by its number', list({ offset: deep })],
    ['page at 90 %, by the cursor', list({ after: deep })],
    ['Sent', list({ messageStatus: 'Sent' })],
    [`Sent, from ${byNumber}, by its number`, list({ messageStatus: 'Sent', offset: byNumber })],
    ['Sent, the last, by the cursor', list({ messageStatus: 'Sent', after: beforeEnd })],
    ['Failed', list({ messageStatus: 'Failed' })],
    ['Failed, the last, by the cursor', list({ messageStatus: 'Failed', after: Math.round(done * 0.99) })],
    ['Skipped', list({ messageStatus: 'Skipped' })],
    ['Scheduled', list({ messageStatus: 'Scheduled' })],
    [
      'Scheduled, near the end, by the cursor',
      list({ messageStatus: 'Scheduled', after: Math.round(recipients * 0.995) }),
    ],
  ]
}
