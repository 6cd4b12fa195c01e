/** Messages that pin another one in their chat, for all members. */
import { proto } from '@whiskeysockets/baileys'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import { messageIdOf } from './message-id.js'

const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type

/** Longest time that clients offer. A sender may write any. */
const SECONDS_MAX = 30 * 86_400
/** Clients without a choice pinned for a week. */
const DEFAULT_SECONDS = 7 * 86_400

/** Returns what a message pins or unpins; null if it is about no pin. Strangers write it. */
export function pinIn(
  { pinInChatMessage, messageContextInfo }: proto.IMessage,
  timestampSeconds: number,
): NonNullable<NewMessage['pin']> | null {
  const id = pinInChatMessage?.key?.id
  if (!id) return null
  const messageid = messageIdOf(id)
  if (pinInChatMessage?.type === UNPIN_FOR_ALL) return { messageid, untilMs: 0 }
  if (pinInChatMessage?.type !== PIN_FOR_ALL) return null
  const seconds = messageContextInfo?.messageAddOnDurationInSecs || DEFAULT_SECONDS
  return { messageid, untilMs: (timestampSeconds + Math.min(seconds, SECONDS_MAX)) * 1000 }
}
