import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import pino from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { openTestStore } from '../../test/support/store.js'
import { createChatwootChats } from '../store/chatwoot/chat-rows.js'
import { createChatwootConfigs } from '../store/chatwoot/config-rows.js'
import { createChatwootIncomings } from '../store/chatwoot/incoming-rows.js'
import { createChatwootMessages } from '../store/chatwoot/message-rows.js'
import { createConfigCache } from './directory.js'
import { ChatwootReceiver } from './receiver.js'
import { agentMessage, storedMessage } from './webhook-facts.js'

const SIGNATURE = 'key of the signatures'
const PATH = 'a'.repeat(48)
type Json = Record<string, unknown>

async function scene(t: TestContext) {
  const test = await openTestStore(t)
  const { pool } = test.database
  const configs = createChatwootConfigs(pool, test.encryption)
  const incomings = createChatwootIncomings(pool)
  let counted = 0
  const counting = {
    ...incomings,
    count(instance: InstanceId) {
      counted += 1
      return incomings.count(instance)
    },
  }
  const store = {
    configs,
    incomings: counting,
    chats: createChatwootChats(pool),
    messages: createChatwootMessages(pool),
  }
  const lines: Json[] = []
  const database = { aheadMs: 0 }
  const receiver = new ChatwootReceiver({
    ...{ store, known: createConfigCache(configs), count() {}, onStored() {} },
    // As if the clock of PostgreSQL differed from that of this node.
    clock: { nowMs: async () => Date.now() + database.aheadMs },
    logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Json) }) as never,
  })
  const instance = await test.newInstance()
  const settings = {
    ...{ enabled: true, url: 'https://chatwoot.example', accountId: 1, inboxId: 2, inboxIdentifier: '', tokenMask: '' },
    ...{ ignoreGroups: false, signMessages: false, createNewConversation: true },
  }
  await configs.save(instance, settings, { token: 't', path: PATH, signature: SIGNATURE }, 'https://c.example', false)
  const receive = async (body: Json | string, aheadMs = database.aheadMs) => {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const time = String(Math.round((Date.now() + aheadMs) / 1_000))
    const signed = createHmac('sha256', SIGNATURE).update(`${time}.`).update(bytes).digest('hex')
    const headers = { 'x-chatwoot-timestamp': time, 'x-chatwoot-signature': `sha256=${signed}` }
    await receiver.receive(instance, PATH, headers, bytes)
  }
  const headers = (time: string, signature: string) => ({
    'x-chatwoot-timestamp': time,
    'x-chatwoot-signature': signature,
  })
  const admit = (path: string, time: string, signature: string) =>
    receiver.admit(instance, path, headers(time, signature))
  return {
    receive,
    admit,
    incomings,
    test,
    database,
    lines,
    counts: () => counted,
    waiting: async () => (await incomings.count(instance)).waiting,
  }
}

const reply = (fields: Json = {}) => ({
  ...{ event: 'message_created', id: 7, message_type: 'outgoing', content: 'hello', created_at: Date.now() / 1_000 },
  ...{ account: { id: 1 }, conversation: { id: 3, inbox_id: 2 }, ...fields },
})

describe('the webhook of Chatwoot', () => {
  it('does not count the stored rows of its instance for each call', async (t) => {
    const { receive, counts, waiting } = await scene(t)
    for (let id = 1; id <= 20; id++) await receive(reply({ id }))
    assert.deepEqual([await waiting(), counts()], [20, 1])
  })

  it('is refused before its body is read, by its path and by the form of its signature', async (t) => {
    const { admit } = await scene(t)
    const signature = `sha256=${'0'.repeat(64)}`
    await admit(PATH, '1700000000', signature)
    for (const [path, time, given] of [
      ['wrong', '1700000000', signature],
      [PATH, '', signature],
      [PATH, '1700000000', ''],
      [PATH, '1700000000', `${signature}0`],
    ] as const)
      await assert.rejects(admit(path, time, given), { code: 'CHATWOOT_WEBHOOK_REFUSED' })
  })

  it('of an instance with many conversations leaves room to those of others', async (t) => {
    const { incomings, test } = await scene(t)
    const [busy, other] = [await test.newInstance(), await test.newInstance()]
    const insert = (instance: InstanceId, id: number) =>
      incomings.insert(instance, { cwId: id, kind: 'created', conversationId: id, body: '{}' })
    for (let id = 1; id <= 30; id++) await insert(busy, id)
    await insert(other, 1)
    const lanes = await incomings.lanes(test.shards, 10)
    assert.equal(lanes.length, 10)
    assert.ok(lanes.some(({ instance }) => instance === other))
  })

  it('takes signatures by the clock of PostgreSQL, and says how far away the others are', async (t) => {
    const { receive, database, lines, waiting } = await scene(t)
    database.aheadMs = 3_600_000
    await receive(reply())
    assert.equal(await waiting(), 1)
    for (const [aheadMs, words] of [
      [0, /3600 seconds behind that of the gateway's database/],
      [7_200_000, /3600 seconds ahead of that of the gateway's database/],
    ] as const)
      await assert.rejects(receive(reply({ id: 8 }), aheadMs), (error: unknown) => {
        assert.ok(error instanceof GatewayError && error.code === 'CHATWOOT_WEBHOOK_REFUSED')
        assert.match(error.message.replace(/359\d|360[1-9]/, '3600'), words)
        return true
      })
    // One line, however many webhooks come.
    assert.equal(lines.filter(({ msg }) => msg === 'A webhook of Chatwoot was refused.').length, 1)
    assert.equal(await waiting(), 1)
  })

  it('refuses ids that PostgreSQL has no room for, and names the field', async (t) => {
    const { receive, waiting } = await scene(t)
    const conversation = { inbox_id: 2 }
    for (const id of [
      '1e300',
      '1e999',
      '-1',
      '1.5',
      '9223372036854775808',
      '"x"',
      '"NaN"',
      'null',
      '[]',
      '{}',
      'true',
    ]) {
      const withId = (body: Json) => JSON.stringify({ ...body, id: '@' }).replace('"@"', id)
      for (const body of [
        reply(),
        reply({ event: 'message_updated' }),
        reply({ source_id: 'WAID:3EB0' }),
        { event: 'conversation_status_changed', status: 'resolved', account: { id: 1 }, inbox: { id: 2 } },
      ])
        await assert.rejects(
          receive(withId(body)),
          (error: unknown) =>
            error instanceof GatewayError &&
            error.code === 'INVALID_REQUEST' &&
            /^Invalid request: id must be/.test(error.message),
          withId(body),
        )
      const inConversation = JSON.stringify(reply({ conversation: { ...conversation, id: '@' } })).replace('"@"', id)
      await assert.rejects(receive(inConversation), /conversation\.id must be a whole number above 0/, inConversation)
    }
    assert.equal(await waiting(), 0)
  })

  it('stores nothing of a contact or a quote that PostgreSQL would refuse later', () => {
    const hostile = reply({
      ...{ content_attributes: { in_reply_to: 1.5 }, created_at: 1e300 },
      conversation: { id: 3, contact_inbox: { contact_id: 2 ** 63, source_id: 'a\0b' }, meta: { sender: {} } },
    })
    const message = agentMessage(hostile)
    assert.deepEqual(
      [message?.contactId, message?.inReplyTo, message?.createdMs, message?.contactSource],
      [0, 0, 0, 'ab'],
    )
    // A former release has stored it as it came.
    const stored = JSON.stringify({ ...message, contactId: 1.5, inReplyTo: -1, contactSource: 'a\0b' })
    const read = storedMessage(stored)
    assert.deepEqual([read.contactId, read.inReplyTo, read.contactSource, read.cwId], [0, 0, 'ab', 7])
  })
})
