/** The messages that a send names: the one that it quotes, or the one that it reacts to. */
import { GatewayError } from '../../../schemas/errors.js'
import { filesInContent } from '../../../schemas/files-in-content.js'
import { type ChatAddress, isSameChat, parseRecipient } from '../../../schemas/jid.js'
import type { SendCommand, SendOptions } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Connection } from '../../network/port/connection.js'
import type { SendsContext } from './context.js'
import { bareMessageId } from './send-content.js'

// Bound: 200, an id of a caller.

/** Ids of our records, which the network does not know. */
const RECORD_ID = /^r[0-9a-f]{7,20}$/

export const NOT_QUOTED = 'replyid: no stored message has this id, so the message is sent without the quotation'

/** Age from which the file of a message may be gone from the network's media host. */
const FILE_AGE_MAX_MS = 14 * 24 * 60 * 60 * 1000

export interface NamedCommand {
  readonly command: SendCommand
  readonly warnings: readonly string[]
}

/** Returns the command with the network's ids of the messages that it names. A reply to a message that is not stored quotes nothing. */
export async function withMessageIds(context: SendsContext, command: SendCommand): Promise<NamedCommand> {
  const { content, options } = command
  const { replyId, quotedText, ...others } = options
  if (content.kind === 'forward') {
    const [message] = await context.reader.messagesNamed(context.id, [content.id])
    if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  }
  if (content.kind === 'reaction') {
    const [message] = await context.reader.messagesNamed(context.id, [content.id])
    // A reaction carries no quote.
    const named = { ...content, id: message?.messageid ?? content.id }
    return { command: { ...command, content: named, options: others }, warnings: [] }
  }
  if (replyId === undefined) return { command, warnings: [] }
  const quoted = await quotedMessage(context, replyId)
  if (quoted === undefined && givenQuotation(options, parseRecipient(command.number)) !== undefined)
    return { command, warnings: [] }
  if (quoted === undefined) return { command: { ...command, options: others }, warnings: [NOT_QUOTED] }
  return { command: { ...command, options: { ...others, replyId: quoted.messageid } }, warnings: [] }
}

/**
 * Returns a message that is not stored as the caller knows it: of the other side, with that text. Undefined if its text, its id at the network or
 * its author is not known.
 */
export function givenQuotation({ replyId, quotedText }: SendOptions, chat: ChatAddress): MessageForActor | undefined {
  const sender = chat.pn ?? chat.lid
  if (replyId === undefined || quotedText === undefined || sender === undefined) return undefined
  const messageid = bareMessageId(replyId)
  if (RECORD_ID.test(messageid)) return undefined
  return {
    ...{ messageid, chat, sender, fromMe: false, isGroup: false, presentText: quotedText, proto: null, status: 'read' },
    ...{ messageTimestampMs: 0, position: 0, waitsSinceMs: 0, queuedRequest: null, requestHash: null, record: {} },
  }
}

/** Returns undefined for a message that is not stored, such as one that is older than the retention. */
export async function quotedMessage(
  { id, reader }: SendsContext,
  replyId: string,
): Promise<MessageForActor | undefined> {
  return (await reader.messagesNamed(id, [replyId]))[0]
}

/**
 * Returns the message to forward. The phone puts an old file on the media host again.
 * @throws GatewayError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, MEDIA_UNAVAILABLE
 */
export async function forwardedMessage(
  { id, reader }: SendsContext,
  connection: Connection,
  messageId: string,
): Promise<MessageForActor> {
  const target = (await reader.messagesNamed(id, [messageId])).find(({ status }) => status !== 'deleted')
  if (target === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  if (target.proto === null) throw new GatewayError('MESSAGE_NOT_SENT')
  const isOld = Date.now() - target.messageTimestampMs > FILE_AGE_MAX_MS
  const hasFile = target.record.type === 'media' && filesInContent(target.record.content).isOwn
  return isOld && hasFile ? { ...target, proto: (await connection.media.renew(target)).proto } : target
}

/** @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD */
export async function reactedMessage(
  { id, reader, timing }: SendsContext,
  messageId: string,
  chat: ChatAddress,
): Promise<MessageForActor> {
  const { reactsToOwn = false } = timing
  return reactionTarget(await reader.messagesNamed(id, [messageId]), chat, { reactsToOwn })
}

/** @throws GatewayError MESSAGE_NOT_FOUND */
export async function pollNamed({ id, reader }: Pick<SendsContext, 'id' | 'reader'>, messageId: string) {
  const target = (await reader.messagesNamed(id, [messageId])).find(({ status }) => status !== 'deleted')
  if (target === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  return target
}

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
