/**
 * What a text costs the gateway process by the interface of Evolution API, beside the same text by our own, 20 at once.
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
const [PHONE, FRIEND] = ['15550915001', '15550915002']

await runBench(async () => {
  const network = await startNetwork()
  for (const phone of [PHONE, FRIEND]) await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const gateway = await startGateway(dataFolder(), network, { env: { DIALECTS: 'evolution' } })
  const token = await gateway.pair(PHONE)
  const [entry] = await evolution<{ name: string }[]>('GET', '/instance/fetchInstances')
  const name = encodeURIComponent(entry?.name ?? '')
  const numbers = Array.from({ length: texts }, (_, index) => index)

  async function evolution<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${gateway.url}/evolution${path}`, {
      method,
      headers: { apikey: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  /** The same client for both, so that its cost is the same. */
  async function own(body: object): Promise<void> {
    const response = await fetch(`${gateway.url}/send/text`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`/send/text answered ${response.status}`)
    await response.json()
  }

  const rows = [
    {
      what: '`POST /send/text`',
      send: (index: number) => own({ number: FRIEND, text: `text ${index}`, linkPreview: true }),
    },
    {
      what: '`POST /evolution/message/sendText`',
      send: (index: number) =>
        evolution('POST', `/message/sendText/${name}`, { number: FRIEND, text: `text ${index}` }),
    },
    {
      what: '`POST /send/text` with `sentEvent`, as the dialect asks',
      send: (index: number) => own({ number: FRIEND, text: `text ${index}`, linkPreview: true, sentEvent: true }),
    },
  ].map((row) => ({ ...row, figures: [] as Awaited<ReturnType<typeof measure>>[] }))
  // In turns, so that whatever else the machine does is the same for all.
  await inRounds(WARM_UP, rounds, async (isWarm) => {
    for (const { send, figures } of rows) {
      await network.control('DELETE', `/phones/${FRIEND}/messages`)
      const one = await measure(gateway as Part, texts, () => forEach(numbers, AT_ONCE, send), network.settled)
      if (isWarm) figures.push(one)
    }
  })
  const [base] = rows
  const cpu = (row: (typeof rows)[number] | undefined) => median((row?.figures ?? []).map(({ cpuMs }) => cpuMs))
  say(
    table(
      ['', 'CPU ms', 'ratio', 'per second'],
      rows.map((row) => [
        row.what,
        cpu(row).toFixed(2),
        (cpu(row) / cpu(base)).toFixed(2),
        median(row.figures.map(({ perSecond }) => perSecond)).toFixed(0),
      ]),
    ),
    '',
    `${rounds} rounds of ${texts}, ${AT_ONCE} at once, medians. Node.js ${process.version}.`,
  )
})
