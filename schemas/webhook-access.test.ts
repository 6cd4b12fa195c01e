import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import {
  accessHeaders,
  changedReceiver,
  maskedHeaders,
  maskedWebhookUrl,
  NO_ACCESS,
  parseWebhookAccess,
  type WebhookAccess,
  withoutSecrets,
} from './webhook-access.js'

const refused = (field: string, why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof GatewayError)
  const [detail] = error.details as readonly { field: string; why: string }[]
  return detail?.field === field && why.test(detail.why)
}
const made = (given: Parameters<typeof changedReceiver>[1]) => {
  const { url = '', access = NO_ACCESS } = changedReceiver(null, given)
  return { url, access }
}
const former = made({ url: 'https://me:p%40ss@example.org/hook', headers: { 'X-Key': 'k1' } })

describe('headers and credentials of a webhook', () => {
  it('are sent whole and shown with masks', () => {
    assert.equal(former.url, 'https://example.org/hook')
    assert.deepEqual(accessHeaders(former.access), {
      'X-Key': 'k1',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    })
    assert.deepEqual(maskedHeaders(accessHeaders(former.access)), { 'X-Key': '***', authorization: '***' })
    assert.equal(maskedWebhookUrl(former.url, former.access), 'https://me:***@example.org/hook')
    const echo = '{"x-key":"k1","authorization":"Basic bWU6cEBzcw==","also":"p@ss"}'
    assert.equal(
      withoutSecrets(echo, { ...former.access, headers: { 'X-Key': 'key-1' } }),
      '{"x-key":"k1","authorization":"Basic ***","also":"***"}',
    )
    const token = made({ url: 'https://token@example.org' })
    assert.equal(maskedWebhookUrl(token.url, token.access), 'https://***@example.org/')
    assert.equal(made({ url: 'https://example.org' }).url, 'https://example.org')
  })

  it('stay where a call leaves them out or sends their masks back', () => {
    assert.deepEqual(changedReceiver(former, {}), {})
    const sent = [
      { url: 'https://me:***@example.org/hook' },
      { headers: { 'x-key': '***' } },
      { url: 'https://me:***@EXAMPLE.org:443/hook', headers: { 'x-key': '***' } },
    ]
    for (const given of sent) {
      const access = changedReceiver(former, given).access ?? assert.fail()
      assert.deepEqual(Object.values(accessHeaders(access)), Object.values(accessHeaders(former.access)))
    }
    assert.deepEqual(changedReceiver(former, { headers: {} }).access?.headers, {})
    assert.equal(changedReceiver(former, { url: 'https://example.org/hook' }).access?.username, '')
  })

  it('are needed again for another scheme, host or port', () => {
    for (const url of ['http://example.org/hook', 'https://example.com/hook', 'https://example.org:8443/hook']) {
      const masked = url.replace('//', '//me:***@')
      assert.throws(() => changedReceiver(former, { url }), refused('headers', /is required with another scheme/))
      assert.throws(
        () => changedReceiver(former, { url, headers: { 'X-Key': '***' } }),
        refused('headers', /is required with another scheme/),
      )
      assert.throws(() => changedReceiver(former, { url: masked, headers: {} }), refused('url', /masked form/))
      const { access } = changedReceiver(former, { url, headers: { 'X-Key': 'k2' } })
      assert.deepEqual(accessHeaders(access ?? NO_ACCESS), { 'X-Key': 'k2' })
    }
    assert.throws(() => made({ url: 'https://me:***@example.org' }), refused('url', /masked form/))
    assert.throws(() => changedReceiver(former, { url: 'https://you:***@example.org' }), refused('url', /masked form/))
    assert.throws(() => changedReceiver(former, { headers: { 'X-Other': '***' } }), refused('headers', /not stored/))
  })

  it('are refused by name where they cannot be sent', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ Host: 'a' }, /must not name Host: the gateway sets it/],
      [{ 'Content-Type': 'a' }, /Content-Type: the gateway/],
      [{ 'content-length': '1' }, /content-length: the gateway/],
      [{ 'Webhook-Signature': 'v1,a' }, /Webhook-Signature: the gateway/],
      [{ 'transfer-encoding': 'chunked' }, /transfer-encoding: it belongs to the connection/],
      [{ Connection: 'close' }, /Connection: it belongs to the connection/],
      [{ 'a b': 'a' }, /"a b", which is not a name/],
      [{ '': 'a' }, /not a name/],
      [{ ['x'.repeat(65)]: 'a' }, /not a name/],
      [{ 'x-a': 'a\r\nx-b: c' }, /ASCII characters and spaces in x-a/],
      [{ 'x-a': 'é' }, /ASCII/],
      [{ 'x-a': 'a'.repeat(4_097) }, /at most 4096 characters in x-a/],
      [{ 'x-a': 'a'.repeat(4_000), 'x-b': 'a'.repeat(4_000) }, /at most 6144 characters in all/],
      [{ 'x-a': '1', 'X-A': '2' }, /must not name X-A twice/],
      [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'a'])), /at most 20 headers/],
    ]
    for (const [headers, why] of cases) {
      assert.throws(() => made({ url: 'https://example.org', headers }), refused('headers', why))
      const stored: WebhookAccess = { ...NO_ACCESS, headers }
      assert.equal(parseWebhookAccess(JSON.stringify(stored)), null)
    }
    const both = { url: 'https://me:pass@example.org', headers: { Authorization: 'Bearer a' } }
    assert.throws(() => made(both), refused('headers', /authorization beside credentials/))
    for (const url of [
      'https://a%0A:b@example.org',
      'https://a%3Ab:c@example.org',
      `https://${'a'.repeat(1_001)}@b.org`,
    ])
      assert.throws(() => made({ url }), refused('url', /must have a user/))
    assert.throws(() => made({ url: 'https://a:%zz@example.org' }), refused('url', /% signs/))
  })

  it('are read back as they were stored, and nothing else is', () => {
    assert.deepEqual(parseWebhookAccess(JSON.stringify(former.access)), former.access)
    for (const text of ['', 'null', '[]', '{}', '{"origin":"","headers":{"a":1},"username":"","password":""}'])
      assert.equal(parseWebhookAccess(text), null, text)
  })
})
