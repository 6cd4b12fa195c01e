/** A request for a payment in Brazil (`POST /send/request-payment`): its amount, and the ways to pay it. */
import { GatewayError } from './errors.js'
import { invalidField } from './invalid-field.js'
import { NO_NUMBER, readNumberText } from './number-text.js'

export interface PaymentRequest {
  /** In hundredths of a real. */
  readonly amountCents: number
  readonly title: string
  readonly text: string
  readonly footer: string
  readonly item: string
  /** The caller's number of the order; empty: one is made. */
  readonly reference: string
  readonly pix?: PixKey
  /** An https address. */
  readonly link?: string
  /** Digits alone. */
  readonly boleto?: string
}

interface PaymentFields {
  readonly amount: number
  readonly title?: string
  readonly text?: string
  readonly footer?: string
  readonly itemName?: string
  readonly invoiceNumber?: string
  readonly pixType?: string
  readonly pixKey?: string
  readonly pixName?: string
  readonly paymentLink?: string
  readonly boletoCode?: string
}

/** Error of a computation with decimals, in hundredths. */
const ROUNDING = 1e-6

/** @throws GatewayError INVALID_REQUEST with `details: [{ field, why }]` */
export function parsePaymentRequest(fields: PaymentFields): PaymentRequest {
  const { title = '', text = '', footer = '', itemName = '', invoiceNumber = '' } = fields
  const [pixKey, paymentLink, boletoCode] = [fields.pixKey, fields.paymentLink, fields.boletoCode].map((way) =>
    way?.trim(),
  )
  if (!pixKey && !paymentLink && !boletoCode)
    throw new GatewayError('INVALID_REQUEST', {
      message: 'Missing pixKey or pixCode',
      details: [{ field: 'pixKey', why: 'is required, unless there is a paymentLink or a boletoCode' }],
    })
  return {
    amountCents: toCents(fields.amount),
    title,
    text,
    footer,
    item: itemName.trim() || title.trim() || 'Payment',
    reference: invoiceNumber,
    ...(pixKey ? { pix: readPix(pixKey, fields) } : {}),
    ...(paymentLink ? { link: readLink(paymentLink) } : {}),
    ...(boletoCode ? { boleto: readBoleto(boletoCode) } : {}),
  }
}

function toCents(amount: number): number {
  const cents = Math.round(amount * 100)
  if (Math.abs(amount * 100 - cents) > ROUNDING) throw invalidField('amount', 'must have at most two decimals')
  return cents
}

function readPix(pixKey: string, { pixType, pixName }: PaymentFields): PixKey {
  return parsePixKey({ pixType: pixType?.trim() || 'EVP', pixKey, ...(pixName ? { pixName } : {}) })
}

function readLink(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalidField('paymentLink', 'must be an https address')
  return url.href
}

function readBoleto(code: string): string {
  // Bound: 2,000, a field of a request.
  const digits = code.replace(/[\s.-]/g, '')
  // Bound: 2,000, a field of a request.
  if (!/^\d{47,48}$/.test(digits)) throw invalidField('boletoCode', 'must have 47 or 48 digits')
  return digits
}

/**
 * The key of a payment button (`POST /send/pix-button`): Brazil's instant payments, Pix. Forms of the keys: the manual of the central bank's
 * directory (DICT); letters in a CNPJ, since July 2026: Receita Federal, IN RFB 2.229/2024.
 */

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
    // Bound: 1,000, a key.
    const digits = key.replace(/[\s./-]/g, '')
    // Bound: 1,000, a key.
    if (!/^\d{11}$/.test(digits)) throw invalid('is not a CPF of 11 digits')
    return checked(digits, 'CPF', [9, 10], (position, length) => length + 1 - position)
  },
  CNPJ(key) {
    // Bound: 1,000, a key.
    const characters = key.replace(/[\s./-]/g, '').toUpperCase()
    // Bound: 1,000, a key.
    if (!/^[0-9A-Z]{12}\d{2}$/.test(characters)) throw invalid('is not a CNPJ of 14 characters')
    return checked(characters, 'CNPJ', [12, 13], (position, length) => ((length - 1 - position) % 8) + 2)
  },
  PHONE(key) {
    const read = readNumberText(key)
    if ('why' in read) throw invalid(read.why === NO_NUMBER ? 'is not a phone number' : WITHOUT_COUNTRY)
    const phone = `${read.isInternational ? '+' : ''}${read.digits}`
    const full = phone.startsWith('+') ? phone : brazilian(phone)
    // Bound: 1,000, a key.
    if (full === null || !/^\+[1-9]\d{9,14}$/.test(full)) {
      throw invalid(WITHOUT_COUNTRY)
    }
    return full
  },
  EMAIL(key) {
    // Bound: 1,000, a key.
    if (key.length > EMAIL_LENGTH_MAX || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(key)) {
      throw invalid(`is not an e-mail address of at most ${EMAIL_LENGTH_MAX} characters`)
    }
    return key.toLowerCase()
  },
  EVP(key) {
    const uuid = key.toLowerCase()
    // Bound: 1,000, a key.
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)) throw invalid('is not a UUID')
    return uuid
  },
}

/** Without `+`: a number with the country code 55, or one with an area code alone, which people in Brazil write. */
function brazilian(digits: string): string | null {
  // Bound: 1,000, a key.
  if (/^55\d{10,11}$/.test(digits)) return `+${digits}`
  // Bound: 1,000, a key.
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
