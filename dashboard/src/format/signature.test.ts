import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canSign, signPayload } from './signature.js'

describe('the signature of a delivery', () => {
  it('is the one that Standard Webhooks prescribes', async () => {
    assert.equal(canSign(), true)
    const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
    const signature = await signPayload({ ...parts, secret: ' whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n' })
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    assert.equal(await signPayload({ ...parts, body: 'á', secret: 'whsec_MfKQ' }), undefined)
  })
})
