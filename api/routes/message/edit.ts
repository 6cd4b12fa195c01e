import { GatewayError } from '../../../schemas/errors.js'
import type { EditMessageReply, EditMessageRequest } from '../../../schemas/generated.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { accountOf } from '../own-account.js'
import { reducedRecord, withSendErrorMessage } from './reduced-record.js'
import { revisionErrors } from './revision-errors.js'

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
    const owner = await accountOf(instance, ports.router)
    const { content, timestampMs: messageTimestamp } = edit
    return {
      ...reducedRecord({ messageid, content, messageTimestamp, messageType: 'text', owner }),
      edited: edit.messageid,
    }
  },
})
