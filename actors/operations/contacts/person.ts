import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'

/**
 * @param field the name of the field that holds it, for the error
 * @throws GatewayError INVALID_NUMBER if it is no number, or names a group
 */
export function parsePerson(number: string, field = 'number'): ChatAddress {
  const person = parseAddress(number, field)
  if (person.group !== undefined) throw notPerson(field)
  return person
}

export function notPerson(field: string): GatewayError {
  const why = 'is not a person'
  return new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}
