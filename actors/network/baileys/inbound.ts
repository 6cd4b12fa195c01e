import { type AuthenticationCreds, type BinaryNode, decodeMessageNode, proto } from '@whiskeysockets/baileys'
import type { LRUCache } from 'lru-cache'
import { errorText } from '../../../schemas/error-text.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { addressOf, bareJid, chatIdOf, isGroupJid } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { NetworkEvent } from '../port/events.js'
import { dropStrangeAddresses, otherAddresses } from './addressing.js'
import type { PhoneAnswer } from './app-state-recovery.js'
import type { GroupNames } from './group-names.js'
import { translateContact } from './history.js'
import { type HistoryParts, historyPartOf } from './history-parts.js'
import { alternativeOf, type MessageEnvelope, translateMessage } from './incoming.js'
import { messageIdOf } from './message-id.js'
import { readVote, voteOf } from './poll-inbox.js'
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
  /** Padded plaintexts for the library that replace the decrypted ones, by ciphertext. */
  readonly #instead = new WeakMap<Uint8Array, Uint8Array>()

  constructor(options: InboundOptions) {
    this.#options = options
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
    if (me === undefined || !Array.isArray(node.content)) return
    const { fullMessage, author } = decodeMessageNode(node, me.id, me.lid ?? '')
    const { key } = fullMessage
    if (!key.remoteJid || !key.id) return
    const { sender, recipient } = otherAddresses(attrs, this.#own())
    const envelope: MessageEnvelope = {
      id: messageIdOf(key.id),
      chat: key.remoteJid,
      chatAlternative: isGroupJid(key.remoteJid)
        ? undefined
        : alternativeOf(key.remoteJid, key.fromMe ? recipient : sender),
      fromMe: key.fromMe ?? false,
      sender: author,
      senderAlternative: alternativeOf(author, sender),
      pushName: fullMessage.pushName ?? undefined,
      timestampSeconds: Number(fullMessage.messageTimestamp) || Math.floor(Date.now() / 1000),
      edit: attrs.edit,
      isPeer: attrs.category === 'peer',
    }
    if (isGroupJid(key.remoteJid)) this.#options.groupNames.want(bareJid(key.remoteJid))
    // The library handles messages that waited at the network one by one. It handles live ones at once, side by side until their sender is
    // known, so that they overtake each other. Marked as one that waited, each message stands in line.
    attrs.offline ??= '1'
    node.content = node.content.filter(isLegible)
    const encrypted = node.content.filter(({ tag }) => tag === 'enc')
    const isPassedOver = encrypted[0]?.attrs.type === PASSED_OVER
    for (const child of encrypted) {
      if (!(child.content instanceof Uint8Array)) continue
      this.#envelopes.set(child.content, { envelope, node })
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
   * transaction. A vote is resolved first, which needs the store.
   */
  decrypted(ciphertext: Uint8Array, plaintext: Uint8Array): (() => void) | Promise<() => void> {
    const known = this.#envelopes.get(ciphertext)
    if (known === undefined) return () => {}
    const { envelope } = known
    this.#unhandled.done(envelope.id)
    try {
      const message = proto.Message.decode(withoutPadding(plaintext))
      const answer = answerOfPhone(envelope, message)
      if (answer !== null) return () => this.#options.onPhoneAnswer(answer)
      const part = historyPartOf(envelope, message)
      if (part !== null) {
        this.#instead.set(ciphertext, padded(part.hollow))
        return () => this.#options.history.take(part)
      }
      const event = translateMessage(envelope, message, this.#own())
      const vote = event?.type === 'message' ? voteOf(message) : null
      if (event?.type === 'message' && vote !== null) return this.#vote(envelope, event.message, vote)
      return () => this.#emitOf(envelope, event === null ? [] : [event])
    } catch (error) {
      // The ratchet step must be written in any case.
      const chat = addressOf(envelope.chat, envelope.chatAlternative)
      const reason = errorText(error)
      return () => this.#emitOf(envelope, [{ type: 'undecryptable', messageid: envelope.id, chat, reason }])
    }
  }

  /** Returns the padded plaintext for the library. */
  handOn(ciphertext: Uint8Array, plaintext: Uint8Array): Uint8Array {
    return this.#instead.get(ciphertext) ?? plaintext
  }

  async #vote(envelope: MessageEnvelope, message: NewMessage, vote: proto.Message.IPollUpdateMessage) {
    try {
      const events = await readVote(message, vote, this.#own(), this.#options)
      return () => this.#emitOf(envelope, events)
    } catch (error) {
      // Nothing is written any more, including the ratchet step, so the network sends the vote again.
      this.#options.fail(error)
      return () => {}
    }
  }

  #emitOf(envelope: MessageEnvelope, events: readonly NetworkEvent[]): void {
    const { emit } = this.#options
    const mapping = mappingOf(envelope)
    if (mapping !== null && this.#isNew(`mapping:${mapping.lid}`, mapping.pn))
      emit({ type: 'mappings', mappings: [mapping] })
    for (const event of events) emit(event)
  }

  /** Returns the stored padded plaintext of a ciphertext that does not decrypt. If there is none, emits `undecryptable` and returns null. */
  async recall(ciphertext: Uint8Array, type: string): Promise<Uint8Array | null> {
    const known = this.#envelopes.get(ciphertext)
    if (known === undefined) return null
    const { envelope, node } = known
    const { instance, journal, reader, hasSenderKey, emit } = this.#options
    this.#unhandled.done(envelope.id)
    // The first copy of a repeated message may be in a write that has not ended.
    await journal.settled()
    const stored = await reader.messagesById(instance, [envelope.id])
    const same = stored.find((message) => message.fromMe === envelope.fromMe && message.proto !== null)
    if (same?.proto) return padded(same.proto)
    const part = envelope.fromMe ? await this.#options.history.recall(envelope.id) : null
    if (part !== null) return padded(part)
    // A key distribution that was processed before. The message itself is in the group part, which follows.
    const hasGroupPart =
      Array.isArray(node.content) && node.content.some((child) => child.tag === 'enc' && child.attrs.type === 'skmsg')
    if (type !== 'skmsg' && hasGroupPart && (await hasSenderKey(envelope.chat, envelope.sender)))
      return padded(new Uint8Array())
    emit({
      type: 'undecryptable',
      messageid: envelope.id,
      chat: addressOf(envelope.chat, envelope.chatAlternative),
      reason: 'decryption failed',
    })
    return null
  }

  contacts(contacts: readonly Parameters<typeof translateContact>[0][]): void {
    const changed = contacts.flatMap(translateContact).filter(({ address, pushName, contactName }) => {
      if (contactName !== undefined || pushName === undefined) return true
      return this.#isNew(`name:${chatIdOf(address)}`, pushName)
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

/**
 * Returns whether the library can read a node. It decodes the name of a business before it decrypts, and refuses the whole message if that
 * fails. Without the name it reads the message, as whatsmeow does.
 */
function isLegible({ tag, content }: BinaryNode): boolean {
  if (tag !== 'verified_name' || !(content instanceof Uint8Array)) return true
  try {
    const { details } = proto.VerifiedNameCertificate.decode(content)
    proto.VerifiedNameCertificate.Details.decode(details as Uint8Array)
    return true
  } catch {
    return false
  }
}

/** Returns an answer of the account's phone. Addresses of other devices of the account have a number behind a colon, and are ignored. */
function answerOfPhone({ isPeer, fromMe, sender }: MessageEnvelope, message: proto.IMessage): PhoneAnswer | null {
  if (!isPeer || !fromMe || sender.includes(':')) return null
  return message.protocolMessage?.peerDataOperationRequestResponseMessage ?? null
}

/** Removes the padding. The last byte is the number of padding bytes, itself included (Baileys `unpadRandomMax16`). */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  const padding = bytes[bytes.length - 1] ?? 0
  return padding > bytes.length ? bytes : bytes.subarray(0, bytes.length - padding)
}

function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + 1)
  result.set(bytes)
  result[bytes.length] = 1
  return result
}

function mappingOf(envelope: MessageEnvelope): { lid: Jid; pn: Jid } | null {
  const { lid, pn } = addressOf(envelope.sender, envelope.senderAlternative)
  return lid === undefined || pn === undefined ? null : { lid, pn }
}
