import { GatewayError } from '../../../schemas/errors.js'
import type { DeleteMessageReply, DeleteMessageRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { withSendErrorMessage } from './reduced-record.js'
import { revisionErrors } from './revision-errors.js'

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
