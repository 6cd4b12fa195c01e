/**
 * Measures what a look for waiting webhooks costs PostgreSQL with many lanes waiting for one receiver that is away, beside a scan of the head of
 * every lane, which finds the same. `npm run bench -- lanes [lanes]`
 */
import { createDeliveries } from '../runtime/store/deliveries.js'
import { createWebhookRows } from '../runtime/store/webhooks.js'
import { aMessage, openTestStore, received } from '../test/support/store.js'
import { median, say, table } from './harness/report.js'

const LANES = Number(process.argv[2] ?? 200_000)
const INSTANCES = 100
const ROUNDS = 7

const EVERY_HEAD = `
  WITH RECURSIVE head AS (
    (SELECT webhook_id, lane, instance_id, next_attempt_at FROM delivery ORDER BY webhook_id, lane, position LIMIT 1)
    UNION ALL
    SELECT following.* FROM head CROSS JOIN LATERAL (
      SELECT d.webhook_id, d.lane, d.instance_id, d.next_attempt_at FROM delivery AS d
      WHERE (d.webhook_id, d.lane) > (head.webhook_id, head.lane)
      ORDER BY d.webhook_id, d.lane, d.position LIMIT 1
    ) AS following
  )
  SELECT webhook_id, lane, instance_id FROM head WHERE next_attempt_at <= now()
    AND EXISTS (SELECT FROM webhook AS w WHERE w.id = head.webhook_id AND w.enabled)
    AND EXISTS (SELECT FROM instance AS i WHERE i.id = head.instance_id) ORDER BY next_attempt_at LIMIT 5000`

const after: (() => Promise<void> | void)[] = []
const store = await openTestStore({ after: (work) => after.push(work) })
const { id } = await createWebhookRows(store.database, store.encryption).insert({
  instance: null,
  enabled: true,
  url: 'https://receiver.example',
  events: ['messages'],
  excludeMessages: [],
  addUrlEvents: false,
  addUrlTypesMessages: false,
  secret: 'whsec_bench',
})
for (let index = 0; index < INSTANCES; index++) {
  const instance = await store.newInstance(`bench ${index}`)
  await store.journal.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())])
  await store.rows(
    `INSERT INTO delivery (webhook_id, lane, position, instance_id)
     SELECT $1, 1000000000 + $2::bigint * 10000000 + n, position, instance_id
     FROM (SELECT position, instance_id FROM event WHERE instance_id = $3 LIMIT 1) AS e, generate_series(1, $4::int) AS n`,
    [id, index, instance, Math.round(LANES / INSTANCES)],
  )
}
await store.rows('VACUUM ANALYZE delivery')

const deliveries = createDeliveries(store.database.pool)
const backlogs = await deliveries.backlogs(store.shards)
const fromStart = backlogs.map((one) => ({ ...one, after: undefined }))
const looks: [string, () => Promise<unknown>][] = [
  ['head of every lane', () => store.rows(EVERY_HEAD)],
  ['backlogs: all that a sweep reads while the receiver is away', () => deliveries.backlogs(store.shards)],
  ['the first 5,000 lanes: a sweep when the receiver is there', () => deliveries.listLanes(fromStart, 5_000)],
  ['age of the oldest', () => deliveries.oldestAgeMs()],
]
const rows: string[][] = []
for (const [name, look] of looks) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now()
    await look()
    times.push(performance.now() - startedMs)
  }
  rows.push([name, median(times).toFixed(1)])
}
say(table([`${LANES} lanes, ${INSTANCES} instances`, 'ms, median'], rows))
for (const work of after) await work()
