/**
 * Reads a phone number as people type it and as spreadsheets write it. Takes what has one meaning and refuses what has two: a wrong guess
 * reaches a stranger. It knows no country; `phone-number.ts` does. It imports nothing, because the dashboard reads lists with it.
 */

// Bound: 100, which `readNumberText` checks first.

/** The digits of a number, or why the text is none, as the end of a sentence that begins with "it". */
export type NumberText =
  | {
      readonly digits: string
      /** True if the text says that its digits begin with a country code: by `+` or `00`. */
      readonly isInternational: boolean
    }
  | { readonly why: string }

const LENGTH_MAX = 100
/** Digits from which nobody writes a number in one run and a group after a dot: what follows the dot are decimals. */
const LONG_RUN = 10
/** What precedes a slash in a number: an area code, and the country code. */
const BEFORE_SLASH_MAX = 7
const AFTER_SLASH_MIN = 5
/** A text with other signs and fewer digits is no number at all. */
const FEW_DIGITS = 6

export const NO_NUMBER = 'is not a phone number with country code (6 to 15 digits)'

/** Marks that are not drawn: soft hyphen, zero-width characters, marks and embeddings of direction, and the byte order mark. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
const DASHES = /[\u2010-\u2015\u2043\u2212\u30fc\ufe58\ufe63]/g
const SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
/** Full-width forms of ASCII, and the digits of Arabic and Persian. */
const OTHER_FORMS = /[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9]/g

export function readNumberText(input: string): NumberText {
  if (input.length > LENGTH_MAX) return { why: `is longer than ${LENGTH_MAX} characters` }
  // Most numbers are digits alone.
  if (/^\d+$/.test(input)) return international(input, false, false)
  const text = unwrapped(plainText(input).trim())
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(text)) return { why: 'has more than one line, and may be two numbers' }
  if (!/\d/.test(text)) return { why: NO_NUMBER }
  // So many digits in one run are a whole number, and what follows are decimals.
  const [, whole] = /^(\+\d{10,20})[.,]0{1,10}$/.exec(text) ?? []
  if (whole !== undefined) return written(whole)
  const cell = cellNumber(text)
  if (cell === null) return written(text)
  return typeof cell === 'string' ? international(cell, false, false) : cell
}

/** Returns the text in ASCII where its characters have forms there. */
function plainText(input: string): string {
  return input
    .replace(INVISIBLE, '')
    .replace(OTHER_FORMS, (sign) => {
      const code = sign.charCodeAt(0)
      return code > 0xff00 ? String.fromCharCode(code - 0xfee0) : String(code & 15)
    })
    .replace(DASHES, '-')
    .replace(SPACES, ' ')
}

/** Takes off what marks a cell of a spreadsheet as text, and the scheme of a link. */
function unwrapped(text: string): string {
  const [, quoted] = /^="([^"]*)"$/.exec(text) ?? []
  return (quoted ?? text)
    .replace(/^'/, '')
    .replace(/^(tel|whatsapp):/i, '')
    .trim()
}

/** Reads a number as a spreadsheet writes it. Returns its digits, why it is refused, or null for another text. */
function cellNumber(text: string): string | { readonly why: string } | null {
  const scientific = /^(\d+)(?:[.,](\d*))?e\+?(\d{1,2})$/i.exec(text)
  if (scientific !== null) return scientificDigits(scientific)
  const [, whole, fraction = ''] = /^(\d+)[.,](\d*)$/.exec(text) ?? []
  if (whole !== undefined) return decimalDigits(text, whole, fraction)
  const [, groups] = /^(\d{1,3}(?:,\d{3})+)(?:\.0*)?$/.exec(text) ?? /^(\d{1,3}(?:\.\d{3})+),0*$/.exec(text) ?? []
  return groups === undefined ? null : groups.replace(/[.,]/g, '')
}

function scientificDigits([, whole = '', fraction = '', exponent = '']: RegExpExecArray): string | { why: string } {
  const places = Number(exponent)
  if (fraction.length < places)
    return { why: 'was rounded by a spreadsheet, so its last digits are lost: format the column as text' }
  if (/[1-9]/.test(fraction.slice(places))) return { why: 'has decimals' }
  return `${whole}${fraction.slice(0, places)}`
}

/** Reads digits with one dot or comma among them. Returns null if the dot separates groups of a number. */
function decimalDigits(text: string, whole: string, fraction: string): string | { why: string } | null {
  const isZero = !/[1-9]/.test(fraction)
  if (text.includes(',')) {
    // Three digits after a comma may be thousands.
    if (fraction.length === 3 && whole.length <= 3) return whole + fraction
    return isZero ? whole : { why: 'has a comma: it may be two numbers, or decimals' }
  }
  if (fraction.length <= 1) return isZero ? whole : { why: 'has decimals' }
  if (whole.length < LONG_RUN)
    return isZero ? { why: 'ends in a dot and zeros, which may be decimals or digits of the number' } : null
  return isZero ? whole : { why: 'has decimals' }
}

/** Reads a number as people write it. */
function written(text: string): NumberText {
  const slashed = refusedSlash(text)
  if (slashed !== null) return slashed
  const isMarked = /^\(? ?\+/.test(text)
  // The zero that is dialled within the country only: +49 (0) 30 …
  const trunk = /^(\(?\+?\(? ?(?:00 ?)?[1-9]\d{0,2}\)?) ?\(0\)/.exec(text)
  const rest = trunk === null ? text : `${trunk[1]} ${text.slice(trunk[0].length)}`
  const why = refusedSign(isMarked ? rest.replace('+', ' ') : rest)
  if (why !== null) return { why }
  return international(rest.replace(/\D/g, ''), isMarked, isMarked || trunk !== null)
}

function refusedSlash(text: string): NumberText | null {
  const [before = '', after, ...more] = text.split('/')
  if (after === undefined) return null
  const [first, second] = [before, after].map((part) => part.replace(/\D/g, '').length) as [number, number]
  const isAreaCode = more.length === 0 && first <= BEFORE_SLASH_MAX && second >= AFTER_SLASH_MIN
  return isAreaCode ? null : { why: 'has a slash where it may separate two numbers' }
}

/** Returns why the signs between the digits are none of a number; null if they are. */
function refusedSign(text: string): string | null {
  const [odd] = /[^\d\s().\-/]/u.exec(text) ?? []
  if (odd !== undefined && text.replace(/\D/g, '').length < FEW_DIGITS) return NO_NUMBER
  if (odd === '+') return 'has a + in another place than at its start'
  if (odd !== undefined) return `holds ${JSON.stringify(odd)}, which is no part of a phone number`
  const outside = text.replace(/\([^()]*\)/g, (group) => (/\d/.test(group) ? '' : group))
  if (/[()]/.test(outside)) return 'has a bracket without its other, or without digits'
  if (/^[\s(]*[.\-/]/.test(text)) return 'begins with a separator'
  if (/[-/]\s*$/.test(text)) return 'ends in a separator'
  if (/[.\-/]\s*\d[\s.]*$/.test(text))
    return 'ends in a single digit after a separator: it may be an extension or decimals'
  return null
}

/** @param isSure true if the text shows in another way that its digits begin with a country code */
function international(digits: string, isMarked: boolean, isSure: boolean): NumberText {
  const isDialled = !isMarked && digits.startsWith('00')
  const full = isDialled ? digits.slice(2) : digits
  if ((isMarked || isDialled) && (full === '' || full.startsWith('0')))
    return { why: 'has a 0 where the country code begins' }
  return { digits: full, isInternational: isSure || isDialled }
}
