import type { IncomingHttpHeaders } from 'node:http'
import type { McpSendMessageReply, SentMessage } from '../../../schemas/generated.js'

/** Returns the result of a send. */
export function sentView(sent: SentMessage, warnings: readonly string[]): McpSendMessageReply {
  const { messageid = '', chatid = '', status = '' } = sent
  return { id: messageid, chat: chatid, status, summary: sent.response.message, warnings: [...warnings] }
}

/** Returns the headers of a send with a name. */
export function namedSend(idempotencyKey: string | undefined): IncomingHttpHeaders {
  return idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
}
