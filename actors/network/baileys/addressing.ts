import { type BinaryNode, isPnUser } from '@whiskeysockets/baileys'
import { bareJid, isLidJid } from '../../../schemas/jid.js'
import { isOfAccount, type OwnAddresses } from './own-devices.js'

/** The other addresses that a stanza of the server tells: of who sent it, and of whose chat it belongs to when that is another. */
export interface OtherAddresses {
  readonly sender: readonly (string | undefined)[]
  readonly recipient: readonly (string | undefined)[]
}

/**
 * Each attribute says something of one side: `participant_*` of who wrote in a group or a broadcast, `sender_*` of who wrote in a chat of
 * two, `peer_recipient_*` and `recipient_*` of whom a device of this account wrote to (whatsmeow `message.go`, `parseMessageSource`). Those
 * that do not belong to a stanza of its kind are nobody's: what the server does not set there, a sender's client may have set.
 */
export function otherAddresses(attrs: BinaryNode['attrs'], own: OwnAddresses): OtherAddresses {
  const names = namesOf(attrs, own)
  return { sender: names.sender.map((name) => attrs[name]), recipient: names.recipient.map((name) => attrs[name]) }
}

/** Takes away what belongs to a stanza of another kind: the library takes the first that it finds (`extractAddressingContext`). */
export function dropStrangeAddresses(attrs: BinaryNode['attrs'], own: OwnAddresses): void {
  const { sender, recipient } = namesOf(attrs, own)
  for (const name of [...IN_GROUP, ...IN_CHAT, ...OF_OWN])
    if (!sender.includes(name) && !recipient.includes(name)) delete attrs[name]
}

export function isPerson(jid: string): boolean {
  const one = bareJid(jid)
  return isLidJid(one) || isPnUser(one) === true
}

const IN_GROUP = ['participant_pn', 'participant_lid']
const IN_CHAT = ['sender_pn', 'sender_lid']
const OF_OWN = ['peer_recipient_pn', 'recipient_pn', 'peer_recipient_lid', 'recipient_lid']

function namesOf({ from = '' }: BinaryNode['attrs'], own: OwnAddresses) {
  if (!isPerson(from)) return { sender: IN_GROUP, recipient: [] }
  return { sender: IN_CHAT, recipient: isOfAccount(from, own) ? OF_OWN : [] }
}
