import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550591001'
const BEN = '15550591002'
const EVE = '15550591003'
const DAN = '15550591004'
const MINUTE_MS = 60_000
const STARTED_WITHIN_MS = 60_000

describe('replies whose webhooks did not reach the gateway', () => {
  let aheadMs = 0
  const { world, account, platform, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [DAN]: 'Dan' },
    account: [ANA, 'Ana'],
    platform: { now: () => Date.now() + aheadMs },
  })
  const texts = async (phone: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)
  const message = (id: number) =>
    platform()
      .messages()
      .find((one) => one.id === id)

  it('are sent in their place, before the next one of the conversation', async () => {
    const { conversationId } = await wrote(BEN, 'first?')
    platform().failWebhooks({ kind: 'lost', times: 2 })
    for (const text of ['lost one', 'lost two', 'not lost']) platform().agentReplies(conversationId, text)
    await arrived(BEN, 'not lost')
    assert.deepEqual(await texts(BEN), ['lost one', 'lost two', 'not lost'])
  })

  it('are sent after the start of the gateway, once, and are no longer shown as failed', async () => {
    const { conversationId } = await wrote(EVE, 'are you there?')
    await world.gateway.kill('SIGKILL')
    const { id } = platform().agentReplies(conversationId, 'yes')
    await eventually(() => message(id)?.status === 'failed')
    await world.gateway.start()
    await eventually(
      () => texts(EVE),
      (found) => found.length > 0,
      STARTED_WITHIN_MS,
    )
    await eventually(() => message(id)?.status !== 'failed')
    assert.deepEqual(await texts(EVE), ['yes'])
  })

  it('stay failed when they are older than 15 minutes, with a note, and are counted; a retry sends them', async () => {
    const { conversationId } = await wrote(DAN, 'a long wait')
    const missed = async () => Number((await account.call<Json>('GET', '/chatwoot/config')).body.replies_missed)
    const before = await missed()
    platform().failWebhooks({ kind: 'lost' })
    aheadMs = -16 * MINUTE_MS
    // Settings that were enabled just now would leave out what was written before them.
    await world.gateway.kill('SIGKILL')
    const { id } = platform().agentReplies(conversationId, 'much too late')
    aheadMs = 0
    await passed(30 * MINUTE_MS)
    await world.gateway.start()
    await eventually(async () => (await missed()) === before + 1, Boolean, STARTED_WITHIN_MS)
    await eventually(() => message(id)?.status === 'failed')
    await shown(
      'This reply was not sent: the gateway got it more than 15 minutes late. Send it again if it is still right.',
    )
    assert.ok(platform().messages(conversationId).at(-1)?.isPrivate)
    assert.ok(!(await texts(DAN)).includes('much too late'))
    platform().agents.retries(id)
    await eventually(
      () => texts(DAN),
      (found) => found.includes('much too late'),
      STARTED_WITHIN_MS,
    )
  })

  it('are not messages of ours, although a webhook of one comes before the answer of its call', async () => {
    platform().failWebhooks({ kind: 'before-answer', times: 20 })
    await account.text(BEN, 'by the API')
    const { conversationId } = await shown('by the API')
    platform().clearFaults()
    // Replies of a conversation are sent in their order.
    platform().agentReplies(conversationId, 'by an agent')
    await arrived(BEN, 'by an agent')
    assert.deepEqual(
      (await texts(BEN)).filter((text) => text === 'by the API'),
      ['by the API'],
    )
  })

  /** As if the settings had been enabled, and looked at, so long ago. */
  async function passed(ms: number): Promise<void> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: world.gateway.databaseUrl })
    await client.connect()
    const span = `${ms / 1_000} seconds`
    await client.query(
      `UPDATE chatwoot_config
       SET enabled_at = enabled_at - $1::interval, looked_at = looked_at - $1::interval, created = created - $1::interval`,
      [span],
    )
    await client.end()
  }
})
