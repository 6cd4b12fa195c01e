/**
 * A flood of texts in both directions while the gateway is killed with -9 at random moments and the webhook receiver is sometimes
 * away. What is counted is counted at the far ends: on the phones, at the receiver, in the network's log.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { seededRandom } from './random.js'
import { doubled, inversions, missing, uniqueByEvent } from './tally.js'

export interface KillLoopOptions {
  readonly seed: number
  readonly kills: number
  /** In each direction. */
  readonly texts: number
}

interface KillLoopSummary {
  seed: number
  kills: number
  messages: number
  lostOutbound: number
  lostInbound: number
  lostWebhooks: number
  doubledAtPhone: number
  doubledEvents: number
  invertedAtPhone: number
  invertedAtReceiver: number
  undecryptable: number
  retryReceipts: number
}

interface PhoneMessage {
  readonly id: string
  readonly text: string
  readonly own: boolean
  readonly arrivals: number
}

/** All must be zero but the first three. */
export async function killLoopLosesNothing(t: TestContext, options: KillLoopOptions): Promise<void> {
  const summary = await killLoop(t, options)
  t.diagnostic(JSON.stringify(summary))
  const { seed: _seed, kills: _kills, messages: _messages, ...mustBeZero } = summary
  for (const [what, count] of Object.entries(mustBeZero))
    assert.equal(count, 0, `${what} in ${JSON.stringify(summary)}`)
}

async function killLoop(t: Cleanup, { seed, kills, texts }: KillLoopOptions): Promise<KillLoopSummary> {
  const random = seededRandom(seed)
  const world = await startWorld(t, {
    RECONNECT_DELAY_MAX_MS: '500',
    SEND_ACK_TIMEOUT_MS: '3000',
    WEBHOOK_BACKOFF_MIN_MS: '50',
    WEBHOOK_BACKOFF_MAX_MS: '500',
  })
  const receiver = await startReceiver(t)
  const instance = await world.paired('15550001111', 'Ana')
  await world.phone('15550002222', 'Ben')
  await instance.hook(receiver.url)

  let isOver = false
  const killer = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(200 + random() * 1_300)
      receiver.answer(random() < 0.3 ? 503 : 200)
      await world.gateway.kill('SIGKILL')
      await pause(random() * 200)
      await world.gateway.start()
    }
    receiver.answer(200)
    isOver = true
  })()

  const outbound = Array.from({ length: texts }, (_, index) => `out ${index}`)
  const inbound = Array.from({ length: texts }, (_, index) => `in ${index}`)
  // Both floods last at least as long as the killing.
  const pace = async (index: number): Promise<void> => {
    if (!isOver) await pause(random() * ((kills * 1_500) / texts) * 1.2)
    else if (index % 50 === 0) await pause(1)
  }
  const sending = (async () => {
    for (const [index, text] of outbound.entries()) {
      await pace(index)
      await sendUntilAnswered(world, instance, text, `key-${index}`)
    }
  })()
  const writing = (async () => {
    for (const [index, text] of inbound.entries()) {
      await pace(index)
      await world.network('POST', '/phones/15550002222/text', { to: instance.number, text })
    }
  })()
  await Promise.all([killer, sending, writing])

  const expected = texts * 2
  const heard = () => uniqueByEvent(receiver.of('messages'))
  await eventually(
    () => heard().length,
    (count) => count >= expected,
    60_000,
  ).catch(() => {})
  const phone = (await eventually(
    () => world.network<PhoneMessage[]>('GET', '/phones/15550002222/messages'),
    (all) => all.length >= texts,
  ).catch(() => world.network<PhoneMessage[]>('GET', '/phones/15550002222/messages'))) as PhoneMessage[]
  const received = phone.filter(({ own }) => !own)
  const events = heard()
  const told = (fromMe: boolean) =>
    events
      .map(({ body }) => body.message as { text: string; fromMe: boolean })
      .filter((message) => message.fromMe === fromMe)
  const stored = await allMessages(instance)
  const retries = await world.network<unknown[]>('GET', '/log/retries')
  const failures = await world.network<unknown[]>('GET', '/phones/15550002222/failures')
  const ids = new Map<string, number>()
  for (const { body } of events) {
    const { messageid } = body.message as { messageid: string }
    ids.set(messageid, (ids.get(messageid) ?? 0) + 1)
  }
  return {
    seed,
    kills,
    messages: expected,
    lostOutbound: missing(
      outbound,
      received.map(({ text }) => text),
    ),
    lostInbound: missing(inbound, stored),
    lostWebhooks:
      missing(
        inbound,
        told(false).map(({ text }) => text),
      ) +
      missing(
        outbound,
        told(true).map(({ text }) => text),
      ),
    doubledAtPhone: doubled(received.map(({ text }) => text)).length,
    doubledEvents: [...ids.values()].filter((count) => count > 1).length,
    invertedAtPhone: inversions(received.map(({ text }) => text)),
    invertedAtReceiver: inversions(told(false).map(({ text }) => text)),
    undecryptable: failures.length + stored.filter((text) => text === '').length,
    retryReceipts: retries.length,
  }
}

/** As a client does whose connection was cut: again, under the same Idempotency-Key. */
async function sendUntilAnswered(world: World, instance: TestInstance, text: string, key: string): Promise<void> {
  // A gateway that is killed again and again on a busy machine is away for most of a minute.
  const untilMs = performance.now() + 120_000
  while (performance.now() < untilMs) {
    try {
      const answer = await instance.call(
        'POST',
        '/send/text',
        { number: '15550002222', text },
        { 'idempotency-key': key },
      )
      if (answer.status === 200) return
      if (answer.status !== 503 && answer.status !== 409 && answer.status !== 504)
        throw new Error(`A send answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
    await pause(50)
  }
  throw new Error(`"${text}" was never answered by ${world.gateway.url}.`)
}

async function allMessages(instance: TestInstance): Promise<string[]> {
  const texts: string[] = []
  for (let offset = 0; ; offset += 500) {
    const { body } = await instance.call<{ messages: { text: string }[]; hasMore: boolean }>('POST', '/message/find', {
      limit: 500,
      offset,
    })
    texts.push(...body.messages.map(({ text }) => text))
    if (!body.hasMore) return texts
  }
}
