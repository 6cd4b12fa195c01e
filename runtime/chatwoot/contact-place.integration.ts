import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startChatwoot } from '../../sandbox/chatwoot/index.js'
import { openTestStore } from '../../test/support/store.js'
import { createOutgoing } from '../outgoing/client.js'
import { createChatwootChats } from '../store/chatwoot/chat-rows.js'
import { ChatwootApi } from './chatwoot-api.js'
import { type ChatwootPerson, ContactPlace } from './contact-place.js'

const LID: ChatwootPerson = { jid: '99001@lid', lid: '99001@lid', name: 'Fay' }
const NUMBER: ChatwootPerson = { jid: '15550540001@s.whatsapp.net', lid: '99001@lid', name: 'Fay' }

async function scene(t: TestContext) {
  const store = await openTestStore(t)
  const platform = await startChatwoot()
  t.after(() => platform.close())
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  t.after(() => outgoing.close())
  const instance = await store.newInstance()
  const { url, account, tokens, inbox } = platform
  const api = new ChatwootApi(outgoing, { url, accountId: account.id, token: tokens.administrator, owner: instance })
  const chats = createChatwootChats(store.database.pool)
  const place = new ContactPlace({ api, chats, instance, inboxId: inbox.id })
  return { platform, api, chats, place, instance, inbox }
}

describe('the contact of a chat', () => {
  it('gets the number when it is learnt', async (t) => {
    const { platform, chats, place, instance } = await scene(t)
    const row = await place.ensure(await chats.ensure(instance, 1), LID)
    assert.equal(platform.contacts()[0]?.identifier, LID.jid)
    await place.ensure(row, NUMBER)
    assert.deepEqual(
      platform.contacts().map(({ phone, name }) => [phone, name]),
      [['+15550540001', '~Fay']],
    )
    assert.deepEqual(platform.mistakes(), [])
  })

  it('is merged into the one that has the number already', async (t) => {
    const { platform, api, chats, place, instance } = await scene(t)
    await api.createContact({ name: 'Fay of the books', phone_number: '+15550540001' })
    const row = await place.ensure(await chats.ensure(instance, 1), LID)
    assert.equal(platform.contacts().length, 2)
    const merged = await place.ensure(row, NUMBER)
    assert.deepEqual(
      platform.contacts().map(({ id, name }) => [id, name]),
      [[merged.contactId, 'Fay of the books']],
    )
  })

  it('of two chats that become one stays with its number, and one conversation ends with a note', async (t) => {
    const { platform, api, chats, place, instance, inbox } = await scene(t)
    const byLid = await place.ensure(await chats.ensure(instance, 1), LID)
    const byNumber = await place.ensure(await chats.ensure(instance, 2), { ...NUMBER, lid: '' })
    const conversation = async (contactId: number | null, sourceId: string) =>
      (await api.createConversation({ inbox_id: inbox.id, contact_id: contactId, source_id: sourceId })).id
    const former = await conversation(byLid.contactId, byLid.sourceId)
    const conversationId = await conversation(byNumber.contactId, byNumber.sourceId)
    const changes = { conversationId, mergeContact: byLid.contactId, mergeConversation: former }
    await chats.update(instance, 2, changes)
    const row = await place.ensure({ ...byNumber, ...changes }, NUMBER)
    assert.deepEqual([row.conversationId, row.mergeContact, row.mergeConversation], [conversationId, null, null])
    assert.deepEqual(
      platform.contacts().map(({ phone }) => phone),
      ['+15550540001'],
    )
    assert.equal(platform.conversations().find(({ id }) => id === former)?.status, 'resolved')
    assert.match(String(platform.messages(former).at(-1)?.content), new RegExp(`#${conversationId}`))
  })

  it('is not made twice when the answer is lost', async (t) => {
    const { platform, chats, place, instance } = await scene(t)
    platform.fail({ fault: { kind: 'cut' }, method: 'POST', path: /\/contacts$/ })
    const row = await chats.ensure(instance, 1)
    await assert.rejects(place.ensure(row, NUMBER))
    const made = await place.ensure(await chats.ensure(instance, 1), NUMBER)
    assert.equal(platform.contacts().length, 1)
    assert.ok(made.hasInbox)
  })

  it('is left as it is when another program has given it an identifier', async (t) => {
    const { platform, api, chats, place, instance } = await scene(t)
    await api.createContact({ name: 'Known', phone_number: '+15550540001', identifier: 'crm-7' })
    await place.ensure(await chats.ensure(instance, 1), NUMBER)
    assert.deepEqual(
      platform.contacts().map(({ name, identifier }) => [name, identifier]),
      [['Known', 'crm-7']],
    )
  })
})
