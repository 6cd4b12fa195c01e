import type { Schedule, SentMessage } from '../../../schemas/generated.js'

/** Returns the answer of a send: the message record, and a sentence about its progress. */
export function sendReply(record: Readonly<Record<string, unknown>>): SentMessage {
  return { ...record, response: { status: 'success', message: sentence(record) } } as SentMessage
}

/** Returns a sentence with the time at which a scheduled message leaves, and the time after which it is not sent at all. */
export function scheduledSentence({ schedule }: Readonly<Record<string, unknown>>): string {
  const { send_at, leaves_at = send_at, expires_at } = schedule as Schedule
  const later = leaves_at === send_at ? '' : ` Messages before it make it leave at about ${leaves_at}.`
  return `Message scheduled for ${send_at}.${later} If it has not left by ${expires_at}, it fails as expired`
}

function sentence(record: Readonly<Record<string, unknown>>): string {
  switch (record.status) {
    case 'scheduled':
      return scheduledSentence(record)
    case 'queued':
      return 'Message queued'
    case 'pending':
      return 'Message accepted; WhatsApp has not acknowledged it yet'
    default:
      return 'Message sent'
  }
}
