import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Inbox } from '../../sandbox/chatwoot/index.js'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const ANA = '15550595001'
const BEN = '15550595002'
const EVE = '15550595003'
const CAT = '15550595004'
const DAN = '15550595005'
const FAY = '15550595006'
const WITHIN_MS = 60_000
/** Time for which the gateway takes its count of what waits for true (`counted-room.ts`). */
const COUNTED_MS = 2_100

describe('the inbox of an instance', () => {
  let inboxes: readonly [Inbox, Inbox, Inbox]
  let shop: TestInstance
  const { world, account, platform, configure, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg', WEBHOOK_BACKOFF_MIN_MS: '100', WEBHOOK_BACKOFF_MAX_MS: '500' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [CAT]: 'Cat', [FAY]: 'Fay' },
    account: [ANA, 'Ana'],
    complete: async () => {
      inboxes = [platform().inbox, platform().agents.addsInbox('Second'), platform().agents.addsInbox('Third')]
      shop = await world.paired(DAN, 'Dan')
      // The administrator's token sets the webhook; that of the agent stays valid.
      for (const access_token of [platform().tokens.administrator, platform().tokens.agent]) {
        const { status, body } = await shop.call('PUT', '/chatwoot/config', { ...settings(inboxes[2]), access_token })
        assert.equal(status, 200, JSON.stringify(body))
      }
    },
  })
  const settings = ({ id }: Inbox) => ({
    enabled: true,
    url: platform().url,
    account_id: platform().account.id,
    inbox_id: id,
  })
  const set = async (more: Json) => {
    const { status, body } = await configure(more)
    assert.equal(status, 200, JSON.stringify(body))
  }
  const state = async () => (await account.call<Json>('GET', '/chatwoot/config')).body.state
  const texts = async (phone: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${phone}/messages?own=false`)).map(({ text }) => text)
  const message = (id: number) =>
    platform()
      .messages()
      .find((one) => one.id === id)
  const findInbox = (conversationId: number) =>
    platform()
      .conversations()
      .find(({ id }) => id === conversationId)?.inboxId
  const listContacts = (phone: string) =>
    platform()
      .contacts()
      .filter((one) => one.phone === `+${phone}`)

  it('is changed with relink only; replies that were written there before are sent by nobody', async () => {
    const [first, second] = inboxes
    const { conversationId } = await wrote(BEN, 'to the first')
    platform().agentReplies(conversationId, 'from the first')
    await arrived(BEN, 'from the first')
    const ofOthers = { phone: `+${BEN}`, name: 'Ben', content: 'of another program', inboxId: second.id }
    const { conversation } = platform().agentStarts(ofOthers)
    await nextSecond()
    assert.equal((await configure({ inbox_id: second.id })).status, 409)
    await set({ inbox_id: second.id, relink: true })
    assert.equal(second.webhookUrl, first.webhookUrl)
    platform().agentReplies(conversation.id, 'from the second')
    await arrived(BEN, 'from the second')
    assert.deepEqual(await texts(BEN), ['from the first', 'from the second'])
    const there = await wrote(BEN, 'to the second')
    assert.equal(findInbox(there.conversationId), second.id)
    assert.equal(listContacts(BEN).length, 1)
  })

  it('can be the former one again, with its conversations, and sends no reply of it twice', async () => {
    const [first] = inboxes
    const former =
      platform()
        .messages()
        .find(({ content }) => content === 'to the first')?.conversationId ?? 0
    // Its webhook still comes here, and is not for the present inbox.
    const lost = platform().agentReplies(former, 'to nobody')
    await eventually(() => message(lost.id)?.status === 'failed')
    // It is signed with the secret of the former inbox.
    assert.match(String(message(lost.id)?.attributes.external_error), /401/)
    await nextSecond()
    await set({ inbox_id: first.id, relink: true })
    platform().agentReplies(former, 'from the first again')
    await arrived(BEN, 'from the first again')
    assert.deepEqual(await texts(BEN), ['from the first', 'from the second', 'from the first again'])
    assert.equal((await wrote(BEN, 'to the first again')).conversationId, former)
    assert.equal(listContacts(BEN).length, 1)
  })

  it('takes replies while the token is wrong, and gets what waited, in order, when another one is set', async () => {
    const { tokens } = platform()
    const { conversationId } = await wrote(EVE, 'before')
    platform().revoke(tokens.administrator)
    for (const text of ['waits one', 'waits two']) await world.write(EVE, ANA, text)
    await eventually(state, (now) => now === 'auth_failed', WITHIN_MS)
    platform().agentReplies(conversationId, 'are you there?')
    await arrived(EVE, 'are you there?')
    await set({ access_token: tokens.agent })
    await shown('waits two')
    const incoming = platform()
      .messages(conversationId)
      .filter(({ type }) => type === 'incoming')
    assert.deepEqual(
      incoming.map(({ content }) => content),
      ['before', 'waits one', 'waits two'],
    )
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
  })

  it('refuses replies while too many wait, which the agent sees; others continue, and nothing is lost', async () => {
    const { conversationId } = await wrote(CAT, 'full?')
    await fill()
    const reply = platform().agentReplies(conversationId, 'while it is full')
    await eventually(() => message(reply.id)?.status === 'failed')
    assert.match(String(message(reply.id)?.attributes.external_error), /429/)
    await world.write(FAY, DAN, 'and the shop?')
    const other = await shown('and the shop?')
    platform().agentReplies(other.conversationId, 'is open')
    await arrived(FAY, 'is open')
    await empty()
    platform().agentReplies(conversationId, 'when there is room')
    await arrived(CAT, 'when there is room')
    assert.deepEqual(await texts(CAT), ['while it is full', 'when there is room'])
  })

  it('sends a reply that waits although there is no room for one that was refused before it', async () => {
    const { conversationId } = await wrote(CAT, 'still full?')
    await fill()
    const refused = platform().agentReplies(conversationId, 'refused')
    await eventually(() => message(refused.id)?.status === 'failed')
    await empty()
    // It was stored, then others took the room.
    platform().fail({ fault: { kind: 'slow', ms: 2_000 }, method: 'GET', path: /\/messages$/ })
    const stored = platform().agentReplies(conversationId, 'stored')
    await platform().settled()
    assert.equal(message(stored.id)?.status, 'sent')
    await fill()
    await arrived(CAT, 'stored')
    await empty()
  })

  it('that was deleted makes everything wait; another one gets it, in order', async () => {
    const [first, second] = inboxes
    platform().agents.deletesInbox(first.id)
    for (const text of ['into the void', 'and again']) await world.write(EVE, ANA, text)
    await eventually(state, (now) => now === 'inbox_gone', WITHIN_MS)
    await set({ inbox_id: second.id, relink: true, access_token: platform().tokens.agent })
    const { conversationId } = await shown('and again')
    assert.equal(findInbox(conversationId), second.id)
    assert.deepEqual(
      platform()
        .messages(conversationId)
        .map(({ content }) => content),
      ['into the void', 'and again'],
    )
    assert.equal(listContacts(EVE).length, 1)
    await eventually(state, (now) => now === 'ok', WITHIN_MS)
  })

  /** Chatwoot tells times in whole seconds. */
  async function nextSecond(): Promise<void> {
    const second = () => Math.floor(Date.now() / 1_000)
    const present = second()
    await eventually(() => second() > present + 1)
  }

  /** As if 64 MB of replies had failed, of another conversation. */
  async function fill(): Promise<void> {
    await inDatabase(
      `INSERT INTO chatwoot_in (instance_id, cw_id, kind, conversation_id, body, is_failed)
       SELECT $1, 1000000 + n, 'created', 999999, repeat('x', 1000000), true FROM generate_series(1, 64) AS n`,
    )
    await pause(COUNTED_MS)
  }

  async function empty(): Promise<void> {
    await inDatabase('DELETE FROM chatwoot_in WHERE instance_id = $1 AND conversation_id = 999999')
    await pause(COUNTED_MS)
  }

  async function inDatabase(query: string): Promise<void> {
    const client = new pg.Client({ connectionString: world.gateway.databaseUrl })
    await client.connect()
    await client.query(query, [account.id])
    await client.end()
  }
})
