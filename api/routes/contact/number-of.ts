import { GatewayError } from '../../../schemas/errors.js'

/** Returns the number, under either of its names. @throws GatewayError INVALID_REQUEST when it has none */
export function numberOf({ phone, number }: { phone?: string; number?: string }): string {
  const given = phone ?? number
  if (given !== undefined) return given
  const why = 'is required'
  throw new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: phone ${why}.`,
    details: [{ field: 'phone', why }],
  })
}
