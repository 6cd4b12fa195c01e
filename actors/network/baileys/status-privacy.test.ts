import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { readStatusPrivacy } from './abilities/settings.js'

const list = (type: string, attrs: Record<string, string>, ...people: string[]): BinaryNode => ({
  tag: 'list',
  attrs: { type, ...attrs },
  content: people.map((jid) => ({ tag: 'user', attrs: { jid } })),
})
const answer = (...content: BinaryNode[]): BinaryNode => ({
  tag: 'iq',
  attrs: {},
  content: [{ tag: 'privacy', attrs: {}, content }],
})

describe('the audience of status posts that the phone has set', () => {
  it('is the default of its lists', () => {
    const lists = [list('contacts', {}), list('blacklist', { default: 'true' }, '1@lid', '1@lid', '2:3@lid')]
    assert.deepEqual(readStatusPrivacy(answer(...lists)), { audience: 'denylist', people: ['1@lid', '2@lid'] })
    assert.deepEqual(readStatusPrivacy(answer(list('whitelist', {}, '1@lid'))), {
      audience: 'allowlist',
      people: ['1@lid'],
    })
  })

  it('is nobody, if the network does not say it', () => {
    const unclear = [
      answer(),
      { tag: 'iq', attrs: {} },
      answer(list('contacts', {}), list('blacklist', {})),
      answer(list('close_friends', { default: 'true' })),
      { tag: 'iq', attrs: {}, content: Buffer.from('privacy') },
    ]
    for (const one of unclear) assert.throws(() => readStatusPrivacy(one), { code: 'NETWORK_REFUSED' })
  })
})
