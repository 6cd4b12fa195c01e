/** What a caller hears of a message that the network refused. */
import { GatewayError } from '../../schemas/errors.js'
import type { MessageId } from '../../schemas/ids.js'

/** `code`: the network's; null when it never saw the message. */
export function refused(messageid: MessageId, code: number | null, why: string): GatewayError {
  return new GatewayError('SEND_REFUSED', {
    message: why,
    fields: { messageid, ...(code === null ? {} : providerFields(code)) },
  })
}

/** The network answered the question for a number with an error, whose code stands in `data`. Other errors are thrown as they are. */
export function refusedLookUp(error: unknown): never {
  const { data: code } = error as { data?: unknown }
  if (error instanceof GatewayError || typeof code !== 'number') throw error
  const message = `The network refused to look up the number (${code}); nothing was sent.`
  throw new GatewayError('SEND_REFUSED', { message, fields: providerFields(code), cause: error })
}

function providerFields(code: number) {
  return { error_source: 'whatsapp_server', provider: 'whatsapp', provider_code: code }
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
