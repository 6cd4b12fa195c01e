/**
 * How far the gateway is from the least that a gateway must do (`harness/floor.ts`), and that from bare Baileys: CPU of a text, in turns, with
 * PostgreSQL. `npm run bench -- floor MODE PACE [texts of a round] [rounds]`; MODE is `warm`, `first` or `receive`; with `warm-keys` the floor stores
 * the keys too, with `warm-records` and `receive-records` all records of a message. PACE is in messages a second, or `flood` for 20 calls at once.
 */
import { callJson } from './harness/network.js'
import { atPace, inFlood } from './harness/pace.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import { startTextReceiver } from './harness/receiver.js'
import { median, say, table } from './harness/report.js'
import { AT_ONCE } from './harness/scenes.js'
import { makePeople, startSystem } from './harness/system.js'

const [mode = 'warm', paceText = '50', textsText = '400', roundsText = '5'] = process.argv.slice(2)
const MODES = ['warm', 'warm-keys', 'warm-records', 'first', 'receive', 'receive-records']
const [kind, keeps] = mode.split('-')
if (!MODES.includes(mode)) throw new Error(`There is no mode ${mode}; there are ${MODES.join(', ')}.`)
const pace = paceText === 'flood' ? null : Number(paceText)
const [texts, rounds] = [Number(textsText), Number(roundsText)]
const WARM_UP = kind === 'first' ? 1_000 : 6_000
const PEOPLE = { first: WARM_UP + texts * rounds, receive: 200 }[kind ?? ''] ?? 1_000
const isReceived = kind === 'receive'

/** CPU of a text, in milliseconds. */
interface Cost {
  readonly process: number
  readonly postgres: number
}

await runBench(async () => {
  const system = await startSystem()
  const { gateway, token, bare, stores, network } = system
  const people = await makePeople(system, PEOPLE)
  const phone = '15550900013'
  await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const receiver = await startTextReceiver()
  const env = {
    BENCH_SANDBOX: JSON.stringify(network.addresses),
    BENCH_PHONE: phone,
    ...(isReceived ? { BENCH_WEBHOOK: receiver.url } : {}),
    ...(keeps === undefined ? {} : { BENCH_KEEPS: keeps }),
    ...stores.env,
  }
  const floor = await startPart('bench/harness/floor.js', env, /^ready (\d+)$/)
  const run = (count: number, perSecond: number | null, work: () => Promise<unknown>) =>
    perSecond === null ? inFlood(count, AT_ONCE, work) : atPace(count, perSecond, work)
  type Send = (count: number, perSecond: number | null) => Promise<unknown>
  /** Each side goes through the people by itself. */
  const calls = (call: (body: { number: string | undefined; text: string }) => Promise<unknown>): Send => {
    let made = 0
    return (count, perSecond) =>
      run(count, perSecond, () => call({ number: people[made++ % people.length], text: `text ${made}` }))
  }
  let written = 0
  const write = (to: string) => {
    const text = `text ${written++}`
    const from = people[written % people.length]
    return { text, sent: network.control('POST', `/phones/${from}/text`, { to, text }) }
  }
  const arrivals =
    (to: string): Send =>
    (count, perSecond) =>
      run(count, perSecond, async () => {
        const { text, sent } = write(to)
        const arrived = new Promise<void>((resolve) => receiver.onText(text, resolve))
        await sent
        await arrived
      })
  if (isReceived) {
    const hook = { url: receiver.url, events: ['messages'], excludeMessages: ['fromMeYes'], enabled: true }
    await gateway.call('POST', '/webhook', token, hook)
  }
  let [began, answered] = [0, 0]
  const bareSends: Send = (count, perSecond) => {
    const to = Array.from({ length: count }, () => people[began++ % people.length] ?? '')
    return bare.ask({ send: { to, count, atOnce: AT_ONCE, ...(perSecond === null ? {} : { perSecond }) } })
  }
  const bareReceives: Send = async (count, perSecond) => {
    answered += count
    const done = bare.ask({ received: answered })
    await run(count, perSecond, () => write(system.phones.bare).sent)
    await done
  }
  const sides: Record<'gateway' | 'floor' | 'bare', { readonly pid: number; readonly send: Send }> = {
    gateway: {
      pid: gateway.pid,
      send: isReceived ? arrivals(system.phones.own) : calls((body) => gateway.call('POST', '/send/text', token, body)),
    },
    floor: {
      pid: floor.pid,
      send: isReceived ? arrivals(phone) : calls((body) => callJson('POST', `http://127.0.0.1:${floor.said[1]}`, body)),
    },
    bare: { pid: bare.pid, send: isReceived ? bareReceives : bareSends },
  }
  type Side = keyof typeof sides
  const names = Object.keys(sides) as Side[]
  const costs: Record<Side, Cost[]> = { gateway: [], floor: [], bare: [] }
  for (const name of names) await sides[name].send(WARM_UP, null)
  await stores.rows('VACUUM ANALYZE')
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) {
      const { pid, send } = sides[name]
      const before = { process: cpuMs(pid), postgres: stores.cpuMs() }
      await send(texts, pace)
      await network.settled()
      costs[name].push({
        process: (cpuMs(pid) - before.process) / texts,
        postgres: (stores.cpuMs() - before.postgres) / texts,
      })
    }
  const sumAll = ({ process: own, postgres }: Cost) => own + postgres
  const ratios = (name: Side, to: Side) =>
    costs[name].map((cost, round) => {
      const other = costs[to][round] ?? { process: Number.NaN, postgres: Number.NaN }
      return sumAll(cost) / (to === 'bare' ? other.process : sumAll(other))
    })
  const shown = (values: readonly number[]) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
  const rows = names.map((name) => [
    name,
    median(costs[name].map((cost) => cost.process)).toFixed(2),
    name === 'bare' ? '' : median(costs[name].map(({ postgres }) => postgres)).toFixed(2),
    name === 'bare' ? '' : shown(ratios(name, 'bare')),
    name === 'gateway' ? shown(ratios('gateway', 'floor')) : '',
  ])
  say(
    table([`a text, ${mode}`, 'process, CPU ms', 'PostgreSQL, CPU ms', 'both / bare', 'both / floor'], rows),
    '',
    `${rounds} rounds in turns of ${texts}, ${pace === null ? `${AT_ONCE} at once` : `${pace} a second`}. Node.js ${process.version}.`,
  )
  receiver.close()
  await floor.stop()
  await system.stop()
})
