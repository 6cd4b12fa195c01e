/**
 * The cost of a message for the whole system, beside bare Baileys, in turns: CPU of the gateway, PostgreSQL and Redis apart, and how long an
 * answer takes, counted from when it was due. What the idle system spends, which bare Baileys does not, is shown apart. `harness/scenes.ts` has the modes.
 * `npm run bench -- system MODE PACE [texts of a round] [rounds]`; PACE is in messages a second, or `flood` for 20 calls at once.
 */
import type { RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { percentiles } from './harness/pace.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { AT_ONCE, type Pace, type Scene, type SceneKind, sceneKinds } from './harness/scenes.js'
import { type BenchSystem, measureCost, type RoundCost, startSystem } from './harness/system.js'

const [mode = 'warm', paceText = 'flood', textsText, roundsText = '5'] = process.argv.slice(2)
const rounds = Number(roundsText)
const pace: Pace = paceText === 'flood' ? null : Number(paceText)
/** Time between two calls that are watched, so long that they cost next to nothing beside the messages. `bench lag` watches closely. */
const WATCH_EVERY_MS = pace === null ? 100 : 1_000

/** Time for which the idle system is measured before the rounds. */
const IDLE_MS = 20_000

interface Round extends RoundCost {
  readonly bareMs: number
  /** What the system would have spent in the time of its part if nothing had come. */
  readonly idleMs: number
  readonly times: RecordableHistogram
  /** The longest answer to another caller meanwhile, in milliseconds. */
  readonly blockedMs: number
}

await runBench(async () => {
  const kinds = sceneKinds(rounds)
  const kind = kinds[mode]
  if (kind === undefined) throw new Error(`There is no mode ${mode}; there are ${Object.keys(kinds).join(', ')}.`)
  if (pace !== null && !(pace > 0)) throw new Error('The pace is a number of messages a second, or flood.')
  const texts = kind.isFirst ? kind.texts : Number(textsText ?? kind.texts)
  const system = await startSystem()
  const scene = await kind.make(system)
  await scene.gateway(kind.warmUp, null)
  await scene.bare(kind.warmUp, null)
  await system.stores.rows('VACUUM ANALYZE')
  await system.network.settled()
  const idle = await measureCost(system, () => wait(IDLE_MS))
  const counted: Round[] = []
  for (let round = 0; round < rounds; round += 1)
    counted.push(await oneRound(system, scene, texts, allMs(idle) / IDLE_MS))
  print(kind, texts, counted)
  scene.close?.()
  await system.stop()
})

async function oneRound(system: BenchSystem, scene: Scene, texts: number, idleShare: number): Promise<Round> {
  let times: RecordableHistogram | undefined
  let blockedMs = 0
  await scene.prepare?.('gateway', texts, pace)
  const startedMs = performance.now()
  const cost = await measureCost(system, async () => {
    const work = scene.gateway(texts, pace)
    blockedMs = await longestAnswer(system, work)
    times = await work
  })
  const idleMs = (performance.now() - startedMs) * idleShare
  await scene.prepare?.('bare', texts, pace)
  const before = cpuMs(system.bare.pid)
  await scene.bare(texts, pace)
  await system.network.settled()
  if (times === undefined) throw new Error('Nothing was sent.')
  return { ...cost, bareMs: cpuMs(system.bare.pid) - before, idleMs, times, blockedMs }
}

/** Asks for the health of the gateway while the work lasts. */
async function longestAnswer({ gateway }: BenchSystem, work: Promise<unknown>): Promise<number> {
  let isDone = false
  let longest = 0
  const end = (): void => {
    isDone = true
  }
  work.then(end, end)
  while (!isDone) {
    const began = performance.now()
    await gateway.call('GET', '/health', '')
    longest = Math.max(longest, performance.now() - began)
    await wait(WATCH_EVERY_MS)
  }
  return longest
}

function print({ says }: SceneKind, texts: number, counted: readonly Round[]): void {
  const [first] = counted
  if (first === undefined) return
  const figures: readonly (readonly [string, (round: Round) => number])[] = [
    ['gateway, CPU ms', ({ gatewayMs }) => gatewayMs / texts],
    ['PostgreSQL, CPU ms', ({ postgresMs }) => postgresMs / texts],
    ['Redis, CPU ms', ({ redisMs }) => redisMs / texts],
    ['all, CPU ms', (round) => allMs(round) / texts],
    ['bare Baileys, CPU ms', ({ bareMs }) => bareMs / texts],
    ['gateway / bare', ({ gatewayMs, bareMs }) => gatewayMs / bareMs],
    ['all / bare', (round) => allMs(round) / round.bareMs],
    ['of it idle work, CPU ms', ({ idleMs }) => idleMs / texts],
    ['all without idle work / bare', (round) => (allMs(round) - round.idleMs) / round.bareMs],
    ['longest answer to another caller, ms', ({ blockedMs }) => blockedMs],
  ]
  const rows = figures.map(([what, of]) => {
    const values = counted.map(of)
    return [what, median(values).toFixed(2), `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`]
  })
  for (const { times } of counted.slice(1)) first.times.add(times)
  const counting = pace === null ? 'not corrected: in a flood no call is due' : 'counted from when it was due'
  const took = first.times.count === 0 ? '' : `; took ${percentiles(first.times)}, ${counting}`
  say(
    table([`a text ${says}`, 'median', 'rounds'], rows),
    '',
    `${rounds} rounds in turns of ${texts}, ${pace === null ? `${AT_ONCE} at once` : `${pace} a second`}${took}. Node.js ${process.version}.`,
  )
}

function allMs({ gatewayMs, postgresMs, redisMs }: RoundCost): number {
  return gatewayMs + postgresMs + redisMs
}
