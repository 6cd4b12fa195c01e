import { GatewayError } from '../../../schemas/errors.js'
import type { KeepMessageReply, KeepMessageRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { withSendErrorMessage } from './reduced-record.js'

export const keepMessage = instanceRoute<KeepMessageRequest>({
  method: 'POST',
  path: '/message/keep',
  name: 'keepMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Keep a message in a chat whose messages disappear, or let it disappear',
  schema: 'message/keep.json',
  errors: [
    'MISSING_ID',
    'MESSAGE_NOT_FOUND',
    'MESSAGE_NOT_SENT',
    'NOT_SUPPORTED',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'SEND_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body: { id, keep: isKept = true } }, { ports }): Promise<KeepMessageReply> {
    if (!id) throw new GatewayError('MISSING_ID')
    const kept = await ports.router
      .ask(instance.id, { type: 'keepMessage', messageid: newMessageId(), id, isKept })
      .catch(withSendErrorMessage('Error sending message'))
    return { response: isKept ? 'Message kept' : 'Message no longer kept', id: kept.messageid, kept: isKept }
  },
})
