import { addressOf } from '../../../schemas/jid.js'
import type { NoteContent } from '../../../schemas/message-note.js'
import { chatNames, type NamePerson, senderNames } from '../../../schemas/named-person.js'
import type { NewEvent } from './batch.js'
import type { Insertion } from './message-inserts.js'

/** Returns the event of a note that was inserted: it names the message that the note is about. A note is no message, so it has no `messages`. */
export function noteEvents(
  { instance, message, chatId, id, isNew, sameAs }: Insertion,
  named: NamePerson,
  traceparent?: string,
): NewEvent[] {
  if (!isNew || sameAs !== null) return []
  const { kind, target, reason, text } = message.content as NoteContent
  const { chat, fromMe, senderPn: pn, senderLid: lid, messageTimestampMs } = message
  const known = { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) }
  const event = {
    ...chatNames(named(chat)),
    ...senderNames(named({ ...addressOf(message.sender), ...known })),
    IsFromMe: fromMe,
    IsGroup: chat.group !== undefined,
    Timestamp: Math.floor(messageTimestampMs / 1000),
    MessageIDs: target === '' ? [] : [target],
    NoteID: message.messageid,
    Kind: kind,
    Reason: reason,
    ...(text === undefined ? {} : { Text: text }),
  }
  const body = JSON.stringify({ type: 'Note', state: 'Noted', status: message.status, ids: [id], event })
  return [{ instance, kind: 'messages_update', chatId, flags: null, body, traceparent }]
}
