/** The messages that a send names: the one that it quotes, or the one that it reacts to. */
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { SendsContext } from '../../operations/context.js'
import { reactionTarget } from './reaction-target.js'

/**
 * Returns the command with the network's ids of the messages that it names.
 * @throws GatewayError MESSAGE_NOT_FOUND for a reply to nothing
 */
export async function withMessageIds(context: SendsContext, command: SendCommand): Promise<SendCommand> {
  const { content, options } = command
  const { replyId, ...others } = options
  if (content.kind === 'reaction') {
    const [message] = await context.reader.messagesNamed(context.id, [content.id])
    // A reaction carries no quote.
    return { ...command, content: { ...content, id: message?.messageid ?? content.id }, options: others }
  }
  if (replyId === undefined) return command
  return { ...command, options: { ...others, replyId: (await quotedMessage(context, replyId)).messageid } }
}

/** @throws GatewayError MESSAGE_NOT_FOUND */
export async function quotedMessage({ id, reader }: SendsContext, replyId: string): Promise<MessageForActor> {
  const [message] = await reader.messagesNamed(id, [replyId])
  if (message === undefined)
    throw new GatewayError('MESSAGE_NOT_FOUND', {
      message: 'Message not found: replyid names no message of this instance.',
    })
  return message
}

/** @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD */
export async function reactedMessage(
  { id, reader }: SendsContext,
  messageId: string,
  chat: ChatAddress,
): Promise<MessageForActor> {
  return reactionTarget(await reader.messagesNamed(id, [messageId]), chat)
}
