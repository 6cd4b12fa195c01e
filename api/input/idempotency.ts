/** Lets a caller repeat a call without doing it twice. */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../schemas/errors.js'

// Bound: 1,048,576, a body or header of a request.

/**
 * Returns the header `Idempotency-Key` with a hash of the request, so that one key is not used for two requests. Empty without the header.
 * @throws GatewayError INVALID_REQUEST
 */
export function readIdempotency(
  headers: IncomingHttpHeaders,
  body: unknown,
): { idempotencyKey: string; requestHash: string } | Record<string, never> {
  const key = headers['idempotency-key']
  if (key === undefined) return {}
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    const why = 'must be 1 to 200 visible ASCII characters'
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: Idempotency-Key ${why}.`,
      details: [{ field: 'Idempotency-Key', why }],
    })
  }
  return { idempotencyKey: key, requestHash: createHash('sha256').update(canonical(body)).digest('hex') }
}

/** Returns JSON with sorted keys, so that the order of fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? // Bound: 1,048,576, 5,000 values, the keys of a body.
        Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}
