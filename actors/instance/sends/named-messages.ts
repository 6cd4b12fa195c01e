/** The messages that a send names: the one that it quotes, or the one that it reacts to. */
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { SendsContext } from '../../operations/context.js'
import { reactionTarget } from './reaction-target.js'

export const NOT_QUOTED = 'replyid: no stored message has this id, so the message is sent without the quotation'

export interface NamedCommand {
  readonly command: SendCommand
  readonly warnings: readonly string[]
}

/** Returns the command with the network's ids of the messages that it names. A reply to a message that is not stored quotes nothing. */
export async function withMessageIds(context: SendsContext, command: SendCommand): Promise<NamedCommand> {
  const { content, options } = command
  const { replyId, ...others } = options
  if (content.kind === 'reaction') {
    const [message] = await context.reader.messagesNamed(context.id, [content.id])
    // A reaction carries no quote.
    const named = { ...content, id: message?.messageid ?? content.id }
    return { command: { ...command, content: named, options: others }, warnings: [] }
  }
  if (replyId === undefined) return { command, warnings: [] }
  const quoted = await quotedMessage(context, replyId)
  if (quoted === undefined) return { command: { ...command, options: others }, warnings: [NOT_QUOTED] }
  return { command: { ...command, options: { ...others, replyId: quoted.messageid } }, warnings: [] }
}

/** Returns undefined for a message that is not stored, such as one that is older than the retention. */
export async function quotedMessage(
  { id, reader }: SendsContext,
  replyId: string,
): Promise<MessageForActor | undefined> {
  return (await reader.messagesNamed(id, [replyId]))[0]
}

/** @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD */
export async function reactedMessage(
  { id, reader }: SendsContext,
  messageId: string,
  chat: ChatAddress,
): Promise<MessageForActor> {
  return reactionTarget(await reader.messagesNamed(id, [messageId]), chat)
}
