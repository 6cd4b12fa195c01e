import assert from 'node:assert/strict'
import { it } from 'node:test'
import { answeredWith, BLOCKED_TWICE, deliveryFailure, REDIRECTS, TOO_OLD } from './delivery-failure.js'

it('gives each failure of a delivery its code, whatever the words that are stored', () => {
  const codes: readonly [reason: string, statusCode: number, code: string][] = [
    ['', 200, ''],
    ['TIMEOUT', 0, 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 0, 'timeout'],
    ['ENOTFOUND', 0, 'dns'],
    ['DNS_TIMEOUT', 0, 'dns'],
    ['ADDRESS_REFUSED', 0, 'address'],
    ['ECONNREFUSED', 0, 'connect'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 0, 'tls'],
    ['CERT_HAS_EXPIRED', 0, 'tls'],
    ['ECONNRESET', 0, 'closed'],
    ['HPE_INVALID_CONSTANT', 0, 'closed'],
    [answeredWith(500), 500, 'status'],
    [`${REDIRECTS}(302) to https://a.example/.`, 302, 'redirect'],
    [`${REDIRECTS}twice, and one redirect is followed.`, 307, 'redirect'],
    [BLOCKED_TWICE, 0, 'blocked'],
    [`${TOO_OLD}48 hours. ${answeredWith(500)}`, 0, 'too_old'],
    ['FAILED', 0, 'other'],
    ['The inbox of Chatwoot is gone.', 404, 'status'],
  ]
  for (const [reason, statusCode, code] of codes) assert.equal(deliveryFailure(reason, statusCode).code, code, reason)
})

it('reads the status of a delivery that waits from its reason', () => {
  assert.deepEqual(deliveryFailure(answeredWith(503), 0), { code: 'status', statusCode: 503 })
  assert.deepEqual(deliveryFailure('ECONNREFUSED', 0), { code: 'connect', statusCode: 0 })
  assert.equal(deliveryFailure(`${REDIRECTS}(301) to no address.`, 0).statusCode, 301)
})
