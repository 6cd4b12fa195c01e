import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { GatewayError } from '../schemas/errors.js'
import { startFakeNode } from '../test/support/fake-node.js'
import { createAddressReader, createRateLimiter } from './rate-limits.js'

const limiter = (points: number, durationMs: number) =>
  createRateLimiter({
    counted: 'address_rate',
    name: 'test',
    limit: { points, durationMs },
    redisKeyPrefix: 'test:',
    logger: pino({ level: 'silent' }),
  })

describe('a rate limit', () => {
  it('lets through exactly what it allows, for each key apart', () => {
    const limit = limiter(3, 60_000)
    for (let call = 0; call < 3; call += 1) limit.take('one')
    assert.throws(
      () => limit.take('one'),
      (error) => error instanceof GatewayError && error.code === 'RATE_LIMITED' && (error.retryAfterSeconds ?? 0) > 0,
    )
    limit.take('other')
    limit.close()
  })

  it('is exact also when the count is shared meanwhile, and starts again after its time', async () => {
    const limit = limiter(4, 1_000)
    limit.take('one')
    limit.take('one')
    // Longer than the time after which counts are shared.
    await delay(150)
    limit.take('one')
    limit.take('one')
    assert.throws(() => limit.take('one'))
    await delay(150)
    assert.throws(() => limit.take('one'))
    await delay(900)
    limit.take('one')
    limit.close()
  })

  it('is answered with 429 and the seconds to wait', async (t) => {
    const off = { points: 0, durationMs: 1_000 }
    const perToken = { points: 2, durationMs: 60_000 }
    const limits = { perAddress: off, perToken, perInstance: off, failedTokensPerAddress: off }
    const node = await startFakeNode(t, { limits })
    const answers = [await node.call('/webhook'), await node.call('/webhook'), await node.call('/webhook')]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    )
    assert.equal(answers[2]?.headers.get('retry-after'), '60')
    assert.equal((await node.call('/health')).status, 200)
  })
})

describe('the address that limits count by', () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as never

  it('is that of the connection, whatever a header says', () => {
    const readAddress = createAddressReader([])
    assert.equal(readAddress(from('::ffff:203.0.113.5', '198.51.100.1')), '203.0.113.5')
  })

  it('is the last stranger before our proxies', () => {
    const readAddress = createAddressReader(['10.0.0.0/8', '::1'])
    assert.equal(readAddress(from('10.1.2.3', '192.0.2.66, 198.51.100.1, 10.9.9.9')), '198.51.100.1')
    assert.equal(readAddress(from('::1', '198.51.100.1')), '198.51.100.1')
    assert.equal(readAddress(from('203.0.113.5', '198.51.100.1')), '203.0.113.5')
  })

  it('is the network of an IPv6 caller', () => {
    const readAddress = createAddressReader([])
    assert.equal(readAddress(from('2001:db8:1:2:aaaa::1')), readAddress(from('2001:db8:1:2:bbbb::2')))
  })
})
