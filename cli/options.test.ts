import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commands, USAGE } from './commands.js'
import { createClient, read, UsageError, visible } from './options.js'

const output = { write: () => {}, note: () => {} }

describe('the command line', () => {
  it('refuses unknown options, and too few or too many words', () => {
    for (const typed of [['a', '--unknown'], [], ['a', 'b', 'c']]) assert.throws(() => read(typed, [1, 2]), UsageError)
    const { words, values } = read(['a', '--url', 'http://x'], [1, 2])
    assert.deepEqual([words, values.url], [['a'], 'http://x'])
  })

  it('says which token is missing, and that an address is none', () => {
    const { POSTHORN_TOKEN: kept } = process.env
    delete process.env.POSTHORN_TOKEN
    assert.throws(() => createClient(read([], [0, 0]), 'instance'), /Set POSTHORN_TOKEN/)
    if (kept !== undefined) process.env.POSTHORN_TOKEN = kept
    assert.throws(
      () => createClient(read(['--url', 'gateway', '--token', 't'], [0, 0]), 'instance'),
      /is not an address/,
    )
  })

  it('needs a text or a file to send, and one that it can read', async () => {
    const typed = ['15550000000', '--token', 't', '--url', 'http://127.0.0.1:9']
    await assert.rejects(commands.send?.(typed, output) ?? Promise.resolve(), /text or --file is missing/)
    await assert.rejects(
      commands.send?.([...typed, '--file', '/no/file'], output) ?? Promise.resolve(),
      /cannot be read/,
    )
  })

  it('shows every command in its usage', () => {
    for (const name of Object.keys(commands)) assert.match(USAGE, new RegExp(`^ {2}${name}\\b`, 'm'))
  })

  it('shows characters that a terminal obeys', () => {
    assert.equal(visible('a\u001b[31m\u202eção\n\u009b'), 'a\\u001b[31m\\u202eção\\u000a\\u009b')
  })
})
