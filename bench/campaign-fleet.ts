/**
 * Many instances of one node with a campaign each: statements of PostgreSQL and CPU in a second, the delay of the event loop, and the times of calls,
 * direct sends and received messages of an instance without a campaign; without campaigns, while all wait for their window, and while all send with the
 * usual pauses. With 1,000 instances all campaigns together want 50 first messages a second: more than a node can do. CAMPAIGN_LOAD_MAX=100
 * shows it without the brake.
 * `npm run bench -- campaign-fleet [instances] [seconds in which all send] [mean pause in seconds, 20]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { type Probe, startProbe } from './harness/probe.js'
import { cpuMs, runBench } from './harness/processes.js'
import { startTextReceiver, type TextReceiver } from './harness/receiver.js'
import { phoneNumbers, say, table } from './harness/report.js'
import { type BenchStores, startStores } from './harness/stores.js'

const count = Number(process.argv[2] ?? 1_000)
const seconds = Number(process.argv[3] ?? 30)
/** Half of it to one and a half. */
const pauseSeconds = Number(process.argv[4] ?? 20)
const DELAYS = { delayMin: Math.round(pauseSeconds / 2), delayMax: Math.round(pauseSeconds * 1.5) }
const AT_ONCE = 16
/** Maximum time of the measurements without a message. */
const QUIET_SECONDS = 15
/** Time in which what came before is over. */
const SETTLES_MS = 5_000
const RECIPIENTS = 20 + Math.ceil((2 * seconds) / pauseSeconds)
const [PROBE, FRIEND] = ['15550990001', '15550990002']
const PEOPLE = 1_000
const FIRST_PERSON = 15_557_000_000
const TEXT = { type: 'text', text: 'Hello {{first_name}}', allowEmpty: true }
/** The pace is as usual. New accounts may write to nearly nobody, so that there is no warm-up. */
const ENV = {
  LOGIN_RATE_PER_SECOND: '10000',
  INSTANCES_MAX: '100000',
  NEW_CHATS_WARM_UP: 'none',
  NUMBER_CHECKS_PER_MINUTE: '0',
}
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
  readonly receiver: TextReceiver
  /** Token of an instance without a campaign. */
  readonly probe: string
}

await runBench(async () => {
  const [network, stores] = [await startNetwork(), await startStores(PRELOADED)]
  await stores.rows('CREATE EXTENSION pg_stat_statements')
  const gateway = await startGateway(dataFolder(), network, { env: { ...stores.env, ...ENV } })
  const receiver = await startTextReceiver()
  const began = performance.now()
  const tokens = await pairAll(network, gateway)
  const [probe = ''] = tokens.splice(0, 1)
  const hook = { url: receiver.url, events: ['messages'], excludeMessages: ['fromMeYes'], enabled: true }
  await gateway.call('POST', '/webhook', probe, hook)
  const pairedMs = performance.now() - began
  const pairingCpuMs = [gateway.pid, network.pid].map((pid) => (cpuMs(pid) / count).toFixed(0))
  const parts: Parts = { network, stores, gateway, receiver, probe }
  await network.control('POST', '/crowd', { first: FIRST_PERSON, count: PEOPLE })
  // As PostgreSQL does by itself within a minute.
  await stores.rows('ANALYZE')

  const quietSeconds = Math.min(seconds, QUIET_SECONDS)
  const rows = [await measured('no campaigns', parts, quietSeconds)]
  await begin(parts, tokens, { window: laterToday() })
  rows.push(await measured('all wait for their window', parts, quietSeconds))
  await forEach(tokens, AT_ONCE, (token) => gateway.call('DELETE', '/sender/clearall', token))
  await begin(parts, tokens, {})
  rows.push(await measured('all send', parts, seconds))
  const held = await heldByNode(parts, tokens)
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
    'call, p50 / p99 ms',
    'direct send',
    'received',
  ]
  say(
    table(head, rows),
    '',
    `${count} instances, ${RECIPIENTS} recipients each, ${DELAYS.delayMin} to ${DELAYS.delayMax} s between two messages; ${seconds} s while all send, figures in a second. Node.js ${process.version}.`,
    `Pairing took ${(pairedMs / 1_000).toFixed(0)} s: ${pairingCpuMs.join(' + ')} ms of CPU each, of the gateway and the simulated network. At the end ${held} campaigns named the node as what holds them.`,
    'Statements are those that PostgreSQL executes, those in functions excepted. The simulated network shares the cores. All people are new to the instances.',
  )
  receiver.close()
  await gateway.stop()
  await stores.stop()
})

/** Pairs the instances, and the one without a campaign before them. */
async function pairAll(network: BenchNetwork, gateway: BenchGateway): Promise<string[]> {
  const phones = [PROBE, ...phoneNumbers(1, 0, count)]
  await forEach([...phones, FRIEND], AT_ONCE, (phone) =>
    network.control('POST', '/phones', { phone, refreshOnScan: false }),
  )
  // A loaded machine may take longer for a code than a call waits.
  const tokens = [await gateway.pair(PROBE)]
  await forEach(phones.slice(1), AT_ONCE, async (phone) =>
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
    return gateway.call('POST', '/sender/simple', token, { ...TEXT, ...DELAYS, numbers, ...options })
  })
}

/** A window that is closed now and for some hours. */
function laterToday(): object {
  const hour = new Date().getUTCHours()
  const at = (hours: number): string => `${String((hour + hours) % 24).padStart(2, '0')}:00`
  return { from: at(6), to: at(8), timezone: 'UTC' }
}

/** Figures in a second, after what came before is over. */
async function measured(what: string, parts: Parts, forSeconds: number): Promise<string[]> {
  const { stores, gateway } = parts
  await wait(SETTLES_MS)
  await lateness(gateway)
  await stores.rows('SELECT pg_stat_statements_reset()')
  const probes = startProbes(parts)
  const before = await figures(parts)
  await wait(forSeconds * 1_000)
  const after = await figures(parts)
  const [statements] = await stores.rows<{ all: number; ofCampaigns: number }>(EXECUTED)
  const late = await lateness(gateway)
  const times: string[] = []
  for (const probe of probes) {
    const { p50, p99 } = await probe.stop()
    times.push(`${p50.toFixed(0)} / ${p99.toFixed(0)}`)
  }
  const each = (value = Number.NaN): string => (value / forSeconds).toFixed(1)
  return [
    what,
    each(after.served - before.served),
    each(statements?.all),
    each(statements?.ofCampaigns),
    each(after.transactions - before.transactions),
    each(after.gatewayMs - before.gatewayMs),
    each(after.postgresMs - before.postgresMs),
    ...late,
    ...times,
  ]
}

/** A call, a direct send to a friend and a message of the friend, of an instance without a campaign. */
function startProbes({ network, gateway, receiver, probe }: Parts): Probe[] {
  return [
    startProbe(100, () => gateway.call('GET', '/instance/status', probe)),
    startProbe(500, () => gateway.call('POST', '/send/text', probe, { number: FRIEND, text: 'direct' })),
    startProbe(500, async () => {
      const count = receiver.texts.length + 1
      await network.control('POST', `/phones/${FRIEND}/text`, { to: PROBE, text: 'hello', count: 1 })
      await receiver.until(count)
    }),
  ]
}

/** Number of campaigns whose record says that the node is busy. */
async function heldByNode({ gateway }: Parts, tokens: readonly string[]): Promise<number> {
  let held = 0
  await forEach(tokens, AT_ONCE, async (token) => {
    const folders = await gateway.call<{ hold: { reason: string } | null }[]>('GET', '/sender/listfolders', token)
    held += folders.filter(({ hold }) => hold?.reason === 'node_busy').length
  })
  return held
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
