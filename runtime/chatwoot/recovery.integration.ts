import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type FakeChatwoot, startChatwoot } from '../../sandbox/chatwoot/index.js'
import type { InstanceId } from '../../schemas/ids.js'
import { eventually } from '../../test/support/eventually.js'
import { lastingPort } from '../../test/support/port.js'
import { openTestStore, testLog } from '../../test/support/store.js'
import { createOutgoing } from '../outgoing/client.js'
import { createChatwootChats } from '../store/chatwoot/chat-rows.js'
import { createChatwootConfigs } from '../store/chatwoot/config-rows.js'
import { createChatwootIncomings } from '../store/chatwoot/incoming-rows.js'
import { createChatwootMessages } from '../store/chatwoot/message-rows.js'
import { createDatabaseClock } from '../store/database-clock.js'
import { createWork } from '../work/work.js'
import { createConfigCache } from './directory.js'
import { ChatwootReceiver } from './receiver.js'
import { Recovery } from './recovery.js'

async function scene(t: TestContext) {
  const test = await openTestStore(t)
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  t.after(() => outgoing.close())
  const { pool } = test.database
  const configs = createChatwootConfigs(pool, test.encryption)
  const incomings = createChatwootIncomings(pool)
  const store = { configs, incomings, chats: createChatwootChats(pool), messages: createChatwootMessages(pool) }
  const parts = {
    store,
    known: createConfigCache(configs),
    clock: createDatabaseClock(pool),
    outgoing,
    work: createWork(),
    logger: testLog,
  }
  const receiver = new ChatwootReceiver({ ...parts, count: () => {}, onStored: () => {} })
  const recovery = new Recovery({ ...parts, receiver, isOurs: () => true })
  return {
    recovery,
    shards: test.shards,
    chats: store.chats,
    /** Another one with a Chatwoot of its own. */
    async connected(): Promise<{ platform: FakeChatwoot; instance: InstanceId; found: () => Promise<number> }> {
      const platform = await startChatwoot({ port: await lastingPort() })
      t.after(() => platform.close())
      const { url, account, tokens, inbox } = platform
      const instance = await test.newInstance()
      const settings = {
        ...{ enabled: true, url, accountId: account.id, inboxId: inbox.id, inboxIdentifier: '', tokenMask: '' },
        ...{ ignoreGroups: false, signMessages: false, createNewConversation: false },
      }
      const secrets = { token: tokens.administrator, path: 'x', signature: '' }
      await configs.save(instance, settings, secrets, url, false)
      return { platform, instance, found: async () => (await incomings.count(instance)).waiting }
    },
  }
}

describe('a look for replies whose webhooks did not come', () => {
  it('finds those that were written in the second in which the settings were enabled', async (t) => {
    const { recovery, shards, connected } = await scene(t)
    const { platform, found } = await connected()
    platform.agentStarts({ phone: '+15550560001', content: 'at once' })
    await recovery.lookAtShards(shards)
    assert.equal(await found(), 1)
  })

  it('is repeated until Chatwoot answers', async (t) => {
    const { recovery, shards, connected } = await scene(t)
    const { platform, found } = await connected()
    platform.agentStarts({ phone: '+15550560002', content: 'while you were away' })
    await platform.stop()
    await recovery.lookAtShards(shards)
    assert.equal(await found(), 0)
    await platform.start()
    const look = async () => {
      await recovery.lookAgain(shards)
      return (await found()) === 1
    }
    await eventually(look, Boolean, 30_000)
  })

  it('of one instance does not wait for the Chatwoot of another', async (t) => {
    const { recovery, shards, connected } = await scene(t)
    const one = await connected()
    const other = await connected()
    for (const { platform } of [one, other]) platform.agentStarts({ phone: '+15550560003', content: 'hello' })
    one.platform.fail({ fault: { kind: 'hang', when: 'before' }, times: 2 })
    const looked = recovery.lookAtShards(shards)
    await eventually(async () => (await other.found()) === 1)
    assert.equal(await one.found(), 0)
    // Its call is cut, so that the test need not wait for the time limit.
    await one.platform.stop()
    await looked
  })

  it('asks for the messages of a conversation only when there is a new one', async (t) => {
    const { recovery, shards, connected, chats } = await scene(t)
    const { platform, found, instance } = await connected()
    const { conversation } = platform.agentStarts({ phone: '+15550560004', content: 'first' })
    await chats.ensure(instance, 1)
    await chats.update(instance, 1, { conversationId: conversation.id, seenId: -1 })
    await recovery.lookAtShards(shards)
    assert.equal(await found(), 1)
    const asked = () => platform.calls.filter(({ path }) => path.endsWith(`/${conversation.id}/messages`)).length
    assert.equal(asked(), 2)
    await recovery.lookAtShards(shards)
    assert.equal(asked(), 2)
    platform.agentReplies(conversation.id, 'second')
    await recovery.lookAtShards(shards)
    assert.equal(await found(), 2)
  })

  it('finds replies in an inbox with more conversations than Chatwoot shows in one answer', async (t) => {
    const { recovery, shards, connected } = await scene(t)
    const { platform, found } = await connected()
    for (let at = 0; at < 120; at += 1)
      platform.agentStarts({ phone: `+1555057${String(at).padStart(4, '0')}`, content: 'x'.repeat(40_000) })
    await recovery.lookAtShards(shards)
    assert.equal(await found(), 120)
  })
})
