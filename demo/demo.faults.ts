import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runDemo } from '../test/support/demo.js'

describe('the demo runs to its end, every step of it', () => {
  it('with three nodes, one of which is killed', async () => {
    const { code, output, why } = await runDemo('--exit', '--nodes', '3')
    assert.equal(code, 0, why)
    assert.match(output, /\$ kill -9 \d+/)
    assert.match(output, /Done: a node was killed, and of \d+ texts and \d+ webhooks nothing is missing/)
  })
})
