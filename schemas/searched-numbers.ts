import { otherSpelling } from './jid.js'
import { readNumberText } from './number-text.js'
import { readPhoneNumber } from './phone-number.js'

/**
 * Returns the digits by which a search finds the numbers that a text may mean: those of a part of a number, of a whole one also with its country
 * code and in its other spelling. Empty if the text is no number.
 * @param country ISO code of the country whose national numbers are taken; empty: none are
 */
export function searchedDigits(text: string, country = ''): readonly string[] {
  const at = text.lastIndexOf('@')
  const bare = at < 0 ? text : text.slice(0, at)
  const read = readNumberText(bare)
  if ('why' in read) return []
  const whole = readPhoneNumber(bare, country)
  if (!('digits' in whole)) return [read.digits]
  const other = otherSpelling(whole.digits)
  return [...new Set([read.digits, whole.digits, ...(other === null ? [] : [other])])]
}
