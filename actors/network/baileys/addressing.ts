import { type BinaryNode, isPnUser } from '@whiskeysockets/baileys'
import { bareJid, isLidJid } from '../../../schemas/jid.js'
import { isOfAccount, type OwnAddresses } from './own-devices.js'

/** Other addresses in a stanza of the server: of the sender, and of the chat's person when that is somebody else. */
export interface OtherAddresses {
  readonly sender: readonly (string | undefined)[]
  readonly recipient: readonly (string | undefined)[]
}

/**
 * Reads the other addresses of a stanza. Each attribute belongs to one side: `participant_*` to the author in a group or a broadcast,
 * `sender_*` to the author in a direct chat, `peer_recipient_*` and `recipient_*` to the receiver of a message from a device of this account
 * (whatsmeow `message.go`, `parseMessageSource`). Ignores attributes of other kinds of stanzas: the server does not set them, so a sender's
 * client may have.
 */
export function otherAddresses(attrs: BinaryNode['attrs'], own: OwnAddresses): OtherAddresses {
  const names = chooseNames(attrs, own)
  return { sender: names.sender.map((name) => attrs[name]), recipient: names.recipient.map((name) => attrs[name]) }
}

/** Deletes attributes that belong to stanzas of other kinds, because the library uses the first one that it finds (`extractAddressingContext`). */
export function dropStrangeAddresses(attrs: BinaryNode['attrs'], own: OwnAddresses): void {
  const { sender, recipient } = chooseNames(attrs, own)
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

function chooseNames({ from = '' }: BinaryNode['attrs'], own: OwnAddresses) {
  if (!isPerson(from)) return { sender: IN_GROUP, recipient: [] }
  return { sender: IN_CHAT, recipient: isOfAccount(from, own) ? OF_OWN : [] }
}
