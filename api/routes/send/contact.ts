import type { SendContactReply, SendContactRequest } from '../../../schemas/generated.js'
import { parseNumber } from '../../../schemas/jid.js'
import type { ContactContent } from '../../../schemas/send-content.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

// Bound: 5,000, a field of a request.

export const sendContact = instanceRoute<SendContactRequest>({
  method: 'POST',
  path: '/send/contact',
  name: 'sendContact',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a contact card',
  schema: 'send/contact.json',
  idempotent: true,
  errors: sendErrors,
  async handle(call, { ports }): Promise<SendContactReply> {
    return sendReply(await askSend(call, contactContentOf(call.body), ports))
  },
})

/** Makes the content of a contact card. @throws GatewayError INVALID_NUMBER */
export function contactContentOf({
  fullName,
  phoneNumber,
  organization,
  email,
  url,
}: Omit<SendContactRequest, 'number'>): ContactContent {
  return {
    kind: 'contact',
    fullName,
    phoneNumbers: phoneNumber.split(',').map((number) => parseNumber(number, 'phoneNumber')),
    ...(organization ? { organization } : {}),
    ...(email ? { email } : {}),
    ...(url ? { url } : {}),
  }
}
