import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bareJid, userOf } from './jid.js'

it('a JID is told without its device and agent', () => {
  for (const [jid, bare] of [
    ['15550000001:12@s.whatsapp.net', '15550000001@s.whatsapp.net'],
    ['15550000001_1:12@s.whatsapp.net', '15550000001@s.whatsapp.net'],
    ['15550000001@c.us', '15550000001@s.whatsapp.net'],
    ['777:3@lid', '777@lid'],
    ['15550000001-160000@g.us', '15550000001-160000@g.us'],
  ])
    assert.equal(bareJid(String(jid)), bare)
  assert.equal(userOf('777:3@lid'), '777')
})

it('a JID that a stranger made long is told as fast as any other', () => {
  // Looked through from each sign it would take minutes.
  assert.equal(userOf(`a${'_'.repeat(1_000_000)}\n@lid`), 'a')
})
