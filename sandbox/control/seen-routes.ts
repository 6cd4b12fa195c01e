/** `/phones/:number/…`: the messages, receipts and presences that a phone has seen. */
import type { Phone } from '../phones/phone.js'
import type { Roster } from '../phones/roster.js'
import { createOnPhone } from './on-phone.js'
import type { ControlRequest, Route } from './server.js'

export function seenRoutes(phones: Roster): Route[] {
  const onPhone = createOnPhone(phones)
  return [
    { method: 'GET', path: '/phones/:number/messages', handle: onPhone(listMessages) },
    {
      method: 'DELETE',
      path: '/phones/:number/messages',
      handle: onPhone((phone) => {
        phone.inbox.clear()
        phone.sent.clear()
      }),
    },
    { method: 'GET', path: '/phones/:number/failures', handle: onPhone((phone) => phone.inbox.failures) },
    { method: 'GET', path: '/phones/:number/receipts', handle: onPhone(listReceipts) },
    { method: 'GET', path: '/phones/:number/presences', handle: onPhone((phone) => phone.inbox.presences) },
    {
      method: 'GET',
      path: '/phones/:number/sent',
      handle: onPhone((phone) => [...phone.sent.values()].filter(({ peer }) => !peer)),
    },
  ]
}

function listMessages(phone: Phone, { query }: ControlRequest) {
  const chat = query.get('chat')
  const id = query.get('id')
  const text = query.get('text')
  const own = query.get('own')
  return [...phone.inbox.messages.values()].filter(
    (message) =>
      (chat === null || message.chat === chat) &&
      (id === null || message.id === id) &&
      (text === null || message.text === text) &&
      (own === null || String(message.own) === own),
  )
}

function listReceipts(phone: Phone, { query }: ControlRequest) {
  const id = query.get('id')
  return phone.inbox.receipts.filter((receipt) => id === null || receipt.id === id)
}
