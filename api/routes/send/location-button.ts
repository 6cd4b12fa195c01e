import type { SendLocationButtonReply, SendLocationButtonRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendLocationButton = instanceRoute<SendLocationButtonRequest>({
  method: 'POST',
  path: '/send/location-button',
  name: 'sendLocationButton',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a button that asks for the location',
  schema: 'send/location-button.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendLocationButtonReply> {
    return sendReply(await askSend(call, { kind: 'locationRequest', text: call.body.text }, ports))
  },
})
