/** For tests of the door: values that an operation must refuse before anything is asked of the instance. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startFakeNode } from './fake-node.js'

/** A field, a value (undefined: it is missing), and the text of the error. */
export type BadField = readonly [field: string, value: unknown, error: string | RegExp, code?: string, status?: number]

/** `good` is a body that is taken. Each bad field alone makes it a 400, or the given status, that names the field, and the instance hears nothing. */
export async function assertRefuses(
  t: TestContext,
  path: string,
  good: Readonly<Record<string, unknown>>,
  bad: readonly BadField[],
): Promise<void> {
  const node = await startFakeNode(t)
  const taken = await node.call(path, { json: good })
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
  node.commands.length = 0
  for (const [field, value, error, code = 'INVALID_REQUEST', status = 400] of bad) {
    const answer = await node.call(path, { json: { ...good, [field]: value } })
    const what = `${field}: ${String(JSON.stringify(value)).slice(0, 60)} ${JSON.stringify(answer.body)}`
    assert.deepEqual([answer.status, answer.body.code], [status, code], what)
    if (typeof error === 'string') assert.equal(answer.body.error, error, what)
    else assert.match(String(answer.body.error), error, what)
  }
  assert.deepEqual(node.commands, [])
}

/** Values that every send must refuse in the fields that all have. */
export const badSendFields: readonly BadField[] = [
  ['number', undefined, 'Invalid request: number is required.'],
  ['number', null, 'Invalid request: number must be string.'],
  ['number', 5.5, 'Invalid request: number must be string.'],
  ['number', true, 'Invalid request: number must be string.'],
  ['number', '', /^Invalid request: number must not/],
  ['number', 'x'.repeat(101), /^Invalid request: number must not/],
  ['number', 'abc', /^Invalid number/, 'INVALID_NUMBER'],
  ['number', 'status@broadcast', /^Not supported: number names status posts/, 'NOT_SUPPORTED', 501],
  ['number', '5511999990002@broadcast', /^Not supported/, 'NOT_SUPPORTED', 501],
  ['delay', '5 s', 'Invalid request: delay must be integer.'],
  ['delay', -1, /^Invalid request: delay must be >= 0/],
  ['delay', 86_400_001, /^Invalid request: delay must be <= 86400000/],
  ['readchat', 'yes', 'Invalid request: readchat must be boolean.'],
  ['readmessages', 1, 'Invalid request: readmessages must be boolean.'],
  ['replyid', 5, 'Invalid request: replyid must be string.'],
  ['replyid', 'a b', 'Invalid request: replyid has an invalid format.'],
  ['mentions', ['all'], 'Invalid request: mentions must be string.'],
  ['forward', [], 'Invalid request: forward must be boolean.'],
  ['track_source', 'x'.repeat(501), /^Invalid request: track_source must not/],
  ['track_id', {}, 'Invalid request: track_id must be string.'],
  ['async', 'sometimes', 'Invalid request: async must be boolean.'],
  ['async', 1, 'Invalid request: async must be boolean.'],
  ['pauseChatbotMinutes', -1, /^Invalid request: pauseChatbotMinutes must be/],
]
