import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type {
  DeleteMessageReply,
  DeleteMessageRequest,
  EditMessageReply,
  EditMessageRequest,
} from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { findAccount } from '../own-account.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'

/** Error codes of edits and deletions. */
const revisionErrors: readonly ErrorCode[] = [
  'MISSING_ID',
  'MESSAGE_NOT_FOUND',
  'NOT_OWN_MESSAGE',
  'NOT_EDITABLE',
  'MESSAGE_NOT_SENT',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'SEND_REFUSED',
  'OUTCOME_UNKNOWN',
]

export const editMessage = instanceRoute<EditMessageRequest>({
  method: 'POST',
  path: '/message/edit',
  name: 'editMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Change a text or a caption that was sent',
  schema: 'message/edit.json',
  errors: [...revisionErrors, 'MESSAGE_TOO_OLD'],
  async handle({ instance, body: { id, text, placeholders } }, { ports }): Promise<EditMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const messageid = newMessageId()
    const revision = { kind: 'edit', text, ...(placeholders === false ? { isLiteral: true } : {}) } as const
    const edit = await ports.router
      .ask(instance.id, { type: 'revise', messageid, id, revision })
      .catch(withSendErrorMessage('Error sending message'))
    const owner = await findAccount(instance, ports.router)
    const { content, timestampMs: messageTimestamp } = edit
    return {
      ...reducedRecord({ messageid, content, messageTimestamp, messageType: 'text', owner }),
      edited: edit.messageid,
    }
  },
})

export const deleteMessage = instanceRoute<DeleteMessageRequest>({
  method: 'POST',
  path: '/message/delete',
  name: 'deleteMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Delete a message that was sent, for everyone; cancel one that is scheduled, queued or delayed',
  schema: 'message/delete.json',
  errors: [...revisionErrors, 'QUEUE_BUSY'],
  async handle({ instance, body: { id } }, { ports }): Promise<DeleteMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const revision = { kind: 'delete' } as const
    const { messageid, timestampMs } = await ports.router
      .ask(instance.id, { type: 'revise', messageid: newMessageId(), id, revision })
      .catch(withSendErrorMessage('Error sending message'))
    return { timestamp: timestampMs, id: messageid }
  },
})
