import type { IncomingHttpHeaders } from 'node:http'
import type { McpSendMessageReply, SendAlbumReply, SentMessage } from '../../schemas/generated.js'

/** Files of an album that were not sent. */
type Unsent = Partial<Pick<SendAlbumReply, 'failed'>>

/** Returns the result of a send. */
export function sentView(sent: SentMessage & Unsent, warnings: readonly string[]): McpSendMessageReply {
  const { messageid = '', chatid = '', status = '', failed = [] } = sent
  const unsent = failed.map(({ index, error }) => `files/${index}: not sent: ${error}`.slice(0, 1_000))
  return { id: messageid, chat: chatid, status, summary: sent.response.message, warnings: [...warnings, ...unsent] }
}

/** Returns the headers of a send with a name. */
export function namedSend(idempotencyKey: string | undefined): IncomingHttpHeaders {
  return idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
}
