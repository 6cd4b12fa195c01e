import type { Chat, Message } from '../../../../schemas/generated.js'
import { visible } from '../../format/visible.js'

/** Names of strangers are drawn up to this length. */
const NAME_MAX = 120

export function chatName({
  name,
  phone,
  wa_username: username,
  wa_chatid,
}: Pick<Chat, 'name' | 'phone' | 'wa_username' | 'wa_chatid'>): string {
  return short(name || phone || (username ? `@${username}` : numberOf(wa_chatid)))
}

export function senderName({ senderName: name, sender = '', sender_pn: number }: Message): string {
  return short(name || numberOf(number || sender))
}

export function numberOf(jid: string): string {
  const user = jid.split('@', 1)[0] ?? ''
  return jid.endsWith('@s.whatsapp.net') ? `+${user}` : user
}

function short(text: string): string {
  return visible(text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text)
}
