/**
 * Many instances of one node with a campaign each: statements of PostgreSQL and CPU in a second, and the delay of the event loop, without a
 * campaign, while all campaigns wait for their window, and while all send with the usual pauses.
 * `npm run bench -- campaign-fleet [instances] [seconds of each]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'
import { type BenchStores, startStores } from './harness/stores.js'

const count = Number(process.argv[2] ?? 1_000)
const seconds = Number(process.argv[3] ?? 30)
const AT_ONCE = 8
/** Time in which what came before is over. */
const SETTLES_MS = 12_000
const RECIPIENTS = 20
const PEOPLE = 1_000
const FIRST_PERSON = 15_557_000_000
const TEXT = { type: 'text', text: 'Hello {{first_name}}' }
/** The pace is as usual. New accounts may write to nearly nobody, so that there is no warm-up. */
const ENV = { LOGIN_RATE_PER_SECOND: '10000', NEW_CHATS_WARM_UP: 'none' }
const PRELOADED = { shared_preload_libraries: 'pg_stat_statements' }
/** Without the marks of transactions, and those of this bench. */
const EXECUTED = `
  SELECT COALESCE(sum(calls), 0)::int AS all, COALESCE(sum(calls) FILTER (WHERE query ~ 'campaign'), 0)::int AS "ofCampaigns"
  FROM pg_stat_statements WHERE query !~* '^ *(begin|commit|rollback|set|show|discard)' AND query !~ 'pg_stat|campaign_progress WHERE true'`
const SO_FAR = `
  SELECT (SELECT COALESCE(sum(taken + sent + failed), 0)::int FROM campaign_progress WHERE true) AS served,
    (SELECT (xact_commit + xact_rollback)::int FROM pg_stat_database WHERE datname = current_database()) AS transactions`

interface Figures {
  readonly served: number
  readonly transactions: number
  readonly gatewayMs: number
  readonly postgresMs: number
}

interface Parts {
  readonly network: BenchNetwork
  readonly stores: BenchStores
  readonly gateway: BenchGateway
}

await runBench(async () => {
  const [network, stores] = [await startNetwork(), await startStores(PRELOADED)]
  await stores.rows('CREATE EXTENSION pg_stat_statements')
  const gateway = await startGateway(dataFolder(), network, { env: { ...stores.env, ...ENV } })
  const parts: Parts = { network, stores, gateway }
  const tokens = await pairAll(parts)
  await network.control('POST', '/crowd', { first: FIRST_PERSON, count: PEOPLE })
  // As PostgreSQL does by itself within a minute.
  await stores.rows('ANALYZE')

  const rows = [await measured('no campaigns', parts)]
  await begin(parts, tokens, { window: laterToday() })
  rows.push(await measured('all wait for their window', parts))
  await forEach(tokens, AT_ONCE, (token) => gateway.call('DELETE', '/sender/clearall', token))
  await begin(parts, tokens, {})
  rows.push(await measured('all send', parts))
  const head = [
    '',
    'messages',
    'statements',
    'of campaigns',
    'transactions',
    'CPU of gateway, ms',
    'of PostgreSQL',
    'loop late, p99 ms',
    'longest',
  ]
  say(
    table(head, rows),
    '',
    `${count} instances, ${RECIPIENTS} recipients each, 10 to 30 s between two messages; ${seconds} s of each, figures in a second. Node.js ${process.version}.`,
    'Statements are those that PostgreSQL executes, those in functions excepted. The simulated network shares the cores. All people are new to the instances.',
  )
  await gateway.stop()
  await stores.stop()
})

async function pairAll({ network, gateway }: Parts): Promise<string[]> {
  const tokens: string[] = []
  const phones = phoneNumbers(1, 0, count)
  await forEach(phones, AT_ONCE, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  // A loaded machine may take longer for a code than a call waits.
  await forEach(phones, AT_ONCE, async (phone) =>
    tokens.push(await gateway.pair(phone).catch(() => gateway.pair(phone))),
  )
  return tokens
}

/** Creates a campaign in each instance. */
async function begin({ gateway }: Parts, tokens: readonly string[], options: object): Promise<void> {
  await forEach([...tokens.entries()], AT_ONCE, ([index, token]) => {
    const numbers = Array.from({ length: RECIPIENTS }, (_, place) =>
      String(FIRST_PERSON + ((index * 7 + place * 13) % PEOPLE)),
    )
    return gateway.call('POST', '/sender/simple', token, { ...TEXT, numbers, ...options })
  })
}

/** A window that is closed now and for some hours. */
function laterToday(): object {
  const hour = new Date().getUTCHours()
  const at = (hours: number): string => `${String((hour + hours) % 24).padStart(2, '0')}:00`
  return { from: at(6), to: at(8), timezone: 'UTC' }
}

/** Figures in a second, after what came before is over. */
async function measured(what: string, parts: Parts): Promise<string[]> {
  const { stores, gateway } = parts
  await wait(SETTLES_MS)
  await lateness(gateway)
  await stores.rows('SELECT pg_stat_statements_reset()')
  const before = await figures(parts)
  await wait(seconds * 1_000)
  const after = await figures(parts)
  const [statements] = await stores.rows<{ all: number; ofCampaigns: number }>(EXECUTED)
  const each = (value = Number.NaN): string => (value / seconds).toFixed(1)
  return [
    what,
    each(after.served - before.served),
    each(statements?.all),
    each(statements?.ofCampaigns),
    each(after.transactions - before.transactions),
    each(after.gatewayMs - before.gatewayMs),
    each(after.postgresMs - before.postgresMs),
    ...(await lateness(gateway)),
  ]
}

async function figures({ stores, gateway }: Parts): Promise<Figures> {
  const [soFar] = await stores.rows<{ served: number; transactions: number }>(SO_FAR)
  const { served = 0, transactions = 0 } = soFar ?? {}
  return { served, transactions, gatewayMs: cpuMs(gateway.pid), postgresMs: stores.cpuMs() }
}

/** Delay of the event loop since it was asked last, in milliseconds: the 99th percentile and the longest. */
async function lateness({ url }: BenchGateway): Promise<string[]> {
  const { body } = await request(`${url}/metrics`)
  const text = await body.text()
  const figure = (name: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return [figure('p99'), figure('max')].map((value) => (value * 1_000).toFixed(1))
}
