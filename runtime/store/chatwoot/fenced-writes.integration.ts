import assert from 'node:assert/strict'
import { it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import { openTestStore } from '../../../test/support/store.js'
import { createChatwootChats } from './chat-rows.js'
import { createChatwootConfigs } from './config-rows.js'
import { fencedWrites } from './fenced-writes.js'
import { createChatwootIncomings } from './incoming-rows.js'
import { createChatwootMessages, told } from './message-rows.js'

it('a node that has lost an instance changes no row of its Chatwoot', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const instance = await store.newInstance()
  const known: { epoch: number | null } = { epoch: store.findEpoch(instance) }
  const write = fencedWrites(pool, () => known.epoch, 'test')
  const chats = createChatwootChats(pool, write)
  const messages = createChatwootMessages(pool, write)
  const incomings = createChatwootIncomings(pool, write)
  const configs = createChatwootConfigs(pool, store.encryption, write)
  const settings = {
    ...{ enabled: true, url: 'https://c.example', accountId: 1, inboxId: 2, inboxIdentifier: '', tokenMask: '' },
    ...{ ignoreGroups: false, signMessages: false, createNewConversation: false },
  }
  await configs.save(instance, settings, { token: 't', path: 'p', signature: '' }, 'https://c.example', false)
  await incomings.insert(instance, { cwId: 5, kind: 'created', conversationId: 3, body: '{}' })
  const row = { messageid: 'A', cwId: null, part: 0, conversationId: 3, isReply: false, fromMe: false }
  const writes: Record<string, (id: number) => Promise<unknown>> = {
    'a chat': (id) => chats.ensure(instance, id),
    'a conversation': () => chats.update(instance, 1, { conversationId: 3, contactId: 4 }),
    'a message of ours': (id) => chats.made(instance, 3, id + 10),
    'a message that was seen': (id) => chats.seen(instance, 3, id + 20),
    'a mapped message': (id) => messages.insert(instance, { ...row, messageid: `A${id}` }),
    'its id': () => messages.answered(instance, 'A1', 9, 3),
    'its state': () => messages.noteTold(instance, 'A1', told.read),
    'its deletion': () => messages.noteDeleted(instance, 'A1'),
    'a reply that waits': () => incomings.postpone(instance, 5, 'created', 1_000),
    'a reply that failed': () => incomings.fail(instance, 5, 'created'),
    'the time of an event': () => configs.noteSent(instance),
    'its place': () => messages.forget(instance, 'A1'),
    'a reply that was sent': () => incomings.done(instance, 5, 'created'),
  }
  const state = async () => {
    const tables = ['chatwoot_chat', 'chatwoot_message', 'chatwoot_in', 'chatwoot_config']
    return await Promise.all(
      tables.map((table) => store.rows(`SELECT * FROM ${table} WHERE instance_id = $1`, [instance])),
    )
  }
  const isRefused = (error: unknown) => error instanceof GatewayError && error.code === 'NOT_OWNER'
  for (const [what, change] of Object.entries(writes)) {
    const before = await state()
    // A node with another database may have been given the same epoch.
    const stranger = fencedWrites(pool, () => store.findEpoch(instance), 'another')
    await assert.rejects(createChatwootChats(pool, stranger).ensure(instance, 7), isRefused)
    // One that stood still believes that the instance is its own; one that knows of the loss does not ask.
    for (const epoch of [store.findEpoch(instance) - 1, null]) {
      known.epoch = epoch
      await assert.rejects(change(2), isRefused, what)
      assert.deepEqual(await state(), before, what)
    }
    known.epoch = store.findEpoch(instance)
    await change(1)
    assert.notDeepEqual(await state(), before, what)
  }
})
