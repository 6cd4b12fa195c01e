import assert from 'node:assert/strict'
import { it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { agree, makePrologue, readPasskeyOptions, readPrimaryIdentity } from './crypto.js'

const challenge = Buffer.alloc(32, 1).toString('base64url')
const right = { challenge, rpId: 'whatsapp.com', timeout: 600_000, userVerification: 'required' }
const read = (options: unknown) => readPasskeyOptions(Buffer.from(JSON.stringify(options)))

it('reads the challenge of the network, with the fields that a browser takes', () => {
  assert.deepEqual(read({ ...right, other: 1 }), { publicKey: right, lastsMs: 600_000 })
})

it('gives a person at most ten minutes and at least ten seconds to sign', () => {
  for (const [timeout, lastsMs] of [
    [1e12, 600_000],
    [-1, 10_000],
    ['soon', 600_000],
  ] as const)
    assert.equal(read({ ...right, timeout })?.lastsMs, lastsMs)
})

it('refuses a challenge that no browser could sign, or for another site', () => {
  for (const wrong of [
    null,
    [],
    'x',
    { ...right, challenge: 1 },
    { ...right, challenge: 'AAAA' },
    { ...right, rpId: 'example.org' },
    { ...right, rpId: 'evilwhatsapp.com' },
    { ...right, rpId: 'whatsapp.com.example.org' },
    { ...right, extensions: 'x'.repeat(20_000) },
  ])
    assert.equal(read(wrong), null, JSON.stringify(wrong)?.slice(0, 80))
  assert.equal(readPasskeyOptions(Buffer.from('{')), null)
  assert.equal(readPasskeyOptions('text'), null)
})

it("refuses a phone's half that is malformed, or whose key is the same with every companion", () => {
  const primary = (publicKey: Uint8Array, nonce: Uint8Array) =>
    readPrimaryIdentity(proto.PrimaryEphemeralIdentity.encode({ publicKey, nonce }).finish())
  assert.equal(primary(Buffer.alloc(31), Buffer.alloc(32)), null)
  assert.equal(primary(Buffer.alloc(32), Buffer.alloc(4)), null)
  assert.equal(readPrimaryIdentity(Buffer.from('not protobuf')), null)
  const zero = primary(Buffer.alloc(32), Buffer.alloc(32))
  assert.ok(zero !== null)
  assert.equal(agree(makePrologue('a ref', 1), zero), null)
})
