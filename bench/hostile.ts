/**
 * Measures what a tenant notices of others that are hostile: the time of its texts to the answer of the gateway, without and with one hostile
 * tenant of each kind at once, in turns, and whether a node of the cluster was declared dead. The hostile tenants and their servers are processes that give
 * way to all others (`nice -n 19`), and the second table says which part had the processors. `npm run bench -- hostile [seconds a phase] [rounds] [kinds]`;
 * with `alone` in place of the kinds each one also has a phase of its own, and with numbers (`1,7`) only these attack.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { cpuOfGateway, machineTimes } from './harness/gateway-family.js'
import type { CallersOptions, CallersOrder } from './harness/hostile-callers.js'
import type { HostileAddresses } from './harness/hostile-servers.js'
import { callJson, startNetwork } from './harness/network.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'

const seconds = Number(process.argv[2] ?? 30)
const rounds = Number(process.argv[3] ?? 3)
const chosen = process.argv[4] ?? ''
const PROCESSES = 2
/** Texts of the tenant that is measured. Each is sent at its time, whether those before it were answered or not. */
const EVERY_MS = 100
/** What a phase has left behind is done with when main threads and PostgreSQL have less than this share of a processor for so long. */
const IDLE_MAX = 0.1
const IDLE_MS = 2_000
const SETTLES_MAX_MS = 60_000
const [TENANT, FRIEND] = ['15550910011', '15550910012']
const WORK_SHOWN = 12
const ADMIN = { admintoken: 'bench-bench-bench' }
const PARTS = ['main threads', 'other threads', 'PostgreSQL', 'Redis', 'network', 'hostile', 'bench', 'others'] as const

type Cpu = Readonly<Record<(typeof PARTS)[number], number>>

interface Phase {
  readonly times: readonly number[]
  readonly failed: number
  /** Calls of hostile tenants. */
  readonly calls: number
  /** Parts of the time of all processors while texts were sent, of 1. */
  readonly shares: Cpu
}

interface World {
  readonly gateway: BenchGateway
  readonly token: string
  attack(kinds: readonly string[]): Promise<number>
  cpu(): { readonly cpu: Omit<Cpu, 'others'>; readonly idle: number; readonly all: number }
}

await runBench(async () => {
  const network = await startNetwork()
  const givesWay = { givesWay: true }
  const part = await startPart('bench/harness/hostile-servers.js', {}, /^\{"url".*\}$/, givesWay)
  const servers = JSON.parse(part.said[0]) as HostileAddresses
  const gateway = await startGateway(dataFolder(), network, {
    env: {
      NODE_PROCESSES: String(PROCESSES),
      MCP: 'true',
      // As they are by default. All tenants have one address here.
      ...{ RATE_LIMIT_TOKEN_PER_SECOND: '500', RATE_LIMIT_INSTANCE_PER_SECOND: '500' },
      ...{ SEND_DELAY_MIN_MS: '0', SEND_DELAY_MAX_MS: '0', SEND_RATE_PER_MINUTE: '0' },
      CHATWOOT_PRIVATE_HOSTS: '127.0.0.1',
    },
  })
  for (const phone of [TENANT, FRIEND])
    await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
  const token = await gateway.pair(TENANT)
  const options: CallersOptions = { gatewayUrl: gateway.url, controlUrl: network.addresses.controlUrl, servers }
  const env = { BENCH_HOSTILE: JSON.stringify(options) }
  const callers = await startPart('bench/harness/hostile-callers.js', env, /^\{"kinds".*\}$/, givesWay)
  const all = (JSON.parse(callers.said[0]) as { readonly kinds: readonly string[] }).kinds
  const numbers = chosen.split(',').map(Number)
  const kinds = /^[\d,]+$/.test(chosen) ? all.filter((_, index) => numbers.includes(index + 1)) : all
  const nodes = await incarnations(gateway)
  const world: World = {
    gateway,
    token,
    attack: (names) => callers.ask<number>({ attack: names } satisfies CallersOrder),
    cpu() {
      const { gatewayMs, mainThreadsMs, postgresMs, redisMs } = cpuOfGateway(gateway.pid)
      return {
        cpu: {
          ...{ 'main threads': mainThreadsMs, 'other threads': gatewayMs - mainThreadsMs },
          ...{ PostgreSQL: postgresMs, Redis: redisMs, network: cpuMs(network.pid) },
          ...{ hostile: cpuMs(part.pid) + cpuMs(callers.pid), bench: cpuMs(process.pid) },
        },
        ...machineTimes(),
      }
    },
  }

  const phases = { quiet: [] as Phase[], hostile: [] as Phase[] }
  // V8 has compiled what both take.
  await phase(world, [])
  await phase(world, kinds)
  for (let round = 0; round < rounds; round += 1) {
    phases.quiet.push(await phase(world, []))
    phases.hostile.push(await phase(world, kinds))
  }
  const alone: [string, Phase][] = []
  if (chosen === 'alone') for (const kind of kinds) alone.push([kind, await phase(world, [kind])])
  print([
    ['quiet', phases.quiet],
    [kinds.length === 1 ? `only ${kinds[0]}` : `${kinds.length} hostile tenants`, phases.hostile],
    ...alone.map(([kind, one]): [string, Phase[]] => [`only ${kind}`, [one]]),
  ])
  const after = await incarnations(gateway)
  await printWork(gateway)
  const gone = nodes.filter((one) => !after.includes(one))
  say('', `${PROCESSES} processes; ${gone.length === 0 ? 'none' : gone.length} was declared dead or started again.`)
  say(`${rounds} rounds of ${seconds} s a phase, a text each ${EVERY_MS} ms. Node.js ${process.version}.`)
})

/** Sends texts at their times while these tenants do their worst. */
async function phase({ gateway, token, attack, cpu }: World, kinds: readonly string[]): Promise<Phase> {
  await attack(kinds)
  const times: number[] = []
  let failed = 0
  const sends: Promise<void>[] = []
  const before = cpu()
  const startedMs = performance.now()
  for (let index = 0; index * EVERY_MS < seconds * 1_000; index += 1) {
    const dueMs = startedMs + index * EVERY_MS
    await wait(Math.max(0, dueMs - performance.now()))
    const sent = gateway.call('POST', '/send/text', token, { number: FRIEND, text: `text ${index}` }).then(
      () => void times.push(performance.now() - dueMs),
      () => {
        failed += 1
      },
    )
    sends.push(sent)
  }
  const after = cpu()
  await Promise.all(sends)
  const calls = await attack([])
  await settled(cpu)
  return { times, failed, calls, shares: computeShares(before, after) }
}

/** Waits until nothing is left of what hostile tenants have begun, so that the next phase does not pay for it. */
async function settled(cpu: World['cpu']): Promise<void> {
  const endMs = performance.now() + SETTLES_MAX_MS
  while (performance.now() < endMs) {
    const before = cpu().cpu
    await wait(IDLE_MS)
    const after = cpu().cpu
    const usedMs = after['main threads'] + after.PostgreSQL - before['main threads'] - before.PostgreSQL
    if (usedMs < IDLE_MAX * IDLE_MS) return
  }
  say(`The gateway was still busy ${SETTLES_MAX_MS / 1_000} s after a phase.`)
}

type Counts = ReturnType<World['cpu']>

/** Time that none of the parts had is that of other programs of the machine. */
function computeShares(before: Counts, after: Counts): Cpu {
  // The machine counts in hundredths of a second.
  const allMs = (after.all - before.all) * 10
  const names = PARTS.filter((name): name is Exclude<(typeof PARTS)[number], 'others'> => name !== 'others')
  const known = names.map((name) => [name, (after.cpu[name] - before.cpu[name]) / allMs] as const)
  const busy = 1 - ((after.idle - before.idle) * 10) / allMs
  const others = Math.max(0, busy - known.reduce((sum, [, share]) => sum + share, 0))
  return { ...Object.fromEntries(known), others } as Cpu
}

/** Returns the lives of the nodes that are not dead. */
async function incarnations({ url }: BenchGateway): Promise<readonly string[]> {
  type Nodes = { readonly nodes: readonly { readonly incarnation: string; readonly state: string }[] }
  const { nodes } = await callJson<Nodes>('GET', `${url}/admin/nodes`, undefined, ADMIN)
  return nodes.filter(({ state }) => state !== 'dead').map(({ incarnation }) => incarnation)
}

/**
 * Prints what took the time of the main threads since the start, as far as it is measured, how often an instance waited for its share, and how
 * long work waited for a connection to PostgreSQL.
 */
async function printWork({ url }: BenchGateway): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sums = new Map<string, number>()
  const waits = new Map<string, { seconds: number; count: number }>()
  for (const [, name, labels = '', value] of text.matchAll(
    /^posthorn_(main_thread_seconds_total|commands_deferred_total|database_wait_seconds_sum|database_wait_seconds_count|event_loop_longest_stop_seconds)\{?([^}\n]*)\}? (\S+)$/gm,
  )) {
    const work = [...labels.matchAll(/(kind|operation|lane)="([^"]*)"/g)].map(([, , word]) => word).join(' ')
    if (name?.startsWith('database_wait')) {
      const lane = waits.get(work) ?? { seconds: 0, count: 0 }
      lane[name.endsWith('sum') ? 'seconds' : 'count'] += Number(value)
      waits.set(work, lane)
      continue
    }
    if (name === 'event_loop_longest_stop_seconds') {
      say(
        `The longest stop of the last minute: ${(1_000 * Number(value)).toFixed(0)} ms, ${work === '' ? 'of nothing known' : work}.`,
      )
      continue
    }
    const key = name === 'commands_deferred_total' ? 'waits for a fair share' : work
    sums.set(key, (sums.get(key) ?? 0) + Number(value))
  }
  const rows = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, WORK_SHOWN)
  say(
    '',
    table(
      ['work of the main threads', 'seconds, or number'],
      rows.map(([work, sum]) => [work, sum.toFixed(1)]),
    ),
    '',
    table(
      ['lane of connections to PostgreSQL', 'waits', 'ms each'],
      [...waits].map(([lane, { seconds, count }]) => [lane, String(count), ((1_000 * seconds) / count).toFixed(1)]),
    ),
  )
}

function print(rows: readonly (readonly [string, readonly Phase[]])[]): void {
  const of = (phases: readonly Phase[], share: number): number =>
    median(
      phases.map(({ times }) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN),
    )
  const base = of(rows[0]?.[1] ?? [], 0.99)
  const times = rows.map(([what, phases]) => [
    what,
    ...[0.5, 0.99, 1].map((share) => of(phases, share).toFixed(0)),
    (of(phases, 0.99) / base).toFixed(2),
    String(phases.reduce((sum, { failed }) => sum + failed, 0)),
    String(phases.reduce((sum, { calls }) => sum + calls, 0)),
  ])
  const cpu = rows.map(([what, phases]) => [
    what,
    ...PARTS.map((part) => (100 * median(phases.map(({ shares }) => shares[part]))).toFixed(1)),
  ])
  say(
    table(['texts of another tenant', 'p50, ms', 'p99', 'longest', 'p99 : quiet', 'failed', 'hostile calls'], times),
    '',
    table(['% of all processors', ...PARTS], cpu),
  )
}
