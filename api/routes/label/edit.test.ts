import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startFakeNode } from '../../../test/support/fake-node.js'

it('every 400 of a label is exactly "invalid payload", with the reason in details', async (t) => {
  const node = await startFakeNode(t)
  for (const [json, field, why] of [
    [{}, 'name', 'is missing'],
    [{ delete: true }, 'labelid', 'is missing'],
    [{ name: 5 }, 'name', 'must be string'],
    [{ labelid: '7', color: 20 }, 'color', 'must be <= 19'],
  ] as const) {
    const { status, body } = await node.call('/label/edit', { json })
    assert.deepEqual(
      [status, body.error, body.code, body.details],
      [400, 'invalid payload', 'INVALID_REQUEST', [{ field, why }]],
    )
  }
  const broken = await node.call('/label/edit', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":',
  })
  assert.deepEqual([broken.status, broken.body.error, broken.body.code], [400, 'invalid payload', 'MALFORMED_JSON'])
  const forbidden = await node.call('/label/edit', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"constructor":1}',
  })
  assert.deepEqual([forbidden.status, forbidden.body.error], [400, 'invalid payload'])
  assert.deepEqual(node.commands, [])
})
