import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import type { MessageStatus } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

/** Time in which the network's clients take an edit (`EditWindow` in whatsmeow, `send.go`). They drop a later one in silence. */
const EDIT_AGE_MAX_MS = 20 * 60 * 1000

const UNSENT: ReadonlySet<MessageStatus> = new Set(['queued', 'failed', 'canceled'])

/** Kinds with a text of their own, or with a caption. */
const EDITABLE: ReadonlySet<string> = new Set(['text', 'image', 'video', 'document'])

/** Kinds that stand in no chat by themselves. */
const NOT_PINNED: ReadonlySet<string> = new Set(['reaction', 'pin', 'note', 'call'])

/**
 * Returns the message to edit or delete, among those with its id. A deletion also finds one that is deleted already.
 * @throws GatewayError MESSAGE_NOT_FOUND, NOT_OWN_MESSAGE, MESSAGE_NOT_SENT, NOT_EDITABLE, MESSAGE_TOO_OLD
 */
export function revisionTarget(
  messages: readonly MessageForActor[],
  kind: 'edit' | 'delete',
  nowMs: number = Date.now(),
): MessageForActor {
  const target = messages.find(({ fromMe }) => fromMe)
  if (target === undefined) throw new GatewayError(messages.length === 0 ? 'MESSAGE_NOT_FOUND' : 'NOT_OWN_MESSAGE')
  const { status, record, messageTimestampMs } = target
  if (UNSENT.has(status)) throw new GatewayError('MESSAGE_NOT_SENT')
  if (record.messageType === 'reaction')
    throw new GatewayError('NOT_EDITABLE', { message: 'A reaction is taken back by a reaction with an empty text.' })
  if (kind === 'delete') return target
  if (status === 'deleted')
    throw new GatewayError('MESSAGE_NOT_FOUND', { message: 'Message not found: it was deleted.' })
  if (isStatusChat(target.chat))
    throw new GatewayError('NOT_EDITABLE', { message: 'WhatsApp takes no edits of status posts. Delete the post.' })
  if (!EDITABLE.has(String(record.messageType))) throw new GatewayError('NOT_EDITABLE')
  // How long posts of channels can be edited is the network's matter.
  const isPost = target.chat.group !== undefined && isChannelJid(target.chat.group)
  if (!isPost && nowMs - messageTimestampMs > EDIT_AGE_MAX_MS) throw new GatewayError('MESSAGE_TOO_OLD')
  return target
}

/**
 * Returns the message to pin or unpin, of whoever, among those with its id.
 * @throws GatewayError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, NOT_SUPPORTED
 */
export function pinTarget(messages: readonly MessageForActor[]): MessageForActor {
  const target = messages.find(({ status }) => status !== 'deleted')
  if (target === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  if (UNSENT.has(target.status)) throw new GatewayError('MESSAGE_NOT_SENT')
  const { messageType } = target.record
  if (isStatusChat(target.chat))
    throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: a status post cannot be pinned.' })
  if (NOT_PINNED.has(String(messageType)))
    throw new GatewayError('NOT_SUPPORTED', {
      message: `Not supported: a message of type ${String(messageType)} cannot be pinned.`,
    })
  return target
}
