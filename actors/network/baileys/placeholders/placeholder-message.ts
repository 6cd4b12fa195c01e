import type { NewMessage } from '../../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import { frameMessage, type MessageEnvelope } from '../incoming.js'
import type { OwnAddresses } from '../own-devices.js'
import type { Absence } from './absence.js'

const TEXTS: Readonly<Record<Absence, string>> = {
  phone_only: 'Waiting for this message. It may take a while until the phone sends it.',
  undecryptable: 'Waiting for this message. It could not be decrypted yet.',
  unmarked: 'Waiting for this message. It came without content.',
  view_once: 'View-once message. It can only be opened on the phone.',
  hosted: 'Message of a hosted business. It can only be read on the phone.',
  bot: 'Message of an AI. It can only be read on the phone.',
}

const LOST_TEXT = 'The content of this message did not arrive. Open it on the phone.'

/** Returns whether the account's phone may have the content. */
export function isOfPhone(absence: Absence): boolean {
  return absence === 'phone_only' || absence === 'undecryptable' || absence === 'unmarked'
}

/** Makes the record of a message whose content has not come. `waits`: it may come. */
export function placeholderMessage(
  envelope: MessageEnvelope,
  own: OwnAddresses,
  absence: Absence,
  waits: boolean,
): NewMessage {
  const isLost = !waits && isOfPhone(absence)
  return {
    ...frameMessage(envelope, own),
    messageType: 'unreadable',
    type: 'unreadable',
    text: isLost ? LOST_TEXT : TEXTS[absence],
    content: { reason: absence, state: waits ? 'waiting' : 'unavailable' },
  }
}

/** Returns whether a stored message has no content yet. One that the database refused is unreadable too, but has its bytes. */
export function isPlaceholder({ record, proto }: Pick<MessageForActor, 'record' | 'proto'>): boolean {
  return record.messageType === 'unreadable' && proto === null
}
