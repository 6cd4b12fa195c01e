/** Numbers that may be one person: mobile numbers of Brazil with and without the ninth digit, of Mexico and Argentina with and without theirs. */
import { otherSpelling } from '../../schemas/jid.js'

// Bound: 150,000, a field of Chatwoot or of a message.

/** Returns the digits first, then the other forms of the same number. */
export function phoneForms(digits: string): readonly string[] {
  const brazil = otherSpelling(digits)
  if (brazil !== null) return [digits, brazil]
  const mexico = /^52(1?)(\d{10})$/.exec(digits)
  if (mexico !== null) return [digits, mexico[1] === '1' ? `52${mexico[2]}` : `521${mexico[2]}`]
  const argentina = /^54(9?)(\d{10})$/.exec(digits)
  if (argentina !== null) return [digits, argentina[1] === '9' ? `54${argentina[2]}` : `549${argentina[2]}`]
  return [digits]
}
