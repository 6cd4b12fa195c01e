import type { EventEmitter } from 'node:events'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import { type Stanza, stanzaBytes } from '../direct/stanza-bytes.js'

/** An acknowledgement as the library logs it before it is sent (`sendMessageAck` in `Socket/messages-recv.js` of 7.0.0-rc14). */
export interface LibraryAcknowledgement {
  readonly recv: { readonly tag: string; readonly attrs: Record<string, string> }
  /** Attributes of the stanza that the library is about to send. Changes are sent. */
  readonly sent: Record<string, string>
}

/** A receipt as the library logs it before it is sent (`sendReceipt` in `Socket/messages-send.js` of 7.0.0-rc14). Changes are sent. */
export interface LibraryReceipt {
  readonly attrs: Record<string, string>
}

/** Stops the library from sending its own acknowledgement. The library catches it, and reports it to its logger. */
export class NotByLibrary extends Error {}

export interface AcknowledgementOptions {
  readonly socket: () => Pick<WASocket, 'sendRawMessage'> | undefined
  /** Returns the own device, once the account is paired. */
  readonly ownDevice: () => string | undefined
  readonly isClosed: () => boolean
  /** Returns true while the network takes frames more slowly than they are made. */
  readonly isCongested: () => boolean
  /** Called for each stanza with an unknown tag. */
  readonly onUnknown: (tag: string) => void
  readonly failed: (error: unknown) => void
}

/** Stanzas that the library handles, or that need no acknowledgement. */
const KNOWN = new Set([
  ...['message', 'status', 'appdata', 'receipt', 'notification', 'call', 'ack', 'iq', 'ib', 'presence', 'chatstate'],
  ...['success', 'failure', 'stream:error', 'stream:features', 'xmlstreamend'],
])

/** Maximum number of status posts, and of stanzas with data of the account, that wait for their receipts. Later ones push out older ones. */
const WAITING_MAX = 5_000

/**
 * Gives each stanza with an id one right acknowledgement.
 *
 * The library makes most of them, after the stanza's meaning is in the journal; the output gate then holds the frame until that is durable. It
 * passes each through its logger first, with the attributes that it is about to send, so that wrong ones are corrected here. Stanzas that the
 * library does not know are acknowledged here as well.
 */
export class Acknowledgements {
  readonly #options: AcknowledgementOptions
  /** Received stanzas by their attributes: the library's log names a stanza without its content. */
  readonly #received = new WeakMap<object, BinaryNode>()
  readonly #answered = new WeakSet<object>()
  /** Stanzas other than `message` that are handled as messages, by the id and participant of their receipt. */
  readonly #likeMessages = new LRUCache<string, BinaryNode>({ max: WAITING_MAX })

  constructor(options: AcknowledgementOptions) {
    this.#options = options
  }

  listen(ws: EventEmitter): void {
    // Emitted before all other events of a stanza.
    ws.prependListener('frame', (frame: BinaryNode | Uint8Array) => {
      if (!(frame instanceof Uint8Array)) this.#note(frame)
    })
    // The server delivers encrypted status posts so, with the content of a message (oxidezap/whatsapp-rust pull request 1101).
    ws.on('CB:status', (node: BinaryNode) => {
      if (node.attrs.from === STATUS_CHAT) this.#readAsMessage(node, ws)
      else this.acknowledge(node)
    })
    // Messages between the devices of an account (tulir/whatsmeow commit a2381054).
    ws.on('CB:appdata', (node: BinaryNode) => this.#readAsMessage(node, ws))
    // Comes after our other listeners, so that what they write is durable before the acknowledgement leaves.
    ws.on('CB:notification', (node: BinaryNode) => {
      // The library cannot acknowledge before it has an account.
      if (this.#options.ownDevice() === undefined) this.acknowledge(node)
    })
  }

  /** Acknowledges a stanza, unless that has happened. With an error, tells the server that the stanza was not understood. */
  acknowledge(node: BinaryNode, error?: number): void {
    if (this.#answered.has(node.attrs)) return
    this.#answered.add(node.attrs)
    const { ownDevice, socket, isClosed, failed } = this.#options
    const stanza = buildAcknowledgement(node, ownDevice(), error)
    if (stanza === null || isClosed()) return
    socket()?.sendRawMessage(stanzaBytes(stanza)).catch(failed)
  }

  /** Corrects an acknowledgement of the library. @throws NotByLibrary if the library must not send it */
  correct({ recv, sent }: LibraryAcknowledgement): void {
    const node = this.#received.get(recv.attrs) ?? (recv as BinaryNode)
    if (this.#answered.has(node.attrs)) throw new NotByLibrary('The stanza was acknowledged.')
    const stanza = buildAcknowledgement(node, this.#options.ownDevice(), findError(node, sent))
    if (stanza?.tag !== 'ack') {
      this.acknowledge(node)
      throw new NotByLibrary('The stanza gets another answer.')
    }
    this.#answered.add(node.attrs)
    this.#likeMessages.delete(receiptKey(node.attrs.id, node.attrs.participant))
    for (const name of Object.keys(sent)) delete sent[name]
    Object.assign(sent, stanza.attrs)
  }

  /** Completes a delivery receipt of the library for a stanza that was read as a message. */
  complete({ attrs }: LibraryReceipt): void {
    const key = receiptKey(attrs.id, attrs.participant)
    const node = this.#likeMessages.get(key)
    if (node === undefined) return
    this.#likeMessages.delete(key)
    if (node.tag === 'status') {
      attrs.class = 'status'
      this.#answered.add(node.attrs)
    } else this.acknowledge(node)
  }

  #note(node: BinaryNode): void {
    this.#received.set(node.attrs, node)
    if (KNOWN.has(node.tag) || !node.attrs.id || !node.attrs.from) return
    this.#options.onUnknown(node.tag)
    // The server delivers it again. A flood of such stanzas must not fill the memory with answers.
    if (!this.#options.isCongested()) this.acknowledge(node, UNKNOWN_STANZA)
  }

  #readAsMessage(node: BinaryNode, ws: EventEmitter): void {
    const { id, participant } = node.attrs
    if (!id) return
    this.#likeMessages.set(receiptKey(id, participant), node)
    ws.emit('CB:message', node)
  }
}

/**
 * Returns the library's error, but none for a status post: the server keeps a refused one at the head of its queue, and withholds all that
 * follows (Baileys pull request 2779).
 */
function findError({ attrs }: BinaryNode, sent: Readonly<Record<string, string>>): number | undefined {
  if (sent.error === undefined || attrs.from === STATUS_CHAT) return undefined
  return Number(sent.error)
}

function receiptKey(id: string | undefined, participant: string | undefined): string {
  return `${id} ${participant ?? ''}`
}

// Builds the stanzas with which a client acknowledges what the server delivered.

/** Error of an acknowledgement for a stanza that the client does not know (`UnrecognizedStanza` in Baileys `Utils/decode-wa-message.js`). */
const UNKNOWN_STANZA = 488

const STATUS_CHAT = 'status@broadcast'

/** Calls that are acknowledged with a receipt that repeats the payload (vinikjkkj/zapo `src/client/events/call.ts`). */
const RECEIVED_CALLS = new Set(['offer', 'accept', 'reject', 'enc_rekey'])

/** Notifications whose acknowledgement has no type (oxidezap/whatsapp-rust `src/client/node_io.rs`, vinikjkkj/zapo). */
const WITHOUT_TYPE = new Set(['encrypt', 'devices'])

/**
 * Builds the acknowledgement of a stanza. Returns null if the stanza has no id or no sender: the server expects none then.
 *
 * The recipient must be repeated, otherwise the server ends the stream (oxidezap/whatsapp-rust pull request 633). The type is repeated, but never
 * invented (365). Messages and status posts carry the own device.
 */
function buildAcknowledgement(node: BinaryNode, ownDevice?: string, error?: number): Stanza | null {
  const { tag, attrs } = node
  const { id, from, recipient } = attrs
  if (!id || !from) return null
  if (tag === 'call' && error === undefined && RECEIVED_CALLS.has(findPayload(node)?.tag ?? ''))
    return callReceipt(node)
  const isMessage = tag === 'message' || tag === 'status'
  return {
    tag: 'ack',
    attrs: defined({
      id,
      to: from,
      class: tag,
      error: error === undefined ? undefined : String(error),
      participant: findParticipant(node),
      recipient,
      type: findType(node),
      from: isMessage ? ownDevice : undefined,
    }),
  }
}

function callReceipt(node: BinaryNode): Stanza {
  const { id, from } = node.attrs
  const payload = findPayload(node)
  const { 'call-id': callId, 'call-creator': creator } = payload?.attrs ?? {}
  return {
    tag: 'receipt',
    attrs: defined({ id, to: from }),
    content: [{ tag: payload?.tag ?? '', attrs: defined({ 'call-id': callId, 'call-creator': creator }) }],
  }
}

/** Returns the type of the acknowledgement. That of a call is the tag of its payload, since the stanza has none. */
function findType(node: BinaryNode): string | undefined {
  const { tag, attrs } = node
  if (tag === 'call') return attrs.type ?? findPayload(node)?.tag
  return tag === 'notification' && WITHOUT_TYPE.has(attrs.type ?? '') ? undefined : attrs.type
}

/** Returns the participant. A receipt whose participant is the sender itself is acknowledged without one. */
function findParticipant({ tag, attrs: { participant, from } }: BinaryNode): string | undefined {
  return tag === 'receipt' && participant === from ? undefined : participant
}

function findPayload({ content }: BinaryNode): BinaryNode | undefined {
  return Array.isArray(content) ? content[0] : undefined
}

function defined(attributes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) if (value) present[name] = value
  return present
}
