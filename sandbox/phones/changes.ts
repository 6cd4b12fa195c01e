/** Reactions, edits and deletions, as a phone makes them. */
import { proto } from '@whiskeysockets/baileys'
import type { AddressSpace } from '../network/model.js'
import { findRecipient } from './outbox.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { findTarget } from './shown.js'

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

export type Change =
  /** An empty text takes the reaction back. */
  | { readonly kind: 'react'; readonly text: string }
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'delete' }

/** Sends a change to a message that this phone has sent or received; resolves with the id of the change. */
export async function sendChange(
  phone: Phone,
  id: string,
  change: Change,
  addressing: AddressSpace = phone.settings.addressing,
): Promise<string> {
  const target = findTarget(phone, id)
  if (!target) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  const group = phone.network.groups.get(target.chat)
  const fromMe = target.author === phone.account
  const key: proto.IMessageKey = {
    id,
    fromMe,
    remoteJid: group?.jid ?? findRecipient(phone, target.chat).jid(addressing),
    ...(group && !fromMe && { participant: target.author.jid(group.addressing) }),
  }
  return phone.send(target.chat, messageOf(change, key), { addressing })
}

function messageOf(change: Change, key: proto.IMessageKey): proto.IMessage {
  switch (change.kind) {
    case 'react':
      return { reactionMessage: { key, text: change.text, senderTimestampMs: Date.now() } }
    case 'edit': {
      const editedMessage = { conversation: change.text }
      return { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() } }
    }
    case 'delete':
      return { protocolMessage: { key, type: REVOKE } }
  }
}
