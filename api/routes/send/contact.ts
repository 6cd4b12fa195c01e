import type { SendContactReply, SendContactRequest } from '../../../schemas/generated.js'
import { parseNumber } from '../../../schemas/jid.js'
import type { ContactCard, ContactContent, ContactsContent } from '../../../schemas/send-content.js'
import { instanceRoute } from '../../route.js'
import { askSend } from './ask.js'
import { sendErrors, sendReply } from './options.js'

// Bound: 5,000, a field of a request.

type Content = ContactContent | ContactsContent

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
    return sendReply(await askSend(call, makeContactContent(call.body), ports))
  },
})

/** Makes the content of one or several contact cards. @throws GatewayError INVALID_NUMBER */
export function makeContactContent({ others = [], ...first }: Omit<SendContactRequest, 'number'>): Content {
  const card = readCard(first, 'phoneNumber')
  if (others.length === 0) return { kind: 'contact', ...card }
  return { kind: 'contacts', cards: [card, ...others.map((one, at) => readCard(one, `others[${at}].phoneNumber`))] }
}

type Card = Pick<SendContactRequest, 'fullName' | 'phoneNumber' | 'organization' | 'email' | 'url'>

function readCard({ fullName, phoneNumber, organization, email, url }: Card, field: string): ContactCard {
  return {
    fullName,
    phoneNumbers: phoneNumber.split(',').map((number) => parseNumber(number, field)),
    ...(organization ? { organization } : {}),
    ...(email ? { email } : {}),
    ...(url ? { url } : {}),
  }
}
