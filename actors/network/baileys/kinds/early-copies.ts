import type { proto } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { errorText } from '../../../../lib/error-text.js'
import type { MessageId } from '../../../../schemas/ids.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'
import type { NetworkEvent } from '../../port/events.js'
import { type MessageEnvelope, translateMessage } from '../incoming.js'
import { decodeKey, encodeKey, toMessageId } from '../key-codec.js'
import type { Own } from '../secrets/people.js'
import { type HdCopyStore, hdParentIn, readHdCopy } from './hd-copy.js'
import { copyChanges } from './known-copies.js'
import { readMessage } from './read-message.js'

export interface EarlyCopiesOptions extends HdCopyStore {
  readonly journal: InstanceJournal
  readonly reader: HdCopyStore['reader'] & Pick<InstanceReader, 'keyPage'>
  readonly own: () => Own
  readonly emit: (event: NetworkEvent) => void
  /** Called in the write that gives a copy its place, with its id: changes of it may wait. */
  readonly came: (messageids: readonly MessageId[]) => void
  readonly isClosed: () => boolean
  readonly logger: Logger
}

/** A copy, and the id of the message whose file it replaces. */
interface EarlyCopy {
  readonly envelope: MessageEnvelope
  readonly bytes: Uint8Array
  readonly parent: MessageId
  /** Time at which it becomes a message of its own. */
  readonly untilMs: number
}

const KIND = 'early-copy'

/** Maximum number of copies that are held. Further ones are messages of their own at once. */
const HELD_MAX = 100

/** Time in which the first message mostly comes, if it had to be sent again. */
const HOLD_MS = 15_000

/**
 * Holds copies in high definition that come before the message whose file they replace, such as one that had to be sent again. When that message
 * comes, the copy replaces its file as usual. If it does not, the copy becomes a message of its own. Held copies are stored, so that the next
 * connection, on any node, goes on with them.
 */
export class EarlyCopies {
  readonly #options: EarlyCopiesOptions
  readonly #held = new Map<MessageId, EarlyCopy>()
  #timer: NodeJS.Timeout | undefined
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: EarlyCopiesOptions) {
    this.#options = options
  }

  /** Reads the copies that former connections held. Called when the connection is open. */
  resume(): void {
    this.#inSlot(async () => {
      const { reader, instance } = this.#options
      for (const [, bytes] of await reader.keyPage(instance, KIND, '', HELD_MAX)) {
        const copy = decodeKey(KIND, bytes) as EarlyCopy
        this.#held.set(copy.envelope.id, copy)
      }
      for (const copy of this.#held.values()) await this.#read(copy)
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Holds a copy, in the present write. Returns false if too many are held. */
  hold(envelope: MessageEnvelope, bytes: Uint8Array, parent: proto.IMessageKey): boolean {
    if (this.#held.size >= HELD_MAX) return false
    const copy = { envelope, bytes, parent: toMessageId(parent.id ?? ''), untilMs: Date.now() + HOLD_MS }
    this.#held.set(envelope.id, copy)
    this.#options.journal.write([keyChange(envelope.id, encodeKey(copy))]).catch(() => {})
    this.#plan()
    return true
  }

  /** Applies the copies of messages that were written just now. */
  cameFor(messageids: readonly MessageId[]): void {
    const copies = this.#held.size === 0 ? [] : this.#listCopies(messageids)
    if (copies.length === 0) return
    this.#inSlot(async () => {
      for (const copy of copies) await this.#read(copy)
    })
  }

  #listCopies(messageids: readonly MessageId[]): EarlyCopy[] {
    return [...this.#held.values()].filter(({ parent }) => messageids.includes(parent))
  }

  #inSlot(work: () => Promise<void>): void {
    this.#tail = this.#tail
      .then(async () => {
        if (!this.#options.isClosed()) await work()
      })
      .catch((error: unknown) => {
        if (!this.#options.isClosed())
          this.#options.logger.warn({ error: errorText(error) }, 'Copies in high definition were not joined.')
      })
      .then(() => this.#plan())
  }

  /** Sets the timer for the next copy whose time is up. */
  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#held.size === 0 || this.#options.isClosed()) return
    const untilMs = Math.min(...[...this.#held.values()].map((copy) => copy.untilMs))
    const inMs = Math.min(HOLD_MS, Math.max(1, untilMs - Date.now()))
    this.#timer = setTimeout(() => this.#readDue(), inMs)
    this.#timer.unref()
  }

  #readDue(): void {
    this.#inSlot(async () => {
      const due = [...this.#held.values()].filter(({ untilMs }) => untilMs <= Date.now())
      for (const copy of due) await this.#read(copy)
    })
  }

  /** Gives a copy its place, unless it still waits for the first message. */
  async #read(copy: EarlyCopy): Promise<void> {
    const { envelope, bytes } = copy
    const { own, isClosed } = this.#options
    if (this.#held.get(envelope.id) !== copy || isClosed()) return
    const message = readMessage(bytes)
    const [event, parent] = [translateMessage(envelope, message, own(), bytes), hdParentIn(message)]
    if (event?.type !== 'message' || parent === null) {
      this.#forget(envelope.id)
      return
    }
    const { events, waitsFor } = await readHdCopy(event.message, message, parent, this.#options)
    const isOver = copy.untilMs <= Date.now()
    // The phone may be asked for the content of the first message, and answer much later.
    if (waitsFor === 'content' && isOver) this.#held.set(envelope.id, { ...copy, untilMs: Date.now() + HOLD_MS })
    else if ((waitsFor === undefined || isOver) && !isClosed()) this.#release(envelope.id, message, events)
  }

  #release(id: MessageId, copy: proto.IMessage, events: readonly NetworkEvent[]): void {
    const { journal, emit, came } = this.#options
    journal.together(() => {
      for (const event of events) emit(event)
      const changes = copyChanges(id, copy, events)
      if (changes.length > 0) journal.write(changes).catch(() => {})
      this.#forget(id)
      came([id])
    })
  }

  #forget(id: MessageId): void {
    this.#held.delete(id)
    this.#options.journal.write([keyChange(id, null)]).catch(() => {})
  }
}

function keyChange(id: MessageId, value: Uint8Array | null) {
  return { type: 'keys', entries: [{ kind: KIND, id, value }] } as const
}
