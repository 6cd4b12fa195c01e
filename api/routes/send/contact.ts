import type { SendContactReply, SendContactRequest } from '../../../schemas/generated.js'
import { parseNumber } from '../../../schemas/jid.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors } from './options.js'
import { sendReply } from './reply.js'

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
    const { fullName, phoneNumber, organization, email, url } = call.body
    const content = {
      kind: 'contact',
      fullName,
      phoneNumbers: phoneNumber.split(',').map((number) => parseNumber(number, 'phoneNumber')),
      ...(organization ? { organization } : {}),
      ...(email ? { email } : {}),
      ...(url ? { url } : {}),
    } as const
    return sendReply(await askSend(call, content, ports.router))
  },
})
