import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyOfSecret, newWebhookSecret, signatureHeaders } from './signature.js'
import { deliveryUrl } from './webhook-request.js'

describe('a webhook signature', () => {
  it('is the one that Standard Webhooks prescribes', () => {
    // The example of the specification's reference libraries (github.com/standard-webhooks/standard-webhooks, javascript tests).
    const key = keyOfSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const headers = signatureHeaders(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    assert.equal(headers['webhook-id'], 'msg_p5jXN8AQM9LWM0D4loKWxJek')
    assert.equal(headers['webhook-timestamp'], '1614265330')
  })

  it('comes from a secret that is new each time and well formed', () => {
    assert.notEqual(newWebhookSecret(), newWebhookSecret())
    assert.equal(keyOfSecret(newWebhookSecret()).length, 32)
    for (const secret of [
      '',
      'secret',
      'whsec_',
      'whsec_c2hvcnQ=',
      'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
    ]) {
      assert.throws(() => keyOfSecret(secret), { code: 'INVALID_REQUEST' })
    }
  })
})

describe('the URL of a delivery', () => {
  const url = 'https://receiver.example/hook/?key=1'
  const delivery = { kind: 'messages', messageType: 'conversation' } as const

  it('is the configured one, with the event and the message type appended if configured', () => {
    const at = (addUrlEvents: boolean, addUrlTypesMessages: boolean) =>
      deliveryUrl({ url, addUrlEvents, addUrlTypesMessages }, delivery).href
    assert.equal(at(false, false), url)
    assert.equal(at(true, false), 'https://receiver.example/hook/messages?key=1')
    assert.equal(at(true, true), 'https://receiver.example/hook/messages/conversation?key=1')
    assert.equal(at(false, true), 'https://receiver.example/hook/conversation?key=1')
  })
})
