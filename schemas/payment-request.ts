/** A request for a payment in Brazil (`POST /send/request-payment`): its amount, and the ways to pay it. */
import { GatewayError } from './errors.js'
import { invalidField } from './invalid-field.js'
import { type PixKey, parsePixKey } from './pix-key.js'

// Bound: 2,000, a field of a request.

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
    amountCents: centsOf(fields.amount),
    title,
    text,
    footer,
    item: itemName.trim() || title.trim() || 'Payment',
    reference: invoiceNumber,
    ...(pixKey ? { pix: pixOf(pixKey, fields) } : {}),
    ...(paymentLink ? { link: linkOf(paymentLink) } : {}),
    ...(boletoCode ? { boleto: boletoOf(boletoCode) } : {}),
  }
}

function centsOf(amount: number): number {
  const cents = Math.round(amount * 100)
  if (Math.abs(amount * 100 - cents) > ROUNDING) throw invalidField('amount', 'must have at most two decimals')
  return cents
}

function pixOf(pixKey: string, { pixType, pixName }: PaymentFields): PixKey {
  return parsePixKey({ pixType: pixType?.trim() || 'EVP', pixKey, ...(pixName ? { pixName } : {}) })
}

function linkOf(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalidField('paymentLink', 'must be an https address')
  return url.href
}

function boletoOf(code: string): string {
  const digits = code.replace(/[\s.-]/g, '')
  if (!/^\d{47,48}$/.test(digits)) throw invalidField('boletoCode', 'must have 47 or 48 digits')
  return digits
}
