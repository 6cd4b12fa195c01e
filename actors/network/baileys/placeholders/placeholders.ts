import type { proto } from '@whiskeysockets/baileys'
import { isGroupJid, toChatAddress } from '../../../../schemas/jid.js'
import type { NetworkEvent } from '../../port/events.js'
import type { PhoneAnswer } from '../app-state-recovery.js'
import { type MessageEnvelope, translateMessage } from '../incoming.js'
import { hdParentIn, readHdCopy } from '../kinds/hd-copy.js'
import { unreadKinds } from '../kinds/read-message.js'
import type { OwnAddresses } from '../own-devices.js'
import { type MessageStore, readFromStore } from '../read-from-store.js'
import type { Absence } from './absence.js'
import { type AnsweredMessage, readAnswer } from './phone-answers.js'
import { type PhoneRequestOptions, PhoneRequests, type WaitingMessage } from './phone-requests.js'
import { isOfPhone, placeholderMessage } from './placeholder-message.js'

/** The content of a message whose place was there. */
export interface FilledPlace {
  readonly envelope: MessageEnvelope
  readonly message: proto.IMessage
  readonly events: readonly NetworkEvent[]
}

export interface PlaceholderOptions extends Omit<PhoneRequestOptions, 'giveUp' | 'onAsked' | 'reader'> {
  readonly reader: PhoneRequestOptions['reader'] & MessageStore['reader']
  readonly own: () => OwnAddresses
  readonly emit: (event: NetworkEvent) => void
}

/** Time in which the sender mostly sends a message again that could not be decrypted, before the phone is asked too (5 s in whatsmeow). */
const RESEND_MS = 5_000

/** Keeps the places of messages whose content has not come, and fills them. */
export class Placeholders {
  readonly #options: PlaceholderOptions
  readonly #requests: PhoneRequests

  constructor(options: PlaceholderOptions) {
    this.#options = options
    this.#requests = new PhoneRequests({
      ...options,
      onAsked: () => this.#count('asked'),
      giveUp: (message) => this.#lose(message, 'no_answer'),
    })
  }

  start(): void {
    this.#requests.start()
  }

  stop(): void {
    this.#requests.stop()
  }

  /** Makes the place of a message, in the present write. */
  note(envelope: MessageEnvelope, absence: Absence): NetworkEvent {
    const own = this.#options.own()
    const mayCome = isOfPhone(absence)
    const waits = mayCome && this.#request(envelope, absence === 'undecryptable' ? RESEND_MS : 0)
    if (mayCome && !waits) this.#count('given_up')
    return { type: 'unreadable', message: placeholderMessage(envelope, own, absence, waits), waits }
  }

  /** Ends the wait for a message, in the write of its content. Returns the events that take its place away if it is no message of its own. */
  received(envelope: MessageEnvelope, events: readonly NetworkEvent[]): readonly NetworkEvent[] {
    // The group's ciphertext follows, and has the content.
    if (envelope.isBesideGroup) return []
    const chat = toChatAddress(envelope.chat, envelope.chatAlternative)
    if (!this.#requests.settle(envelope.id, envelope.fromMe, chat)) return []
    this.#count('came')
    if (events.some((event) => event.type === 'message')) return []
    return [makeLoss(envelope.id, envelope.fromMe, chat, 'no_message')]
  }

  /** Reads an answer of the phone. Returns a function that ends the waits and returns the contents, to call in the write of the answer's ratchet step. */
  async answered(answer: PhoneAnswer): Promise<() => readonly FilledPlace[]> {
    const all = await readAnswer(answer, this.#options)
    const read: (AnsweredMessage & { readonly events: readonly NetworkEvent[] })[] = []
    for (const one of all) read.push({ ...one, events: await this.#translateContent(one) })
    return () => read.map((one) => this.#fill(one))
  }

  #fill({
    row,
    envelope,
    content,
    events,
  }: AnsweredMessage & { readonly events: readonly NetworkEvent[] }): FilledPlace {
    this.#requests.settle(row.messageid, row.fromMe, row.chat)
    this.#count(content === null ? 'given_up' : 'came')
    const hasRow = events.some(({ type }) => type === 'message' || type === 'note')
    const reason = content === null ? 'not_on_phone' : 'no_message'
    const loss = hasRow ? [] : [makeLoss(row.messageid, row.fromMe, row.chat, reason)]
    return { envelope, message: content?.message ?? {}, events: [...events, ...loss] }
  }

  /** Reads a message as if it had come by itself. */
  async #translateContent({ envelope, content }: AnsweredMessage): Promise<readonly NetworkEvent[]> {
    if (content === null) return []
    const { message, encoded } = content
    const own = this.#options.own()
    const event = translateMessage(envelope, message, own, encoded)
    if (event === null) return []
    const kinds = unreadKinds(message)
    const notUnderstood = kinds.length === 0 ? [] : [{ type: 'notUnderstood', kinds } as const]
    const reading = readFromStore({ envelope, message, encoded, event }, own, this.#options)
    if (reading !== null) return await reading
    const parent = event.type === 'message' ? hdParentIn(message) : null
    if (event.type !== 'message' || parent === null) return [event, ...notUnderstood]
    return (await readHdCopy(event.message, message, parent, this.#options)).events
  }

  #request(envelope: MessageEnvelope, inMs: number): boolean {
    const { id, chat, sender, fromMe, timestampSeconds } = envelope
    const address = toChatAddress(chat, envelope.chatAlternative)
    const participant = isGroupJid(chat) ? { participant: sender } : {}
    return this.#requests.note({ id, chat, address, fromMe, ...participant }, timestampSeconds * 1000, inMs)
  }

  #lose({ id, fromMe, address }: WaitingMessage, reason: 'no_answer'): void {
    this.#options.emit(makeLoss(id, fromMe, address, reason))
    this.#count('given_up')
  }

  #count(outcome: Extract<NetworkEvent, { type: 'absentContent' }>['outcome']): void {
    this.#options.emit({ type: 'absentContent', outcome })
  }
}

type Loss = Extract<NetworkEvent, { type: 'contentLost' }>

function makeLoss(messageid: Loss['messageid'], fromMe: boolean, chat: Loss['chat'], reason: Loss['reason']): Loss {
  return { type: 'contentLost', messageid, fromMe, chat, reason }
}
