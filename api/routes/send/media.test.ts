import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const file = Buffer.alloc(60, 1).toString('base64')
const good = { number: '5511999990002', type: 'image', file }

it('a file that cannot be one is refused, and nothing is sent', async (t) => {
  await assertRefuses(t, '/send/media', good, [
    ...badSendFields,
    ['type', undefined, 'Invalid request: type is required.'],
    ['type', null, 'Invalid request: type must be string.'],
    ['type', 'gif', /^Invalid request: type must be one of: image, video, videoplay, document/],
    ['type', ['image'], 'Invalid request: type must be string.'],
    ['file', undefined, 'Invalid request: file is required.'],
    ['file', null, 'Invalid request: file must be string.'],
    ['file', '', /^Invalid request: file must not/],
    ['file', { url: 'http://a' }, 'Invalid request: file must be string.'],
    ['file', 'no base64!', 'Invalid request: file must be a URL or base64.'],
    ['file', 'data:image/png,abc', 'Invalid request: file must be a URL or base64.'],
    ['text', 5, 'Invalid request: text must be string.'],
    ['text', 'x'.repeat(65_537), /^Invalid request: text must not/],
    ['docName', true, 'Invalid request: docName must be string.'],
    ['docName', 'x'.repeat(501), /^Invalid request: docName must not/],
    ['mimetype', 5, 'Invalid request: mimetype must be string.'],
    ['mimetype', 'png', 'Invalid request: mimetype has an invalid format.'],
    ['mimetype', `a/${'b'.repeat(200)}`, /^Invalid request: mimetype must not/],
    ['mimetype', 'a/b\r\nc: d', /^Invalid request: mimetype/],
    ['thumbnail', 5, 'Invalid request: thumbnail must be string.'],
    ['thumbnail', 'no base64!', 'Invalid request: thumbnail must be a URL or base64.'],
    ['viewOnce', 'yes', 'Invalid request: viewOnce must be boolean.'],
  ])
})

it('a file counts by what is in it for an Idempotency-Key, however its base64 is written', async (t) => {
  const node = await startFakeNode(t)
  const bytes = Buffer.alloc(30_000, 0xfb)
  const headers = { 'idempotency-key': 'a' }
  for (const text of [bytes.toString('base64'), bytes.toString('base64url'), Buffer.alloc(30_000).toString('base64')])
    assert.equal((await node.call('/send/media', { json: { ...good, file: text }, headers })).status, 200)
  const [one, same, other] = node.commands.map((command) => (command.type === 'send' ? command.requestHash : ''))
  assert.equal(one, same)
  assert.notEqual(one, other)
})
