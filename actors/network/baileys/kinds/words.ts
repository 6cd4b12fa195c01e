/** Words of which the summaries of messages are made. Other clients made the values, so any may be absent, huge or of no sense. */
import type { proto } from '@whiskeysockets/baileys'

export interface OtherKind {
  readonly messageType: string
  readonly text: string
  /** Id of the message that it refers to. */
  readonly quoted?: string | null | undefined
  readonly convertOptions?: string
}

export type Words = string | null | undefined

/** Makes a description from lines. A line is one text, or several that commas join. Leaves out empty ones. */
export function kind(
  messageType: string,
  lines: readonly (Words | readonly Words[])[],
  about?: proto.IMessageKey | null,
): OtherKind {
  const text = lines
    .map((line) => (typeof line === 'string' ? line : (line ?? []).filter(Boolean).join(', ')))
    .filter((line) => line !== '')
    .join('\n')
  return { messageType, text, ...(about?.id ? { quoted: about.id } : {}) }
}

export function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}

export function counted(count: unknown, noun: string): string {
  const number = Number(count ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? `${number} ${noun}${number === 1 ? '' : 's'}` : ''
}

/** Formats an amount. `value` counts units of 10 to the power of minus `digits`. */
export function money(value: unknown, digits: number, currency: Words): string {
  const number = Number(value ?? Number.NaN) / 10 ** digits
  return Number.isFinite(number) ? [number.toFixed(2), currency].filter(Boolean).join(' ') : ''
}

/** Formats an amount of the network. Its `offset` is the divisor. */
export function amountText(amount: proto.IMoney | null | undefined): string {
  return money(amount?.value, Math.log10(amount?.offset || 1), amount?.currencyCode)
}

export function time(value: unknown, unitMs: number): string {
  const date = new Date(Number(value || Number.NaN) * unitMs)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
