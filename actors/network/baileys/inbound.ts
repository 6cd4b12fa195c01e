import { createHash } from 'node:crypto'
import { type AuthenticationCreds, type BinaryNode, decodeMessageNode, proto } from '@whiskeysockets/baileys'
import type { LRUCache } from 'lru-cache'
import type { InstanceId, MessageId } from '../../../schemas/ids.js'
import { bareJid, isGroupJid, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { ContactFields } from '../../../schemas/stored-fields.js'
import { asFrequentWork, type GivenUpWork, type Work } from '../../../schemas/work.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { NetworkEvent } from '../port/events.js'
import { dropStrangeAddresses, otherAddresses } from './addressing.js'
import type { PhoneAnswer } from './app-state-recovery.js'
import type { GroupNames } from './group-names.js'
import { translateContact } from './history.js'
import { findHistoryPart, type HistoryParts } from './history-parts.js'
import { answerOfPhone, findMapping, handledAs, isLegible, withLeastPadding, withoutPadding } from './inbound-parts.js'
import { findAlternative, type MessageEnvelope, translateMessage } from './incoming.js'
import { decodeKey, encodeKey, toMessageId } from './key-codec.js'
import type { EarlyCopies } from './kinds/early-copies.js'
import { type HdReading, hdParentIn, readHdCopy } from './kinds/hd-copy.js'
import { copyChanges } from './kinds/known-copies.js'
import { findUnread, notRead, readMessage, unreadKinds } from './kinds/read-message.js'
import { isOfAccount } from './own-devices.js'
import { type Absence, hasPlace, readAbsence } from './placeholders/absence.js'
import type { Placeholders } from './placeholders/placeholders.js'
import { type ReceivedMessage, readFromStore } from './read-from-store.js'
import type { RetryRequests } from './retries/retry-requests.js'
import type { WaitingNotes } from './secrets/waiting-notes.js'
import { wasDecrypted } from './session-decryption.js'
import type { SenderKeyDistribution } from './signal-repository.js'
import { PendingMessages, type StuckMessage } from './watchdog.js'

export interface InboundOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly me: () => AuthenticationCreds['me']
  readonly emit: (event: NetworkEvent) => void
  /** Returns whether the sender's key of a group is known. */
  readonly hasSenderKey: (group: string, sender: string) => Promise<boolean>
  /** Names and mappings that were emitted, of all connections of the node. */
  readonly emitted: LRUCache<string, string>
  readonly groupNames: GroupNames
  /** Ends the connection, so that the network sends a message again. Called when the store cannot be read. */
  readonly fail: (error: unknown) => void
  readonly history: Pick<HistoryParts, 'take' | 'recall'>
  readonly notes: Pick<WaitingNotes, 'note' | 'noteVote' | 'came'>
  readonly copies: Pick<EarlyCopies, 'hold' | 'cameFor'>
  readonly placeholders: Pick<Placeholders, 'note' | 'received' | 'answered'>
  readonly retries: Pick<RetryRequests, 'note' | 'came'>
  /** Messages that have blocked nodes until they ended themselves. */
  readonly blocked: Pick<GivenUpWork, 'isGivenUp'>
  /** Called when the account's phone answers a request of this device. */
  readonly onPhoneAnswer: (answer: PhoneAnswer) => void
}

/** Types of ciphertexts that the Signal repository decrypts, so that their outcome is known. */
const ENCRYPTED = new Set(['pkmsg', 'msg', 'skmsg'])

/** Type of bots' ciphertexts. If it is the first one, the library refuses the whole message (`handleMessage`). */
const PASSED_OVER = 'msmsg'

let serial = 0

/**
 * Receives the messages of one connection. Notes the envelope of each ciphertext when its stanza arrives, and finds it again by the same bytes
 * when the library decrypts them.
 */
export class Inbound {
  readonly #options: InboundOptions
  readonly #serial = ++serial
  readonly #envelopes = new WeakMap<Uint8Array, { envelope: MessageEnvelope; node: BinaryNode }>()
  readonly #unhandled = new PendingMessages()
  readonly #handled: HandledChanges
  /** Padded plaintexts for the library that replace the decrypted ones, by ciphertext. */
  readonly #instead = new WeakMap<Uint8Array, Uint8Array>()

  constructor(options: InboundOptions) {
    this.#options = options
    this.#handled = new HandledChanges(options)
  }

  /** Oldest message that was announced and neither decrypted nor found undecryptable. */
  get unhandled(): StuckMessage | null {
    return this.#unhandled.stuck
  }

  /** Notes the envelopes of the ciphertexts in a message stanza. */
  announce(node: BinaryNode): void {
    const me = this.#options.me()
    const { attrs } = node
    dropStrangeAddresses(attrs, this.#own())
    if (me === undefined) return
    const { fullMessage, author } = decodeMessageNode(node, me.id, me.lid ?? '')
    const { key } = fullMessage
    if (!key.remoteJid || !key.id) return
    const { sender, recipient } = otherAddresses(attrs, this.#own())
    const envelope: MessageEnvelope = {
      id: toMessageId(key.id),
      chat: key.remoteJid,
      chatAlternative: isGroupJid(key.remoteJid)
        ? undefined
        : findAlternative(key.remoteJid, key.fromMe ? recipient : sender),
      fromMe: key.fromMe ?? false,
      sender: author,
      senderAlternative: findAlternative(author, sender),
      pushName: fullMessage.pushName ?? undefined,
      timestampSeconds: Number(fullMessage.messageTimestamp) || Math.floor(Date.now() / 1000),
      edit: attrs.edit,
      isPeer: attrs.category === 'peer',
    }
    if (isGroupJid(key.remoteJid)) this.#options.groupNames.want(bareJid(key.remoteJid))
    // The library handles messages that waited at the network one by one. It handles live ones at once, side by side until their sender is
    // known, so that they overtake each other. Marked as one that waited, each message stands in line.
    attrs.offline ??= '1'
    const children = Array.isArray(node.content) ? node.content.filter(isLegible) : []
    node.content = children
    const encrypted = children.filter(({ tag }) => tag === 'enc')
    const absence = readAbsence(node)
    // A message of the account to itself without a mark is for its devices only.
    const isToSelf = envelope.fromMe && attrs.recipient === undefined && !isGroupJid(envelope.chat)
    const isOfDevices = envelope.isPeer || (isToSelf && absence === 'unmarked')
    if (absence !== null && !isOfDevices) this.#holdPlace(envelope, absence)
    const isPassedOver = encrypted[0]?.attrs.type === PASSED_OVER
    const hasGroupPart = encrypted.some(({ attrs: { type } }) => type === 'skmsg')
    for (const child of encrypted) {
      if (!(child.content instanceof Uint8Array)) continue
      const isBesideGroup = hasGroupPart && child.attrs.type !== 'skmsg'
      this.#envelopes.set(child.content, { envelope: isBesideGroup ? { ...envelope, isBesideGroup } : envelope, node })
      if (!isPassedOver && ENCRYPTED.has(child.attrs.type ?? '')) this.#unhandled.add(envelope.id)
    }
  }

  /** Waits until the name of a message's group is learnt, or cannot be. Never rejects. */
  async beforeGroupMessage(ciphertext: Uint8Array): Promise<void> {
    const chat = this.#envelopes.get(ciphertext)?.envelope.chat
    if (chat !== undefined) await this.#options.groupNames.wait(bareJid(chat))
  }

  /** Returns the sender key in a decrypted message for one device. Only messages of chats with many readers have one. */
  senderKeyIn(ciphertext: Uint8Array, plaintext: Uint8Array): SenderKeyDistribution | null {
    const envelope = this.#envelopes.get(ciphertext)?.envelope
    if (envelope === undefined || !(isGroupJid(envelope.chat) || envelope.chat.endsWith('@broadcast'))) return null
    try {
      const message = proto.Message.decode(withoutPadding(plaintext))
      const item = (message.deviceSentMessage?.message ?? message).senderKeyDistributionMessage
      return item == null ? null : { authorJid: envelope.sender, item }
    } catch {
      return null
    }
  }

  /**
   * Reads a plaintext. Returns a function to call within the write of its ratchet step, so that the event and its write are in the same
   * transaction. A vote, or a copy in high definition, is resolved first, which needs the store.
   */
  decrypted(ciphertext: Uint8Array, plaintext: Uint8Array): (() => void) | Promise<() => void> {
    const known = this.#envelopes.get(ciphertext)
    if (known === undefined) return () => {}
    const { envelope, node } = known
    this.#unhandled.done(envelope.id)
    const isFirstOfSession = findType(node, ciphertext) === 'pkmsg'
    this.#options.retries.came({ id: envelope.id, sender: envelope.sender, isFirstOfSession })
    const work = this.#describeWork(envelope)
    const read = (isGivenUp: boolean) => {
      if (!isGivenUp) return asFrequentWork(work, () => this.#read(envelope, ciphertext, plaintext))
      // Nobody looks into it again: processes ended themselves over it.
      this.#instead.set(ciphertext, withLeastPadding(new Uint8Array()))
      return this.#unread(envelope, withoutPadding(plaintext), 'blocked')
    }
    const isGivenUp = this.#options.blocked.isGivenUp(work)
    return typeof isGivenUp === 'boolean' ? read(isGivenUp) : isGivenUp.then(read)
  }

  #describeWork({ id }: MessageEnvelope): Work {
    return { kind: 'frame', operation: 'message', feature: 'message', instance: this.#options.instance, id }
  }

  /** Returns a function that emits the message without what it says, but with its bytes. */
  #unread(envelope: MessageEnvelope, encoded: Uint8Array, kind: string): () => void {
    const event = translateMessage(envelope, notRead(encoded), this.#own(), encoded)
    const notUnderstood = { type: 'notUnderstood', kinds: [kind] } as const
    return () => this.#emitFrom(envelope, [...(event === null ? [] : [event]), notUnderstood])
  }

  #read(envelope: MessageEnvelope, ciphertext: Uint8Array, plaintext: Uint8Array): (() => void) | Promise<() => void> {
    const encoded = withoutPadding(plaintext)
    const message = readMessage(encoded)
    // The library would refuse it and ask the sender for it again, in vain.
    if (findUnread(message)?.isMalformed) this.#instead.set(ciphertext, withLeastPadding(new Uint8Array()))
    try {
      const answer = answerOfPhone(envelope, message)
      if (answer !== null) return this.#answered(answer)
      const part = findHistoryPart(envelope, message)
      if (part !== null) {
        this.#instead.set(ciphertext, withLeastPadding(part.hollow))
        return () => this.#options.history.take(part)
      }
      const event = translateMessage(envelope, message, this.#own(), encoded)
      const received = event === null ? null : { envelope, message, encoded, event }
      const reading = received === null ? null : readFromStore(received, this.#own(), this.#options)
      if (reading !== null) return this.#resolve(reading, (events) => this.#emitChange(envelope, events))
      const parent = event?.type === 'message' ? hdParentIn(message) : null
      if (event?.type === 'message' && parent !== null) {
        const copy = readHdCopy(event.message, message, parent, this.#options)
        return this.#resolve(copy, (found) => this.#emitCopy({ envelope, message, encoded, parent }, found))
      }
      if (event?.type === 'revised' || event?.type === 'chats') return () => this.#emitChange(envelope, [event])
      const kinds = unreadKinds(message)
      const notUnderstood = kinds.length === 0 ? [] : [{ type: 'notUnderstood', kinds } as const]
      return () => this.#emitFrom(envelope, [...(event === null ? [] : [event]), ...notUnderstood])
    } catch {
      // The ratchet step must be written in any case, and the message with it.
      return this.#unread(envelope, encoded, 'malformed')
    }
  }

  /** Returns the padded plaintext for the library. */
  handOn(ciphertext: Uint8Array, plaintext: Uint8Array): Uint8Array {
    return this.#instead.get(ciphertext) ?? plaintext
  }

  /** Reads what needs the store. */
  async #resolve<Found>(reading: Promise<Found>, emit: (found: Found) => void): Promise<() => void> {
    try {
      const found = await reading
      return () => emit(found)
    } catch (error) {
      // Nothing more is written, not even the ratchet step, so the network sends the message again.
      this.#options.fail(error)
      return () => {}
    }
  }

  /** Takes an answer of the phone. If the store cannot be read, the network sends it again, as it does a vote. */
  #answered(answer: PhoneAnswer): Promise<() => void> {
    const { placeholders, onPhoneAnswer } = this.#options
    return this.#resolve(placeholders.answered(answer), (fill) => {
      for (const { envelope, message, events } of fill()) {
        this.#noteCopy(envelope, message, events)
        this.#emitAll(envelope, events)
      }
      onPhoneAnswer(answer)
    })
  }

  /** Stores the place of a message, before the library can acknowledge it. */
  #holdPlace(envelope: MessageEnvelope, absence: Absence): void {
    const { journal, placeholders } = this.#options
    journal.together(() => this.#emitAll(envelope, [placeholders.note(envelope, absence)]))
  }

  /** Emits what a copy in high definition means. One that came before the first message is held until that comes. */
  #emitCopy(
    { envelope, message, encoded, parent }: ReceivedMessage & { readonly parent: proto.IMessageKey },
    { events, waitsFor }: HdReading,
  ): void {
    const isHeld = waitsFor !== undefined && this.#options.copies.hold(envelope, encoded, parent)
    if (!isHeld) this.#noteCopy(envelope, message, events)
    this.#emitChange(envelope, isHeld ? [] : events)
  }

  /** Remembers a copy that has no row of its own, and applies what waits for it. If the write fails, the connection ends. */
  #noteCopy({ id }: MessageEnvelope, copy: proto.IMessage, events: readonly NetworkEvent[]): void {
    const changes = copyChanges(id, copy, events)
    if (changes.length === 0) return
    this.#options.journal.write(changes).catch(() => {})
    this.#options.notes.came([id])
  }

  /** Emits the events of a change. If none of them has a row under its id, its id is remembered, in the same write. */
  #emitChange(envelope: MessageEnvelope, events: readonly NetworkEvent[]): void {
    this.#emitFrom(envelope, events)
    if (!events.some(({ type }) => type === 'message' || type === 'note')) this.#handled.note(handledAs(envelope))
  }

  /** Emits what a decrypted message means. */
  #emitFrom(envelope: MessageEnvelope, events: readonly NetworkEvent[]): void {
    this.#emitAll(envelope, [...this.#options.placeholders.received(envelope, events), ...events])
  }

  #emitAll(envelope: MessageEnvelope, events: readonly NetworkEvent[]): void {
    const { emit } = this.#options
    const mapping = findMapping(envelope)
    if (mapping !== null && this.#isNew(`mapping:${mapping.lid}`, mapping.pn))
      emit({ type: 'mappings', mappings: [mapping] })
    for (const event of events) emit(event)
    for (const event of events) {
      if (event.type === 'message') {
        this.#options.notes.noteVote(event.message)
        this.#came(event.message.messageid)
      }
      if (event.type === 'note') this.#options.notes.note(event.message)
    }
  }

  /** Applies what came before a message, and waits for it. */
  #came(id: MessageId): void {
    this.#options.notes.came([id])
    this.#options.copies.cameFor([id])
  }

  /**
   * Returns the stored padded plaintext of a ciphertext that does not decrypt. If there is none, emits `undecryptable`, stores the place of the
   * message unless it was decrypted before, and returns null.
   */
  async recall(ciphertext: Uint8Array, type: string, failure: unknown): Promise<Uint8Array | null> {
    const known = this.#envelopes.get(ciphertext)
    if (known === undefined) return null
    const { envelope, node } = known
    const { instance, journal, reader, hasSenderKey, emit } = this.#options
    this.#unhandled.done(envelope.id)
    // The first copy of a repeated message may be in a write that has not ended.
    await journal.settled()
    const stored = await reader.messagesById(instance, [envelope.id])
    const same = stored.find((message) => message.fromMe === envelope.fromMe && message.proto !== null)
    if (same?.proto) {
      const isIllegible = await this.#options.blocked.isGivenUp(this.#describeWork(envelope))
      return withLeastPadding(
        isIllegible || findUnread(readMessage(same.proto))?.isMalformed ? new Uint8Array() : same.proto,
      )
    }
    if (await this.#handled.has(handledAs(envelope))) return withLeastPadding(new Uint8Array())
    const part = envelope.fromMe ? await this.#options.history.recall(envelope.id) : null
    if (part !== null) return withLeastPadding(part)
    // A key distribution that was processed before. The message itself is in the group part, which follows.
    const hasGroupPart =
      Array.isArray(node.content) && node.content.some((child) => child.tag === 'enc' && child.attrs.type === 'skmsg')
    if (type !== 'skmsg' && hasGroupPart && (await hasSenderKey(envelope.chat, envelope.sender)))
      return withLeastPadding(new Uint8Array())
    emit({
      type: 'undecryptable',
      messageid: envelope.id,
      chat: toChatAddress(envelope.chat, envelope.chatAlternative),
      reason: 'decryption failed',
    })
    const isRepeated = wasDecrypted(failure)
    const isSessionBroken = type !== 'skmsg' && !isRepeated
    this.#options.retries.note({ id: envelope.id, sender: envelope.sender, isSessionBroken, node })
    if (!isRepeated && hasPlace(node, ciphertext)) this.#holdPlace(envelope, 'undecryptable')
    return null
  }

  /** Emits usernames of others that are new. The server repeats them with each message. */
  usernames(contacts: readonly ContactFields[]): void {
    const own = this.#own()
    const changed = contacts.filter(
      ({ address, username = '' }) =>
        !isOfAccount(toChatId(address), own) && this.#isNew(`username:${toChatId(address)}`, username),
    )
    if (changed.length > 0) this.#options.emit({ type: 'contacts', contacts: changed })
  }

  contacts(contacts: readonly Parameters<typeof translateContact>[0][]): void {
    const changed = contacts.flatMap(translateContact).filter(({ address, pushName, contactName }) => {
      if (contactName !== undefined || pushName === undefined) return true
      return this.#isNew(`name:${toChatId(address)}`, pushName)
    })
    if (changed.length > 0) this.#options.emit({ type: 'contacts', contacts: changed })
  }

  /** Returns whether a name or mapping is new. The network repeats them with every message; each is emitted once per connection, or when evicted. */
  #isNew(name: string, value: string): boolean {
    const { emitted } = this.#options
    const key = `${this.#serial}:${name}`
    if (emitted.get(key) === value) return false
    emitted.set(key, value)
    return true
  }

  #own(): { jid: string; lid: string | null } {
    const me = this.#options.me()
    return { jid: me?.id ?? '', lid: me?.lid ?? null }
  }
}

function findType({ content }: BinaryNode, ciphertext: Uint8Array): string | undefined {
  return Array.isArray(content) ? content.find((child) => child.content === ciphertext)?.attrs.type : undefined
}

interface Store {
  readonly instance: InstanceId
  readonly journal: Pick<InstanceJournal, 'write'>
  readonly reader: Pick<InstanceReader, 'keys'>
}

const KIND = 'handled-change'

/** Number of ids that are kept for each instance. A newer id takes the place of an older one with the same hash. */
const PLACES = 256

/**
 * Remembers the ids of changes, which have no rows of their own. If the node crashes before the receipt of a change, the network delivers it
 * again, and it cannot be decrypted a second time.
 */
class HandledChanges {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Called within the write of the change. If that fails, the connection ends. */
  note(id: string): void {
    const entry = { kind: KIND, id: makePlace(id), value: encodeKey({ id }) }
    this.#store.journal.write([{ type: 'keys', entries: [entry] }]).catch(() => {})
  }

  /** Returns whether the change was applied. @throws when the store cannot be read */
  async has(id: string): Promise<boolean> {
    const place = makePlace(id)
    const bytes = (await this.#store.reader.keys(this.#store.instance, KIND, [place])).get(place)
    return bytes !== undefined && (decodeKey(KIND, bytes) as { id: string }).id === id
  }
}

function makePlace(id: string): string {
  return String(createHash('sha256').update(id).digest().readUInt16BE() % PLACES)
}
