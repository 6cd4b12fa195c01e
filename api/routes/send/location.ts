import type { SendLocationReply, SendLocationRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendLocation = instanceRoute<SendLocationRequest>({
  method: 'POST',
  path: '/send/location',
  name: 'sendLocation',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a location',
  schema: 'send/location.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendLocationReply> {
    const { latitude, longitude, name, address } = call.body
    const content = {
      kind: 'location',
      latitude,
      longitude,
      ...(name ? { name } : {}),
      ...(address ? { address } : {}),
    } as const
    return sendReply(await askSend(call, content, ports.router))
  },
})
