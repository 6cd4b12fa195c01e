/**
 * How far the gateway is from the least that a gateway must do (`harness/floor.ts`), and that from bare Baileys: CPU of a text, in turns, with
 * PostgreSQL. `npm run bench -- floor PACE [texts of a round] [rounds]`; PACE is in messages a second, or `flood` for 20 calls at once.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { callJson } from './harness/network.js'
import { atPace, inFlood } from './harness/pace.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { AT_ONCE } from './harness/scenes.js'
import { makePeople, startSystem } from './harness/system.js'

const [paceText = '50', textsText = '400', roundsText = '5'] = process.argv.slice(2)
const pace = paceText === 'flood' ? null : Number(paceText)
const [texts, rounds] = [Number(textsText), Number(roundsText)]
const WARM_UP = 6_000
/** Time in which the last receipts are worked on. */
const SETTLES_MS = 300

/** CPU of a text, in milliseconds. */
interface Cost {
  readonly process: number
  readonly postgres: number
}

await runBench(async () => {
  const system = await startSystem()
  const { gateway, token, bare, stores, network } = system
  const people = await makePeople(system, 1_000)
  const phone = '15550900013'
  await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const env = { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: phone, ...stores.env }
  const floor = await startPart('bench/harness/floor.js', env, /^ready (\d+)$/)
  let calls = 0
  const next = () => ({ number: people[calls++ % people.length], text: `text ${calls}` })
  const run = (count: number, perSecond: number | null, work: () => Promise<unknown>) =>
    perSecond === null ? inFlood(count, AT_ONCE, work) : atPace(count, perSecond, work)
  const sides = {
    gateway: {
      pid: gateway.pid,
      send: (count: number, perSecond: number | null) =>
        run(count, perSecond, () => gateway.call('POST', '/send/text', token, next())),
    },
    floor: {
      pid: floor.pid,
      send: (count: number, perSecond: number | null) =>
        run(count, perSecond, () => callJson('POST', `http://127.0.0.1:${floor.said[1]}`, next())),
    },
    bare: {
      pid: bare.pid,
      send: (count: number, perSecond: number | null) =>
        bare.ask({ send: { to: people, count, atOnce: AT_ONCE, ...(perSecond === null ? {} : { perSecond }) } }),
    },
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
      await wait(SETTLES_MS)
      costs[name].push({
        process: (cpuMs(pid) - before.process) / texts,
        postgres: (stores.cpuMs() - before.postgres) / texts,
      })
    }
  const allOf = ({ process: own, postgres }: Cost) => own + postgres
  const ratios = (name: Side, to: Side) =>
    costs[name].map((cost, round) => {
      const other = costs[to][round] ?? { process: Number.NaN, postgres: Number.NaN }
      return allOf(cost) / (to === 'bare' ? other.process : allOf(other))
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
    table(['a text', 'process, CPU ms', 'PostgreSQL, CPU ms', 'both / bare', 'both / floor'], rows),
    '',
    `${rounds} rounds in turns of ${texts}, ${pace === null ? `${AT_ONCE} at once` : `${pace} a second`}. Node.js ${process.version}.`,
  )
  await floor.stop()
  await system.stop()
})
