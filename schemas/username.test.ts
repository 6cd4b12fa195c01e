import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import { parseAddress } from './jid.js'
import { isUsername, parseUsername } from './username.js'

describe('a username', () => {
  it('is read with and without a key', () => {
    assert.deepEqual(parseUsername('@ana.silva_9'), { username: 'ana.silva_9', key: '' })
    assert.deepEqual(parseUsername(' @Ana:1234 '), { username: 'Ana', key: '1234' })
    assert.deepEqual(parseUsername('@ana:A1B2C3'), { username: 'ana', key: 'A1B2C3' })
  })

  it('starts with @, so that numbers and JIDs stay what they were', () => {
    for (const text of [
      '5511999990002',
      '+55 (11) 99999-0002',
      '5511999990002@s.whatsapp.net',
      '100000000000002@lid',
      '1-2@g.us',
    ])
      assert.equal(parseUsername(text), null)
  })

  it('is refused with the field and the reason when its form is wrong', () => {
    for (const [text, why] of [
      ['@an', /less than 3/],
      [`@${'a'.repeat(36)}`, /more than 35/],
      [`@${'a'.repeat(100_000)}`, /more than 35/],
      ['@ana-silva', /other characters/],
      ['@12345', /without a letter/],
      ['@.ana', /dot/],
      ['@ana.', /dot/],
      ['@a..na', /two in a row/],
      ['@www.ana', /site/],
      ['@ana.com', /site/],
      ['@g.us', /end of a JID/],
      ['@LID', /end of a JID/],
      ['@ana:', /key/],
      ['@ana:12', /key/],
      ['@ana:1234:5', /one colon/],
    ] as const)
      assert.throws(
        () => parseUsername(text, 'to'),
        (error) =>
          error instanceof GatewayError &&
          error.code === 'INVALID_NUMBER' &&
          (error.details as { field: string }[])[0]?.field === 'to' &&
          why.test(error.message),
        text.slice(0, 50),
      )
    assert.equal(isUsername('ana'), true)
    for (const text of ['', 'an', 'a b c', '@ana', null, 7]) assert.equal(isUsername(text), false)
  })

  it('is refused where a call takes none, with a reason', () => {
    assert.throws(() => parseAddress('@ana'), /username/)
  })
})
