import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Change } from '../../../actors/instance/ports.js'
import type { Jid } from '../../../schemas/ids.js'
import { aMessage, openTestStore, received } from '../../../test/support/store.js'

const pn = '5511912345678@s.whatsapp.net' as Jid
const chat = { pn }
/** Changes nothing, but takes the statement for all kinds of changes. */
const BESIDE: Change = { type: 'chat', chat, set: {} }
const contact = (names: object): Change => ({ type: 'contact', contact: { address: chat, ...names } })

describe('a chat that a message moves', () => {
  it('is the same whether something else changes it at once or not', async (t) => {
    const store = await openTestStore(t)
    const steps: readonly (readonly Change[])[] = [
      [received(aMessage({ chat, sender: pn, text: 'one', senderName: 'Ana', messageTimestampMs: 1_000 }))],
      [received(aMessage({ chat, sender: pn, text: 'two', senderName: 'Ana', messageTimestampMs: 3_000 }))],
      // Older than the last one, by oneself, and a reaction.
      [received(aMessage({ chat, sender: pn, text: 'late', senderName: 'Bea', messageTimestampMs: 2_000 }))],
      [received(aMessage({ chat, fromMe: true, text: 'mine', messageTimestampMs: 4_000 }))],
      [received(aMessage({ chat, sender: pn, messageType: 'reaction', text: '👍', messageTimestampMs: 5_000 }))],
      [contact({ contactName: 'Ana of the office' })],
      [received(aMessage({ chat, sender: pn, text: 'four', senderName: 'Carla', messageTimestampMs: 6_000 }))],
      [
        received(aMessage({ chat, sender: pn, text: 'five', senderName: 'Carla', messageTimestampMs: 7_000 })),
        received(aMessage({ chat, fromMe: true, text: 'six', messageTimestampMs: 8_000 })),
      ],
    ]
    const [alone, beside] = [await store.newInstance(), await store.newInstance()]
    for (const changes of steps) {
      await store.journal.forInstance(alone, store.findEpoch(alone)).write(changes)
      await store.journal.forInstance(beside, store.findEpoch(beside)).write([...changes, BESIDE])
      const [one, other] = [await readChat(alone), await readChat(beside)]
      assert.deepEqual(one, other)
    }
    const [last] = await readChat(alone)
    assert.deepEqual(
      [last?.wa_unreadCount, last?.wa_lastMessageTextVote, last?.name, last?.wa_name],
      [5, 'six', 'Ana of the office', 'Carla'],
    )

    async function readChat(instance: string) {
      return await store
        .rows<Record<string, unknown>>(
          `SELECT to_jsonb(c) - ARRAY['instance_id', 'id', 'created', 'updated'] || jsonb_build_object('place', a."wa_lastMsgTimestamp",
           'is_unread', a.is_unread, 'unread', (SELECT jsonb_agg(jsonb_build_array(k.unread, k.chats) ORDER BY k.unread)
             FROM chat_count AS k WHERE k.instance_id = c.instance_id)) AS chat
         FROM chat AS c JOIN chat_activity AS a ON a.instance_id = c.instance_id AND a.chat_id = c.id WHERE c.instance_id = $1`,
          [instance],
        )
        .then((rows) => rows.map((row) => row.chat as Record<string, unknown>))
    }
  })
})
