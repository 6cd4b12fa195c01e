import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type ErrorCode, errors, GatewayError } from '../../../schemas/errors.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

/** Written out: a code that is added without thought must not delete files that are needed. */
const RELEASED: readonly ErrorCode[] = [
  ...(['INVALID_REQUEST', 'INVALID_NUMBER', 'MESSAGE_NOT_FOUND', 'IDEMPOTENCY_CONFLICT'] as const),
  ...(['INSTANCE_NOT_CONNECTED', 'QUEUE_FULL', 'QUEUE_BUSY', 'NOT_ON_NETWORK', 'GROUP_NOT_FOUND'] as const),
  ...([
    'MEDIA_REFUSED',
    'MEDIA_UPLOAD_FAILED',
    'MEDIA_FILE_GONE',
    'SCHEDULE_FULL',
    'INSTANCE_NOT_PAIRED',
    'MESSAGE_ID_USED',
  ] as const),
]

it('the file of a send that failed is given back only when the send is surely not queued', async (t) => {
  let failure: Error = new Error('The connection to the store broke.')
  const limit = { points: 0, durationMs: 1_000 }
  const limits = { perAddress: limit, perToken: limit, perInstance: limit, failedTokensPerAddress: limit }
  const node = await startFakeNode(t, { limits }, { router: { ask: () => Promise.reject(failure) } })
  const isReleased = async (error: Error) => {
    failure = error
    node.touched.length = 0
    const json = { number: '5511999990002', type: 'image', file: Buffer.alloc(60, 1).toString('base64'), async: true }
    assert.notEqual((await node.call('/send/media', { json })).status, 200)
    assert.ok(node.touched.includes('media.take'))
    return node.touched.includes('media.release')
  }
  assert.equal(await isReleased(failure), false)
  const released: ErrorCode[] = []
  for (const code of Object.keys(errors) as ErrorCode[])
    if (await isReleased(new GatewayError(code))) released.push(code)
  assert.deepEqual(released.sort(), RELEASED.toSorted())
})
