import { GatewayError } from '../../../schemas/errors.js'
import type { PinMessageReply, PinMessageRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { accountOf } from '../own-account.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'

const DAY_SECONDS = 86_400

export const pinMessage = instanceRoute<PinMessageRequest>({
  method: 'POST',
  path: '/message/pin',
  name: 'pinMessage',
  area: 'Message',
  scope: 'send',
  keyChat: { messages: ['id'] },
  summary: 'Pin a message in its chat for all members, or unpin it',
  schema: 'message/pin.json',
  errors: [
    'MISSING_ID',
    'MESSAGE_NOT_FOUND',
    'MESSAGE_NOT_SENT',
    'NOT_SUPPORTED',
    'GROUP_NOT_FOUND',
    'NOT_GROUP_ADMIN',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'NETWORK_REFUSED',
    'SEND_REFUSED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body, warnings }, { ports }): Promise<PinMessageReply> {
    const { id, pin = true, duration = 7 } = body
    if (!id) throw new GatewayError('MISSING_ID')
    if (!pin && body.duration !== undefined) warnings.push('duration: an unpinned message has none, ignored')
    const messageid = newMessageId()
    const seconds = pin ? duration * DAY_SECONDS : 0
    const pinned = await ports.router
      .ask(instance.id, { type: 'pinMessage', messageid, id, seconds })
      .catch(withSendErrorMessage('Error sending message'))
    const owner = await accountOf(instance, ports.router)
    const { content, timestampMs: messageTimestamp } = pinned
    return {
      ...reducedRecord({ messageid, content, messageTimestamp, messageType: 'pin', owner }),
      targetMessageID: pinned.messageid,
      pinned: pin,
      pinnedUntil: pin ? messageTimestamp + seconds * 1000 : 0,
    }
  },
})
