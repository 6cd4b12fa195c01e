import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gatewaySuite } from '../support/gateway-suite.js'

const BEN = '15550480012'
const QUEUE_PAUSE_MS = 600_000
const PAUSE_MS = 500

interface Answer {
  readonly messageid: string
  readonly schedule: { readonly send_at: string; readonly leaves_at: string }
  readonly response: { readonly message: string }
}

describe('the pace of scheduled messages', () => {
  const { world, account: ana } = gatewaySuite({
    env: {
      SEND_DELAY_MIN_MS: String(QUEUE_PAUSE_MS),
      SEND_DELAY_MAX_MS: String(QUEUE_PAUSE_MS),
      SCHEDULED_DELAY_MIN_MS: String(PAUSE_MS),
      SCHEDULED_DELAY_MAX_MS: String(PAUSE_MS),
      SEND_RATE_PER_MINUTE: '0',
    },
    phones: { [BEN]: 'Ben' },
    account: ['15550480011', 'Ana'],
  })

  const send = async (body: Record<string, unknown>): Promise<Answer> => {
    const { status, body: answer } = await ana.call<Answer>('POST', '/send/text', { number: BEN, text: 'hi', ...body })
    assert.equal(status, 200, JSON.stringify(answer))
    return answer
  }

  it('is their own, and the answer says when each leaves', async () => {
    const atMs = Date.now() + 8_000
    const answers = [await send({ send_at: atMs }), await send({ send_at: atMs }), await send({ send_at: atMs })]
    assert.deepEqual(
      answers.map(({ schedule }) => Date.parse(schedule.leaves_at) - atMs),
      [0, PAUSE_MS, 2 * PAUSE_MS],
    )
    const list = async (query = '') =>
      (await ana.call<{ messages: Answer[]; nextCursor: string }>('GET', `/message/scheduled${query}`)).body
    const leaving = (messages: readonly Answer[]) =>
      messages.map(({ messageid, schedule }) => [messageid, schedule.leaves_at])
    assert.deepEqual(leaving((await list()).messages), leaving(answers), 'the list says the same')
    const page = await list('?limit=1')
    assert.deepEqual(leaving(page.messages), leaving(answers.slice(0, 1)))
    assert.deepEqual(leaving((await list(`?limit=1&cursor=${page.nextCursor}`)).messages), leaving(answers.slice(1, 2)))
    const [first, , third] = answers
    assert.ok(!first?.response.message.includes('leave at'), first?.response.message)
    assert.ok(third?.response.message.includes(`leave at about ${third.schedule.leaves_at}.`), third?.response.message)
    // The second would come after ten minutes by the pause of the queue.
    for (const { messageid } of answers) await world.shownAt(BEN, messageid)

    const queued = await send({ async: true })
    await world.shownAt(BEN, queued.messageid)
    const soon = Date.now() + 60_000
    const { schedule } = await send({ send_at: soon })
    const lateMs = Date.parse(schedule.leaves_at) - soon
    assert.ok(lateMs > QUEUE_PAUSE_MS / 2 && lateMs < QUEUE_PAUSE_MS, `The answer says ${lateMs} ms after its time.`)
  })
})
