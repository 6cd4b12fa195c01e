import type { NoteReason } from '../../../../schemas/message-note.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import { parseEdits } from '../../../../schemas/stored-message.js'
import type { NetworkEvent } from '../../port/events.js'

type EditEvent = Extract<NetworkEvent, { type: 'revised' }>

/** Time in which the network's clients take an edit, by the time when it was made (switch 2983 of oxidezap/whatsapp-rust). */
const EDIT_AGE_MAX_MS = 1_200_000

/** The network stamps messages in whole seconds. */
const SECOND_MS = 1_000

/** Time within which two forms of one edit arrive, if one of them does not say when it was made. */
const FORMS_APART_MAX_MS = 10_000

/** Returns the edit of a stored message by its author; nothing if it was applied before, in this form or another one. */
export function applyEdit(event: EditEvent, original: MessageForActor): readonly NetworkEvent[] | NoteReason {
  const { change } = event
  if (change.kind !== 'edited') return 'unsupported'
  const atMs = editTime(event, original)
  if (atMs - original.messageTimestampMs >= EDIT_AGE_MAX_MS) return 'too_late'
  if (original.status === 'deleted' || isKnown(event, change.text, atMs, original)) return []
  // Changes only the words of a poll or an event.
  const { messageType, content } = original.record
  const isWhole = messageType === 'poll' || messageType === 'event'
  return [{ ...event, timestampMs: atMs, change: isWhole ? { ...change, content } : change }]
}

/** Returns when an edit was made: by its author's clock, but neither before the message nor after the network got it. */
function editTime({ authoredMs, timestampMs }: EditEvent, { messageTimestampMs }: MessageForActor): number {
  if (authoredMs === undefined) return timestampMs
  return Math.max(messageTimestampMs, Math.min(authoredMs, timestampMs + SECOND_MS - 1))
}

/** Returns whether the message has this edit already: an account's phone sends one edit in several forms. */
function isKnown({ authoredMs }: EditEvent, text: string, atMs: number, { record, presentText }: MessageForActor) {
  const edits = parseEdits({ text: String(record.text), edited: String(record.edited) }) ?? []
  if (edits.length > 0 && presentText === text) return true
  const apartMs = authoredMs === undefined ? FORMS_APART_MAX_MS : 0
  return edits.some((edit) => edit.text === text && Math.abs(edit.at - atMs) <= apartMs)
}
