/** Numbers that may be one person: mobile numbers of Brazil with and without the ninth digit, of Mexico and Argentina with and without theirs. */
import { otherSpelling } from '../../schemas/jid.js'

/** Returns the digits first, then the other form of the same number. */
export function phoneForms(digits: string): readonly string[] {
  const other = otherSpelling(digits)
  return other === null ? [digits] : [digits, other]
}
