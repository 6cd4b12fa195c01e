/**
 * Compares the processor time of a text by the interface of Evolution API with that of the same text by our own, 20 at once, and that of our own
 * with the same text at gateways without the dialect. Two of these show how much two gateways differ by chance.
 * `npm run bench -- dialects [texts a round] [rounds] [rounds before that are not counted]`
 */
import { dataFolder, startGateway } from './harness/gateway.js'
import { forEach, startNetwork } from './harness/network.js'
import { type Part, runBench } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { inRounds, measure } from './harness/rounds.js'

const texts = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 5)
const AT_ONCE = 20
/** Until V8 has compiled what a send needs. */
const WARM_UP = Number(process.argv[4] ?? Math.ceil(5_000 / texts))
const FRIEND = '15550915000'
/** Rows of the gateway with the dialect. The others send as often: code that runs often is faster. */
const ROWS_WITH = 3

interface Row {
  readonly what: string
  readonly gateway: Part
  readonly send: (index: number) => Promise<unknown>
  /** Times a round. */
  readonly times: number
  /** One for each round. */
  readonly figures: { readonly cpuMs: number; readonly perSecond: number }[]
}

await runBench(async () => {
  const network = await startNetwork()
  await network.control('POST', '/phones', { phone: FRIEND, refreshOnScan: false })
  const dialect = await sender('15550915001', { DIALECTS: 'evolution' })
  const [first, second] = [await sender('15550915002', {}), await sender('15550915003', {})]
  const [entry] = await dialect.call<{ name: string }[]>('GET', '/evolution/instance/fetchInstances')
  const name = encodeURIComponent(entry?.name ?? '')
  const numbers = Array.from({ length: texts }, (_, index) => index)

  /** A gateway with a paired account, and calls of it: one client for both interfaces, so that its cost is the same. */
  async function sender(phone: string, env: Readonly<Record<string, string>>) {
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
    const gateway = await startGateway(dataFolder(), network, { env })
    const token = await gateway.pair(phone)
    const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const response = await fetch(gateway.url + path, {
        method,
        headers: { token, apikey: token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    }
    const text = (more: object) => (index: number) =>
      call('POST', '/send/text', { number: FRIEND, text: `text ${index}`, linkPreview: true, ...more })
    return { gateway: gateway as Part, call, text }
  }
  const row = (what: string, { gateway }: { gateway: Part }, send: Row['send'], times = 1): Row => ({
    ...{ what, gateway, send, times },
    figures: [],
  })

  const own = row('`POST /send/text`, with `DIALECTS=evolution`', dialect, dialect.text({}))
  const evolution = row('`POST /evolution/message/sendText`', dialect, (index) =>
    dialect.call('POST', `/evolution/message/sendText/${name}`, { number: FRIEND, text: `text ${index}` }),
  )
  const sentEvent = row('`POST /send/text` with `sentEvent`', dialect, dialect.text({ sentEvent: true }))
  const off = row('`POST /send/text`, without `DIALECTS`', first, first.text({}), ROWS_WITH)
  const offToo = row('the same at another gateway', second, second.text({}), ROWS_WITH)
  const rows = [own, evolution, sentEvent, off, offToo]

  // In turns, so that whatever else the machine does is the same for all; back and forth, so that none always follows the same one.
  await inRounds(WARM_UP, rounds, async (isWarm) => {
    for (const { gateway, send, times, figures } of rows) {
      const taken: Row['figures'][number][] = []
      for (let index = 0; index < times; index += 1) {
        await network.control('DELETE', `/phones/${FRIEND}/messages`)
        taken.push(await measure(gateway, texts, () => forEach(numbers, AT_ONCE, send), network.settled))
      }
      const mean = (of: 'cpuMs' | 'perSecond') => taken.reduce((sum, one) => sum + one[of], 0) / times
      if (isWarm) figures.push({ cpuMs: mean('cpuMs'), perSecond: mean('perSecond') })
    }
    rows.reverse()
  })

  const cpuIn = (round: number, of: readonly Row[]): number =>
    of.reduce((sum, { figures }) => sum + (figures[round]?.cpuMs ?? Number.NaN), 0) / of.length
  const line = (one: Row, name: string, base: readonly Row[]): string[] => {
    const ratios = one.figures.map((_, round) => cpuIn(round, [one]) / cpuIn(round, base)).toSorted((a, b) => a - b)
    const [least, most] = [ratios[0], ratios.at(-1)].map((ratio) => ratio?.toFixed(2))
    return [
      one.what,
      median(one.figures.map(({ cpuMs }) => cpuMs)).toFixed(2),
      `${median(ratios).toFixed(3)} (${least} to ${most}) of ${name}`,
      median(one.figures.map(({ perSecond }) => perSecond)).toFixed(0),
    ]
  }
  const ours = '`/send/text` there'
  say(
    table(
      ['', 'CPU ms', 'ratio', 'per second'],
      [
        line(own, 'that without `DIALECTS`', [off, offToo]),
        line(evolution, ours, [own]),
        line(sentEvent, ours, [own]),
        line(offToo, 'the one above', [off]),
        line(off, 'the one below', [offToo]),
      ],
    ),
    '',
    `${rounds} rounds of ${texts}, ${AT_ONCE} at once, medians; ratios within each round. Node.js ${process.version}.`,
  )
})
