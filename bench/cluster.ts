/**
 * Measures what a cluster of three nodes does when one dies, leaves, comes, or is only asked: `npm run bench -- cluster [instances] [part …]`.
 * Parts: failover, comeback, moves, restart, detour, redis, paper; all of them unless some are named.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { request } from 'undici'
import { type PlanMember, plan } from '../runtime/cluster/ownership/plan.js'
import { createShardFinder } from '../runtime/store/shard.js'
import { startBalancer } from '../test/support/balancer.js'
import { type BenchCluster, type BenchNode, startBenchCluster } from './harness/cluster.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const parts = ['failover', 'comeback', 'moves', 'restart', 'detour', 'redis', 'paper']
const given = process.argv.slice(2)
const instances = Number(given.find((one) => /^\d+$/.test(one)) ?? 300)
const wanted = given.filter((one) => parts.includes(one))
const isWanted = (part: string): boolean => wanted.length === 0 || wanted.includes(part)
const names = ['n1', 'n2', 'n3']
const LOGIN_RATE = 50
const peer = '15553000000'

interface Login {
  readonly device: string
  readonly node: string | null
  /** When its connection was there, and when it had logged in. */
  readonly upgradedAtMs: number
  readonly atMs: number
  readonly endedAtMs: number | null
}

await runBench(async () => {
  if (isWanted('paper')) onPaper()
  if (parts.every((part) => part === 'paper' || !isWanted(part))) return
  const network = await startNetwork()
  const cluster = await startBenchCluster(network, {
    LOGIN_RATE_PER_SECOND: String(LOGIN_RATE),
    INSTANCES_MAX: String(instances),
  })
  try {
    await Promise.all(names.map((name) => cluster.start(name)))
    await cluster.shared(names)
    const tokens = await pairAll(network, cluster)
    if (isWanted('redis')) await idle(cluster)
    if (isWanted('detour')) await detour(cluster, tokens)
    if (isWanted('moves')) await moves(network, cluster)
    if (isWanted('failover')) await failover(network, cluster)
    if (isWanted('comeback')) await comeback(network, cluster)
    if (isWanted('restart')) await restart(network, cluster, tokens)
  } finally {
    await cluster.close()
  }
})

async function pairAll(network: BenchNetwork, cluster: BenchCluster): Promise<readonly string[]> {
  const phones = phoneNumbers(1, 0, instances)
  await network.control('POST', '/phones', { phone: peer })
  await forEach(phones, 8, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const [node] = cluster.nodes()
  const tokens: string[] = []
  await forEach(phones, 8, async (phone) => tokens.push(await (node as BenchNode).pair(phone)))
  return tokens
}

async function allConnected(cluster: BenchCluster): Promise<void> {
  const connected = async (): Promise<number> => {
    const counts = await Promise.all(cluster.nodes().map((node) => node.connected()))
    return counts.reduce((sum, one) => sum + one, 0)
  }
  while ((await connected()) < instances) await wait(50)
}

/** Logins of instances since then, the first of each device. */
async function loginsSince(network: BenchNetwork, sinceMs: number): Promise<readonly Login[]> {
  const all = await network.control<Login[]>('GET', '/log/logins')
  const seen = new Set<string>()
  return all.filter(
    ({ node, atMs, device }) => node !== null && atMs >= sinceMs && !seen.has(device) && seen.add(device),
  )
}

interface Gap {
  readonly ms: number
  /** Until the new connection began to log in. */
  readonly beforeLoginMs: number
}

/** For each login since then, how long its device had none. */
async function gapsSince(network: BenchNetwork, sinceMs: number): Promise<Gap[]> {
  const all = await network.control<Login[]>('GET', '/log/logins')
  const lastLogins = new Map<string, Login>()
  const gaps: Gap[] = []
  for (const login of all) {
    if (login.node === null) continue
    const former = lastLogins.get(login.device)
    lastLogins.set(login.device, login)
    if (former === undefined || login.atMs < sinceMs) continue
    const endedAtMs = former.endedAtMs ?? login.atMs
    gaps.push({
      ms: Math.max(0, login.atMs - endedAtMs),
      beforeLoginMs: Math.max(0, login.upgradedAtMs - endedAtMs),
    })
  }
  return gaps
}

async function failover(network: BenchNetwork, cluster: BenchCluster): Promise<void> {
  const rows: string[][] = []
  for (const name of names) {
    await allConnected(cluster)
    const victim = cluster.nodes().find((node) => node.name === name) as BenchNode
    const held = await victim.connected()
    const killedMs = Date.now()
    await cluster.end(victim, 'SIGKILL')
    while ((await loginsSince(network, killedMs)).length < held) await wait(50)
    const backMs = (await loginsSince(network, killedMs)).map(({ atMs }) => atMs - killedMs).toSorted((a, b) => a - b)
    const detectedMs = backMs[0] ?? 0
    const atRateMs = ((held / (names.length - 1) - LOGIN_RATE) / LOGIN_RATE) * 1_000
    rows.push([
      `${name}, ${held} instances`,
      ms(detectedMs),
      ms((backMs.at(-1) ?? 0) - detectedMs),
      ms(Math.max(0, atRateMs)),
      ms(at(backMs, 0.5)),
      ms(at(backMs, 0.99)),
      ms(backMs.at(-1) ?? 0),
    ])
    const beforeMs = Date.now()
    await cluster.start(name)
    await cluster.shared(names)
    say(`${name} is back, ${(await loginsSince(network, beforeMs)).length} instances moved to it.`)
  }
  say(
    '',
    `kill -9 of one of three nodes, from the kill to the new logins, ms; ${LOGIN_RATE} logins a second and node, with a burst of as many`,
    '',
    table(['killed', 'first login', 'first to last', 'at the rate', 'p50', 'p99', 'last'], rows),
    '',
  )
}

/** A node is killed and started again at once, as a supervisor does it. */
async function comeback(network: BenchNetwork, cluster: BenchCluster): Promise<void> {
  const rows: string[][] = []
  for (const name of names) {
    await allConnected(cluster)
    const victim = cluster.nodes().find((node) => node.name === name) as BenchNode
    const held = await victim.connected()
    const killedMs = Date.now()
    await cluster.end(victim, 'SIGKILL')
    await cluster.start(name)
    const upMs = Date.now()
    while ((await loginsSince(network, killedMs)).length < held) await wait(50)
    const logins = await loginsSince(network, killedMs)
    const backMs = logins.map(({ atMs }) => atMs - upMs).toSorted((a, b) => a - b)
    const elsewhere = logins.filter((login) => login.node !== name).length
    const atRateMs = Math.max(0, ((held - LOGIN_RATE) / LOGIN_RATE) * 1_000)
    rows.push([
      `${name}, ${held} instances`,
      ms(upMs - killedMs),
      ms(backMs[0] ?? 0),
      ms(at(backMs, 0.5)),
      ms(backMs.at(-1) ?? 0),
      ms(atRateMs),
      String(elsewhere),
    ])
  }
  say(
    '',
    'kill -9 of one of three nodes, started again at once; logins from when it took calls, ms',
    '',
    table(['killed', 'kill to up', 'first login', 'p50', 'last', 'of it at the rate', 'moved elsewhere'], rows),
    '',
  )
}

async function moves(network: BenchNetwork, cluster: BenchCluster): Promise<void> {
  const rows: string[][] = []
  for (const name of names) {
    await allConnected(cluster)
    const leaver = cluster.nodes().find((node) => node.name === name) as BenchNode
    const held = await leaver.connected()
    const [asked, startedMs] = [Date.now(), performance.now()]
    await cluster.end(leaver, 'SIGTERM')
    const tookMs = performance.now() - startedMs
    await allConnected(cluster)
    rows.push(formatRow(`${name} leaves, ${held} instances`, await gapsSince(network, asked), tookMs))
    const came = Date.now()
    await cluster.start(name)
    const joinedMs = performance.now()
    await cluster.shared(names)
    const joinMs = performance.now() - joinedMs
    await wait(1_000)
    const gaps = await gapsSince(network, came)
    rows.push(formatRow(`${name} comes, ideal ${Math.round(instances / names.length)}`, gaps, joinMs))
  }
  say(
    '',
    'planned moves: how long an instance had no login, ms; and how long the whole took, s',
    '',
    table(['', 'moved', 'p50', 'p99', 'longest', 'before the login, p99', 'seconds'], rows),
    '',
  )
}

function formatRow(what: string, gaps: readonly Gap[], tookMs: number): string[] {
  const sorted = gaps.map((gap) => gap.ms).toSorted((a, b) => a - b)
  const beforeLogin = gaps.map((gap) => gap.beforeLoginMs).toSorted((a, b) => a - b)
  return [
    what,
    String(gaps.length),
    ms(at(sorted, 0.5)),
    ms(at(sorted, 0.99)),
    ms(sorted.at(-1) ?? 0),
    ms(at(beforeLogin, 0.99)),
    (tookMs / 1_000).toFixed(1),
  ]
}

/** All three are restarted one after the other under 50 sends a second, through a balancer. */
async function restart(network: BenchNetwork, cluster: BenchCluster, tokens: readonly string[]): Promise<void> {
  await allConnected(cluster)
  const ends: (() => unknown)[] = []
  const balancer = await startBalancer({ after: (work) => void ends.push(work) }, () =>
    cluster.nodes().map(({ url }) => url),
  )
  const answers = new Map<string, number>()
  const tookMs: number[] = []
  const sends: Promise<void>[] = []
  let sent = 0
  const send = async (): Promise<void> => {
    sent += 1
    const [token, key] = [tokens[sent % tokens.length] ?? '', `restart-${sent}`]
    const startedMs = performance.now()
    for (;;) {
      const status = await sendText(balancer.url, token, `during a restart ${sent}`, key)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status !== 'cut') break
    }
    tookMs.push(performance.now() - startedMs)
  }
  const clock = setInterval(() => void sends.push(send()), 20)
  const startedMs = Date.now()
  for (const node of cluster.nodes()) {
    await cluster.end(node, 'SIGTERM')
    await cluster.start(node.name)
    await cluster.shared(names)
  }
  clearInterval(clock)
  await Promise.all(sends)
  const gaps = await gapsSince(network, startedMs)
  tookMs.sort((a, b) => a - b)
  for (const end of ends) await end()
  say(
    '',
    'rolling restart of three nodes under 50 sends a second',
    '',
    table(
      ['sends', 'answers', 'p50 ms', 'p99 ms', 'longest ms', 'moves', 'seconds'],
      [
        [
          String(sent),
          [...answers].map(([status, count]) => `${status}: ${count}`).join(', '),
          ms(at(tookMs, 0.5)),
          ms(at(tookMs, 0.99)),
          ms(tookMs.at(-1) ?? 0),
          String(gaps.length),
          ((Date.now() - startedMs) / 1_000).toFixed(0),
        ],
      ],
    ),
    '',
  )
}

/**
 * One send at a time, to the owner and through another node; beside them what no detour can be faster than here. In a new order each
 * round: behind a send its commit and receipts are still at work.
 */
async function detour(cluster: BenchCluster, tokens: readonly string[]): Promise<void> {
  const owners = await cluster.rows<{ id: string; node: string }>(
    `SELECT i.id, n.node_id AS node FROM instance AS i JOIN shard_owner AS s ON s.shard = i.shard JOIN node AS n ON n.incarnation = s.owner`,
  )
  const nodesById = new Map(owners.map(({ id, node }) => [id, node]))
  const [token = ''] = tokens
  const [first] = cluster.nodes()
  const { instance } = await (first as BenchNode).call<{ instance: { id: string } }>('GET', '/instance/status', token)
  const owner = cluster.nodes().find(({ name }) => name === nodesById.get(instance.id)) as BenchNode
  const other = cluster.nodes().find(({ name }) => name !== owner.name) as BenchNode
  const echo = await startEcho()
  let count = 0
  const send = async ({ url }: BenchNode): Promise<void> => {
    count += 1
    const status = await sendText(url, token, `detour ${count}`, `detour-${count}`)
    if (status !== '200') throw new Error(`A send was answered ${status}.`)
  }
  const asked: readonly (readonly [what: string, ask: () => Promise<unknown>])[] = [
    ['to the owner', () => send(owner)],
    ['through another node', () => send(other)],
    ['`GET /instance/status` of the owner', () => owner.call('GET', '/instance/status', token)],
    ['`GET /instance/status` through another node', () => other.call('GET', '/instance/status', token)],
    ['`GET /health` of the other node', () => other.call('GET', '/health', token)],
    ['as many bytes there and back between two processes, by TCP', () => echo.ask()],
  ]
  for (const [rounds, pauseMs] of [
    [1_000, 0],
    [400, 40],
  ] as const) {
    const tookMs = asked.map(() => [] as number[])
    for (let round = -200; round < rounds; round += 1) {
      for (const [index, [, ask]] of shuffled([...asked.entries()])) {
        if (pauseMs > 0) await wait(pauseMs)
        const startedMs = performance.now()
        await ask()
        if (round >= 0) tookMs[index]?.push(performance.now() - startedMs)
      }
    }
    const rows = asked.map(([what], index) => {
      const sorted = (tookMs[index] ?? []).toSorted((a, b) => a - b)
      return [what, ...[0.5, 0.9, 0.99].map((share) => at(sorted, share).toFixed(2))]
    })
    const between = pauseMs === 0 ? 'one after the other' : `${pauseMs} ms between two`
    say('', `a send, in turns of changing order, ${between}`, '', table(['', 'p50 ms', 'p90 ms', 'p99 ms'], rows), '')
  }
  await echo.end()
}

/** Of the size of a send between two nodes: the command there, the record back. */
async function startEcho(): Promise<{ ask(): Promise<void>; end(): Promise<void> }> {
  const part = await startPart('bench/harness/echo.js', {}, /^ready (\d+)$/)
  const socket = connect(Number(part.said[1]), '127.0.0.1').setNoDelay(true)
  const bytes = Buffer.alloc(1_500)
  return {
    async ask() {
      const answered = once(socket, 'data')
      socket.write(bytes)
      await answered
    },
    async end() {
      socket.destroy()
      await part.stop()
    },
  }
}

async function idle(cluster: BenchCluster): Promise<void> {
  await allConnected(cluster)
  await wait(3_000)
  const redis = new Redis(cluster.redisUrl)
  const processed = async () => Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1])
  const [before, startedMs] = [await processed(), performance.now()]
  await wait(30_000)
  const perSecond = (((await processed()) - before) * 1_000) / (performance.now() - startedMs)
  redis.disconnect()
  say('', `Redis, ${instances} instances idle on ${names.length} nodes: ${perSecond.toFixed(1)} commands a second`, '')
}

async function sendText(url: string, token: string, text: string, key: string): Promise<string> {
  try {
    const answer = await request(`${url}/send/text`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ number: peer, text }),
    })
    await answer.body.dump()
    return String(answer.statusCode)
  } catch {
    // By a node that has gone: a client repeats it under its key.
    return 'cut'
  }
}

/** Where 100,000 instances would live on 50 nodes, and what moves. */
function onPaper(): void {
  const rows: string[][] = []
  for (const [count, nodes, shards] of [
    [10_000, 3, 256],
    [10_000, 10, 256],
    [100_000, 50, 256],
    [100_000, 50, 1_024],
    [100_000, 50, 4_096],
  ] as const) {
    const findShard = createShardFinder(shards)
    const ofShard = new Array<number>(shards).fill(0)
    for (let index = 0; index < count; index += 1) {
      const id = `i${Math.floor(Math.random() * 36 ** 8)
        .toString(36)
        .padStart(15, '0')}`
      ofShard[findShard(id)] = (ofShard[findShard(id)] ?? 0) + 1
    }
    const members = (of: number): PlanMember[] =>
      Array.from({ length: of }, (_, index) => ({ name: `n${String(index).padStart(2, '0')}`, kind: 'open' }))
    const before = plan(new Array(shards).fill(null), members(nodes))
    const loads = new Map<string | null, number>()
    for (const [shard, name] of before.entries()) loads.set(name, (loads.get(name) ?? 0) + (ofShard[shard] ?? 0))
    const startedMs = performance.now()
    const joined = plan(before, members(nodes + 1))
    const planMs = performance.now() - startedMs
    const left = plan(before, members(nodes).slice(1))
    const movedBy = (after: readonly (string | null)[]) =>
      after.reduce((sum, name, shard) => sum + (name === before[shard] ? 0 : (ofShard[shard] ?? 0)), 0)
    rows.push([
      `${count.toLocaleString('en')} on ${nodes}, ${shards.toLocaleString('en')} shards`,
      (Math.max(...loads.values()) / (count / nodes)).toFixed(2),
      `${((100 * movedBy(joined)) / count).toFixed(1)} (${(100 / (nodes + 1)).toFixed(1)})`,
      `${((100 * movedBy(left)) / count).toFixed(1)} (${(100 / nodes).toFixed(1)})`,
      planMs.toFixed(2),
    ])
  }
  say(
    'placement on paper: instances by the hash of random ids, shards by the plan',
    '',
    table(['', 'fullest node / mean', 'moved when one joins, % (ideal)', 'when one leaves', 'plan, ms'], rows),
    '',
  )
}

/** Of a sorted list. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ms(value: number): string {
  return value.toFixed(0)
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
