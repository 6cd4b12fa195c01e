/**
 * The key of a payment button (`POST /send/pix-button`): Brazil's instant payments, Pix. Forms of the keys: the manual of the central bank's
 * directory (DICT); letters in a CNPJ, since July 2026: Receita Federal, IN RFB 2.229/2024.
 */
import { GatewayError } from './errors.js'
import { invalidField } from './invalid-field.js'
import { NO_NUMBER, readNumberText } from './number-text.js'

// Bound: 1,000, a key.

const types = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const
export type PixKeyType = (typeof types)[number]

export interface PixKey {
  readonly type: PixKeyType
  /** As the directory has it: digits alone, `+` and digits, lower case. */
  readonly key: string
  /** Of who receives. */
  readonly name: string
}

const DEFAULT_NAME = 'Pix'
const EMAIL_LENGTH_MAX = 77
const WITHOUT_COUNTRY = 'is not a phone number with country code, such as +5511999999999'

/** @throws GatewayError INVALID_REQUEST with `details: [{ field, why }]` */
export function parsePixKey(request: { pixType?: string; pixKey: string; pixName?: string }): PixKey {
  const wanted = request.pixType?.trim().toUpperCase()
  const type = types.find((one) => one === wanted)
  if (type === undefined) {
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid keyType. Allowed: ${types.join(', ')}`,
      details: [{ field: 'pixType', why: `must be one of: ${types.join(', ')}` }],
    })
  }
  return { type, key: readers[type](request.pixKey.trim()), name: request.pixName?.trim() || DEFAULT_NAME }
}

const readers: Readonly<Record<PixKeyType, (key: string) => string>> = {
  CPF(key) {
    const digits = key.replace(/[\s./-]/g, '')
    if (!/^\d{11}$/.test(digits)) throw invalid('is not a CPF of 11 digits')
    return checked(digits, 'CPF', [9, 10], (position, length) => length + 1 - position)
  },
  CNPJ(key) {
    const characters = key.replace(/[\s./-]/g, '').toUpperCase()
    if (!/^[0-9A-Z]{12}\d{2}$/.test(characters)) throw invalid('is not a CNPJ of 14 characters')
    return checked(characters, 'CNPJ', [12, 13], (position, length) => ((length - 1 - position) % 8) + 2)
  },
  PHONE(key) {
    const read = readNumberText(key)
    if ('why' in read) throw invalid(read.why === NO_NUMBER ? 'is not a phone number' : WITHOUT_COUNTRY)
    const phone = `${read.isInternational ? '+' : ''}${read.digits}`
    const full = phone.startsWith('+') ? phone : brazilian(phone)
    if (full === null || !/^\+[1-9]\d{9,14}$/.test(full)) {
      throw invalid(WITHOUT_COUNTRY)
    }
    return full
  },
  EMAIL(key) {
    if (key.length > EMAIL_LENGTH_MAX || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(key)) {
      throw invalid(`is not an e-mail address of at most ${EMAIL_LENGTH_MAX} characters`)
    }
    return key.toLowerCase()
  },
  EVP(key) {
    const uuid = key.toLowerCase()
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw invalid('is not a UUID')
    return uuid
  },
}

/** Without `+`: a number with the country code 55, or one with an area code alone, which people in Brazil write. */
function brazilian(digits: string): string | null {
  if (/^55\d{10,11}$/.test(digits)) return `+${digits}`
  return /^\d{10,11}$/.test(digits) ? `+55${digits}` : null
}

/**
 * Holds the last two digits against what stands before each: the sum of the values by their weights, modulo 11, from 11, and 0 for what
 * would have two digits. The value of a letter is its place in ASCII, counted from that of the digit 0.
 */
function checked(
  characters: string,
  name: string,
  positions: readonly number[],
  weight: (position: number, length: number) => number,
): string {
  for (const length of positions) {
    let sum = 0
    for (let position = 0; position < length; position += 1)
      sum += (characters.charCodeAt(position) - 48) * weight(position, length)
    const digit = sum % 11 < 2 ? 0 : 11 - (sum % 11)
    if (characters.charCodeAt(length) - 48 !== digit) throw invalid(`has wrong check digits for a ${name}`)
  }
  // These pass the sums and are given to nobody.
  if (new Set(characters).size === 1) throw invalid(`is one character repeated, which no ${name} is`)
  return characters
}

function invalid(why: string): GatewayError {
  return invalidField('pixKey', why)
}
