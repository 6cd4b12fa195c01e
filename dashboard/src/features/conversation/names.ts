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

export function senderName({
  senderName: name,
  sender = '',
  sender_pn: number,
  sender_username: username,
}: Pick<Message, 'senderName' | 'sender' | 'sender_pn' | 'sender_username'>): string {
  return short(name || (number ? numberOf(number) : username ? `@${username}` : numberOf(sender)))
}

/** Returns how people know an id of the network: a number with `+`; of one that hides it, the last digits of the id. */
export function numberOf(jid: string): string {
  const user = jid.split(/[@:]/, 1)[0] ?? ''
  if (jid.endsWith('@lid')) return `~${user.slice(-6)}`
  if (jid.endsWith('@g.us')) return `#${user.slice(-6)}`
  return jid.endsWith('@s.whatsapp.net') ? `+${user}` : user
}

function short(text: string): string {
  return visible(text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text)
}
