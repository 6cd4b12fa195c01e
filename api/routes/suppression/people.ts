import { GatewayError } from '../../../schemas/errors.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'

const DETAILS_MAX = 100

/**
 * Reads the people of a request.
 * @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_NUMBER that names each wrong entry, up to 100
 */
export function peopleOf(numbers: readonly string[], country: string): readonly ChatAddress[] {
  const wrong: { readonly field: string; readonly why: string }[] = []
  const people = numbers.map((number, index) => {
    const field = `numbers[${index}]`
    try {
      const address = parseAddress(number, field, country)
      if (address.group !== undefined) throw invalidField(field, 'names no person')
      return address
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const [detail] = error.details as readonly { readonly field: string; readonly why: string }[]
      wrong.push(detail ?? { field, why: 'is not a number' })
      return {}
    }
  })
  const [first] = wrong
  if (first === undefined) return people
  const message = `Invalid ${first.field}: it ${first.why}.`
  throw new GatewayError('INVALID_NUMBER', { message, details: wrong.slice(0, DETAILS_MAX) })
}
