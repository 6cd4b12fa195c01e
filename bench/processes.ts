/**
 * Shows the gain of a second process on the same port: sends of a gateway of one process and of one of two (NODE_PROCESSES), in turns, beside the
 * simulated network and the load generator. `npm run bench -- processes [texts] [rounds]`
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, callJson, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'
import { inRounds } from './harness/rounds.js'

const texts = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 5)
/** V8 compiles the code of a send meanwhile, in each process. */
const WARM_UP = 4
const AT_ONCE = 40
const PAIRED = 24
const PER_PROCESS = 8
const FRIEND = '15550900003'
const ADMIN = { admintoken: 'bench-bench-bench' }

interface Subject {
  readonly gateway: BenchGateway
  /** Tokens of the instances that send. */
  readonly tokens: readonly string[]
  readonly pids: readonly number[]
  readonly figures: { readonly perSecond: number; readonly perCpuSecond: number }[]
}

await runBench(async () => {
  const network = await startNetwork()
  await network.control('POST', '/phones', { phone: FRIEND, refreshOnScan: false })
  const one = await subject(network, 1)
  const two = await subject(network, 2)
  await inRounds(WARM_UP, rounds, async (isWarm) => {
    for (const { gateway, tokens, pids, figures } of [one, two]) {
      const figure = await sends(gateway, tokens, pids)
      if (isWarm) figures.push(figure)
    }
  })
  print(one, two)
})

async function subject(network: BenchNetwork, processes: 1 | 2): Promise<Subject> {
  const gateway = await startGateway(dataFolder(), network, { env: { NODE_PROCESSES: String(processes) } })
  if (processes === 2) await shared(gateway)
  const phones = phoneNumbers(processes, 0, PAIRED)
  await forEach(phones, 4, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const ofNode = new Map<string, string[]>()
  await forEach(phones, 4, async (phone) => {
    const token = await gateway.pair(phone)
    const { instance } = await gateway.call<{ instance: { id: string } }>('GET', '/instance/status', token)
    const path = `${gateway.url}/admin/instances/${instance.id}/placement`
    const { node } = await callJson<{ node: string }>('GET', path, undefined, ADMIN)
    ofNode.set(node, [...(ofNode.get(node) ?? []), token])
  })
  const each = (2 * PER_PROCESS) / processes
  const tokens = [...ofNode.values()].flatMap((own) => own.slice(0, each))
  if (tokens.length < 2 * PER_PROCESS) throw new Error('Too few instances fell to one process; run it again.')
  return {
    gateway,
    tokens,
    pids: processes === 1 ? [gateway.pid] : [gateway.pid, ...childrenOf(gateway.pid)],
    figures: [],
  }
}

/** Waits until both processes own half of the shards. */
async function shared({ url }: BenchGateway): Promise<void> {
  const shards = async (): Promise<readonly number[]> => {
    const { nodes } = await callJson<{ nodes: { shards: number }[] }>('GET', `${url}/admin/nodes`, undefined, ADMIN)
    return nodes.map((node) => node.shards)
  }
  while ((await shards()).join() !== '128,128') await wait(100)
}

/** Returns the processes of the gateway that a supervisor has started, without the embedded servers. */
function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('node-process.js'))
}

async function sends(gateway: BenchGateway, tokens: readonly string[], pids: readonly number[]) {
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
  const [cpuBefore, before] = [cpu(), performance.now()]
  await forEach(
    Array.from({ length: texts }, (_, index) => index),
    AT_ONCE,
    (index) =>
      gateway.call('POST', '/send/text', tokens[index % tokens.length] ?? '', {
        number: FRIEND,
        text: `text ${index}`,
      }),
  )
  const elapsedMs = performance.now() - before
  return { perSecond: (texts * 1_000) / elapsedMs, perCpuSecond: (texts * 1_000) / (cpu() - cpuBefore) }
}

function print(one: Subject, two: Subject): void {
  const rows = [one, two].map(({ figures }, index) => {
    const perCpu = median(figures.map(({ perCpuSecond }) => perCpuSecond))
    const cells = [
      median(figures.map(({ perSecond }) => perSecond)).toFixed(0),
      perCpu.toFixed(0),
      (1_000 / perCpu).toFixed(2),
    ]
    return [index === 0 ? 'one process' : 'two processes', ...cells]
  })
  const ratios = (of: 'perSecond' | 'perCpuSecond'): string => {
    const all = two.figures.map((figure, index) => figure[of] / (one.figures[index]?.[of] ?? Number.NaN))
    return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`
  }
  say(
    table(['', 'sends a second', 'sends per second of CPU', 'CPU ms of a send'], rows),
    '',
    `Two over one, medians of ${rounds} rounds in turns of ${texts} sends, ${AT_ONCE} at once, from ${2 * PER_PROCESS} instances:`,
    `sends a second ${ratios('perSecond')}; sends per second of CPU ${ratios('perCpuSecond')}. Node.js ${process.version}.`,
  )
}
