import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startChatwoot } from '../../sandbox/chatwoot/index.js'
import { openTestStore } from '../../test/support/store.js'
import { createOutgoing } from '../outgoing/client.js'
import { createChatwootChats } from '../store/chatwoot/chat-rows.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { conversationPlace } from './conversation-place.js'
import type { ChatwootStore } from './parts.js'

const PERSON = { jid: '15550540011@s.whatsapp.net', lid: '', name: 'Gil' }

async function scene(t: TestContext, more: Partial<ChatwootConfig> = {}) {
  const test = await openTestStore(t)
  const platform = await startChatwoot()
  t.after(() => platform.close())
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  t.after(() => outgoing.close())
  const instance = await test.newInstance()
  const { url, account, tokens, inbox } = platform
  const access = { instance, url, accountId: account.id, inboxId: inbox.id, token: tokens.administrator }
  const config = { createNewConversation: false, ...access, ...more } as ChatwootConfig
  const store = { chats: createChatwootChats(test.database.pool) } as ChatwootStore
  return {
    platform,
    chats: store.chats,
    instance,
    place: () => conversationPlace({ store, outgoing }, config, 1, PERSON),
  }
}

describe('the conversation of a chat', () => {
  for (const createNewConversation of [false, true])
    it(`is made once although the answer is lost${createNewConversation ? ', where each gets a new one' : ''}`, async (t) => {
      const { platform, place } = await scene(t, { createNewConversation })
      platform.fail({ fault: { kind: 'cut' }, method: 'POST', path: /\/conversations$/ })
      await assert.rejects(place())
      const { row } = await place()
      assert.deepEqual(
        platform.conversations().map(({ id }) => id),
        [row.conversationId],
      )
      // All of its messages count, those that an agent wrote meanwhile included.
      assert.equal(row.seenId, -1)
      assert.deepEqual(platform.mistakes(), [])
    })

  it('and its contact are made again after somebody deleted the contact, whose place in the inbox goes later', async (t) => {
    const { platform, chats, instance, place } = await scene(t)
    const { row } = await place()
    platform.agents.deletesContact(Number(row.contactId))
    await chats.update(instance, 1, { conversationId: null })
    const anew = await place()
    assert.deepEqual(
      platform.conversations().map(({ id, contactId }) => [id, contactId]),
      [[anew.row.conversationId, anew.row.contactId]],
    )
    assert.deepEqual(
      platform.contacts().map(({ id, phone }) => [id, phone]),
      [[anew.row.contactId, '+15550540011']],
    )
  })
})
