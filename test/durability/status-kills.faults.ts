/** Status posts to hundreds of people while the gateway is killed at any moment: nobody misses one, and nobody shows one twice. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { chooseSeed, seededRandom } from './random.js'

interface Shown {
  readonly id: string
  readonly text: string | null
}

const ANA = '15550440000'
const FIRST = 15_550_441_000
/** Two parts. */
const PEOPLE = 300
const POSTS = 6
/** A post to so many takes about as long. */
const KILL_WITHIN_MS = 2_500

describe('status posts while the gateway is killed at any moment', () => {
  const { world, account: ana } = gatewaySuite({
    env: { RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    account: [ANA, 'Ana'],
  })
  const network = <T = unknown>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const recipients: string[] = []

  before(async () => {
    const { numbers } = await network<{ numbers: string[] }>('POST', '/crowd', { first: String(FIRST), count: PEOPLE })
    for (const number of numbers) recipients.push((await network<{ lid: string }>('GET', `/phones/${number}`)).lid)
  })

  /** Posts under one key until there is an answer, as clients do. */
  async function post(text: string): Promise<string> {
    const body = { type: 'text', text, recipients }
    const answer = await eventually(
      () =>
        ana
          .call<{ Id: string }>('POST', '/send/status', body, { 'idempotency-key': text.replace(' ', '-') })
          .catch(() => null),
      (one) => one?.status === 200,
      180_000,
    )
    return String(answer?.body.Id)
  }

  it('are at everybody once, in the end', async (t) => {
    const random = seededRandom(chooseSeed(t))
    const ids = new Map<string, string>()
    for (let one = 0; one < POSTS; one += 1) {
      const text = `post ${one}`
      const posting = post(text)
      // Some are killed twice.
      for (let kills = random() < 0.3 ? 2 : 1; kills > 0; kills -= 1) {
        await wait(random() * KILL_WITHIN_MS)
        await world.gateway.kill('SIGKILL')
        await world.gateway.start()
        await ana.connected()
      }
      ids.set(text, await posting)
    }
    for (const id of ids.values())
      await eventually(
        () => ana.messages({ id }),
        ([message]) => message?.status === 'sent',
        180_000,
      )
    for (let index = 0; index < PEOPLE; index += 1) {
      const shown = await eventually(
        () => network<Shown[]>('GET', `/phones/${FIRST + index}/messages?own=false`),
        (messages) => [...ids.values()].every((id) => messages.some((message) => message.id === id)),
        120_000,
      )
      assert.deepEqual(
        shown.map(({ id, text }) => [text, id]).toSorted(),
        [...ids].toSorted(),
        `phone ${FIRST + index}`,
      )
    }
  })
})
