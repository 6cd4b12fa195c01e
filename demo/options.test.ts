import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readOptions } from './options.js'

describe('the options of the demo', () => {
  it('are one gateway that stays up, unless something else is typed', () => {
    assert.deepEqual(readOptions([]), {
      exits: false,
      nodes: undefined,
      hasAgent: false,
      hasChatwoot: false,
      opens: false,
    })
    assert.deepEqual(readOptions(['--exit', '--nodes', '3']), {
      exits: true,
      nodes: 3,
      hasAgent: false,
      hasChatwoot: false,
      opens: false,
    })
    assert.deepEqual(readOptions(['--nodes=2']), {
      exits: false,
      nodes: 2,
      hasAgent: false,
      hasChatwoot: false,
      opens: false,
    })
    assert.deepEqual(readOptions(['--agent', '--exit']), {
      exits: true,
      nodes: undefined,
      hasAgent: true,
      hasChatwoot: false,
      opens: false,
    })
  })

  it('refuse what is not a number of nodes, and say what is', () => {
    for (const typed of ['1', '0', '-3', 'three', '2.5', ''])
      assert.throws(() => readOptions([`--nodes=${typed}`]), /--nodes takes a whole number from 2 on/, typed)
  })

  it('refuse an agent on several nodes', () => {
    assert.throws(() => readOptions(['--agent', '--nodes', '3']), /--agent shows one gateway/)
  })

  it('take Chatwoot on one gateway, and not together with an agent', () => {
    assert.equal(readOptions(['--chatwoot']).hasChatwoot, true)
    assert.throws(() => readOptions(['--chatwoot', '--nodes', '3']), /--chatwoot shows one gateway/)
    assert.throws(() => readOptions(['--chatwoot', '--agent']), /two stories/)
  })

  it('refuse what they do not know', () => {
    assert.throws(() => readOptions(['--node', '3']), /'--node'/)
  })
})
