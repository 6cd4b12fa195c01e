import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { contactToken, keepSaltActions, noteHistorySalt, noteSyncedSalt } from './contact-token.js'
import { newCredentials } from './credentials.js'
import { findBytesField } from './protobuf-fields.js'

const SALT = Buffer.alloc(32, 7)
const LID = '100000000000001@lid'
/** A part of a history with nothing but the salt, field 19. */
const history = (salt: Uint8Array) => Buffer.concat([Buffer.from([0x9a, 0x01, salt.length]), salt])
/** A change of app state with the action of the salt, field 80, in which the salt is field 1. */
const action = (salt: Uint8Array) => {
  const value = Buffer.concat([Buffer.from([0x82, 0x05, salt.length + 2, 0x0a, salt.length]), salt])
  const syncAction = proto.SyncActionData.decode(Buffer.concat([Buffer.from([0x12, value.length]), value]))
  return { index: ['nct_salt_sync'], syncAction }
}

describe('the token of a first contact', () => {
  keepSaltActions()

  it('is the HMAC of the salt and the LID, unless the person gave a token that holds', () => {
    const credentials = newCredentials()
    assert.deepEqual(contactToken(credentials, LID, undefined), [])
    assert.equal(noteHistorySalt(credentials, history(SALT)), true)
    const [node] = contactToken(credentials, LID, undefined)
    assert.deepEqual([node?.tag, node?.content], ['cstoken', createHmac('sha256', SALT).update(LID).digest()])
    const timestamp = String(Math.floor(Date.now() / 1000))
    assert.deepEqual(contactToken(credentials, LID, { token: Buffer.alloc(8), timestamp }), [])
    assert.equal(contactToken(credentials, LID, { token: Buffer.alloc(8), timestamp: '1' }).length, 1)
    assert.deepEqual(contactToken(credentials, '15550001111@s.whatsapp.net', undefined), [])
  })

  it('uses the salt of app state before that of any history, and none after it was taken away', () => {
    const credentials = newCredentials()
    assert.equal(noteSyncedSalt(credentials, action(SALT)), true)
    assert.equal(noteSyncedSalt(credentials, action(SALT)), false, 'it is written once')
    assert.equal(noteHistorySalt(credentials, history(Buffer.alloc(32, 9))), false)
    assert.equal(contactToken(credentials, LID, undefined).length, 1)
    assert.equal(noteSyncedSalt(credentials, { ...action(SALT), index: ['mute'] }), false)
    assert.equal(noteSyncedSalt(credentials, action(new Uint8Array())), true)
    assert.equal(noteHistorySalt(credentials, history(SALT)), false)
    assert.deepEqual(contactToken(credentials, LID, undefined), [])
  })

  it('takes no salt from bytes that are no message, or that claim to be longer than they are', () => {
    for (const bytes of [
      [0x9a, 0x01, 5, 1],
      [0x9a],
      [0x9b, 0x01],
      [0x9a, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f],
      [0x99, 0x01, 1],
    ])
      assert.equal(findBytesField(Uint8Array.from(bytes), 19), undefined, JSON.stringify(bytes))
    const whole = Buffer.concat([Buffer.from([0x08, 1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0x1d, 0, 0, 0, 0]), history(SALT)])
    assert.deepEqual(findBytesField(whole, 19), SALT)
    assert.equal(noteHistorySalt(newCredentials(), history(new Uint8Array())), false)
  })
})
