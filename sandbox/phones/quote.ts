import type { proto } from '@whiskeysockets/baileys'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'

/** Describes the quoted message in an answer. */
export function createQuote(phone: Phone, id: string): proto.IContextInfo {
  const received = phone.inbox.messages.get(id)
  const quoted = received ?? phone.sent.get(id)
  if (!quoted) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  const author = received ? phone.network.directory.accounts.get(received.from) : phone.account
  const space = phone.network.groups.get(quoted.chat)?.addressing ?? 'pn'
  const participant = author?.jid(space) ?? null
  return { stanzaId: id, participant, quotedMessage: quoted.message as proto.IMessage }
}
