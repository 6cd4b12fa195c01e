/** Reads the fields that all sends have. */

import type { ErrorCode } from '../../../schemas/errors.js'
import type { SendOptions } from '../../../schemas/generated.js'
import { isEverybody, mentionedIn, parseRecipient } from '../../../schemas/jid.js'
import type { SendOptions as CommandOptions } from '../../../schemas/send-request.js'
import { scheduleOf } from './schedule.js'

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
  scheduleOf(body)
  const { group } = parseRecipient(number)
  // Mentions are ignored in direct chats.
  if (group !== undefined && mentions !== undefined && !isEverybody(mentions)) mentionedIn(mentions)
}

/** Returns the common fields of a body as a command carries them. An empty text is the same as none. */
export function sendOptionsOf(body: SendOptions): CommandOptions {
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
