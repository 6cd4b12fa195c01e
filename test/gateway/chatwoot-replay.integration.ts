import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550593001'
const BEN = '15550593002'
const EVE = '15550593003'
const CROWD = Array.from({ length: 100 }, (_, at) => `155505940${String(at).padStart(2, '0')}`)
const HOUR_S = 3_600
const MINUTE_MS = 60_000
const WITHIN_MS = 60_000
const GREETING = 'Thank you, we answer soon.'

describe('a Chatwoot that many write to, and that comes back after an hour', () => {
  let aheadMs = 0
  const { world, account, platform, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg', WEBHOOK_BACKOFF_MIN_MS: '100', WEBHOOK_BACKOFF_MAX_MS: '500' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', ...Object.fromEntries(CROWD.map((number) => [number, `P${number}`])) },
    account: [ANA, 'Ana'],
    platform: { version: '4.3.0', messagesPerMinute: 5, now: () => Date.now() + aheadMs },
  })
  const state = async () => (await account.call<Json>('GET', '/chatwoot/config')).body.state
  const wroteAgo = (from: string, text: string, agoSeconds: number) =>
    world.network('POST', `/phones/${from}/text`, { to: ANA, text, agoSeconds })
  const texts = (conversationId: number) =>
    platform()
      .messages(conversationId)
      .map(({ content }) => content)
  const toldTime = ({ attributes }: { attributes: Json }) => Number(attributes.external_created_at)
  const arrivals = async (phone: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)

  it('gets one contact and one conversation of each of 100 people who write at once, in their order', async () => {
    const carried = () => platform().messages().length
    await Promise.all(
      CROWD.map(async (number) => {
        for (const text of ['one', 'two']) await world.write(number, ANA, `${text} of ${number}`)
      }),
    )
    await eventually(carried, (count) => count >= 2 * CROWD.length, 2 * WITHIN_MS)
    assert.equal(
      new Set(
        platform()
          .contacts()
          .map(({ phone }) => phone),
      ).size,
      CROWD.length,
    )
    assert.equal(platform().contacts().length, CROWD.length)
    assert.equal(platform().conversations().length, CROWD.length)
    for (const { id, contactId } of platform().conversations()) {
      const { phone } = platform()
        .contacts()
        .find((one) => one.id === contactId) ?? { phone: null }
      const number = phone?.slice(1)
      assert.deepEqual(texts(id), [`one of ${number}`, `two of ${number}`])
    }
    assert.equal(carried(), 2 * CROWD.length)
    assert.deepEqual(platform().mistakes(), [])
  })

  it('gets what waited in its order, at the pace that it allows, with the time at which it was written', async () => {
    await enabledAgo(2 * HOUR_S)
    const { conversationId } = await wrote(BEN, 'before it went')
    await platform().stop()
    const waiting = Array.from({ length: 7 }, (_, at) => `waited ${at + 1}`)
    const writtenS = Date.now() / 1_000 - HOUR_S
    for (const text of waiting) await wroteAgo(BEN, text, HOUR_S)
    await eventually(state, (now) => now === 'unreachable', WITHIN_MS)
    platform().clear()
    platform().fail({ fault: { kind: 'rate-limited', retryAfterSeconds: 1 }, times: 2 })
    await platform().start()
    const refused = (status: number) => platform().calls.some((call) => call.status === status)
    // More than it takes of a conversation in a minute: 422.
    await eventually(() => refused(422), Boolean, WITHIN_MS)
    assert.ok(refused(429))
    await eventually(state, (now) => now === 'busy', WITHIN_MS)
    aheadMs += MINUTE_MS
    await eventually(() => texts(conversationId).includes('waited 7'), Boolean, WITHIN_MS)
    assert.deepEqual(texts(conversationId), ['before it went', ...waiting])
    for (const message of platform().messages(conversationId).slice(1))
      assert.ok(Math.abs(toldTime(message) - writtenS) < 60, JSON.stringify(message.attributes))
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
  })

  it('sends its greeting to a person who writes now, and not to one whose message waited', async () => {
    platform().inbox.greeting = GREETING
    await wroteAgo(EVE, 'an hour ago', HOUR_S)
    const { conversationId } = await shown('an hour ago')
    assert.deepEqual(texts(conversationId), ['an hour ago', GREETING])
    platform().agentReplies(conversationId, 'sorry for the wait')
    // Replies of a conversation are sent in their order, so the greeting would be there before.
    await arrived(EVE, 'sorry for the wait')
    assert.deepEqual(await arrivals(EVE), ['sorry for the wait'])
    const [someone = ''] = CROWD
    platform().agents.deletesConversation(
      platform()
        .messages()
        .find(({ content }) => content === `one of ${someone}`)?.conversationId ?? 0,
    )
    await wrote(someone, 'and now?')
    await arrived(someone, GREETING)
  })

  /** As if the settings had been enabled so long ago. */
  async function enabledAgo(seconds: number): Promise<void> {
    const client = new pg.Client({ connectionString: world.gateway.databaseUrl })
    await client.connect()
    await client.query(`UPDATE chatwoot_config SET enabled_at = enabled_at - $1::interval`, [`${seconds} seconds`])
    await client.end()
    // Nodes read the settings again.
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await account.connected(WITHIN_MS)
  }
})
