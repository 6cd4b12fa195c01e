/**
 * Groups of many members, and many groups: what a text costs the gateway beside bare Baileys, what each asks of the network for it, and how
 * long the list of groups takes. Members send no receipts. `npm run bench -- groups [texts] [rounds] [groups]`
 */
import { dataFolder, startGateway } from './harness/gateway.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'
import { comparison, inRounds, measure, type Row } from './harness/rounds.js'

const texts = Number(process.argv[2] ?? 30)
const rounds = Number(process.argv[3] ?? 5)
const groupsOfAccount = Number(process.argv[4] ?? 1_000)
const SIZES = [256, 1_024]
const MEMBERS_OF_SMALL = 20
const AT_ONCE = 4
const CALLS = 50
const COUNTED = 10
const [GATEWAY_PHONE, BARE_PHONE, OWNER] = ['15550910001', '15550910002', '15550910003']

await runBench(async () => {
  const network = await startNetwork()
  const people = phoneNumbers(5, 0, Math.max(...SIZES) - 2)
  for (const phone of [GATEWAY_PHONE, BARE_PHONE, OWNER])
    await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
  await forEach(people, 8, (phone) => network.control('POST', '/phones', { phone, autoDelivery: false }))
  const group = async (subject: string, members: readonly string[]) =>
    (await network.control<{ jid: string }>('POST', '/groups', { owner: OWNER, subject, members })).jid
  const gateway = await startGateway(dataFolder(), network)
  const token = await gateway.pair(GATEWAY_PHONE)
  const env = { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE_PHONE }
  const bare = await startPart('bench/harness/bare.js', env, /^ready$/)

  const rows: Row[] = []
  const asked: string[][] = []
  for (const size of SIZES) {
    const members = people.slice(0, size - 2)
    const [ours, theirs] = [
      await group(`of ${size}, ours`, [GATEWAY_PHONE, ...members]),
      await group(`of ${size}, bare`, [BARE_PHONE, ...members]),
    ]
    const sends = (count: number) => ({
      gateway: () =>
        forEach(Array.from({ length: count }).map(String), AT_ONCE, () =>
          gateway.call('POST', '/send/text', token, { number: ours, text: 'to many' }),
        ),
      bare: () => bare.ask({ send: { to: theirs, count, atOnce: AT_ONCE } }),
    })
    const first: Row = { what: `the first to ${size} members`, gateway: [], bare: [] }
    first.gateway.push(await measure(gateway, 1, sends(1).gateway))
    first.bare.push(await measure(bare, 1, sends(1).bare))
    const row: Row = { what: `one more to ${size}, ${AT_ONCE} at once`, gateway: [], bare: [] }
    await inRounds(1, rounds, async (isWarm) => {
      const [us, them] = [
        await measure(gateway, texts, sends(texts).gateway),
        await measure(bare, texts, sends(texts).bare),
      ]
      if (isWarm) row.gateway.push(us)
      if (isWarm) row.bare.push(them)
    })
    rows.push(first, row)
    // The network's log keeps the newest frames: each side's questions are counted when it has just asked.
    const counts = []
    for (const [phone, side] of [
      [GATEWAY_PHONE, 'gateway'],
      [BARE_PHONE, 'bare'],
    ] as const) {
      const before = await newestFrame()
      await sends(COUNTED)[side]()
      counts.push(await questions(phone, before))
    }
    asked.push([`${COUNTED} texts to ${size}`, ...counts.map(String)])
  }
  say(comparison(rows), '', table(['questions about groups', 'gateway', 'bare'], asked), '')

  const small = Array.from({ length: groupsOfAccount }, (_, index) => index)
  const before = await newestFrame()
  await forEach(small, 8, (index) => {
    const from = (index * 7) % (people.length - MEMBERS_OF_SMALL)
    return group(`small ${index}`, [GATEWAY_PHONE, ...people.slice(from, from + MEMBERS_OF_SMALL)])
  })
  const list = (query = '') => gateway.call<{ groups: unknown[] }>('GET', `/group/list${query}`, token)
  // Some of the last may still be on their way.
  while ((await list('?noparticipants=true')).groups.length < groupsOfAccount + SIZES.length);
  const status = await timed(() => gateway.call('GET', '/instance/status', token))
  const lines: string[][] = []
  const line = async (what: string, call: () => Promise<unknown>) => {
    const { p50, p95 } = await timed(call)
    lines.push([what, p50.toFixed(1), p95.toFixed(1), (p50 / status.p50).toFixed(1)])
  }
  const page = (body: object) => gateway.call('POST', '/group/list', token, body)
  await line('all, with members', () => list())
  await line('all, without members', () => list('?noparticipants=true'))
  await line('a page of 50', () => page({ limit: 50 }))
  await line('a page of 50, the last', () => page({ limit: 50, offset: groupsOfAccount - 50 }))
  await line('10 by a part of their name', () => page({ search: 'small 77', limit: 10 }))
  const counted = await questions(GATEWAY_PHONE, before)
  say(table([`of ${groupsOfAccount} groups of ${MEMBERS_OF_SMALL}`, 'p50, ms', 'p95, ms', '/ status'], lines), '')
  say(`\`GET /instance/status\` ${status.p50.toFixed(2)} ms. Asked of the network for all of these lists: ${counted}.`)
  say(`${rounds} rounds of ${texts}, medians. Node.js ${process.version}.`)

  async function newestFrame(): Promise<number> {
    return (await network.control<{ sequence: number }[]>('GET', '/log/frames?limit=20000')).at(-1)?.sequence ?? 0
  }

  /** Counts what the phone's linked device has asked about groups since. */
  async function questions(phone: string, after: number): Promise<number> {
    const frames = await network.control<{ direction: string; xmlns: string; type: string }[]>(
      'GET',
      `/log/frames?device=${phone}:1&tag=iq&after=${after}&limit=20000`,
    )
    return frames.filter(({ direction, xmlns, type }) => direction === 'in' && xmlns === 'w:g2' && type === 'get')
      .length
  }
})

async function timed(call: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = []
  for (let index = 0; index < CALLS + 5; index += 1) {
    const started = performance.now()
    await call()
    if (index >= 5) times.push(performance.now() - started)
  }
  return { p50: median(times), p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN }
}
