import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createConfirmations } from './confirmations.js'

const call = { tokenKey: 'a', tool: 'change_message', args: { id: 'A', more: [{ x: 1, y: 2 }] } }

it('a proof is of one call with one token, in whatever order its fields stand', () => {
  const { makeProof, isProof } = createConfirmations(Buffer.alloc(32))
  const proof = makeProof(call)
  assert.ok(isProof(proof, call))
  assert.ok(isProof(proof, { ...call, args: { more: [{ y: 2, x: 1 }], id: 'A' } }))
  for (const other of [{ tokenKey: 'b' }, { tool: 'send_message' }, { args: { ...call.args, id: 'B' } }, { args: [] }])
    assert.ok(!isProof(proof, { ...call, ...other }))
})

it('a proof ends after 10 minutes, and cannot be made longer or by others', () => {
  let now = 1_800_000_000_000
  const { makeProof, isProof } = createConfirmations(Buffer.alloc(32), () => now)
  const proof = makeProof(call)
  const [, mac] = proof.split('.')
  now += 599_000
  assert.ok(isProof(proof, call))
  now += 2_000
  assert.ok(!isProof(proof, call))
  assert.ok(!isProof(`zzzzzzz.${mac}`, call))
  assert.ok(!isProof(createConfirmations(Buffer.alloc(32, 1), () => now).makeProof(call), call))
  for (const odd of ['', '.', 'a', `${proof}.x`.slice(8)]) assert.ok(!isProof(odd, call))
})
