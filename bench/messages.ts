/**
 * Measures what a sent and a received text cost the gateway process, beside bare Baileys with keys in memory: same run, same simulated network.
 * The gateway sends through REST, 20 at once, and receives to the store, the event log and a signed webhook that has been answered.
 * `npm run bench -- messages [texts] [rounds] [other instances that are idle in the gateway]`
 * With a mode (`flood`, `first`, `first-flood`, `paced-10`, `paced-50`, `paced-200`) instead: the cost for the whole system, see
 * `harness/message-costs.ts`. `npm run bench -- messages paced-50 [people] [statements]`
 */
import { dataFolder, startGateway } from './harness/gateway.js'
import { costModes, measureCosts } from './harness/message-costs.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { startTextReceiver } from './harness/receiver.js'
import { phoneNumbers, say } from './harness/report.js'
import { comparison, inRounds, measure, type Row } from './harness/rounds.js'

const rounds = Number(process.argv[3] ?? 3)
const others = Number(process.argv[4] ?? 0)
const AT_ONCE = 20

interface Size {
  readonly texts: number
  /** Rounds that are not counted. After fewer the compiler of V8 is still at work, and at more for the gateway, which has more code. */
  readonly warmUp: number
}
const ONE_TO_ONE: Size = { texts: Number(process.argv[2] ?? 2_000), warmUp: 5 }
/** Bare needs 40 ms a text. */
const GROUP: Size = { texts: ONE_TO_ONE.texts / 4, warmUp: 1 }
const [GATEWAY_PHONE, BARE_PHONE, FRIEND] = ['15550900001', '15550900002', '15550900003']

const mode = costModes[process.argv[2] ?? '']
await runBench(() => (mode === undefined ? compare() : measureCosts(mode, process.argv.slice(3))))

async function compare(): Promise<void> {
  const network = await startNetwork()
  for (const phone of [GATEWAY_PHONE, BARE_PHONE, FRIEND])
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const gateway = await startGateway(dataFolder(), network)
  const token = await gateway.pair(GATEWAY_PHONE)
  await forEach(phoneNumbers(4, 0, others), 8, async (phone) => {
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
    await gateway.pair(phone)
  })
  const bare = await startPart(
    'bench/harness/bare.js',
    { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE_PHONE },
    /^ready$/,
  )
  const receiver = await startTextReceiver()

  async function sends({ texts, warmUp }: Size, what: string, fromGatewayTo: string, fromBareTo: string): Promise<Row> {
    const row: Row = { what, gateway: [], bare: [] }
    const numbers = Array.from({ length: texts }, (_, index) => index)
    const byGateway = () =>
      forEach(numbers, AT_ONCE, (index) =>
        gateway.call('POST', '/send/text', token, { number: fromGatewayTo, text: `text ${index}` }),
      )
    const byBare = () => bare.ask({ send: { to: fromBareTo, count: texts, atOnce: AT_ONCE } })
    await inRounds(warmUp, rounds, async (isWarm) => {
      const [ours, theirs] = [
        await measure(gateway, texts, byGateway, network.settled),
        await measure(bare, texts, byBare, network.settled),
      ]
      if (isWarm) row.gateway.push(ours)
      if (isWarm) row.bare.push(theirs)
    })
    return row
  }

  let lost = 0
  let inverted = 0
  let bareReceived = 0
  async function receipts({ texts, warmUp }: Size, what: string, toGateway: string, toBare: string): Promise<Row> {
    const row: Row = { what, gateway: [], bare: [] }
    const flood = (to: string) => network.control('POST', `/phones/${FRIEND}/text`, { to, text: 'flood', count: texts })
    await inRounds(warmUp, rounds, async (isWarm) => {
      receiver.texts.length = 0
      const ours = await measure(gateway, texts, async () => {
        await flood(toGateway)
        await receiver.until(texts)
      })
      const numbers = receiver.texts.map((text) => Number(text.split(' ')[1]))
      lost += texts - new Set(numbers).size
      inverted += numbers.filter((number, index) => number < (numbers[index - 1] ?? 0)).length
      bareReceived += texts
      const theirs = await measure(bare, texts, async () => {
        await flood(toBare)
        await bare.ask({ received: bareReceived })
      })
      if (isWarm) row.gateway.push(ours)
      if (isWarm) row.bare.push(theirs)
    })
    return row
  }

  async function group(member: string): Promise<string> {
    const body = { owner: FRIEND, subject: member, members: [member] }
    return (await network.control<{ jid: string }>('POST', '/groups', body)).jid
  }

  const groups = [await group(GATEWAY_PHONE), await group(BARE_PHONE)] as const
  const rows = [
    await sends(ONE_TO_ONE, `send 1:1 through REST, ${AT_ONCE} at once`, FRIEND, FRIEND),
    await sends(GROUP, `send to a group through REST, ${AT_ONCE} at once`, ...groups),
  ]
  const hook = { url: receiver.url, events: ['messages'], excludeMessages: ['fromMeYes'], enabled: true }
  await gateway.call('POST', '/webhook', token, hook)
  rows.push(await receipts(ONE_TO_ONE, 'receive 1:1, to the webhook', GATEWAY_PHONE, BARE_PHONE))
  rows.push(await receipts(GROUP, 'receive in a group, to the webhook', ...groups))
  receiver.close()
  print(rows, lost, inverted)
}

function print(rows: readonly Row[], lost: number, inverted: number): void {
  say(
    comparison(rows),
    '',
    `${rounds} rounds of ${ONE_TO_ONE.texts}, in groups of ${GROUP.texts}, medians${others > 0 ? `, beside ${others} idle instances in the gateway` : ''}; received: ${lost} lost, ${inverted} out of order. Node.js ${process.version}.`,
  )
}
