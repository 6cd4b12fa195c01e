/** Reactions, edits and deletions, as a phone makes them. */
import { proto } from '@whiskeysockets/baileys'
import type { AddressSpace } from '../network/model.js'
import type { Phone } from './phone.js'
import { keyOfTarget, type SecretOptions, sendSecret } from './secret-changes.js'

const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

/** Forms of an edit: encrypted under the secret of the message, plain, plain in a wrapper, or plain and encrypted one after the other. */
export type EditForm = 'secret' | 'plain' | 'wrapped' | 'both'

export type Change =
  /** An empty text takes the reaction back. */
  | { readonly kind: 'react'; readonly text: string }
  | {
      readonly kind: 'edit'
      readonly text: string
      readonly form?: EditForm | undefined
      /** Seconds since the edit was made; it leaves now. */
      readonly authoredAgoSeconds?: number | undefined
      readonly secret?: SecretOptions | undefined
    }
  | { readonly kind: 'delete' }
  /** 0 seconds unpin. */
  | { readonly kind: 'pin'; readonly seconds: number }

/** Sends a change to a message that this phone has sent or received; resolves with the id of the change. */
export async function sendChange(
  phone: Phone,
  id: string,
  change: Change,
  addressing: AddressSpace = phone.settings.addressing,
): Promise<string> {
  const options = { ...(change.kind === 'edit' ? change.secret : {}), addressing }
  const { chat, key } = keyOfTarget(phone, id, options)
  const message = createMessage(change, key)
  const form = change.kind === 'edit' ? (change.form ?? phone.settings.editForm) : 'plain'
  if (form === 'both') await phone.send(chat, message, { addressing })
  if (form === 'secret' || form === 'both')
    return sendSecret(phone, id, 'edit', proto.Message.encode(message as proto.Message).finish(), options)
  return phone.send(chat, form === 'wrapped' ? { editedMessage: { message } } : message, { addressing })
}

function createMessage(change: Change, key: proto.IMessageKey): proto.IMessage {
  switch (change.kind) {
    case 'react':
      return { reactionMessage: { key, text: change.text, senderTimestampMs: Date.now() } }
    case 'edit': {
      const editedMessage = { conversation: change.text }
      const timestampMs = Date.now() - (change.authoredAgoSeconds ?? 0) * 1_000
      return { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs } }
    }
    case 'pin': {
      const type = change.seconds > 0 ? PIN_FOR_ALL : UNPIN_FOR_ALL
      const messageContextInfo = { messageAddOnDurationInSecs: change.seconds }
      return { pinInChatMessage: { key, type, senderTimestampMs: Date.now() }, messageContextInfo }
    }
    case 'delete':
      return { protocolMessage: { key, type: REVOKE } }
  }
}
