/** Receivers of webhooks that misbehave: what it costs is theirs alone. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { afterEach, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { Webhook } from '../../schemas/generated.js'
import { makeBacklog } from '../support/backlog.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>

const BEN = '15551500009'
const MIB = 1_048_576
/** Of a webhook in good health, on a machine that has other work too; half of the time-out that the bad ones use up. */
const PROMPT_MS = 1500

describe('a webhook receiver', () => {
  let world: World
  let ana: TestInstance
  let cat: TestInstance
  let database: Client
  const cleanup = suiteCleanup()
  before(async () => {
    world = await startWorld(
      cleanup,
      { WEBHOOK_BACKOFF_MIN_MS: '200', WEBHOOK_BACKOFF_MAX_MS: '2000', WEBHOOK_TIMEOUT_MS: '3000' },
      {
        between: async (connectionString) => {
          database = new Client({ connectionString })
          await database.connect()
          return connectionString
        },
      },
    )
    cleanup.after(() => database.end())
    ana = await world.paired('15551500001', 'Ana')
    cat = await world.paired('15551500002', 'Cat')
    await world.phone(BEN, 'Ben')
  })
  afterEach(async () => {
    for (const one of [ana, cat]) await one.unhook()
  })
  const write = (to: TestInstance, text: string) =>
    world.network('POST', `/phones/${BEN}/text`, { to: to.number, text })
  const add = async (to: TestInstance, { url }: Receiver) => {
    const body = { action: 'add', url, events: ['messages'], enabled: true }
    const { body: all } = await to.call<{ id: string; url: string }[]>('POST', '/webhook', body)
    return all.find((one) => one.url === url)?.id ?? ''
  }
  const listErrors = async (url: string) =>
    (await ana.call<Json[]>('GET', '/webhook/errors')).body.filter((one) => one.url === url)
  const metric = async (name: string) => {
    const { body } = await world.gateway.call<string>('GET', '/metrics')
    const line = body.split('\n').find((one) => one.startsWith(`${name} `)) ?? ''
    return Number(line.split(' ')[1])
  }
  /** Each text arrives before the next is written. The usual way is what counts: one may meet a moment in which nothing runs. */
  const measureUsualMs = async (to: TestInstance, receiver: Receiver, texts: number) => {
    const tookMs: number[] = []
    for (let index = 0; index < texts; index += 1) {
      const before = receiver.of('messages').length
      const startedMs = performance.now()
      await write(to, `${to.number} ${index}`)
      await eventually(
        () => receiver.of('messages').length,
        (count) => count > before,
      )
      tookMs.push(performance.now() - startedMs)
    }
    return tookMs.toSorted((a, b) => a - b)[Math.floor(texts / 2)] ?? 0
  }

  it('delays no other receiver of the same or another instance if it answers after a minute, and its deliveries are kept', async (t) => {
    const [late, own, others] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)]
    late.misbehave((response) => void setTimeout(() => response.end(), 60_000).unref())
    await add(ana, late)
    await add(ana, own)
    await add(cat, others)
    const [usual, ofOther] = await Promise.all([measureUsualMs(ana, own, 15), measureUsualMs(cat, others, 15)])
    assert.ok(usual < PROMPT_MS && ofOther < PROMPT_MS, `${usual} ms, ${ofOther} ms`)
    const errors = await eventually(
      () => listErrors(late.url),
      (all) => all.length > 0,
    )
    assert.deepEqual([errors[0]?.status_code, errors[0]?.error], [0, 'TIMEOUT'], 'after the time-out of the settings')
    late.answer(200)
    await eventually(
      () => late.of('messages').length,
      (count) => count === 15,
    )
    const texts = late.of('messages').map(({ body }) => (body.message as Json).text)
    assert.deepEqual(
      texts,
      Array.from({ length: 15 }, (_, index) => `${ana.number} ${index}`),
    )
  })

  it('is cut off after some bytes, or a second, if it answers without end; its status counts', async (t) => {
    const [flood, drip] = [await startReceiver(t), await startReceiver(t)]
    const sockets: NonNullable<ServerResponse['socket']>[] = []
    let cut = 0
    let dripsCut = 0
    flood.misbehave((response) => {
      if (response.socket !== null) sockets.push(response.socket)
      response.on('close', () => {
        cut += 1
      })
      const chunk = Buffer.alloc(MIB / 4)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    drip.misbehave((response) => {
      const more = setInterval(() => response.write('x'), 20)
      response.on('close', () => {
        clearInterval(more)
        dripsCut += 1
      })
    })
    await add(ana, flood)
    await add(ana, drip)
    const before = await metric('process_resident_memory_bytes')
    await write(ana, 'one')
    await write(ana, 'two')
    await eventually(() => cut === 2 && dripsCut === 2)
    for (const receiver of [flood, drip]) {
      assert.equal(receiver.attempts, 2, 'a 200 that never ends is a 200: it is not repeated')
      assert.deepEqual(await listErrors(receiver.url), [])
    }
    // 64 KiB are read; the rest of this lies in the buffers of the operating system.
    for (const socket of sockets) assert.ok(socket.bytesWritten < 16 * MIB, `${socket.bytesWritten} bytes`)
    const grown = (await metric('process_resident_memory_bytes')) - before
    assert.ok(grown < 64 * MIB, `${grown} bytes more`)
  })

  it('costs few attempts and little memory if it is dead with 10,000 deliveries waiting, and delays no other', async (t) => {
    const [dead, good] = [await startReceiver(t), await startReceiver(t)]
    // The worst of the dead: it takes the request and says nothing.
    dead.misbehave(() => {})
    const webhookId = await add(ana, dead)
    await add(cat, good)
    await measureUsualMs(cat, good, 3)
    const before = await metric('process_resident_memory_bytes')
    const [chats, textsPerChat] = [2000, 5]
    await makeBacklog(database, { instance: ana.id, webhookId, chats, textsPerChat })
    await ana.call('POST', '/webhook', { id: webhookId, enabled: true })
    await eventually(() => dead.attempts >= 5)
    const usual = await measureUsualMs(cat, good, 30)
    assert.ok(usual < PROMPT_MS, `${usual} ms`)
    await eventually(
      () => metric('posthorn_webhook_breaker_openings_total'),
      (openings) => openings >= 2,
    )
    assert.equal(
      (await metric('posthorn_webhook_breakers{state="open"}')) +
        (await metric('posthorn_webhook_breakers{state="half_open"}')),
      1,
    )
    const away = await eventually(
      () => findBreaker(webhookId),
      (breaker) => breaker?.state === 'open' || breaker?.state === 'half_open',
    )
    assert.ok(Date.parse(away?.nextAttemptAt ?? '') > Date.parse(away?.since ?? ''), JSON.stringify(away))
    const grown = (await metric('process_resident_memory_bytes')) - before
    t.diagnostic(
      `${Math.round(grown / MIB)} MiB more, usually to the other: ${Math.round(usual)} ms, ${dead.attempts} attempts`,
    )
    assert.ok(grown < 100 * MIB, `${grown} bytes more`)
    // Attempts that were under way when the breaker opened, and a probe for each opening since.
    const openings = await metric('posthorn_webhook_breaker_openings_total')
    assert.ok(dead.attempts <= 64 + openings, `${dead.attempts} attempts, ${openings} openings`)
    const { rows } = await database.query('SELECT count(*) AS waiting, max(attempts) AS most FROM delivery')
    assert.equal(Number(rows[0].waiting), chats * textsPerChat)
    assert.ok(rows[0].most <= 2, `${rows[0].most} attempts of one`)

    dead.answer(200)
    await eventually(() => dead.got.length >= chats * textsPerChat, Boolean, 240_000)
    const last = new Map<unknown, number>()
    for (const { body } of dead.of('messages')) {
      const { chatid, text } = body.message as { chatid: string; text: string }
      assert.ok(Number(text) > (last.get(chatid) ?? 0), `chat ${chatid} is out of order at ${text}`)
      last.set(chatid, Number(text))
    }
    assert.equal(dead.got.length, chats * textsPerChat, 'each once')
    assert.equal(await metric('posthorn_webhook_breakers{state="open"}'), 0)
    const isClosed = { state: 'closed', since: null, nextAttemptAt: null }
    assert.deepEqual(
      await eventually(
        () => findBreaker(webhookId),
        (breaker) => breaker?.state === 'closed',
      ),
      isClosed,
    )
  })

  async function findBreaker(webhookId: string): Promise<Webhook['breaker'] | undefined> {
    const { body } = await ana.call<Webhook[]>('GET', '/webhook')
    return body.find(({ id }) => id === webhookId)?.breaker
  }
})
