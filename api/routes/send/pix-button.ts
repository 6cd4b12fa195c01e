import type { SendPixButtonReply, SendPixButtonRequest } from '../../../schemas/generated.js'
import { parsePixKey } from '../../../schemas/pix-key.js'
import { instanceRoute } from '../../route.js'
import { withSendErrorMessage } from '../message/reduced-record.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendPixButton = instanceRoute<SendPixButtonRequest>({
  method: 'POST',
  path: '/send/pix-button',
  name: 'sendPixButton',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a button that shows a payment key',
  schema: 'send/pix-button.json',
  idempotent: true,
  errors: [...sendErrors],
  async handle(call, { ports }): Promise<SendPixButtonReply> {
    const content = { kind: 'pix', key: parsePixKey(call.body) } as const
    const record = await askSend(call, content, ports).catch(withSendErrorMessage('Failed to send PIX button'))
    return sendReply(record)
  },
})
