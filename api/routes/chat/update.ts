import type { RequestedLabels } from '../../../actors/operations/chats/label.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  ArchiveChatReply,
  ArchiveChatRequest,
  BlockReply,
  BlockRequest,
  LabelChatReply,
  LabelChatRequest,
  ReadChatReply,
  ReadChatRequest,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'

export const archiveChat = instanceRoute<ArchiveChatRequest>({
  method: 'POST',
  path: '/chat/archive',
  name: 'archiveChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Archive a chat, or bring it back',
  schema: 'chat/archive.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, archive } }, { ports }): Promise<ArchiveChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'archive', isSet: archive } })
      .catch(asInvalidFormat)
      .catch(withText('Error archiving chat'))
    return { response: archive ? 'Chat archived successfully' : 'Chat unarchived successfully' }
  },
})

/** Replaces the text of the error by that of the interface. */
function asInvalidFormat(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'INVALID_NUMBER') throw error
  throw new GatewayError('INVALID_NUMBER', {
    message: 'Invalid phone number format',
    details: error.details ?? [{ field: 'number', why: error.message }],
    cause: error,
  })
}

export const blockPerson = instanceRoute<BlockRequest>({
  method: 'POST',
  path: '/chat/block',
  name: 'blockPerson',
  area: 'Chat',
  scope: 'token',
  summary: 'Block a person, or unblock them',
  schema: 'chat/block.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_ON_NETWORK',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'CHANGE_FAILED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body: { number, block } }, { ports }): Promise<BlockReply> {
    const blocked = await ports.router.ask(instance.id, { type: 'block', number, isBlocked: block })
    return { response: block ? 'Contact blocked' : 'Contact unblocked', blockList: [...blocked] }
  },
})

export const readChat = instanceRoute<ReadChatRequest>({
  method: 'POST',
  path: '/chat/read',
  name: 'readChat',
  area: 'Chat',
  scope: 'send',
  keyChat: { chat: 'number' },
  summary: 'Mark a chat as read, or as unread',
  schema: 'chat/read.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<ReadChatReply> {
    await ports.router.ask(instance.id, { type: 'readChat', number: body.number, read: body.read })
    return { response: body.read ? 'Chat marked as read' : 'Chat marked as unread' }
  },
})

export const labelChat = instanceRoute<LabelChatRequest>({
  method: 'POST',
  path: '/chat/labels',
  name: 'labelChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Set, add or remove labels of a chat',
  schema: 'chat/labels.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'LABEL_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<LabelChatReply> {
    const { editions } = await ports.router
      .ask(instance.id, { type: 'labelChat', number: body.number, edit: readEdit(body) })
      .catch(withText('Error editing labels'))
    return { response: editions.length === 0 ? 'Nothing to change' : 'Labels updated', editions: [...editions] }
  },
})

function readEdit({ labelids, add_labelid, remove_labelid }: LabelChatRequest): RequestedLabels {
  const asked: RequestedLabels[] = [
    ...(labelids === undefined ? [] : [{ kind: 'replace' as const, labelids }]),
    ...(add_labelid === undefined ? [] : [{ kind: 'add' as const, labelid: add_labelid }]),
    ...(remove_labelid === undefined ? [] : [{ kind: 'remove' as const, labelid: remove_labelid }]),
  ]
  const [edit] = asked
  if (edit !== undefined && asked.length === 1) return edit
  const message = 'Use only one operation: labelids, add_labelid, or remove_labelid'
  throw new GatewayError('INVALID_REQUEST', { message, details: [{ field: 'labelids', why: message }] })
}
