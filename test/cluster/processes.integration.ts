import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hasEndedWithin } from '../../runtime/embedded/processes.js'
import { startTraffic, type Traffic } from '../durability/traffic.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { lastingPort } from '../support/port.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import type { TestInstance } from '../support/world.js'

/** A busy machine takes its time. */
const PATIENCE_MS = 60_000
const MACHINE = 'twin'
const NAMES = [`${MACHINE}~1`, `${MACHINE}~2`]
const PEERS = ['15556000001', '15556000002']

interface NodeRecord {
  readonly id: string
  readonly incarnation: string
  readonly state: string
  readonly shards: number
}

interface LogLine {
  readonly process?: number
  readonly number?: number
  readonly pid?: number
  readonly code?: number | null
  readonly signal?: string | null
  readonly inMs?: number
  readonly stack?: readonly string[]
  readonly msg: string
}

const healthPort = await lastingPort()
const blocker = new URL('../support/block-on-signal.js', import.meta.url).href
// The files of both are on the disk of the machine, as by default.
const { world, cleanup } = gatewaySuite({
  env: {
    ...{ NODE_PROCESSES: '2', NODE_ID: MACHINE, LOGIN_RATE_PER_SECOND: '200' },
    ...{ HEALTH_PORT: String(healthPort), WATCHDOG_REPORT_MS: '1000', NODE_OPTIONS: `--import=${blocker}` },
  },
})

describe('two processes behind one port', () => {
  const owned = new Map<string, { instance: TestInstance; peer: string; receiver: Receiver }>()

  it('are two nodes, which share the instances and answer for each other', { timeout: 400_000 }, async () => {
    await bothActive()
    // One instance for each process. Their places follow from their random ids.
    for (let index = 0; owned.size < 2; index += 1) {
      assert.ok(index < 40, 'All instances fell to one process.')
      const instance = await world.paired(`1555500${String(6000 + index)}`)
      const { node } = await readPlacement(instance)
      const peer = PEERS[owned.size]
      if (owned.has(node) || peer === undefined) continue
      await world.phone(peer)
      const receiver = await startReceiver(cleanup)
      await instance.hook(receiver.url, { events: ['messages'] })
      owned.set(node, { instance, peer, receiver })
    }
    for (const { instance, peer } of owned.values()) {
      // Connections that are opened beside each other go to different processes.
      const states = new Set<string>()
      const ask = async () => {
        const placements = await Promise.all(Array.from({ length: 6 }, () => readPlacement(instance)))
        for (const { state } of placements) states.add(state)
        return [...states].toSorted().join()
      }
      await eventually(ask, (found) => found === 'here,there', PATIENCE_MS)
      await Promise.all(Array.from({ length: 6 }, (_, index) => instance.text(peer, `from either ${index}`)))
    }
  })

  it('end with one message and status 1 when what they share cannot be used', async () => {
    const { code, output } = await world.gateway.startSecond({
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      HEALTH_PORT: '',
    })
    assert.equal(code, 1)
    assert.equal(output.match(/PostgreSQL was not reached/g)?.length, 1, output)
  })

  it('tell the events of all instances on each stream', async () => {
    for (const { instance, peer } of owned.values()) {
      const streams = await Promise.all([1, 2, 3, 4].map(() => openStream(instance)))
      await world.write(peer, instance.number, 'for all streams')
      for (const told of streams) await eventually(() => told().includes('for all streams'), Boolean, PATIENCE_MS)
    }
  })

  it('take files for any instance, and give the files of any', { timeout: 400_000 }, async () => {
    for (const { instance, peer } of owned.values()) {
      const files = Array.from({ length: 4 }, () => randomBytes(200_000))
      // On connections that are opened beside each other.
      const sent = await Promise.all(
        files.map((file) =>
          instance.done('/send/media', {
            number: peer,
            type: 'document',
            text: 'a file',
            file: file.toString('base64'),
          }),
        ),
      )
      for (const [index, { messageid }] of sent.entries()) {
        const shown = await world.shownAt<{ media: { sha256: string }[] }>(peer, messageid)
        assert.deepEqual(
          shown.media.map(({ sha256 }) => sha256),
          [
            createHash('sha256')
              .update(files[index] ?? '')
              .digest('hex'),
          ],
        )
      }
      const asked = { id: sent[0]?.messageid, return_base64: true }
      const given = await Promise.all(Array.from({ length: 6 }, () => instance.done('/message/download', asked)))
      for (const { base64Data } of given) assert.equal(base64Data, files[0]?.toString('base64'))
    }
  })

  it('give the same dashboard, and know each other’s sign-ins', async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => page('/dashboard/')))
    assert.equal(new Set(pages).size, 1)
    const script = /src="([^"]+\.js)"/.exec(pages[0] ?? '')?.[1] ?? ''
    const scripts = await Promise.all(
      Array.from({ length: 6 }, () => page(new URL(script, `${world.gateway.url}/dashboard/`).pathname)),
    )
    assert.equal(new Set(scripts).size, 1)
    assert.ok(scripts[0]?.length)
    const opened = await world.gateway.call<{ token: string }>('POST', '/pass', { admin: true, body: {} })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    const headers = { admintoken: opened.body.token }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.gateway.call('GET', '/admin/nodes', { headers })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })

  it('answer probes with the longest time that one of them is blocked, and log what it runs', async () => {
    const health = async () => {
      const answer = await fetch(`http://127.0.0.1:${healthPort}/health`)
      return { code: answer.status, ...((await answer.json()) as { status: string; blockedMs: number }) }
    }
    assert.deepEqual({ ...(await health()), blockedMs: 0 }, { code: 200, status: 'ok', blockedMs: 0 })
    process.kill(lastStart(2).pid, 'SIGUSR2')
    await eventually(health, ({ blockedMs }) => blockedMs >= 1_000)
    // A busy machine blocks it now and then, too.
    const reported = () => lines('The event loop is blocked.', 2).flatMap(({ stack = [] }) => stack)
    await eventually(reported, (stack) => stack.some((frame) => frame.startsWith('blockEventLoop (')))
    await eventually(() => lines('The event loop runs again.', 2).length > 0)
  })

  it('answer with the metrics of both, each sample once, and with the readiness of both', async () => {
    const isOfBoth = (found: string) => [1, 2].every((index) => found.includes(`process="${index}"`))
    // On a busy machine one may not answer the other in time.
    const text = await eventually(metrics, isOfBoth, PATIENCE_MS)
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const names = samples.map((line) => line.slice(0, line.lastIndexOf(' ')))
    assert.equal(new Set(names).size, names.length)
    assert.ok(names.every((name) => /process="[12]"/.test(name)))
    const helps = text.split('\n').filter((line) => line.startsWith('# HELP'))
    assert.equal(new Set(helps).size, helps.length)
    for (const index of [1, 2])
      assert.ok(text.includes(`\nposthorn_shards{state="owned",process="${index}"} 128\n`), `process ${index}`)
    const ready = await world.gateway.call('GET', '/ready')
    assert.deepEqual([ready.status, ready.body], [200, { ready: true, reasons: [] }])
  })

  it('lose nothing when one is killed under load, and the killed one returns after a growing wait', {
    timeout: 400_000,
  }, async (t) => {
    const traffics = startAll('kill', t)
    await Promise.all(traffics.map((traffic) => traffic.goesOn(5)))
    const before = await bothActive()
    const times = 2
    for (let time = 1; time <= times; time += 1) {
      const pid = await eventually(
        () => lastStart(2),
        (found) => found.count >= time,
        PATIENCE_MS,
      )
      process.kill(pid.pid, 'SIGKILL')
      await eventually(
        () => listEnds(2).length,
        (count) => count >= time,
        PATIENCE_MS,
      )
      await traffics[0]?.goesOn(1, PATIENCE_MS)
    }
    const after = await bothActive(before.get(`${MACHINE}~2`))
    assert.equal(after.get(`${MACHINE}~1`), before.get(`${MACHINE}~1`), 'The other process continued.')
    assert.deepEqual(
      listEnds(2).map(({ signal, inMs }) => [signal, inMs]),
      [
        ['SIGKILL', 250],
        ['SIGKILL', 500],
      ],
    )
    const restarts = [0, 0, 2, 2]
    const counted = async () =>
      [...(await metrics()).matchAll(/^posthorn_process_restarts_total\{.*\} (\d)$/gm)].map(([, count]) =>
        Number(count),
      )
    assert.deepEqual((await eventually(counted, ({ length }) => length === 4, PATIENCE_MS)).toSorted(), restarts)
    await Promise.all(traffics.map((traffic) => traffic.goesOn(5, PATIENCE_MS)))
    await allArrive(traffics)
  })

  it('end in order at SIGTERM, and lose nothing', { timeout: 400_000 }, async (t) => {
    const traffics = startAll('end', t)
    await Promise.all(traffics.map((traffic) => traffic.goesOn(5)))
    const endsBefore = lines('Process ended.').length
    await world.gateway.kill('SIGTERM')
    assert.deepEqual(
      lines('Process ended.')
        .slice(endsBefore)
        .map(({ number, code }) => `${number}: ${code}`)
        .toSorted(),
      ['1: 0', '2: 0'],
    )
    await world.gateway.start()
    await Promise.all(traffics.map((traffic) => traffic.goesOn(5, PATIENCE_MS)))
    await allArrive(traffics)
  })

  it('drain together under the name of the machine', async () => {
    const { status, body } = await world.gateway.call('POST', `/admin/nodes/${MACHINE}/drain`, { admin: true })
    assert.equal(status, 200)
    assert.equal((body.warnings as string[]).length, 1, 'No other machine can take over.')
    const states = (await nodes()).map(({ id, state }) => `${id} ${state}`)
    assert.deepEqual(
      states,
      NAMES.map((name) => `${name} draining`),
    )
  })

  it('end by themselves when their supervisor is killed', { timeout: 400_000 }, async () => {
    // One that still starts ends at once.
    const areUp = () => nodes().then((found) => found.length === 2)
    await eventually(areUp, Boolean, PATIENCE_MS)
    const pids = [lastStart(1).pid, lastStart(2).pid]
    await world.gateway.kill('SIGKILL')
    for (const pid of pids) assert.ok(await hasEndedWithin(pid, PATIENCE_MS), `process ${pid}`)
    const inOrder = world.gateway
      .output()
      .match(/"process":[12],"reason":"the supervisor has ended","msg":"Stopping\."/g)
    assert.equal(inOrder?.length, 2)
  })

  function startAll(label: string, t: Parameters<typeof startTraffic>[0]): readonly Traffic[] {
    return [...owned.values()].map(({ instance, peer, receiver }) =>
      startTraffic(t, world, instance, { peer, receiver, label, everyMs: 150, patienceMs: 2 * PATIENCE_MS }),
    )
  }
})

async function page(path: string): Promise<string> {
  const response = await fetch(world.gateway.url + path)
  assert.equal(response.status, 200, path)
  return await response.text()
}

async function metrics(): Promise<string> {
  return (await world.gateway.call<string>('GET', '/metrics')).body
}

async function allArrive(traffics: readonly Traffic[]): Promise<void> {
  await Promise.all(traffics.map((traffic) => traffic.stop()))
  await Promise.all(traffics.map((traffic) => traffic.hasArrived(PATIENCE_MS)))
}

async function nodes(): Promise<readonly NodeRecord[]> {
  return (await world.gateway.call<{ nodes: NodeRecord[] }>('GET', '/admin/nodes', { admin: true })).body.nodes
}

/** Waits until both own half of the shards. Returns their incarnations by name. @param former incarnation that must have gone */
async function bothActive(former?: string): Promise<ReadonlyMap<string, string>> {
  const all = await eventually(
    () => nodes().catch(() => []),
    (found) =>
      found.length === 2 &&
      found.every(({ id, state, shards, incarnation }) => {
        return NAMES.includes(id) && state === 'active' && shards === 128 && incarnation !== former
      }),
    PATIENCE_MS,
  )
  return new Map(all.map(({ id, incarnation }) => [id, incarnation]))
}

async function readPlacement(instance: TestInstance): Promise<{ node: string; state: string }> {
  const path = `/admin/instances/${instance.id}/placement`
  const { status, body } = await world.gateway.call<{ node: string; state: string }>('GET', path, { admin: true })
  assert.equal(status, 200)
  return body
}

async function openStream(instance: TestInstance): Promise<() => string> {
  const aborter = new AbortController()
  cleanup.after(() => aborter.abort())
  const response = await fetch(`${world.gateway.url}/sse?token=${instance.token}`, { signal: aborter.signal })
  assert.equal(response.status, 200)
  let told = ''
  void (async () => {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) told += Buffer.from(part).toString()
  })().catch(() => {})
  return () => told
}

/** @param process 0 is the supervisor. */
function lines(msg: string, process = 0): readonly LogLine[] {
  const found = world.gateway
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}`))
  return found.map((line) => JSON.parse(line) as LogLine).filter((line) => line.process === process)
}

function lastStart(index: number): { count: number; pid: number } {
  const starts = lines('Process started.').filter(({ number }) => number === index)
  return { count: starts.length, pid: starts.at(-1)?.pid ?? 0 }
}

function listEnds(index: number): readonly LogLine[] {
  return lines('A process ended. It is started again.').filter(({ number }) => number === index)
}
