import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'

/** @throws GatewayError INVALID_NUMBER if it is no number, or names a group */
export function parsePerson(number: string): ChatAddress {
  const person = parseAddress(number)
  if (person.group !== undefined)
    throw new GatewayError('INVALID_NUMBER', { message: 'Invalid number: it is not a person.' })
  return person
}
