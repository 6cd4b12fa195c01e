import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyOfSecret, newWebhookSecret, signatureHeaders } from '../../../runtime/delivery/signature.js'
import { verifyWebhook, verifyWebhookBatch, WebhookError } from './verify-webhook.js'

const secret = newWebhookSecret()
const other = newWebhookSecret()
const now = new Date('2026-11-23T12:00:00Z')
const seconds = now.getTime() / 1000
const body = JSON.stringify({ EventType: 'messages', message: { text: 'Olá, ação 🎺' } })
/** Headers as the gateway writes them. */
const signed = (by = secret, at = seconds, text = body) => signatureHeaders(keyOfSecret(by), 'msg_1', at, text)
const refused = (reason: WebhookError['reason']) => (error: unknown) =>
  error instanceof WebhookError && error.reason === reason

describe('the check of a webhook', () => {
  it('returns the event of a webhook that the gateway signed', async () => {
    const event = await verifyWebhook(body, signed(), secret, { now })
    assert.deepEqual(event, JSON.parse(body))
    assert.deepEqual(await verifyWebhook(Buffer.from(body), new Headers(signed()), [secret], { now }), event)
  })

  it('returns the events of a batch, and of a single event a list of one', async () => {
    const batch = `[${body},${body}]`
    const headers = signed(secret, seconds, batch)
    assert.deepEqual(await verifyWebhookBatch(batch, headers, secret, { now }), JSON.parse(batch))
    assert.deepEqual(await verifyWebhookBatch(body, signed(), secret, { now }), [JSON.parse(body)])
    await assert.rejects(verifyWebhookBatch(batch, signed(), secret, { now }), refused('wrong_signature'))
    await assert.rejects(verifyWebhook(batch, headers, secret, { now }), refused('invalid_body'))
  })

  it('takes one of several signatures, of several secrets, and header names in any case', async () => {
    const headers = signed()
    const signature = `v1,${Buffer.alloc(32).toString('base64')} v1a,x v1,! ${headers['webhook-signature']}`
    await verifyWebhook(body, { ...headers, 'webhook-signature': signature }, secret, { now })
    await verifyWebhook(body, headers, [other, secret], { now })
    const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    await verifyWebhook(body, capital, secret, { now })
  })

  it('refuses another body, id, time, secret or version of signature', async () => {
    const headers = signed()
    const tampered = [
      [`${body} `, headers, secret],
      [body, { ...headers, 'webhook-id': 'msg_2' }, secret],
      [body, { ...headers, 'webhook-timestamp': String(seconds - 1) }, secret],
      [body, headers, other],
      [body, headers, []],
      [body, { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1', 'v2') }, secret],
      [body, { ...headers, 'webhook-signature': 'v1,' }, secret],
    ] as const
    for (const [text, given, secrets] of tampered)
      await assert.rejects(verifyWebhook(text, given, secrets, { now }), refused('wrong_signature'))
  })

  it('refuses old, future and missing times, and missing headers', async () => {
    await verifyWebhook(body, signed(secret, seconds - 300), secret, { now })
    await assert.rejects(verifyWebhook(body, signed(secret, seconds - 301), secret, { now }), refused('too_old'))
    await assert.rejects(verifyWebhook(body, signed(secret, seconds + 301), secret, { now }), refused('too_new'))
    await verifyWebhook(body, signed(secret, seconds - 900), secret, { now, toleranceSeconds: 1000 })
    const invalid = { ...signed(), 'webhook-timestamp': 'now' }
    await assert.rejects(verifyWebhook(body, invalid, secret, { now }), refused('invalid_time'))
    for (const name of Object.keys(signed())) {
      const headers = { ...signed(), [name]: undefined }
      await assert.rejects(verifyWebhook(body, headers, secret, { now }), refused('missing_header'))
    }
  })

  it('refuses a secret in another form, and a signed body that is not JSON', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%', secret.slice(6)])
      await assert.rejects(verifyWebhook(body, signed(), wrong, { now }), TypeError)
    const headers = signatureHeaders(keyOfSecret(secret), 'msg_1', seconds, 'text')
    await assert.rejects(verifyWebhook('text', headers, secret, { now }), refused('invalid_body'))
  })
})
