import type { Logger } from 'pino'
import { errorText } from '../../../../lib/error-text.js'
import type { MessageId } from '../../../../schemas/ids.js'
import { toChatId } from '../../../../schemas/jid.js'
import { isNote, isWaiting, type NoteContent } from '../../../../schemas/message-note.js'
import type { NewMessage } from '../../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'
import type { NetworkEvent } from '../../port/events.js'
import { type MessageEnvelope, translateMessage } from '../incoming.js'
import { decodeKey, encodeKey } from '../key-codec.js'
import { readMessage } from '../kinds/read-message.js'
import { findVote, isUnreadVote, readVote } from '../poll-inbox.js'
import type { ChangeStore, Own } from './people.js'
import { isChange, readChange } from './read-change.js'

// Bound: 1,000, the notes that wait for one message.

export interface WaitingNotesOptions extends ChangeStore {
  readonly journal: InstanceJournal
  readonly reader: ChangeStore['reader'] & Pick<InstanceReader, 'keyPage'>
  readonly own: () => Own
  readonly emit: (event: NetworkEvent) => void
  readonly isClosed: () => boolean
  readonly logger: Logger
}

const KIND = 'waiting-note'

/** Maximum number of notes and votes of an instance that wait. Further ones stay as they are. */
const NOTES_MAX = 500

/** Maximum number of ids that are remembered until the waiting notes are read from the store. */
const CAME_MAX = 1_000

const WAIT_MAX_MS = 14 * 24 * 60 * 60_000

/**
 * Applies the notes and reads the votes whose message comes after them: one that had to be sent again, or one of a history. Which notes wait is stored, so that the
 * next connection, on any node, tries those again that a crash left.
 */
export class WaitingNotes {
  readonly #options: WaitingNotesOptions
  /** Ids of the waiting notes by the id of their message. */
  readonly #waiting = new Map<string, Set<MessageId>>()
  #count = 0
  #isRead = false
  /** Messages that came before the notes were read. */
  #came: MessageId[] = []
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: WaitingNotesOptions) {
    this.#options = options
  }

  /** Reads the notes that wait, and tries them. Called when the connection is open. */
  resume(): void {
    this.#inSlot(async () => {
      const targets = await this.#read()
      await this.#apply([...targets, ...this.#came.splice(0)])
    })
  }

  /** Remembers a note. Called within its write. */
  note({ messageid, content }: NewMessage): void {
    if (isWaiting(content)) this.#keep(content.target, messageid)
  }

  /** Remembers a message that may be a vote whose poll is missing. Called within its write. */
  noteVote(message: NewMessage): void {
    if (isUnreadVote(message) && message.quoted !== undefined) this.#keep(message.quoted, message.messageid)
  }

  /** Applies the notes of messages that were written just now. */
  came(messageids: readonly MessageId[]): void {
    if (!this.#isRead) {
      this.#came.push(...messageids.slice(0, CAME_MAX - this.#came.length))
      return
    }
    const targets = this.#count === 0 ? [] : messageids.filter((id) => this.#waiting.has(id))
    if (targets.length > 0) this.#inSlot(() => this.#apply(targets))
  }

  /** Handles the messages of a part of the history, which is stored. */
  recorded(messages: readonly NewMessage[]): void {
    this.#options.journal.together(() => {
      for (const message of messages) {
        if (isNote(message)) this.note(message)
        else this.noteVote(message)
      }
    })
    this.came(messages.map(({ messageid }) => messageid))
    const targets = messages.flatMap((message) =>
      isWaiting(message.content) || isUnreadVote(message) ? [message.quoted as MessageId] : [],
    )
    this.came(targets)
  }

  #keep(target: string, note: MessageId): void {
    if (this.#count >= NOTES_MAX) return
    this.#add(target, note)
    const value = encodeKey({ target, notedAtMs: Date.now() })
    this.#options.journal.write([{ type: 'keys', entries: [{ kind: KIND, id: note, value }] }]).catch(() => {})
  }

  #inSlot(work: () => Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (!this.#options.isClosed()) await work()
    })
    this.#tail = this.#tail.catch((error: unknown) => {
      if (!this.#options.isClosed())
        this.#options.logger.warn({ error: errorText(error) }, 'Waiting changes of messages were not applied.')
    })
  }

  /** Returns the ids of the messages that notes wait for. */
  async #read(): Promise<string[]> {
    const { reader, instance } = this.#options
    const page = await reader.keyPage(instance, KIND, '', NOTES_MAX)
    const oldest = Date.now() - WAIT_MAX_MS
    for (const [id, bytes] of page) {
      const { target, notedAtMs } = decodeKey(KIND, bytes) as { target: string; notedAtMs: number }
      if (notedAtMs < oldest) this.#forget(target, id as MessageId)
      else this.#add(target, id as MessageId)
    }
    this.#isRead = true
    return [...this.#waiting.keys()]
  }

  async #apply(targets: readonly string[]): Promise<void> {
    const { reader, instance, journal } = this.#options
    const ids = [...new Set(targets)].flatMap((target) => [...(this.#waiting.get(target) ?? [])])
    if (ids.length === 0) return
    await journal.settled()
    const notes = await reader.messagesById(instance, ids)
    const open = notes.filter(({ record }) => isWaiting(record.content) || isUnreadVote(record))
    for (const note of open.toSorted((one, other) => one.messageTimestampMs - other.messageTimestampMs))
      if (!this.#options.isClosed()) await (isUnreadVote(note.record) ? this.#applyVote(note) : this.#applyOne(note))
  }

  /** Reads a vote, unless its poll is still missing. */
  async #applyVote(row: MessageForActor): Promise<void> {
    const { emit, journal, own, reader, instance } = this.#options
    const { messageid, chat, fromMe, record } = row
    const poll = String(record.quoted) as MessageId
    if (row.proto === null || (await reader.messagesById(instance, [poll])).length === 0) return
    const message = readMessage(row.proto)
    const [event, vote] = [translateMessage(makeEnvelope(row), message, own(), row.proto), findVote(message)]
    if (event?.type !== 'message' || vote === null) return
    const [read, ...tallies] = await readVote(event.message, vote, own(), this.#options)
    journal.together(() => {
      if (read?.type === 'message' && tallies.length > 0) {
        const { vote: taken = '', content } = read.message
        emit({ type: 'voteRead', messageid, chat, fromMe, vote: taken, content })
        for (const tally of tallies) emit(tally)
      }
      this.#forget(poll, messageid)
    })
  }

  async #applyOne(note: MessageForActor): Promise<void> {
    const { emit, journal, own } = this.#options
    const content = note.record.content as NoteContent
    if (note.proto === null) return
    const message = readMessage(note.proto)
    const envelope = makeEnvelope(note)
    const event = translateMessage(envelope, message, own())
    const events =
      event !== null && isChange(event)
        ? await readChange({ envelope, message, encoded: note.proto, event }, own(), this.#options)
        : []
    const again = events.find((one) => one.type === 'note')
    if (again !== undefined && isWaiting(again.message.content)) return
    const settled = (again?.message.content as NoteContent | undefined) ?? { ...content, reason: '', isApplied: true }
    const { messageid, chat, fromMe } = note
    journal.together(() => {
      if (again === undefined) for (const one of events) emit(one)
      emit({ type: 'noteSettled', messageid, chat, fromMe, content: settled })
      this.#forget(content.target, messageid)
    })
  }

  #add(target: string, note: MessageId): void {
    const notes = this.#waiting.get(target) ?? new Set()
    this.#count += notes.has(note) ? 0 : 1
    this.#waiting.set(target, notes.add(note))
  }

  #forget(target: string, note: MessageId): void {
    const notes = this.#waiting.get(target)
    if (notes?.delete(note)) this.#count -= 1
    if (notes?.size === 0) this.#waiting.delete(target)
    const entry = { kind: KIND, id: note, value: null }
    this.#options.journal.write([{ type: 'keys', entries: [entry] }]).catch(() => {})
  }
}

/** Returns the envelope that a stored note came in. */
function makeEnvelope({
  messageid,
  chat,
  fromMe,
  sender,
  record,
  messageTimestampMs,
}: MessageForActor): MessageEnvelope {
  const [pn, lid] = [String(record.sender_pn ?? ''), String(record.sender_lid ?? '')]
  return {
    id: messageid,
    chat: toChatId(chat),
    chatAlternative: chat.lid,
    fromMe,
    sender,
    senderAlternative: [pn, lid].find((jid) => jid !== '' && jid !== sender),
    timestampSeconds: messageTimestampMs / 1000,
    isPeer: false,
  }
}
