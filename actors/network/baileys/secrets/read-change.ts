/**
 * Reads received changes: edits in all forms, and what is encrypted under the secret of an earlier message. Uses the store only, so that
 * every owner of the instance gets the same result. A change that cannot be applied becomes a note.
 */
import type { proto } from '@whiskeysockets/baileys'
import { type ChatAddress, isSameChat } from '../../../../schemas/jid.js'
import { makeNote, type NoteKind, type NoteReason } from '../../../../schemas/message-note.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { NetworkEvent } from '../../port/events.js'
import { findEnvelopeSender, type MessageEnvelope, makeRecord, NOTHING, unwrap } from '../incoming.js'
import { toMessageId } from '../key-codec.js'
import { findCopy } from '../kinds/known-copies.js'
import { applyOpened } from './apply-opened.js'
import { applyEdit } from './edits.js'
import { envelopeIn, openEnvelope, type SecretEnvelope } from './open-envelope.js'
import { type ChangeStore, findAuthor, findBoth, type Own } from './people.js'

type EditEvent = Extract<NetworkEvent, { type: 'revised' }>

/** A decrypted change, and its event as `translateMessage` makes it without the store. */
export interface ReceivedChange {
  readonly envelope: MessageEnvelope
  readonly message: proto.IMessage
  /** Its bytes. Without them it is encoded again. */
  readonly encoded?: Uint8Array
  readonly event: NetworkEvent
}

/** Kinds that only the author of the message may make. */
const BY_AUTHOR: ReadonlySet<NoteKind> = new Set<NoteKind>(['edit', 'poll_edit', 'event_edit'])

/** Returns whether an event must be read with `readChange`. */
export function isChange(event: NetworkEvent): boolean {
  return event.type === 'note' || (event.type === 'revised' && event.change.kind === 'edited')
}

/** Makes the note of a plain edit. */
export function noteOfEdit(
  { envelope, message, encoded, event }: ReceivedChange & { readonly event: EditEvent },
  own: Own,
  reason: NoteReason,
) {
  const text = event.change.kind === 'edited' ? event.change.text : ''
  const record = makeRecord({ envelope, decrypted: message, encoded, own }, NOTHING)
  return makeNote(record, { kind: 'edit', target: event.messageid, reason, text })
}

/**
 * Returns the events of a change: the new state of the message that it is about, a message, a note, or nothing if it was applied before.
 * Waits until everything written before is durable, because the message may be in a write that has not ended.
 * @throws when the store cannot be read
 */
export async function readChange(
  change: ReceivedChange,
  own: Own,
  store: ChangeStore,
): Promise<readonly NetworkEvent[]> {
  await store.journal.settled()
  const { event, message, encoded, envelope } = change
  if (event.type === 'revised') {
    const result = await readEdit({ ...change, event }, own, store)
    return typeof result === 'string'
      ? [{ type: 'note', message: noteOfEdit({ ...change, event }, own, result) }]
      : result
  }
  const sealed = envelopeIn(unwrap(message))
  if (sealed === null) return [event]
  const result = await readSealed(change, sealed, own, store)
  if (typeof result !== 'string') return result
  const target = toMessageId(sealed.target)
  const record = makeRecord({ envelope, decrypted: message, encoded, own }, NOTHING)
  return [{ type: 'note', message: makeNote(record, { kind: sealed.kind, target, reason: result }) }]
}

type Result = readonly NetworkEvent[] | NoteReason

async function readEdit(
  { envelope, event }: ReceivedChange & { readonly event: EditEvent },
  own: Own,
  store: ChangeStore,
): Promise<Result> {
  const { stored } = await findStored(event.messageid, event.chat, store)
  if (stored.length === 0) return 'original_missing'
  const [original] = await authoredBy(stored, envelope, own, store)
  return original === undefined ? 'wrong_author' : applyEdit({ ...event, messageid: original.messageid }, original)
}

async function readSealed(
  { envelope, message, encoded, event }: ReceivedChange,
  sealed: SecretEnvelope,
  own: Own,
  store: ChangeStore,
): Promise<Result> {
  if (event.type !== 'note' || sealed.useCases.length === 0) return 'unsupported'
  const { stored, copySecrets } = await findStored(toMessageId(sealed.target), event.message.chat, store)
  if (stored.length === 0) return 'original_missing'
  const originals = BY_AUTHOR.has(sealed.kind) ? await authoredBy(stored, envelope, own, store) : stored
  if (originals.length === 0) return 'wrong_author'
  const modifier = await findBoth(
    findEnvelopeSender(envelope, own),
    store,
    envelope.fromMe ? undefined : envelope.sender,
  )
  let reason: NoteReason = 'secret_missing'
  for (const original of originals) {
    const known = await findAuthor(original, own, store)
    // The stanza of the change may be the first to name both addresses of its author.
    const author = BY_AUTHOR.has(sealed.kind) ? [...new Set([...known, ...modifier])] : known
    const people = { author, modifier }
    const opened = openEnvelope(sealed, original, message, people, copySecrets)
    if (typeof opened !== 'string')
      return await applyOpened({ envelope, message, encoded, sealed, original, opened }, own, store)
    if (opened === 'undecryptable') reason = opened
  }
  return reason
}

interface Found {
  readonly stored: readonly MessageForActor[]
  /** Secrets of the copy in high definition that was named. */
  readonly copySecrets?: readonly Uint8Array[]
}

/**
 * Finds messages by the id that a change names, or by that of the copy in high definition whose file they have. Only those of its chat: senders
 * choose the ids of their messages.
 */
async function findStored(id: MessageForActor['messageid'], chat: ChatAddress, store: ChangeStore): Promise<Found> {
  const stored = await findById(id, chat, store)
  if (stored.length > 0 || id === '') return { stored }
  const copy = await findCopy(id, chat, store)
  return copy === null ? { stored } : { stored: await findById(copy.parent, chat, store), copySecrets: copy.secrets }
}

async function findById(
  id: MessageForActor['messageid'],
  chat: ChatAddress,
  { reader, instance }: ChangeStore,
): Promise<readonly MessageForActor[]> {
  if (id === '') return []
  const rows = await reader.messagesById(instance, [id])
  return rows.filter(
    ({ chat: known, record }) =>
      isSameChat(known, chat) && record.messageType !== 'note' && record.messageType !== 'unreadable',
  )
}

/** Returns those of the messages whose author made the change. In a chat of two, the side tells the author. */
async function authoredBy(
  messages: readonly MessageForActor[],
  envelope: MessageEnvelope,
  own: Own,
  store: ChangeStore,
): Promise<readonly MessageForActor[]> {
  const ofSide = messages.filter(({ fromMe }) => fromMe === envelope.fromMe)
  if (envelope.fromMe) return ofSide
  const sender = await findBoth(findEnvelopeSender(envelope, own), store)
  const authors = await Promise.all(ofSide.map((message) => findAuthor(message, own, store)))
  return ofSide.filter(({ isGroup }, index) => !isGroup || authors[index]?.some((jid) => sender.includes(jid)))
}
