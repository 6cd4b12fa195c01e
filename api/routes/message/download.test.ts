import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { eventually } from '../../../test/support/eventually.js'
import { NO_MESSAGES, startFakeNode, token } from '../../../test/support/fake-node.js'
import type { ApiPorts } from '../../ports.js'

it('a file that was opened for a caller who has left before its first byte is closed', async (t) => {
  const body = new Readable({ read() {} })
  const left = new AbortController()
  const media = {
    canConvert: false,
    linkTo: () => '',
    open: async () => {
      left.abort()
      // The connection is gone when the answer begins.
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { body, mimetype: 'image/png', fileName: '', sizeBytes: 1 }
    },
  } as unknown as ApiPorts['media']
  const messages = {
    ...NO_MESSAGES,
    find: async () => ({ messages: [{ id: 'r0000001' }], hasMore: false, older: null, newer: null }),
  }
  const node = await startFakeNode(t, {}, { media, messages })
  const asked = fetch(`${node.url}/message/download`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'a', return_base64: true }),
    signal: left.signal,
  })
  await assert.rejects(asked, { name: 'AbortError' })
  await eventually(() => body.destroyed)
})
