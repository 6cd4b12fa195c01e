/** The people whom a message names, as far as a phone knows them: members of a group by the address that the group uses, and no other. */
import type { proto } from '@whiskeysockets/baileys'
import type { Account } from '../network/model.js'
import type { Phone } from './phone.js'

/** Somebody who is mentioned; drawn where the text has the same digits behind an `@`. */
export interface Mentioned {
  number: string
  drawn: boolean
}

/** Whether `jid` names that person, or anybody when none is given, in a chat: a number, or the JID of a group. */
export function isNamed(phone: Phone, chat: string, jid: string | null | undefined, person?: Account): boolean {
  const found = phone.network.directory.resolve(jid ?? undefined)
  if (!found || (person && found.account !== person)) return false
  const group = phone.network.groups.get(chat)
  return !group || found.space === group.addressing
}

export function mentionsIn(phone: Phone, chat: string, message: proto.IMessage, text: string | null): Mentioned[] {
  return (findContext(message)?.mentionedJid ?? []).flatMap((jid) => {
    const account = phone.network.directory.resolve(jid)?.account
    if (!account || !isNamed(phone, chat, jid)) return []
    const [user] = jid.split('@')
    return [{ number: account.phoneNumber, drawn: new RegExp(`@${user}(?!\\d)`).test(text ?? '') }]
  })
}

/** The id of the message that this one quotes, when the phone draws the quote. */
export function quotedIn(phone: Phone, chat: string, message: proto.IMessage, author?: Account): string | null {
  const context = findContext(message)
  if (!context?.stanzaId) return null
  return !phone.network.groups.has(chat) || isNamed(phone, chat, context.participant, author) ? context.stanzaId : null
}

export function findContext(message: proto.IMessage): proto.IContextInfo | undefined {
  for (const value of Object.values(message)) {
    const context = (value as { contextInfo?: proto.IContextInfo } | null)?.contextInfo
    if (context) return context
  }
  return undefined
}
