/** Posts of channels, sent and received, while the gateway is killed at any moment: none is lost, and none is there twice. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { chooseSeed, seededRandom } from './random.js'

type Json = Record<string, unknown>

const [ANA, BEN] = ['15550452001', '15550452002']
const KILLS = 8
/** Posts of each direction between two kills. */
const POSTS = 6
const KILL_WITHIN_MS = 1_500
const GIVEN_UP_MS = 180_000

describe('posts of channels while the gateway is killed at any moment', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    events: ['newsletter_messages'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const make = async (owner: string, followers: readonly string[]) =>
    (await network<{ jid: string }>('POST', '/channels', { owner, name: 'News', followers })).jid
  let [own, other] = ['', '']

  before(async () => {
    own = await make(ANA, [])
    other = await make(BEN, [ANA])
  })

  /** Posts under one key until there is an answer, as clients do. */
  async function post(text: string): Promise<void> {
    await eventually(
      () =>
        ana
          .call('POST', '/send/text', { number: own, text }, { 'idempotency-key': text.replace(' ', '-') })
          .catch(() => null),
      (answer) => answer?.status === 200,
      GIVEN_UP_MS,
    )
  }

  it('are there once, in the end', async (t) => {
    const random = seededRandom(chooseSeed(t))
    const [sent, received]: [string[], string[]] = [[], []]
    for (let kill = 0; kill < KILLS; kill += 1) {
      const posting: Promise<void>[] = []
      for (let one = 0; one < POSTS; one += 1) {
        sent.push(`sent ${kill * POSTS + one}`)
        posting.push(post(sent.at(-1) as string))
        const text = `received ${kill * POSTS + one}`
        const [{ id }] = await network<[{ id: string }]>('POST', `/channels/${other}/posts`, { text })
        received.push(id)
        await wait((random() * KILL_WITHIN_MS) / POSTS)
      }
      await world.gateway.kill('SIGKILL')
      await world.gateway.start()
      await ana.connected()
      await Promise.all(posting)
    }
    const { posts } = await eventually(
      () => network<{ posts: { message: { extendedTextMessage: { text: string } } }[] }>('GET', `/channels/${own}`),
      (channel) => channel.posts.length >= sent.length,
      GIVEN_UP_MS,
    )
    assert.deepEqual(posts.map(({ message }) => message.extendedTextMessage.text).toSorted(), sent.toSorted())
    for (const id of received)
      await eventually(
        () => ana.messages({ id }),
        (found) => found.length === 1,
        GIVEN_UP_MS,
      )
    const told = await eventually(
      () => receiver.of('newsletter_messages').flatMap(({ body }) => ((body.message ?? {}) as Json).messageid ?? []),
      (ids) => received.every((id) => ids.includes(id)),
      GIVEN_UP_MS,
    )
    const events = new Map(receiver.of('newsletter_messages').map(({ body }) => [body.eventId, body]))
    const once = [...events.values()].flatMap(({ message }) => ((message ?? {}) as Json).messageid ?? [])
    assert.deepEqual(
      received.filter((id) => once.filter((one) => one === id).length !== 1),
      [],
      `${told.length} deliveries`,
    )
  })
})
