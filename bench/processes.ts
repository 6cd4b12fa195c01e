/**
 * Shows the gain of a second process on the same port: sends of a gateway of one process and of one of two (NODE_PROCESSES), in turns, beside the
 * simulated network and the load generator. Calls reach the owner of their instance in half of the cases. Two further columns show where the
 * difference comes from: one process with half of the calls at once, and two with each call at its owner. `npm run bench -- processes [texts] [rounds]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { cpuOfGateway, machineTimes } from './harness/gateway-family.js'
import { type BenchNetwork, callJson, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'
import { inRounds } from './harness/rounds.js'

const texts = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 5)
/** V8 compiles the code of a send meanwhile. */
const WARM_UP = 6
const AT_ONCE = 40
const PAIRED = 24
const PER_PROCESS = 8
const FRIEND = '15550900003'
const ADMIN = { admintoken: 'bench-bench-bench' }

interface Sender {
  readonly token: string
  readonly instance: string
  /** The node that owns it. */
  readonly node: string
}

/** A connection that is kept, and the senders whose calls take it. */
interface Lane {
  readonly client: Client
  readonly senders: readonly Sender[]
}

interface Subject {
  readonly name: string
  readonly gateway: BenchGateway
  readonly lanes: readonly Lane[]
  readonly figures: Figures[]
}

/** Of a round: a second, in parts of one, or of one send. */
interface Figures {
  readonly perSecond: number
  readonly idle: number
  readonly perSend: Readonly<Record<(typeof PER_SEND)[number], number>>
}

const PER_SEND = [
  'gatewayMs',
  'supervisorMs',
  'postgresMs',
  'redisMs',
  'networkMs',
  'loadMs',
  'commits',
  'forwarded',
] as const

await runBench(async () => {
  const network = await startNetwork()
  await network.control('POST', '/phones', { phone: FRIEND, refreshOnScan: false })
  const one = await startSenders(network, 1)
  const two = await startSenders(network, 2)
  const subjects: readonly Subject[] = [
    { ...one, name: 'one process', lanes: createLanes(one.gateway, one.senders, AT_ONCE), figures: [] },
    { ...two, name: 'two processes', lanes: createLanes(two.gateway, two.senders, AT_ONCE), figures: [] },
    // As many at once as each of two processes has, so that transactions are as large.
    {
      ...one,
      name: 'one, half as many at once',
      lanes: createLanes(one.gateway, one.senders, AT_ONCE / 2),
      figures: [],
    },
    { ...two, name: 'two, each call at its owner', lanes: await lanesAtOwners(two), figures: [] },
  ]
  await inRounds(WARM_UP, rounds, async (isWarm) => {
    for (const subject of subjects) {
      // So that each of two processes has sent as much as the one when it counts.
      if (!isWarm && subject === subjects[2]) continue
      const figures = await send(network, subject)
      if (isWarm) subject.figures.push(figures)
    }
  })
  for (const { lanes } of subjects) for (const { client } of lanes) await client.close()
  print(subjects)
})

async function startSenders(network: BenchNetwork, processes: 1 | 2) {
  const gateway = await startGateway(dataFolder(), network, { env: { NODE_PROCESSES: String(processes) } })
  if (processes === 2) await shared(gateway)
  const phones = phoneNumbers(processes, 0, PAIRED)
  await forEach(phones, 4, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const ofNode = new Map<string, Sender[]>()
  await forEach(phones, 4, async (phone) => {
    const token = await gateway.pair(phone)
    const { instance } = await gateway.call<{ instance: { id: string } }>('GET', '/instance/status', token)
    const path = `${gateway.url}/admin/instances/${instance.id}/placement`
    const { node } = await callJson<{ node: string }>('GET', path, undefined, ADMIN)
    ofNode.set(node, [...(ofNode.get(node) ?? []), { token, instance: instance.id, node }])
  })
  const each = (2 * PER_PROCESS) / processes
  const senders = [...ofNode.values()].flatMap((own) => own.slice(0, each))
  if (senders.length < 2 * PER_PROCESS) throw new Error('Too few instances fell to one process; run it again.')
  return { gateway, senders }
}

/** Waits until both processes own half of the shards. */
async function shared({ url }: BenchGateway): Promise<void> {
  const shards = async (): Promise<readonly number[]> => {
    const { nodes } = await callJson<{ nodes: { shards: number }[] }>('GET', `${url}/admin/nodes`, undefined, ADMIN)
    return nodes.map((node) => node.shards)
  }
  while ((await shards()).join() !== '128,128') await wait(100)
}

function createLanes({ url }: BenchGateway, senders: readonly Sender[], atOnce: number): Lane[] {
  return Array.from({ length: atOnce }, () => ({ client: new Client(url), senders }))
}

/** Opens as many connections to each process, and gives each the senders that its process owns. */
async function lanesAtOwners({ gateway, senders }: { gateway: BenchGateway; senders: readonly Sender[] }) {
  const lanes: Lane[] = []
  const [first] = senders
  for (const isFirst of [true, false]) {
    const own = senders.filter(({ node }) => (node === first?.node) === isFirst)
    while (lanes.length < (isFirst ? AT_ONCE / 2 : AT_ONCE)) {
      const client = new Client(gateway.url)
      if (await isAtOwner(client, own[0])) lanes.push({ client, senders: own })
      else await client.close()
    }
  }
  return lanes
}

/** Returns true if the connection ends at the process that owns the sender. */
async function isAtOwner(client: Client, sender: Sender | undefined): Promise<boolean> {
  const path = `/admin/instances/${sender?.instance}/placement`
  const { body } = await client.request({ method: 'GET', path, headers: ADMIN })
  return ((await body.json()) as { state: string }).state === 'here'
}

async function send(network: BenchNetwork, { gateway, lanes }: Subject): Promise<Figures> {
  const before = await counts(gateway)
  const startedMs = performance.now()
  const cpuBefore = cpu(network, gateway)
  let left = texts
  await Promise.all(
    lanes.map(async ({ client, senders }, lane) => {
      for (let index = lane; left > 0; index += 1) {
        left -= 1
        await sendText(client, senders[index % senders.length] as Sender, index)
      }
    }),
  )
  const elapsedMs = performance.now() - startedMs
  const cpuAfter = cpu(network, gateway)
  const after = await counts(gateway)
  const perSend = { ...difference(cpuBefore, cpuAfter), ...difference(before, after) }
  const idle = (cpuAfter.idle - cpuBefore.idle) / (cpuAfter.all - cpuBefore.all)
  return { perSecond: (texts * 1_000) / elapsedMs, idle, perSend: perSend as Figures['perSend'] }
}

async function sendText(client: Client, { token }: Sender, index: number): Promise<void> {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/send/text',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify({ number: FRIEND, text: `text ${index}` }),
  })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`A send was answered ${statusCode}: ${answer}`)
}

function cpu(network: BenchNetwork, gateway: BenchGateway) {
  const { user, system } = process.cpuUsage()
  const own = { networkMs: cpuMs(network.pid), loadMs: (user + system) / 1_000 }
  return { ...cpuOfGateway(gateway.pid), ...own, ...machineTimes() }
}

/** Returns what the gateway has counted, of all its processes. */
async function counts(gateway: BenchGateway) {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const sumMetric = (name: string, label: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(label))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  return {
    commits: sumMetric('posthorn_journal_commit_seconds_count', 'outcome="committed"'),
    forwarded: sumMetric('posthorn_call_seconds_count', 'where="there"'),
  }
}

function difference<Counts extends object>(before: Counts, after: Counts): Record<string, number> {
  const of = (counts: Counts, name: string): number => Number(counts[name as keyof Counts])
  return Object.fromEntries(Object.keys(after).map((name) => [name, (of(after, name) - of(before, name)) / texts]))
}

function print(subjects: readonly Subject[]): void {
  const computeMedian = ({ figures }: Subject, of: (figure: Figures) => number): number => median(figures.map(of))
  const row = (what: string, digits: number, of: (figure: Figures) => number): string[] => [
    what,
    ...subjects.map((subject) => computeMedian(subject, of).toFixed(digits)),
  ]
  const costs: readonly (readonly [string, (typeof PER_SEND)[number]])[] = [
    ['CPU ms of a send: gateway', 'gatewayMs'],
    ['of these, supervisor', 'supervisorMs'],
    ['PostgreSQL', 'postgresMs'],
    ['Redis', 'redisMs'],
    ['simulated network', 'networkMs'],
    ['load generator', 'loadMs'],
    ['commits of the journal', 'commits'],
    ['calls that are passed on', 'forwarded'],
  ]
  const rows = [
    row('sends a second', 0, ({ perSecond }) => perSecond),
    row('sends per second of CPU of the gateway', 0, perCpuSecond),
    ...costs.map(([what, name]) => row(what, 2, ({ perSend }) => perSend[name])),
    row('idle part of all cores, %', 0, ({ idle }) => idle * 100),
  ]
  const [one, ...others] = subjects
  const ratios = (subject: Subject, of: (figure: Figures) => number): string => {
    const all = subject.figures.map((figure, index) => of(figure) / of(one?.figures[index] as Figures))
    return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`
  }
  say(
    table(['', ...subjects.map(({ name }) => name)], rows),
    '',
    `Medians of ${rounds} rounds in turns of ${texts} sends, ${AT_ONCE} at once, from ${2 * PER_PROCESS} instances. Over one process:`,
    ...others.map((subject) => {
      const rate = ratios(subject, ({ perSecond }) => perSecond)
      return `${subject.name}: sends a second ${rate}; sends per second of CPU ${ratios(subject, perCpuSecond)}.`
    }),
    `Node.js ${process.version}.`,
  )
}

function perCpuSecond({ perSend }: Figures): number {
  return 1_000 / perSend.gatewayMs
}
