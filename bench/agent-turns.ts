/**
 * Measures turns of agents: CPU of the gateway and of PostgreSQL for a turn, beside that of a received text that nobody answers, the time from a
 * message to its answer on the phone without the provider's own, and the event loop and memory while all turns wait for the provider. People write
 * at once, one message each. `npm run bench -- agent-turns [turns a round] [rounds] [time of the provider, ms] [rounds before]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { startProviders } from '../sandbox/providers/index.js'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'
import { type BenchStores, startStores } from './harness/stores.js'

const turns = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 3)
const providerMs = Number(process.argv[4] ?? 10_000)
/** Before that V8 is still compiling. */
const warmUp = Number(process.argv[5] ?? 3)
/** The provider of rounds that do not count answers faster. */
const WARM_UP_MS = 200
/** Turns of an instance under way. */
const EACH = 20
const AT_ONCE = 20
/** Turns one after the other. */
const ALONE = 20
const MIB = 2 ** 20
const KNOWLEDGE =
  'We are open from 8 to 17 on workdays. Bread costs 3 euros. We deliver within the town for 2 euros. '.repeat(8)
const ANSWER = 'Yes, we deliver tomorrow morning, and it costs 2 euros. Would you like to order?'

interface Parts {
  readonly network: BenchNetwork
  readonly stores: BenchStores
  readonly gateway: BenchGateway
}

/** A chat with one of our instances. */
interface Chat {
  readonly person: string
  readonly account: string
}

interface Round {
  /** CPU for one, in milliseconds. */
  readonly gateway: number
  readonly postgres: number
  readonly perSecond: number
  /** From each message to its answer, less the time of the provider. */
  readonly latenciesMs: readonly number[]
  readonly waiting: Waiting
}

/** While all turns wait for the provider. */
interface Waiting {
  readonly lagP99Ms: number
  readonly heap: number
  /** CPU of the gateway for its collections, which are no part of a turn. */
  readonly cpuMs: number
}

await runBench(async () => {
  const providers = await startProviders()
  const network = await startNetwork()
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), network, {
    env: {
      ...stores.env,
      ...{ SEND_DELAY_MIN_MS: '0', SEND_DELAY_MAX_MS: '0', SEND_RATE_PER_MINUTE: '0' },
      ...{ AGENT_TURNS_PER_INSTANCE_MAX: String(EACH), AGENT_MODEL_CALLS_PER_INSTANCE_MAX: String(EACH) },
      ...{ AGENT_TURNS_PER_NODE_MAX: '10000', AGENT_TURNS_PER_DAY: '1000000', AGENT_TOKENS_PER_DAY: '100000000000' },
    },
    measuresMemory: true,
  })
  const parts = { network, stores, gateway }
  const accounts = phoneNumbers(3, 0, Math.ceil(turns / EACH))
  const tokens: string[] = []
  await forEach(accounts, 4, async (phone) => {
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
    tokens.push(await gateway.pair(phone))
  })
  await forEach(tokens, 4, (token) => withAgent(gateway, token, providers.baseUrl('openai')))

  let people = 0
  const chats = async (): Promise<readonly Chat[]> => {
    const numbers = phoneNumbers(4, people, people + turns)
    people += turns
    await forEach(numbers, AT_ONCE, (phone) => network.control('POST', '/phones', { phone }))
    return numbers.map((person, index) => ({ person, account: accounts[index % accounts.length] ?? '' }))
  }
  const answered: Round[] = []
  const silent: Round[] = []
  for (let index = 0; index < warmUp + rounds; index += 1) {
    const isWarm = index >= warmUp
    const delayMs = isWarm ? providerMs : WARM_UP_MS
    providers.clear()
    providers.next({ answer: { text: ANSWER }, delayMs, times: Number.POSITIVE_INFINITY })
    await turnOn(gateway, tokens, false)
    const off = await runRound(parts, await chats(), null)
    await turnOn(gateway, tokens, true)
    const on = await runRound(parts, await chats(), delayMs)
    if (providers.calls.length !== turns) throw new Error(`${providers.calls.length} calls of ${turns} turns.`)
    if (isWarm) answered.push(on)
    if (isWarm) silent.push(off)
    // As PostgreSQL does by itself within a minute.
    if (!isWarm) await stores.rows('ANALYZE')
  }
  providers.clear()
  providers.next({ answer: { text: ANSWER }, times: Number.POSITIVE_INFINITY })
  print(answered, silent, await oneByOne(network, (await chats()).slice(0, ALONE)), accounts.length)
  await gateway.stop()
  await stores.stop()
  await providers.close()
})

async function withAgent(gateway: BenchGateway, token: string, baseUrl: string): Promise<void> {
  const agent = {
    ...{ name: 'Bot', provider: 'openai', model: 'gpt-4o-mini', apikey: 'sk-0123456789-of-a-bench', baseUrl },
    ...{ basePrompt: 'You sell bread. Answer in the language of the customer. '.repeat(20), maxTokens: 500 },
  }
  await gateway.call('POST', '/knowledge/edit', token, { knowledge: { tittle: 'Shop', content: KNOWLEDGE } })
  const { id } = await gateway.call<{ id: string }>('POST', '/agent/edit', token, { agent })
  await gateway.call('POST', '/trigger/edit', token, {
    trigger: { type: 'agent', agent_id: id, responseDelay_seconds: 0 },
  })
}

async function turnOn(gateway: BenchGateway, tokens: readonly string[], isOn: boolean): Promise<void> {
  await forEach(tokens, 4, (token) =>
    gateway.call('POST', '/instance/updatechatbotsettings', token, { chatbot_enabled: isOn }),
  )
}

/** Lets everybody write once. `delayMs`: time of the provider; null: nobody answers. */
async function runRound(parts: Parts, chats: readonly Chat[], delayMs: number | null): Promise<Round> {
  const { network, stores, gateway } = parts
  const heapBefore = (await gateway.memory()).heapUsed
  const receivedBefore = await received(stores)
  const before = { gateway: cpuMs(gateway.pid), postgres: stores.cpuMs(), ms: performance.now() }
  const written = new Map<string, number>()
  await lagP99Ms(gateway)
  await forEach(chats, AT_ONCE, async ({ person, account }) => {
    written.set(person, Date.now())
    await network.control('POST', `/phones/${person}/text`, { to: account, text: 'Do you deliver tomorrow?' })
  })
  const isLong = delayMs !== null && delayMs > WARM_UP_MS
  const waiting = isLong ? await whileWaiting(parts, chats.length, heapBefore) : { lagP99Ms: 0, heap: 0, cpuMs: 0 }
  const arrived = delayMs === null ? await stored(stores, receivedBefore + chats.length) : await answers(network, chats)
  const elapsedMs = performance.now() - before.ms
  await network.settled()
  return {
    gateway: (cpuMs(gateway.pid) - before.gateway - waiting.cpuMs) / chats.length,
    postgres: (stores.cpuMs() - before.postgres) / chats.length,
    perSecond: (chats.length * 1_000) / (elapsedMs - (delayMs ?? 0)),
    latenciesMs: [...arrived].map(([person, atMs]) => atMs - (written.get(person) ?? 0) - (delayMs ?? 0)),
    waiting,
  }
}

/** Lets one after the other write, and the provider answer at once. Returns the time from each message to its answer. */
async function oneByOne(network: BenchNetwork, chats: readonly Chat[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const { person, account } of chats) {
    const startedMs = Date.now()
    await network.control('POST', `/phones/${person}/text`, { to: account, text: 'Do you deliver tomorrow?' })
    const arrived = await answers(network, [{ person, account }])
    times.push((arrived.get(person) ?? Number.NaN) - startedMs)
  }
  return times
}

/** Measures when each turn has called the provider, and none has its answer. */
async function whileWaiting({ stores, gateway }: Parts, count: number, heapBefore: number): Promise<Waiting> {
  const asking = async () => {
    const [row] = await stores.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM agent_turn WHERE state = 'asking' AND ended IS NULL`,
    )
    return row?.count ?? 0
  }
  while ((await asking()) < count) await wait(100)
  const lag = await lagP99Ms(gateway)
  const cpuBefore = cpuMs(gateway.pid)
  const { heapUsed } = await gateway.memory()
  return { lagP99Ms: lag, heap: (heapUsed - heapBefore) / count, cpuMs: cpuMs(gateway.pid) - cpuBefore }
}

/** Waits until there are so many received messages. */
async function stored(stores: BenchStores, count: number): Promise<ReadonlyMap<string, number>> {
  while ((await received(stores)) < count) await wait(100)
  return new Map()
}

async function received(stores: BenchStores): Promise<number> {
  const [row] = await stores.rows<{ count: number }>('SELECT count(*)::int AS count FROM message WHERE NOT "fromMe"')
  return row?.count ?? 0
}

/** Waits for all answers. Returns when each arrived on its phone. @throws Error if one came twice */
async function answers(network: BenchNetwork, chats: readonly Chat[]): Promise<ReadonlyMap<string, number>> {
  const arrived = new Map<string, number>()
  await forEach(chats, AT_ONCE, async ({ person }) => {
    const shown = () => network.control<{ atMs: number }[]>('GET', `/phones/${person}/messages?own=false`)
    let messages = await shown()
    while (messages.length === 0) {
      await wait(200)
      messages = await shown()
    }
    if (messages.length > 1) throw new Error(`${person} got ${messages.length} answers.`)
    arrived.set(person, messages[0]?.atMs ?? 0)
  })
  return arrived
}

/** Returns the lag of the gateway's event loop since the last call. */
async function lagP99Ms({ url }: BenchGateway): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN) * 1_000
}

function print(
  answered: readonly Round[],
  silent: readonly Round[],
  aloneMs: readonly number[],
  instances: number,
): void {
  const of = (some: readonly Round[], figure: (round: Round) => number) => median(some.map(figure))
  const at = (share: number) => (round: Round) =>
    round.latenciesMs.toSorted((a, b) => a - b)[Math.ceil(round.latenciesMs.length * share) - 1] ?? Number.NaN
  const line = (what: string, some: readonly Round[]) => [
    what,
    of(some, ({ gateway }) => gateway).toFixed(2),
    of(some, ({ postgres }) => postgres).toFixed(2),
    of(some, ({ perSecond }) => perSecond).toFixed(0),
  ]
  say(
    table(
      ['', 'gateway, CPU ms', 'PostgreSQL, CPU ms', 'a second'],
      [line('a text that nobody answers', silent), line('a turn, with its texts', answered)],
    ),
    '',
    table(
      ['', 'measured', 'bar'],
      [
        ['message to answer, one turn at a time, p50, ms', median(aloneMs).toFixed(0), ''],
        ['all at once, without the provider, p50, ms', of(answered, at(0.5)).toFixed(0), ''],
        ['the same, p99, ms', of(answered, at(0.99)).toFixed(0), ''],
        ['event loop, lag p99 until all wait, ms', of(answered, ({ waiting }) => waiting.lagP99Ms).toFixed(1), '50'],
        ['heap of a turn that waits, MiB', (of(answered, ({ waiting }) => waiting.heap) / MIB).toFixed(3), '0.5'],
      ],
    ),
    '',
    `${rounds} rounds of ${turns} turns of ${instances} instances after ${warmUp} that do not count, medians; a provider that takes ${providerMs} ms. Node.js ${process.version}.`,
    'One step of the model and one message each, with knowledge and without functions; receipts are included.',
  )
}
