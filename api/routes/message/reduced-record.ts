import { GatewayError } from '../../../schemas/errors.js'
import type { Schedule } from '../../../schemas/generated.js'

const STATUS: Readonly<Record<string, 'Queued' | 'Scheduled'>> = { queued: 'Queued', scheduled: 'Scheduled' }

/** Makes the short record that operations on messages answer. Its status is the one at the beginning. */
export function reducedRecord(record: Readonly<Record<string, unknown>>) {
  const { messageid, content, messageTimestamp, messageType, status, owner, schedule } = record
  return {
    id: `${String(owner)}:${String(messageid)}`,
    messageid: String(messageid),
    content: (content ?? {}) as Record<string, unknown>,
    messageTimestamp: Number(messageTimestamp),
    messageType: messageType as 'reaction',
    status: STATUS[String(status)] ?? ('Pending' as const),
    owner: String(owner),
    ...(schedule === undefined ? {} : { schedule: schedule as Schedule }),
  }
}

/**
 * Gives an error of the network the one text that the interface has for it. The network's own words stand beside it. The status is 502
 * (`SEND_REFUSED`), but for reactions, which the interface answers with 500 (`SEND_FAILED`).
 */
export function withSendErrorMessage(
  message: string,
  code: 'SEND_REFUSED' | 'SEND_FAILED' = 'SEND_REFUSED',
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'SEND_REFUSED') throw error
    const fields = { ...error.fields, provider_message: error.message }
    throw new GatewayError(code, { message, fields, cause: error })
  }
}
