import { GatewayError } from '../../../schemas/errors.js'

/** What operations on messages answer instead of the whole record; its status is the one at the beginning, whatever came of it since. */
export function reducedRecord(record: Readonly<Record<string, unknown>>) {
  const { messageid, content, messageTimestamp, messageType, status, owner } = record
  return {
    id: `${String(owner)}:${String(messageid)}`,
    messageid: String(messageid),
    content: (content ?? {}) as Record<string, unknown>,
    messageTimestamp: Number(messageTimestamp),
    messageType: messageType as 'reaction',
    status: status === 'queued' ? ('Queued' as const) : ('Pending' as const),
    owner: String(owner),
  }
}

/** These operations have one text for whatever the network did not take; what it said stands beside it. */
export function asSendFailure(error: unknown, message = 'Error sending message'): never {
  if (!(error instanceof GatewayError) || error.code !== 'SEND_REFUSED') throw error
  const fields = { ...error.fields, provider_message: error.message }
  throw new GatewayError('SEND_FAILED', { message, fields, cause: error })
}
