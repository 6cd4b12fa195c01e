import { GatewayError } from '../../../schemas/errors.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress } from '../../../schemas/jid.js'

/**
 * Returns the number of a person, under either of its names.
 * @throws GatewayError INVALID_REQUEST when it has none; INVALID_NUMBER, with the name that was sent
 */
export function numberOf({ phone, number }: { phone?: string; number?: string }): string {
  const given = phone ?? number
  if (given === undefined) throw invalidField('phone', 'is required')
  const field = phone === undefined ? 'number' : 'phone'
  const { group } = parseAddress(given, field)
  if (group === undefined) return given
  const why = 'is not a person'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}
