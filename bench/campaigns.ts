/**
 * Two costs of campaigns. First the CPU of the gateway and of PostgreSQL for a message of a campaign, beside the same text as an asynchronous
 * send without a pause. Then the time of a page and of the counters in a large campaign, at several states of its progress.
 * `npm run bench -- campaigns [messages a round] [rounds] [recipients]`
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { testDatabase, testRedis } from '../test/support/embedded.js'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, say, table } from './harness/report.js'

const messages = Number(process.argv[2] ?? 500)
const rounds = Number(process.argv[3] ?? 5)
const recipients = Number(process.argv[4] ?? 1_000_000)
const CALLS = 200
/** Before that V8 is still compiling. */
const WARM_UP = Math.ceil(5_000 / messages)
const [OWN, FRIEND] = ['15550930001', '15550930002']
const FOLDER = 'r00000000000001'

const FILL = `
  INSERT INTO campaign_recipient (instance_id, folder_id, ordinal, address, place, status, messageid)
  SELECT $1, '${FOLDER}', i, '55119' || lpad(i::text, 8, '0') || '@s.whatsapp.net', CASE WHEN i < $3 THEN CASE WHEN i % 50 = 0 THEN 3 ELSE 0 END ELSE 1 END,
    CASE WHEN i < $3 THEN CASE WHEN i % 50 = 0 THEN 20 ELSE 3 END ELSE 0 END, CASE WHEN i < $3 THEN '3EB0' || md5(i::text) END
  FROM generate_series(0, $2::int - 1) AS i`

const after: (() => Promise<void> | void)[] = []
const cleanup = { after: (work: () => Promise<void> | void) => after.unshift(work) }

await runBench(async () => {
  try {
    const network = await startNetwork()
    for (const phone of [OWN, FRIEND]) await network.control('POST', '/phones', { phone, refreshOnScan: false })
    const { connectionString } = await testDatabase(cleanup)
    const redis = await testRedis(cleanup)
    const gateway = await startGateway(dataFolder(), network, {
      env: {
        DATABASE_URL: connectionString,
        REDIS_URL: redis.url,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        CLUSTER_SECRET: 'bench-bench-bench-bench',
        SEND_DELAY_MIN_MS: '0',
        SEND_DELAY_MAX_MS: '0',
      },
    })
    const token = await gateway.pair(OWN)
    const client = new pg.Client({ connectionString })
    await client.connect()
    await dispatcherCost(gateway, network, client, token)
    await pages(gateway, client)
    await client.end()
    await gateway.stop()
  } finally {
    for (const work of after) await work()
  }
})

async function dispatcherCost(
  gateway: BenchGateway,
  network: BenchNetwork,
  client: pg.Client,
  token: string,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = parentOf(Number(rows[0]?.pid))
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    await network.control('DELETE', `/phones/${FRIEND}/messages`)
    const before = cpuMs(gateway.pid) + cpuOfChildren(postmaster)
    await work()
    await arrived(network)
    return (cpuMs(gateway.pid) + cpuOfChildren(postmaster) - before) / messages
  }
  const queued = () =>
    Promise.all(
      Array.from({ length: messages }, (_, index) =>
        gateway.call('POST', '/send/text', token, { number: FRIEND, text: `text ${index}`, async: true }),
      ),
    )
  const campaign = () =>
    gateway.call('POST', '/sender/simple', token, {
      numbers: Array.from({ length: messages }, () => FRIEND),
      type: 'text',
      text: 'text 0000',
      delayMin: 0,
      delayMax: 0,
    })
  const figures = { queued: [] as number[], campaign: [] as number[] }
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const [one, other] = [await cost(queued), await cost(campaign)]
    if (round < WARM_UP) continue
    figures.queued.push(one)
    figures.campaign.push(other)
  }
  const [plain, ours] = [median(figures.queued), median(figures.campaign)]
  say(
    table(
      ['a message', 'CPU of gateway and PostgreSQL, ms', '/ queued'],
      [
        ['queued, with its call', plain.toFixed(2), '1.00'],
        ['of a campaign', ours.toFixed(2), (ours / plain).toFixed(2)],
      ],
    ),
    '',
    `${rounds} rounds of ${messages}, medians. Node.js ${process.version}.`,
    '',
  )
}

async function arrived(network: BenchNetwork): Promise<void> {
  for (;;) {
    const shown = await network.control<object[]>('GET', `/phones/${FRIEND}/messages?own=false`)
    if (shown.length >= messages) return
    await wait(50)
  }
}

async function pages(gateway: BenchGateway, client: pg.Client): Promise<void> {
  const token = await gateway.newInstance('large')
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM instance WHERE name = 'large'`)
  const instance = rows[0]?.id
  const lines: string[][] = []
  for (const share of [0, 0.5, 0.99]) {
    const sent = Math.round(recipients * share)
    const failed = Math.ceil(sent / 50)
    await client.query('DELETE FROM campaign_recipient')
    await client.query('DELETE FROM campaign WHERE instance_id = $1', [instance])
    await client.query('DELETE FROM campaign_progress WHERE instance_id = $1', [instance])
    await client.query(
      `INSERT INTO campaign (instance_id, id, folder, status, delay_min_ms, delay_max_ms, scheduled_at) VALUES ($1, '${FOLDER}', 'x', 'paused', 0, 0, now())`,
      [instance],
    )
    await client.query(
      `INSERT INTO campaign_progress (instance_id, folder_id, total, sent, delivered, failed, last_ordinal) VALUES ($1, '${FOLDER}', $2, $3, $3, $4, $5)`,
      [instance, recipients, sent - failed, failed, sent - 1],
    )
    await client.query(FILL, [instance, recipients, sent])
    await client.query('VACUUM ANALYZE campaign_recipient')
    const list = (body: object) => () =>
      gateway.call('POST', '/sender/listmessages', token, { folder_id: FOLDER, pageSize: 100, ...body })
    const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['counters', () => gateway.call('GET', `/sender/folder?id=${FOLDER}`, token)],
      ['first page', list({})],
      ['page at 90 %', list({ offset: Math.round(recipients * 0.9) })],
      ['failed', list({ messageStatus: 'Failed' })],
      ['sent', list({ messageStatus: 'Sent' })],
      ['scheduled', list({ messageStatus: 'Scheduled' })],
      ['scheduled, along the cursor', list({ messageStatus: 'Scheduled', after: Math.round(recipients * 0.995) })],
    ]
    for (const [name, call] of cases) lines.push([`${share * 100} %`, name, (await p50(call)).toFixed(1)])
  }
  say(table(['sent', `of ${recipients} recipients`, 'p50, ms'], lines))
}

async function p50(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < CALLS; index += 1) {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** The fields of `/proc/<pid>/stat` behind the name. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1])
}

function cpuOfChildren(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === parent)
  return pids.reduce((sum, pid) => sum + cpuMs(Number(pid)), 0)
}
