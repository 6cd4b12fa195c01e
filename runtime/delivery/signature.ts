/** Signatures as in Standard Webhooks 1.0 (standardwebhooks.com), so that receivers can use any library for it. */
import { createHmac, randomBytes } from 'node:crypto'
import { withoutEnd } from '../../lib/without-end.js'
import { GatewayError } from '../../schemas/errors.js'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The key within a secret.
 * @throws GatewayError INVALID_REQUEST when it is not `whsec_` and 24 to 64 bytes in base64
 */
export function keyOfSecret(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const key = Buffer.from(encoded, 'base64')
  const isCanonical = withoutEnd(key.toString('base64'), '=') === withoutEnd(encoded, '=')
  if (isCanonical && key.length >= 24 && key.length <= 64) return key
  throw new GatewayError('INVALID_REQUEST', {
    message: 'The secret must be whsec_ followed by 24 to 64 bytes in base64.',
    details: [{ field: 'secret', why: 'must be whsec_ followed by 24 to 64 bytes in base64' }],
  })
}

/** The headers that let a receiver check where a body comes from, when it was sent, and whether it had it before. */
export function signatureHeaders(
  key: Buffer,
  id: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${signature}`,
  }
}
