import type { Chat, Message } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'

/** Names of strangers are drawn up to this length. */
const NAME_MAX = 120

export function describeChat({
  name,
  phone,
  wa_username: username,
  wa_chatid,
}: Pick<Chat, 'name' | 'phone' | 'wa_username' | 'wa_chatid'>): string {
  return shorten(name || phone || (username ? `@${username}` : formatJid(wa_chatid)))
}

export function describeSender({
  senderName: name,
  sender = '',
  sender_pn: number,
  sender_username: username,
}: Pick<Message, 'senderName' | 'sender' | 'sender_pn' | 'sender_username'>): string {
  return shorten(name || (number ? formatJid(number) : username ? `@${username}` : formatJid(sender)))
}

/** Returns how people know an id of the network: a number with `+`; of one that hides it, the last digits of the id. */
export function formatJid(jid: string): string {
  const user = jid.split(/[@:]/, 1)[0] ?? ''
  if (jid.endsWith('@lid')) return `~${user.slice(-6)}`
  if (jid.endsWith('@g.us')) return `#${user.slice(-6)}`
  return jid.endsWith('@s.whatsapp.net') ? `+${user}` : user
}

function shorten(text: string): string {
  return showUnseen(text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text)
}
