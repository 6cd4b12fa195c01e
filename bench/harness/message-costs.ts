/**
 * The cost of a sent text for the whole system: CPU of the gateway, of PostgreSQL and of Redis, and what the journal writes for it, beside the
 * CPU of bare Baileys with keys in memory. To many people, one text to each in turn; `first` sends to people who never got one.
 */
import type { RecordableHistogram } from 'node:perf_hooks'
import { dataFolder, startGateway } from './gateway.js'
import { forEach, startNetwork } from './network.js'
import { atPace, inFlood, percentiles } from './pace.js'
import { cpuMs, startPart } from './processes.js'
import { phoneNumbers, say, table } from './report.js'
import { type LoggedStatements, logStatements } from './statement-log.js'
import { startStores } from './stores.js'
import { createSystemMeter, type SystemCounts } from './system-meter.js'

const PEOPLE = 1_000
const AT_ONCE = 20
const [OWN, BARE] = ['15550900011', '15550900012']

export interface CostMode {
  /** Texts that are counted. */
  readonly texts: number
  /** Texts to the same people before, so that V8 has compiled and sessions are there. */
  readonly warmUp: number
  /** Null: as fast as 20 calls at once go. */
  readonly perSecond: number | null
  /** To people who never got a text. */
  readonly isFirst: boolean
}

export const costModes: Readonly<Record<string, CostMode>> = {
  flood: { texts: 3_000, warmUp: 3_000, perSecond: null, isFirst: false },
  first: { texts: 150, warmUp: 200, perSecond: 10, isFirst: true },
  'first-flood': { texts: 300, warmUp: 300, perSecond: null, isFirst: true },
  'paced-10': { texts: 100, warmUp: 1_500, perSecond: 10, isFirst: false },
  'paced-50': { texts: 500, warmUp: 1_500, perSecond: 50, isFirst: false },
  'paced-200': { texts: 2_000, warmUp: 2_000, perSecond: 200, isFirst: false },
}

interface Cost {
  readonly counts: SystemCounts
  readonly times: RecordableHistogram
  readonly bareMs: number
  readonly logged: LoggedStatements
}

/** `options`: a number of people, and `statements` to print each statement. */
export async function measureCosts(mode: CostMode, options: readonly string[]): Promise<void> {
  const network = await startNetwork()
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), network, {
    env: { ...stores.env, NEW_CHATS_PER_DAY: '1000000', NEW_CHATS_WARM_UP: 'none' },
  })
  for (const phone of [OWN, BARE]) await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const token = await gateway.pair(OWN)
  const bareEnv = { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE }
  const bare = await startPart('bench/harness/bare.js', bareEnv, /^ready$/)
  const logged = Math.min(mode.texts, 200)
  // Each part of a run of first messages has people of its own.
  const people = phoneNumbers(8, 0, mode.isFirst ? mode.warmUp + mode.texts + logged : findNumber(options))
  await forEach(people, AT_ONCE, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))

  let used = 0
  function next(count: number): readonly string[] {
    const chosen = Array.from({ length: count }, (_, index) => people[(used + index) % people.length] ?? '')
    used += count
    return chosen
  }
  const send = (to: readonly string[], perSecond: number | null): Promise<RecordableHistogram> => {
    const call = (index: number) =>
      gateway.call('POST', '/send/text', token, { number: to[index], text: `text ${index}` })
    return perSecond === null ? inFlood(to.length, AT_ONCE, call) : atPace(to.length, perSecond, call)
  }
  const sendBare = (to: readonly string[], perSecond: number | null) =>
    bare.ask({ send: { to, count: to.length, atOnce: AT_ONCE, ...(perSecond === null ? {} : { perSecond }) } })

  const [warm, counted, traced] = [next(mode.warmUp), next(mode.texts), next(logged)]
  await send(warm, null)
  await stores.rows('VACUUM ANALYZE')
  const meter = createSystemMeter(gateway, stores)
  let times: RecordableHistogram | undefined
  let bareMs = 0
  const counts = await meter.measure({
    before: async () => {
      await sendBare(warm, null)
      await network.settled()
    },
    work: async () => {
      times = await send(counted, mode.perSecond)
      await network.settled()
    },
    after: async () => {
      const before = cpuMs(bare.pid)
      await sendBare(counted, mode.perSecond)
      await network.settled()
      bareMs = cpuMs(bare.pid) - before
    },
  })
  const statements = await logStatements(stores, async () => {
    await send(traced, mode.perSecond)
    await network.settled()
  })
  if (times === undefined) throw new Error('Nothing was sent.')
  print(mode, { counts, times, bareMs, logged: statements }, logged)
  if (options.includes('statements')) {
    say('', 'Of the journal:', ...formatList(statements.byText, logged))
    say('', 'Of others:', ...formatList(statements.byTextOfOthers, logged))
  }
  meter.stop()
  await gateway.stop()
  await stores.stop()
}

function print({ texts, perSecond }: CostMode, { counts, times, bareMs, logged }: Cost, traced: number): void {
  const each = (value: number, digits = 2): string => (value / texts).toFixed(digits)
  const allMs = counts.gatewayMs + counts.postgresMs + counts.redisMs
  say(
    table(
      ['a text', ''],
      [
        ['gateway, CPU ms', each(counts.gatewayMs)],
        ['PostgreSQL, CPU ms', each(counts.postgresMs)],
        ['Redis, CPU ms', each(counts.redisMs)],
        ['all, CPU ms', each(allMs)],
        ['bare Baileys, CPU ms', each(bareMs)],
        ['all / bare', (allMs / bareMs).toFixed(2)],
        ['statements of the journal', (logged.statements / traced).toFixed(1)],
        ['transactions of the journal', (logged.transactions / traced).toFixed(2)],
        ['statements of others', (logged.ofOthers / traced).toFixed(1)],
        ['rows inserted', each(counts.inserted, 1)],
        ['rows updated, of them HOT', `${each(counts.updated, 1)}, ${each(counts.hotUpdated, 1)}`],
        ['rows deleted', each(counts.deleted, 1)],
        ['entries of whole indexes', each(counts.indexEntries, 1)],
        ['WAL, bytes', each(counts.walBytes, 0)],
        ['whole pages in the WAL', each(counts.walPages)],
        ['commands to Redis', each(counts.redisCommands, 1)],
      ],
    ),
    '',
    `${texts} texts ${perSecond === null ? `with ${AT_ONCE} calls at once` : `at ${perSecond} a second`}; an answered call took ${percentiles(times)}${perSecond === null ? '' : ', counted from when it was due'}. Node.js ${process.version}.`,
  )
}

function findNumber(options: readonly string[]): number {
  return options.map(Number).find((value) => value > 0) ?? PEOPLE
}

function formatList(counts: ReadonlyMap<string, number>, traced: number): string[] {
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .map(([text, times]) => `${(times / traced).toFixed(2)}  ${text}`)
}
