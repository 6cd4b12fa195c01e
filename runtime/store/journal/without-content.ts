import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { JournalChange } from './batch.js'

type MessageUpdate = Extract<JournalChange, { type: 'message.update' }>

/**
 * A write of which the database refuses the values, reduced to what it must take: keys, credentials, and that there was a message.
 * The row keeps the message's place and its encoded bytes. Null when there is nothing to leave out, or when it is a send of ours:
 * its caller must hear of it.
 */
export function withoutContent(changes: readonly JournalChange[]): readonly JournalChange[] | null {
  if (changes.some((change) => change.type === 'message' && change.message.wasSentByApi === true)) return null
  const reduced = changes.flatMap((change): JournalChange[] => {
    switch (change.type) {
      case 'message':
        return change.message.messageType === UNREADABLE
          ? [change]
          : [{ ...change, message: unreadable(change.message) }]
      case 'contact':
      case 'chat':
      case 'mapping':
      case 'event':
        return []
      case 'message.update':
        return change.announce === undefined ? [change] : [statusOnly(change)]
      default:
        return [change]
    }
  })
  const isSame = reduced.length === changes.length && reduced.every((change, index) => change === changes[index])
  return isSame ? null : reduced
}

function statusOnly({ announce: _, set, ...change }: MessageUpdate): MessageUpdate {
  return { ...change, set: set.status === undefined ? {} : { status: set.status } }
}

const UNREADABLE = 'unreadable'

function unreadable(message: NewMessage): NewMessage {
  const { messageid, chat, fromMe, isGroup, sender, senderPn, senderLid, status, source, proto } = message
  const isTime = message.messageTimestampMs > 0 && message.messageTimestampMs < 253_402_300_800_000
  return {
    messageid,
    chat,
    fromMe,
    isGroup,
    sender,
    ...(senderPn === undefined ? {} : { senderPn }),
    ...(senderLid === undefined ? {} : { senderLid }),
    status,
    ...(source === undefined ? {} : { source }),
    ...(message.isQuiet ? { isQuiet: true } : {}),
    ...(proto === undefined ? {} : { proto }),
    messageTimestampMs: isTime ? message.messageTimestampMs : Date.now(),
    messageType: UNREADABLE,
    type: UNREADABLE,
    text: '',
    content: null,
  }
}
