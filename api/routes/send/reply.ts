import type { SentMessage } from '../../../schemas/generated.js'

/** Returns the answer of a send: the message record, and a sentence about its progress. */
export function sendReply(record: Readonly<Record<string, unknown>>): SentMessage {
  return { ...record, response: { status: 'success', message: sentence(record.status) } } as SentMessage
}

function sentence(status: unknown): string {
  switch (status) {
    case 'queued':
      return 'Message queued'
    case 'pending':
      return 'Message accepted; the network has not acknowledged it yet'
    default:
      return 'Message sent'
  }
}
