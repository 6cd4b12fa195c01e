/** What a caller hears of a message that the network refused. */
import { GatewayError } from '../../schemas/errors.js'
import type { MessageId } from '../../schemas/ids.js'

/** `code`: the network's; null when it never saw the message. */
export function refused(messageid: MessageId, code: number | null, why: string): GatewayError {
  const provider = { error_source: 'whatsapp_server', provider: 'whatsapp', provider_code: code }
  return new GatewayError('SEND_REFUSED', { message: why, fields: { messageid, ...(code === null ? {} : provider) } })
}

/** Codes of refused messages: 463 and 479 in Baileys `Utils/decode-wa-message.ts`; 405 for buttons without their nodes in whatsmeow PR 1235. */
export function refusal(code: number): string {
  switch (code) {
    case 463:
      return 'The network refused the message (463): the account may not write to new contacts at present, or lacks a privacy token for this one.'
    case 479:
      return 'The network refused the message (479): it did not understand its form.'
    case 405:
      return 'The network refused the message (405): it does not take this kind of message from this account.'
    case 429:
      return 'The network refused the message (429): too many messages in a short time.'
    default:
      return `The network refused the message (${code}).`
  }
}
