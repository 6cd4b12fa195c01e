/** Errors for callers whose message the network refused. */
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

/** @param code the network's; null if it never saw the message */
export function sendRefused(messageid: MessageId, code: number | null, why: string): GatewayError {
  return new GatewayError('SEND_REFUSED', {
    message: why,
    fields: { messageid, ...(code === null ? {} : { ...providerFields(code), ...explanation(code, why) }) },
  })
}

/** Returns the refusal of a send from its row. */
export function storedRefusal(
  messageid: MessageId,
  { record: { error, provider_code: code } }: MessageForActor,
): GatewayError {
  return sendRefused(messageid, typeof code === 'number' ? code : null, String(error ?? ''))
}

/** Maps an error of the network about a number, with its code in `data`, to SEND_REFUSED. Throws other errors as they are. */
export function throwLookUpRefusal(error: unknown): never {
  const { data: code } = error as { data?: unknown }
  if (error instanceof GatewayError || typeof code !== 'number') throw error
  const message = `WhatsApp refused to look up the number (${code}); nothing was sent.`
  const fields = { ...providerFields(code), ...explanation(code, message) }
  throw new GatewayError('SEND_REFUSED', { message, fields, cause: error })
}

function providerFields(code: number) {
  return { error_source: 'whatsapp_server', provider: 'whatsapp', provider_code: code }
}

interface Explanation {
  readonly error_key: string
  readonly message: string
  readonly message_ptbr: string
}

/**
 * Refusals whose meaning is known; `Limits` explains 463, and adds to 429 how long the gateway rests. The network names 429 `rate-overlimit`
 * (WhiskeySockets/Baileys issue 1248), the library names 479 `SMAX_INVALID` (`Utils/decode-wa-message.ts`), 473 was told by several programs (`interactive.ts`), 405 is as in `refusalSentence`.
 */
const EXPLANATIONS: Readonly<Partial<Record<number, Explanation>>> = {
  405: {
    error_key: 'WHATSAPP_MESSAGE_KIND_REFUSED',
    message: 'WhatsApp does not take this kind of message from this account.',
    message_ptbr: 'O WhatsApp não aceita este tipo de mensagem desta conta.',
  },
  429: {
    error_key: 'WHATSAPP_RATE_LIMIT',
    message: 'WhatsApp refuses requests of this account for a while: there were too many in a short time.',
    message_ptbr: 'O WhatsApp recusa por um tempo os pedidos desta conta: houve muitos em pouco tempo.',
  },
  473: {
    error_key: 'WHATSAPP_PAYMENT_REFUSED',
    message: 'WhatsApp does not let this account request payments.',
    message_ptbr: 'O WhatsApp não permite que esta conta peça pagamentos.',
  },
  479: {
    error_key: 'WHATSAPP_SMAX_INVALID',
    message: 'WhatsApp did not take the form of the message.',
    message_ptbr: 'O WhatsApp não aceitou a forma da mensagem.',
  },
}

function explanation(code: number, provider_message: string) {
  const known = EXPLANATIONS[code]
  return known && { ...known, provider_message, provider_message_ptbr: known.message_ptbr }
}

/** Describes a refusal for people. Codes: 463 and 479 in Baileys `Utils/decode-wa-message.ts`; 405 for buttons without their nodes in whatsmeow PR 1235. */
export function refusalSentence(code: number): string {
  switch (code) {
    case 463:
      return 'WhatsApp refused the message (463): the account may not write to new contacts at present, or lacks a privacy token for this one.'
    case 473:
      return 'WhatsApp refused the message (473): this account may not request payments.'
    case 479:
      return 'WhatsApp refused the message (479): it did not understand its form.'
    case 405:
      return 'WhatsApp refused the message (405): it does not take this kind of message from this account.'
    case 429:
      return 'WhatsApp refused the message (429): too many messages in a short time.'
    default:
      return `WhatsApp refused the message (${code}).`
  }
}

const OF_CONNECTION: ReadonlySet<ErrorCode> = new Set(['INSTANCE_MOVING', 'INSTANCE_NOT_CONNECTED', 'NOT_LOGGED_IN'])

/** Returns true if the error says only that there is no connection now. */
export function isOfConnection(error: unknown): boolean {
  return error instanceof GatewayError && OF_CONNECTION.has(error.code)
}
