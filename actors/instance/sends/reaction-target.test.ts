import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Jid } from '../../../schemas/ids.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { reactionTarget } from './named-messages.js'

const pn = '15550001111@s.whatsapp.net' as Jid
const lid = '100@lid' as Jid
const now = 1_800_000_000_000
const week = 7 * 86_400_000

function message(more: Partial<MessageForActor> = {}): MessageForActor {
  return { chat: { pn, lid }, fromMe: false, status: 'read', messageTimestampMs: now, ...more } as MessageForActor
}

it('a reaction is about the message of another in that chat, by either address, and not of another chat', () => {
  const mine = message({ fromMe: true })
  const theirs = message()
  for (const chat of [{ pn }, { lid }, { pn: '1@s.whatsapp.net' as Jid, lid }])
    assert.equal(reactionTarget([mine, theirs], chat, { nowMs: now }), theirs)
  assert.throws(() => reactionTarget([theirs], { group: '1@g.us' as Jid }, { nowMs: now }), {
    code: 'MESSAGE_NOT_FOUND',
  })
  assert.throws(() => reactionTarget([mine], { pn }, { nowMs: now }), { code: 'OWN_MESSAGE' })
  assert.throws(() => reactionTarget([message({ status: 'deleted' })], { pn }, { nowMs: now }), {
    code: 'MESSAGE_NOT_FOUND',
  })
})

it('a message can be reacted to for seven days and no longer', () => {
  const old = message({ messageTimestampMs: now - week })
  assert.equal(reactionTarget([old], { pn }, { nowMs: now }), old)
  assert.throws(() => reactionTarget([old], { pn }, { nowMs: now + 1 }), { code: 'MESSAGE_TOO_OLD' })
})
