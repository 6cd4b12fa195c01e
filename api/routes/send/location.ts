import type { SendLocationReply, SendLocationRequest } from '../../../schemas/generated.js'
import type { LocationContent } from '../../../schemas/send-content.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors, sendReply } from './options.js'

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
    return sendReply(await askSend(call, makeLocationContent(call.body), ports))
  },
})

/** Makes the content of a location. */
export function makeLocationContent({
  latitude,
  longitude,
  name,
  address,
}: Omit<SendLocationRequest, 'number'>): LocationContent {
  return { kind: 'location', latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
}
