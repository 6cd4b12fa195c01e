/** Errors for callers whose message the network refused. */
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

/** @param code the network's; null if it never saw the message */
export function sendRefused(messageid: MessageId, code: number | null, why: string): GatewayError {
  return new GatewayError('SEND_REFUSED', {
    message: why,
    fields: { messageid, ...(code === null ? {} : providerFields(code)) },
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
  const message = `The network refused to look up the number (${code}); nothing was sent.`
  throw new GatewayError('SEND_REFUSED', { message, fields: providerFields(code), cause: error })
}

function providerFields(code: number) {
  return { error_source: 'whatsapp_server', provider: 'whatsapp', provider_code: code }
}

/** Describes a refusal for people. Codes: 463 and 479 in Baileys `Utils/decode-wa-message.ts`; 405 for buttons without their nodes in whatsmeow PR 1235. */
export function refusalSentence(code: number): string {
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
