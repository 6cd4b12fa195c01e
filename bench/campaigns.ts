/**
 * Measures the cost of the dispatcher of campaigns: CPU of the gateway and of PostgreSQL for a message of a campaign, beside the same text to the same
 * people as an asynchronous send, in turns: with one call after the other, as a campaign dispatches, and with 20 calls at once, whose messages share
 * commits. Nothing paces any of them. `npm run bench -- campaigns [messages a round] [rounds] [rounds before]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'
import { inRounds } from './harness/rounds.js'
import { type BenchStores, startStores } from './harness/stores.js'

const messages = Number(process.argv[2] ?? 300)
const rounds = Number(process.argv[3] ?? 5)
/** Before that V8 is still compiling. */
const warmUp = Number(process.argv[4] ?? 4)
const OWN = '15550930001'
const PEOPLE = 50
const AT_ONCE = 20
/** Neither pauses nor the rate hold anything up. The budget of new chats is counted, and never used up. */
const UNPACED = {
  SEND_DELAY_MIN_MS: '0',
  SEND_DELAY_MAX_MS: '0',
  SEND_RATE_PER_MINUTE: '0',
  NEW_CHATS_PER_DAY: '1000000',
  NEW_CHATS_WARM_UP: 'none',
}

/** CPU time, in milliseconds. */
interface Cost {
  readonly gateway: number
  readonly postgres: number
}

interface Side {
  readonly what: string
  readonly people: readonly string[]
  send(people: readonly string[]): Promise<unknown>
  readonly costs: Cost[]
}

await runBench(async () => {
  const network = await startNetwork()
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), network, { env: { ...stores.env, ...UNPACED } })
  await network.control('POST', '/phones', { phone: OWN, refreshOnScan: false })
  const token = await gateway.pair(OWN)
  const [friends, strangers] = [phoneNumbers(6, 0, PEOPLE), phoneNumbers(7, 0, PEOPLE)]
  await forEach([...friends, ...strangers], AT_ONCE, (phone) => network.control('POST', '/phones', { phone }))
  await forEach(friends, AT_ONCE, (phone) =>
    network.control('POST', `/phones/${phone}/text`, { to: OWN, text: 'hello' }),
  )

  const queued = (atOnce: number) => (people: readonly string[]) =>
    forEach(recipients(people), atOnce, (number) =>
      gateway.call('POST', '/send/text', token, { number, text: 'text 0000', async: true }),
    )
  const campaign = (people: readonly string[]) =>
    gateway.call('POST', '/sender/simple', token, {
      numbers: recipients(people),
      type: 'text',
      text: 'text 0000',
      dedupe: false,
      delayMin: 0,
      delayMax: 0,
    })
  const sides: readonly Side[] = [friends, strangers].flatMap((people) => {
    const to = people === friends ? '' : ', to strangers'
    return [
      { what: `queued, one call after the other${to}`, people, send: queued(1), costs: [] },
      { what: `queued, ${AT_ONCE} calls at once${to}`, people, send: queued(AT_ONCE), costs: [] },
      { what: `of a campaign${to}`, people, send: campaign, costs: [] },
    ]
  })
  await inRounds(warmUp, rounds, async (isWarm) => {
    for (const { people, send, costs } of sides) {
      const cost = await measureCost({ network, stores, gateway }, people, () => send(people))
      if (isWarm) costs.push(cost)
    }
    // As PostgreSQL does by itself within a minute.
    if (!isWarm) await stores.rows('ANALYZE')
  })
  print(sides)
  await gateway.stop()
  await stores.stop()
})

/** Each of the people again and again, so that the last message is to the last of them. */
function recipients(people: readonly string[]): string[] {
  return Array.from({ length: messages }, (_, index) => people[index % people.length] ?? '')
}

async function measureCost(
  { network, stores, gateway }: { network: BenchNetwork; stores: BenchStores; gateway: BenchGateway },
  people: readonly string[],
  work: () => Promise<unknown>,
): Promise<Cost> {
  await forEach(people, AT_ONCE, (phone) => network.control('DELETE', `/phones/${phone}/messages`))
  const before = { gateway: cpuMs(gateway.pid), postgres: stores.cpuMs() }
  await work()
  const each = messages / people.length
  for (const phone of [people.at(-1) ?? '', ...people]) {
    const count = async () => (await network.control<object[]>('GET', `/phones/${phone}/messages?own=false`)).length
    while ((await count()) < each) await wait(100)
  }
  await network.settled()
  return {
    gateway: (cpuMs(gateway.pid) - before.gateway) / messages,
    postgres: (stores.cpuMs() - before.postgres) / messages,
  }
}

function print(sides: readonly Side[]): void {
  const sum = ({ gateway, postgres }: Cost): number => gateway + postgres
  const lines = sides.map(({ what, people, costs }) => {
    const [single, shared] = sides.filter((side) => side.people === people)
    // Of a queued send in the same round.
    const ratios = [single, shared].map((queued) =>
      costs.map((cost, round) => sum(cost) / sum(queued?.costs[round] ?? cost)),
    )
    const figures = [costs.map(({ gateway }) => gateway), costs.map(({ postgres }) => postgres), costs.map(sum)]
    return [
      what,
      ...figures.map((values) => median(values).toFixed(2)),
      ...ratios.map(
        (values) =>
          `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`,
      ),
    ]
  })
  say(
    table(['a message', 'gateway, CPU ms', 'PostgreSQL, CPU ms', 'both', '/ one after the other', '/ at once'], lines),
    '',
    `${rounds} rounds of ${messages} to ${PEOPLE} people after ${warmUp} that do not count, in turns, medians. Node.js ${process.version}.`,
    'With the answers and late receipts of the network; without pauses, rate, webhooks, files and the number check of new recipients.',
  )
}
