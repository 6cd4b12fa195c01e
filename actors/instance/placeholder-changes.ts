/** Records of messages whose content has not come. */
import { addressOf } from '../../schemas/jid.js'
import { chatNames, senderNames } from '../../schemas/named-person.js'
import type { NetworkEvent } from '../network/port/events.js'
import type { Change } from './ports.js'

type Loss = Extract<NetworkEvent, { type: 'contentLost' }>

/** Sentences of `error` for each reason. */
const ERRORS: Readonly<Record<Loss['reason'], string>> = {
  no_answer: 'The phone did not send the content of this message.',
  not_on_phone: 'The phone does not have the content of this message either.',
  no_message: 'This was a change of the chat and no message.',
}

/**
 * Stores the place of a message. While its content may come, the event is `messages_update`: `messages` is emitted with the content, once. A
 * message whose content never comes is emitted as `messages` at once.
 */
export function placeholderChange({
  message,
  waits,
}: Extract<NetworkEvent, { type: 'unreadable' }>): Extract<Change, { type: 'message' }> {
  if (!waits) return { type: 'message', message, announce: true }
  const { chat, fromMe, isGroup, messageTimestampMs, sender, senderPn, senderLid, content } = message
  const person = addressOf(senderPn ?? sender, senderLid)
  const update = {
    type: 'Unreadable',
    state: 'Waiting',
    people: [chat, person],
    event: (named) => ({
      ...chatNames(named(chat)),
      ...senderNames(named(person)),
      IsFromMe: fromMe,
      IsGroup: isGroup,
      Timestamp: Math.floor(messageTimestampMs / 1000),
      reason: (content as { reason: string }).reason,
    }),
  } satisfies Extract<Change, { type: 'message' }>['update']
  return { type: 'message', message, announce: true, update }
}

/** Notes that the content of a message will not come. What was no message is marked as deleted. */
export function lossChange({ messageid, chat, fromMe, reason }: Loss): Change {
  const isMessage = reason !== 'no_message'
  return {
    type: 'message.update',
    messageids: [messageid],
    chat,
    fromMe,
    onlyType: 'unreadable',
    set: {
      error: ERRORS[reason],
      content: { reason, state: 'unavailable' },
      ...(isMessage
        ? { text: 'The content of this message did not arrive. Open it on the phone.' }
        : { status: 'deleted' }),
    },
    ...(isMessage ? {} : { lowersUnread: true }),
    announce: {
      type: 'Unreadable',
      state: isMessage ? 'Unavailable' : 'Deleted',
      people: [chat],
      event: (named) => ({ ...chatNames(named(chat)), IsFromMe: fromMe, IsGroup: chat.group !== undefined, reason }),
    },
  }
}
