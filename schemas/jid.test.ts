import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bareJid, otherSpelling, parseRecipient, readUser } from './jid.js'

it('returns a JID without its device and agent', () => {
  for (const [jid, bare] of [
    ['15550000001:12@s.whatsapp.net', '15550000001@s.whatsapp.net'],
    ['15550000001_1:12@s.whatsapp.net', '15550000001@s.whatsapp.net'],
    ['15550000001@c.us', '15550000001@s.whatsapp.net'],
    ['777:3@lid', '777@lid'],
    ['15550000001-160000@g.us', '15550000001-160000@g.us'],
  ])
    assert.equal(bareJid(String(jid)), bare)
  assert.equal(readUser('777:3@lid'), '777')
})

it('a mobile number of Brazil, Mexico or Argentina has another spelling, and no other number', () => {
  for (const [one, other] of [
    ['5511987654321', '551187654321'],
    ['552168765432', '5521968765432'],
    ['5215512345678', '525512345678'],
    ['5491123456789', '541123456789'],
  ] as const)
    assert.deepEqual([otherSpelling(one), otherSpelling(other)], [other, one])
  for (const none of [
    '551134567890',
    '5511934567890',
    '15550000001',
    '5411987654321',
    '55118765432',
    '5501987654321',
    '521551234567',
  ])
    assert.equal(otherSpelling(none), null, none)
})

it('status posts and broadcast lists are not recipients', () => {
  for (const jid of ['status@broadcast', '5511999990002@broadcast'])
    assert.throws(() => parseRecipient(jid), {
      code: 'NOT_SUPPORTED',
      message: /^Not supported: number names status posts/,
    })
  assert.deepEqual(parseRecipient('5511999990002@g.us'), { group: '5511999990002@g.us' })
})

it('reads a long hostile JID as fast as any other', () => {
  // Looked through from each sign it would take minutes.
  assert.equal(readUser(`a${'_'.repeat(1_000_000)}\n@lid`), 'a')
})
