import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { type RequestFault, startChatwoot } from '../../sandbox/chatwoot/index.js'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550596001'
const BEN = '15550596002'
const EVE = '15550596003'
const DAN = '15550596004'
const FAY = '15550596005'
const CAT = '15550596006'
const WITHIN_MS = 60_000
/** More attempts than a message gets that Chatwoot itself refuses. */
const ATTEMPTS = 6

describe('a proxy before Chatwoot', () => {
  const { world, account, cleanup, platform, configure, shown, wrote } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg', WEBHOOK_BACKOFF_MIN_MS: '100', WEBHOOK_BACKOFF_MAX_MS: '500' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [DAN]: 'Dan', [FAY]: 'Fay', [CAT]: 'Cat' },
    account: [ANA, 'Ana'],
  })
  const config = async () => (await account.call<Json>('GET', '/chatwoot/config')).body
  const state = async () => (await config()).state
  const deadLetters = async () => {
    const path = `/webhook/deadletters?webhookId=${String((await config()).webhook_id)}`
    return (await account.call<{ deadletters: Json[] }>('GET', path)).body.deadletters
  }
  const texts = (conversationId: number, from = platform()) =>
    from.messages(conversationId).map(({ content }) => content)
  const failed = (status: number) => platform().calls.filter((call) => call.status === status).length
  const listMessages = (conversationId: number) => new RegExp(`/conversations/${conversationId}/messages$`)
  afterEach(() => platform().clearFaults())

  const pages: Record<string, RequestFault & { status: number }> = {
    'a page with 400': { kind: 'page', status: 400 },
    'a page with 403': { kind: 'page', status: 403 },
    'a page with 404': { kind: 'page', status: 404 },
    'a page with 413': { kind: 'page', status: 413 },
    'JSON with 404 that is not of Chatwoot': { kind: 'page', status: 404, isJson: true },
  }
  for (const [what, fault] of Object.entries(pages))
    it(`that answers ${what} makes messages wait, which are carried in their order`, async () => {
      const { conversationId } = await wrote(BEN, `before ${what}`)
      const before = texts(conversationId)
      platform().clear()
      platform().fail({ fault, path: /^\/api\//, times: 1_000 })
      const waiting = ['one', 'two', 'three'].map((text) => `${text} during ${what}`)
      for (const text of waiting) await world.write(BEN, ANA, text)
      await eventually(() => failed(fault.status) >= ATTEMPTS, Boolean, WITHIN_MS)
      await eventually(state, (now) => now === 'unreachable')
      assert.match(
        String((await config()).last_error),
        new RegExp(`answered ${fault.status} with a page that is not of`),
      )
      platform().clearFaults()
      await shown(waiting[2] ?? '')
      // Another conversation would mean that a page counted as the end of the first one.
      assert.deepEqual(texts(conversationId), [...before, ...waiting])
      assert.deepEqual(await deadLetters(), [])
      await eventually(state, (now) => now === 'ok', WITHIN_MS)
    })

  it('that refuses one chat lets others pass, and the state names what fails until it passes', async () => {
    const { conversationId } = await wrote(DAN, 'before the page')
    platform().fail({ fault: { kind: 'page', status: 400 }, path: listMessages(conversationId), times: 1_000 })
    await world.write(DAN, ANA, 'behind the page')
    await eventually(state, (now) => now === 'unreachable', WITHIN_MS)
    for (const text of ['past it', 'and again']) {
      await wrote(EVE, text)
      assert.equal(await state(), 'unreachable')
    }
    platform().clearFaults()
    await shown('behind the page')
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
    assert.equal((await config()).last_error, '')
  })

  it('is not Chatwoot itself, whose refusals make dead letters; a replay carries them in their order', async () => {
    const { conversationId } = await wrote(FAY, 'taken')
    const fault: RequestFault = { kind: 'error', when: 'before', status: 422 }
    platform().fail({ fault, method: 'POST', path: listMessages(conversationId), times: 1_000 })
    const refused = ['refused one', 'refused two', 'refused three']
    for (const text of refused) await world.write(FAY, ANA, text)
    await eventually(deadLetters, (all) => all.length === refused.length, 2 * WITHIN_MS)
    await eventually(state, (now) => now === 'refused')
    platform().clearFaults()
    const webhookId = (await config()).webhook_id
    assert.equal((await account.done<Json>('/webhook/replay', { webhookId })).replayed, refused.length)
    await shown('refused three')
    assert.deepEqual(texts(conversationId), ['taken', ...refused])
    assert.deepEqual(await deadLetters(), [])
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
  })

  it('leads to a Chatwoot that started again at the same address: relink takes it, and nobody gets what is of others', async () => {
    await wrote(CAT, 'to the former one')
    await platform().kill()
    const anew = await startChatwoot({ port: Number(new URL(platform().url).port) })
    cleanup.after(() => anew.close())
    // Takes the numbers of the contacts and conversations that were linked.
    const others = Array.from({ length: 8 }, (_, at) => `+1555059700${at}`)
    const started = others.map((phone) => anew.agentStarts({ phone, name: phone, content: 'Hello' }))
    await world.write(CAT, ANA, 'while it was away')
    const settings = { access_token: anew.tokens.administrator, inbox_id: anew.inbox.id }
    const linked = await configure(settings)
    assert.deepEqual([linked.status, linked.body.code], [409, 'CHATWOOT_LINKED'])
    assert.equal((await configure({ ...settings, relink: true })).status, 200)
    await world.write(CAT, ANA, 'to the new one')
    const found = await eventually(
      () => anew.messages().find(({ content }) => content === 'to the new one'),
      (one) => one !== undefined,
      WITHIN_MS,
    )
    assert.deepEqual(texts(found?.conversationId ?? 0, anew), ['while it was away', 'to the new one'])
    for (const { conversation } of started) assert.deepEqual(texts(conversation.id, anew), ['Hello'])
    anew.agentReplies(found?.conversationId ?? 0, 'from the new one')
    const replies = () => world.network<Json[]>('GET', `/phones/${CAT}/messages?own=false`)
    await eventually(replies, (all) => all.some(({ text }) => text === 'from the new one'))
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
  })
})
