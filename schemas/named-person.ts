/** How events name people: with the number, the LID and the username, as far as they are known. */
import { type ChatAddress, chatIdOf } from './jid.js'

export interface NamedPerson extends ChatAddress {
  /** Without `@`; '' when none is known. Absent for people who were not looked up. */
  readonly username?: string
}

/** Returns the person with all names that the store knows. */
export type NamePerson = (person: ChatAddress) => NamedPerson

/** The chat in the fields of an event. */
export function chatNames(chat: ChatAddress): { readonly Chat: string; readonly chat_lid: string } {
  return { Chat: chatIdOf(chat), chat_lid: chat.lid ?? '' }
}

/** The person who caused something, in the fields of an event. */
export function senderNames(sender: NamedPerson) {
  const { pn = '', lid = '', username = '' } = sender
  return { Sender: chatIdOf(sender), sender_pn: pn, sender_lid: lid, sender_username: username }
}
