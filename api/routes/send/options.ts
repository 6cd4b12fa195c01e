/** Reads the fields that all sends have. */
import type { ErrorCode } from '../../../schemas/errors.js'
import type { Schedule, SendOptions, SentMessage } from '../../../schemas/generated.js'
import { isEverybody, mentionedIn, parseRecipient } from '../../../schemas/jid.js'
import type { SendOptions as CommandOptions, RequestedSchedule } from '../../../schemas/send-request.js'
import { readSendTime } from '../../../schemas/send-time.js'

/** Error codes of every send. */
export const sendErrors: readonly ErrorCode[] = [
  'INVALID_NUMBER',
  'NOT_ON_NETWORK',
  'GROUP_NOT_FOUND',
  'MESSAGE_NOT_FOUND',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'IDEMPOTENCY_CONFLICT',
  'MESSAGE_ID_USED',
  'QUEUE_FULL',
  'QUEUE_BUSY',
  'SCHEDULE_FULL',
  'INSTANCE_NOT_PAIRED',
  'SEND_REFUSED',
  'OUTCOME_UNKNOWN',
  'NOT_SUPPORTED',
]

/**
 * Checks the recipient, the mentions and the time of a send, before anything is done for it.
 * @throws GatewayError INVALID_NUMBER, NOT_SUPPORTED, INVALID_REQUEST
 */
export function checkAddresses(body: SendOptions & { readonly number: string }): void {
  const { number, mentions } = body
  readSchedule(body)
  const { group } = parseRecipient(number)
  // Mentions are ignored in direct chats.
  if (group !== undefined && mentions !== undefined && !isEverybody(mentions)) mentionedIn(mentions)
}

/** Returns the common fields of a body as a command carries them. An empty text is the same as none. */
export function readSendOptions(body: SendOptions): CommandOptions {
  const { delay, readchat, readmessages, replyid, quoted, mentions, forward, track_source, track_id, async } = body
  const { pauseChatbotMinutes, sentEvent } = body
  return {
    ...(delay ? { delayMs: delay } : {}),
    ...(readchat === undefined ? {} : { readChat: readchat }),
    ...(readmessages === undefined ? {} : { readMessages: readmessages }),
    ...(replyid ? { replyId: replyid } : {}),
    ...(replyid && quoted ? { quotedText: quoted } : {}),
    ...(mentions ? { mentions } : {}),
    ...(forward === undefined ? {} : { forward }),
    ...(track_source ? { trackSource: track_source } : {}),
    ...(track_id ? { trackId: track_id } : {}),
    ...(async === undefined ? {} : { async }),
    ...(sentEvent ? { sentEvent } : {}),
    ...(pauseChatbotMinutes ? { pauseChatbotMinutes } : {}),
  }
}

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

/** Reads the time of a send from its body. */

type TimeFields = Pick<SendOptions, 'send_at' | 'timezone' | 'expire_after'>

/** Returns true if the send leaves later than its call, so that its files must be kept until then. */
export function leavesLater({ async, send_at }: Pick<SendOptions, 'async' | 'send_at'>): boolean {
  return async === true || send_at !== undefined
}

/**
 * Returns the time at which a message is to be sent; null without `send_at`. The instance decides whether that is now.
 * @param warnings sentences for the caller are added to it
 * @throws GatewayError INVALID_REQUEST
 */
export function readSchedule(
  { send_at, timezone, expire_after }: TimeFields,
  warnings: string[] = [],
): RequestedSchedule | null {
  if (send_at === undefined) {
    if (timezone) warnings.push('timezone: there is no send_at, ignored')
    if (expire_after !== undefined) warnings.push('expire_after: there is no send_at, ignored')
    return null
  }
  const { warning, ...time } = readSendTime(send_at, timezone, Date.now())
  if (warning !== undefined) warnings.push(warning)
  return { ...time, ...(expire_after === undefined ? {} : { expireAfterMs: expire_after }) }
}
