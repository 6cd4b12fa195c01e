import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maskSecrets } from './masked.js'

it('leaves secrets out of a body that is shown, at any depth, and cuts files', () => {
  const body = {
    passphrase: 'a',
    agent: { apikey: 'b', name: 'Bot', apikey_set: true },
    openai_apikey: 'c',
    list: [{ secret: 'd', headers: { authorization: 'e' } }],
    proxy_url: 'http://user:f@proxy',
    token: '',
    file: 'g'.repeat(2_001),
    number: 5,
    none: null,
  }
  assert.deepEqual(maskSecrets(body), {
    passphrase: '$SECRET',
    agent: { apikey: '$SECRET', name: 'Bot', apikey_set: true },
    openai_apikey: '$SECRET',
    list: [{ secret: '$SECRET', headers: '$SECRET' }],
    proxy_url: '$SECRET',
    token: '',
    file: `${'g'.repeat(100)}…`,
    number: 5,
    none: null,
  })
})
