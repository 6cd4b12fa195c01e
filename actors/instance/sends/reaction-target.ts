import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, isSameChat } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

/** Maximum age by the specification. */
const AGE_MAX_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Returns the message to react to, among those with its id: in this chat, of somebody else unless `reactsToOwn`, and not too old.
 * @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD
 */
export function reactionTarget(
  messages: readonly MessageForActor[],
  chat: ChatAddress,
  { reactsToOwn = false, nowMs = Date.now() } = {},
): MessageForActor {
  const here = messages.filter((message) => isSameChat(message.chat, chat) && message.status !== 'deleted')
  const target = here.find(({ fromMe }) => !fromMe) ?? (reactsToOwn ? here.find(isSent) : undefined)
  if (target === undefined) throw new GatewayError(here.length === 0 ? 'MESSAGE_NOT_FOUND' : 'OWN_MESSAGE')
  if (nowMs - target.messageTimestampMs > AGE_MAX_MS) throw new GatewayError('MESSAGE_TOO_OLD')
  return target
}

/** Returns whether the network has the message. */
function isSent({ status }: MessageForActor): boolean {
  return !['queued', 'failed', 'canceled'].includes(status)
}
