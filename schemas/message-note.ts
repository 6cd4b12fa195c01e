/** A note: the record of a change, reaction, comment or answer that could not be applied to the message that it is about. */
import type { NewMessage } from './stored-fields.js'

/** Value of `messageType` in the record of a note. */
export const NOTE = 'note'

export type NoteKind =
  | 'edit'
  | 'poll_edit'
  | 'poll_option'
  | 'event_edit'
  | 'schedule'
  | 'reaction'
  | 'comment'
  | 'event_response'
  | 'other'

export type NoteReason =
  /** The message that it is about is not stored, or not readable. Applied when it comes. */
  | 'original_missing'
  /** The message that it is about is stored without its secret. Applied when it comes. */
  | 'secret_missing'
  /** No key decrypts it. */
  | 'undecryptable'
  /** Made 20 minutes after the message, or later. */
  | 'too_late'
  /** Made by somebody else than the author of the message. */
  | 'wrong_author'
  /** Its content is unknown, or does not fit the message. */
  | 'unsupported'

/** Field `content` of the record of a note. */
export interface NoteContent {
  readonly kind: NoteKind
  /** Id of the message that it is about. */
  readonly target: string
  /** Empty once it was applied. */
  readonly reason: NoteReason | ''
  readonly isApplied: boolean
  /** New text of an edit that can be read. */
  readonly text?: string
}

/** Reasons that end when the message comes. */
const WAITING: ReadonlySet<NoteReason | ''> = new Set<NoteReason | ''>(['original_missing', 'secret_missing'])

/** Kinds that change the message itself. The others would be messages of their own, and stay notes. */
const APPLIED_LATER: ReadonlySet<NoteKind> = new Set<NoteKind>(['edit', 'poll_edit', 'poll_option', 'event_edit'])

const KINDS: Readonly<Record<NoteKind, string>> = {
  edit: 'Edit of a message',
  poll_edit: 'Edit of a poll',
  poll_option: 'New option of a poll',
  event_edit: 'Edit of an event',
  schedule: 'Schedule of a message',
  reaction: 'Reaction to a message',
  comment: 'Comment on a message',
  event_response: 'Answer to an event',
  other: 'Change of a message',
}

const REASONS: Readonly<Record<NoteReason, string>> = {
  original_missing: 'the message is missing',
  secret_missing: 'the secret of the message is missing',
  undecryptable: 'it cannot be decrypted',
  too_late: 'it was made more than 20 minutes after the message',
  wrong_author: 'it is not from the author of the message',
  unsupported: 'its content is not supported',
}

/** Makes the note of a received message: it keeps sender, chat, time and the sealed bytes. */
export function makeNote(
  message: NewMessage,
  { kind, target, reason, text }: { kind: NoteKind; target: string; reason: NoteReason; text?: string },
): NewMessage {
  const { mediaType: _, reaction: __, vote: ___, convertOptions: ____, buttonOrListid: _____, ...rest } = message
  const content: NoteContent = { kind, target, reason, isApplied: false, ...(text === undefined ? {} : { text }) }
  return {
    ...rest,
    messageType: NOTE,
    type: kind,
    text: `${KINDS[kind]}: ${REASONS[reason]}.`,
    ...(target === '' ? {} : { quoted: target }),
    content,
  }
}

export function isNote({ messageType }: { readonly messageType: string }): boolean {
  return messageType === NOTE
}

/** Returns whether a note waits for the message that it is about. */
export function isWaiting(content: unknown): content is NoteContent {
  const { kind, target, reason, isApplied } = (content ?? {}) as Partial<NoteContent>
  if (isApplied !== false || !target || kind === undefined || reason === undefined) return false
  return APPLIED_LATER.has(kind) && WAITING.has(reason)
}
