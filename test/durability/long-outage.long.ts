/**
 * A webhook receiver is away for two minutes, with the usual settings, so that every wait has grown to its longest. POSTHORN_TEST_AWAY_MS
 * makes the outage shorter or longer.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { makeBacklog } from '../support/backlog.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { inversions } from './tally.js'

const AWAY_MS = Number(process.env.POSTHORN_TEST_AWAY_MS ?? 120_000)
/** From its return to the last webhook that waited for it. */
const BACK_MAX_MS = 15_000
const PROBES_PER_SECOND = 50
/** Longest wait of a receiver between two probes: its own of 10 s, and its place in the line of 200. */
const PROBE_GAP_MAX_MS = 16_000
/** All breakers are open then, and all waits have grown. */
const SETTLED_MS = 30_000
const STAGGER_MS = 25_000
const [CHATS, TEXTS_PER_CHAT] = [400, 10]
const BEN = '15551780009'

describe('a webhook receiver that is away for two minutes', { concurrency: true }, () => {
  for (const [index, deadCount] of [0, 200].entries())
    it(`has all within 15 s of its return, beside ${deadCount} that stay away`, async (t) => {
      const { world, database } = await start(t)
      const ana = await world.paired('15551780001', 'Ana')
      await world.phone(BEN, 'Ben')
      const receiver = await startReceiver(t)
      const dead = await startDead(t)
      await ana.hook(receiver.url)
      const write = (text: string) => world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text })
      await write('before')
      await eventually(() => receiver.got.length === 1)

      await receiver.leave()
      await makeDead(world, database, dead.url, deadCount)
      await makeBacklog(database, {
        instance: ana.id,
        webhookId: await createHook(ana, receiver.url),
        chats: CHATS,
        textsPerChat: TEXTS_PER_CHAT,
      })
      await ana.call('POST', '/webhook', { id: await createHook(ana, receiver.url), enabled: true })
      const leftMs = performance.now()
      let live = 0
      // They come back one after the other, so that neither takes the processor of the other.
      const awayMs = AWAY_MS + index * STAGGER_MS
      while (performance.now() - leftMs < awayMs) {
        await write(`live ${live}`)
        live += 1
        await pause(500)
      }

      const backMs = performance.now()
      const probes = dead.attempts.filter(({ atMs }) => atMs > leftMs + SETTLED_MS && atMs < backMs)
      await receiver.comeBack()
      await eventually(() => receiver.got.length > 1, Boolean, 2 * BACK_MAX_MS)
      const firstMs = performance.now()
      const all = 1 + CHATS * TEXTS_PER_CHAT + live
      await eventually(() => receiver.got.length >= all, Boolean, 4 * BACK_MAX_MS)
      const lastMs = performance.now()
      t.diagnostic(
        `away ${awayMs / 1_000} s, ${all - 1} waiting: the first ${(firstMs - backMs).toFixed(0)} ms after its return, ` +
          `the last ${(lastMs - backMs).toFixed(0)} ms, ${((all - 1) / ((lastMs - firstMs) / 1_000)).toFixed(0)} a second; ` +
          `probes of ${deadCount} dead: at most ${mostInSecond(probes)} in a second, longest gap ${longestGapMs(probes)} ms`,
      )
      assert.ok(lastMs - backMs <= BACK_MAX_MS, `the last came ${Math.round(lastMs - backMs)} ms after its return`)
      assert.equal(receiver.got.length, all, 'each once')
      const texts = receiver.of('messages').map(({ body }) => body.message as { chatid: string; text: string })
      for (let chat = 0; chat < CHATS; chat += 1) {
        const numbers = texts.filter(({ chatid }) => chatid === `${chat}@s.whatsapp.net`).map(({ text }) => text)
        assert.equal(inversions(numbers), 0, numbers.join())
      }
      if (deadCount === 0) return
      // Some of a second's probes may arrive late, with those of the next.
      assert.ok(mostInSecond(probes) <= 1.2 * PROBES_PER_SECOND, `${mostInSecond(probes)} probes in one second`)
      assert.equal(new Set(probes.map(({ path }) => path)).size, deadCount, 'each is probed')
      assert.ok(longestGapMs(probes) <= PROBE_GAP_MAX_MS, `one waited ${longestGapMs(probes)} ms for its probe`)
    })
})

async function start(t: Cleanup): Promise<{ world: World; database: Client }> {
  const world = await startWorld(t, { RATE_LIMIT_ADDRESS_PER_SECOND: '0' })
  const database = new Client({ connectionString: world.gateway.databaseUrl })
  await database.connect()
  t.after(() => database.end())
  return { world, database }
}

interface Attempt {
  readonly path: string
  readonly atMs: number
}

/** Receivers by path that answer 503, and when each was tried. */
async function startDead(t: Cleanup): Promise<{ url: string; attempts: Attempt[] }> {
  const attempts: Attempt[] = []
  const server = createServer((request, response) => {
    attempts.push({ path: request.url ?? '', atMs: performance.now() })
    request.resume()
    response.writeHead(503).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, attempts }
}

const HOOKS_PER_INSTANCE = 20

/** So many receivers with something to deliver, of instances of their own. */
async function makeDead(world: World, database: Client, url: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += HOOKS_PER_INSTANCE) {
    const instance = await world.instance(`dead ${index}`)
    for (let hook = index; hook < Math.min(count, index + HOOKS_PER_INSTANCE); hook += 1) {
      const body = { action: 'add', url: `${url}/${hook}`, events: ['messages'], enabled: true }
      const answer = await instance.call('POST', '/webhook', body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const webhookId = await createHook(instance, `${url}/${hook}`)
      // Several chats, so that the breaker opens with the first attempts.
      await makeBacklog(database, { instance: instance.id, webhookId, chats: 6, textsPerChat: 1 })
    }
  }
}

async function createHook(instance: TestInstance, url: string): Promise<string> {
  const { body } = await instance.call<{ id: string; url: string }[]>('GET', '/webhook')
  return body.find((one) => one.url === url)?.id ?? ''
}

function mostInSecond(attempts: readonly Attempt[]): number {
  let [most, from] = [0, 0]
  for (const [index, { atMs }] of attempts.entries()) {
    while ((attempts[from]?.atMs ?? atMs) <= atMs - 1_000) from += 1
    most = Math.max(most, index - from + 1)
  }
  return most
}

function longestGapMs(attempts: readonly Attempt[]): number {
  const last = new Map<string, number>()
  let longest = 0
  for (const { path, atMs } of attempts) {
    longest = Math.max(longest, atMs - (last.get(path) ?? atMs))
    last.set(path, atMs)
  }
  return Math.round(longest)
}
