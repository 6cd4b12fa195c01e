import type { proto } from '@whiskeysockets/baileys'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'

/** What an answer to a message says of it. */
export function quoteOf(phone: Phone, id: string): proto.IContextInfo {
  const received = phone.inbox.messages.get(id)
  if (received) {
    const participant = `${received.from}@s.whatsapp.net`
    return { stanzaId: id, participant, quotedMessage: received.message as proto.IMessage }
  }
  const sent = phone.sent.get(id)
  if (!sent) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  return { stanzaId: id, participant: phone.account.jid('pn'), quotedMessage: sent.message }
}
