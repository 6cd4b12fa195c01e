import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RequestOutcome } from '../outgoing/client.js'
import { chatwootRefusal } from './refusal.js'

function readKind(statusCode: number, value: unknown, contentType = 'application/json; charset=utf-8'): string {
  const isJson = typeof value === 'object'
  const headers = { 'content-type': contentType }
  const json = isJson ? { type: 'value', value } : { type: 'refused', why: 'is not JSON' }
  return chatwootRefusal({
    answered: true,
    statusCode,
    headers,
    json,
    body: Buffer.alloc(0),
  } as unknown as RequestOutcome).kind
}

it("takes Chatwoot's own refusals as what they say", () => {
  for (const [status, value, kind] of [
    [404, { error: 'Resource could not be found' }, 'missing'],
    [401, { error: 'Invalid Access Token' }, 'auth'],
    [401, { errors: ['You need to sign in or sign up before continuing.'] }, 'auth'],
    [401, { success: false, errors: ['Invalid login credentials.'] }, 'auth'],
    [403, { error: 'You are not authorized to do this action' }, 'auth'],
    [422, { message: 'Content is too long', attributes: ['content'] }, 'invalid'],
    [422, { message: 'Validation failed' }, 'invalid'],
    [422, { error: 'Too many messages' }, 'busy'],
    [413, { error: 'The file is too large' }, 'large'],
    [400, { status: 400, error: 'Bad Request' }, 'invalid'],
    [429, 'Retry later', 'busy'],
  ] as const)
    assert.equal(readKind(status, value), kind, JSON.stringify(value))
})

it('takes the pages of what stands before Chatwoot as its absence, whatever their form', () => {
  for (const [status, value, type] of [
    [404, '<html><body>404 Not Found</body></html>', 'text/html'],
    [413, '<html><body>413 Request Entity Too Large</body></html>', 'text/html'],
    [400, '<html><body>400 Bad Request</body></html>', 'text/html'],
    [403, '', 'text/plain'],
    [404, { message: 'no Route matched with those values' }, undefined],
    [404, { message: 'Not Found', request_id: '0f0' }, undefined],
    [403, { message: 'Forbidden' }, undefined],
    [404, { status: 404, error: 'Not Found' }, undefined],
    [404, { timestamp: '2026-01-01T00:00:00Z', path: '/api', status: 404, error: 'Not Found' }, undefined],
    [401, { error: 'unauthorized', error_description: 'Full authentication is required' }, undefined],
    [400, { code: 400, message: 'Bad Request', errors: [] }, undefined],
    [404, { error: 'Resource could not be found' }, 'text/html'],
    [502, { error: 'Bad Gateway' }, undefined],
    [302, '', 'text/html'],
  ] as const)
    assert.equal(readKind(status, value, type), 'away', JSON.stringify(value))
})
