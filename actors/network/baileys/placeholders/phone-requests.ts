import { proto, type WASocket } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { errorText } from '../../../../lib/error-text.js'
import type { InstanceId, MessageId } from '../../../../schemas/ids.js'
import { bareJid, type ChatAddress, isGroupJid, isSameChat } from '../../../../schemas/jid.js'
import { WAITING_MESSAGE_KIND } from '../../../../schemas/sealed-kinds.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'
import { isPlaceholder } from './placeholder-message.js'

// Ours: a waiting message, as we stored it.

/** A message whose content the account's phone is asked for. Stored as JSON, sealed, beside the keys of the account. */
export interface WaitingMessage {
  readonly id: MessageId
  /** JIDs as the stanza had them. The participant is that of a group's message of somebody else. */
  readonly chat: string
  readonly participant?: string
  readonly address: ChatAddress
  readonly fromMe: boolean
  readonly notedAtMs: number
  readonly asks: number
  readonly askedAtMs: number
  readonly nextAtMs: number
  /** Names the pairing under which the message came. The phone of another pairing may be that of another account. */
  readonly pairing?: string
}

export interface PhoneRequestTiming {
  /** Time after the first request to the phone until the next; each further one is four times as long, up to a day. */
  readonly phoneRequestRetryMs: number
  /** Time after which a message whose content did not come is given up. */
  readonly phoneAnswerWaitMs: number
}

export interface PhoneRequestOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: Pick<InstanceReader, 'keyPage' | 'messagesById'>
  readonly logger: Logger
  readonly timing: PhoneRequestTiming
  /** Returns undefined unless the connection is open. */
  readonly socket: () => WASocket | undefined
  /** Returns a name of the present pairing. */
  readonly pairing: () => string
  /** Called when the phone is asked for a message for the first time. */
  readonly onAsked: () => void
  /** Called in the write that forgets a message whose content did not come. */
  readonly giveUp: (message: WaitingMessage) => void
}

const KIND = WAITING_MESSAGE_KIND
const PAGE = 100
/** Maximum number of messages in one request (`zapo`). */
const KEYS_MAX = 32
/** Maximum numbers of messages that wait for the phone: of the account, and of one chat, since a stranger can send any number of them. */
const WAITING_MAX = 512
const WAITING_PER_CHAT_MAX = 64
const ASKS_MAX = 8
const DAY_MS = 24 * 60 * 60_000
/** Time in which further messages join a request. */
const GATHER_MS = 50
/** Maximum age of a message that the phone is asked for, as in the web client (property 3639). */
const AGE_MAX_MS = 14 * DAY_MS

const { PLACEHOLDER_MESSAGE_RESEND } = proto.Message.PeerDataOperationRequestType

/**
 * Asks the account's phone for the contents of messages. The library would ask too, but it forgets its request after 8 s, and in a crash; a
 * phone was seen to answer after 31 s. Here a request is stored in the write that stores the message's place, and ends in the write that stores
 * the content. It is repeated later and later, and after a reconnect.
 */
export class PhoneRequests {
  readonly #options: PhoneRequestOptions
  readonly #waiting = new Map<string, WaitingMessage>()
  /** Number of waiting messages by their id, so that most messages are passed over at once. */
  readonly #ids = new Map<MessageId, number>()
  /** Names of the messages that this connection has asked for. */
  readonly #asked = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #isStopped = false

  constructor(options: PhoneRequestOptions) {
    this.#options = options
  }

  /**
   * Notes a message in the present write. Returns false if too many wait already, or if the message is too old to be asked for.
   * @param inMs time until the phone is asked
   */
  note(
    message: Pick<WaitingMessage, 'id' | 'chat' | 'participant' | 'address' | 'fromMe'>,
    writtenAtMs: number,
    inMs: number,
  ): boolean {
    const name = makeName(message)
    if (this.#waiting.has(name)) return true
    const nowMs = Date.now()
    if (nowMs - writtenAtMs > AGE_MAX_MS || !this.#hasRoom(message.chat)) return false
    const pairing = this.#options.pairing()
    this.#keep({ ...message, notedAtMs: nowMs, asks: 0, askedAtMs: 0, nextAtMs: nowMs + inMs, pairing })
    this.#plan()
    return true
  }

  /** Forgets a message in the present write, because its content has come. Returns whether it was waiting. */
  settle(id: MessageId, fromMe: boolean, chat: ChatAddress): boolean {
    if (!this.#ids.has(id)) return false
    const found = [...this.#waiting.values()].filter(
      (one) => one.id === id && one.fromMe === fromMe && isSameChat(one.address, chat),
    )
    for (const one of found) this.#forget(one)
    return found.length > 0
  }

  /** Returns the waiting messages with that id. */
  find(id: MessageId, fromMe: boolean): readonly WaitingMessage[] {
    return this.#ids.has(id) ? [...this.#waiting.values()].filter((one) => one.id === id && one.fromMe === fromMe) : []
  }

  /** Continues with the messages that former connections left. Called when the connection is open. */
  start(): void {
    this.#load()
      .catch((error: unknown) => this.#warn(error, 'The messages that wait for the phone could not be read.'))
      .finally(() => this.#plan())
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #load(): Promise<void> {
    const { instance, reader, timing, pairing } = this.#options
    const former: WaitingMessage[] = []
    const page = (after: string) => reader.keyPage(instance, KIND, after, PAGE)
    for (let rows = await page(''); rows.size > 0; rows = await page([...rows.keys()].at(-1) ?? ''))
      for (const [name, bytes] of rows) {
        const message = parse(bytes)
        if (message === null || this.#waiting.has(name) || this.#waiting.size >= WAITING_MAX) continue
        // The phone may have lost the request of the former connection, or its answer.
        const nextAtMs = Math.min(message.nextAtMs, message.askedAtMs + timing.phoneRequestRetryMs)
        this.#remember({ ...message, nextAtMs })
        if (message.pairing !== undefined && message.pairing !== pairing()) former.push(message)
      }
    for (const message of former) this.#giveUp(message)
  }

  #hasRoom(chat: string): boolean {
    if (this.#waiting.size >= WAITING_MAX) return false
    let ofChat = 0
    for (const one of this.#waiting.values()) if (one.chat === chat) ofChat += 1
    return ofChat < WAITING_PER_CHAT_MAX
  }

  #keep(message: WaitingMessage): void {
    this.#remember(message)
    this.#write(message, Buffer.from(JSON.stringify(message)))
  }

  #remember(message: WaitingMessage): void {
    const name = makeName(message)
    if (!this.#waiting.has(name)) this.#ids.set(message.id, (this.#ids.get(message.id) ?? 0) + 1)
    this.#waiting.set(name, message)
  }

  #forget(message: WaitingMessage): void {
    if (!this.#waiting.delete(makeName(message))) return
    this.#asked.delete(makeName(message))
    const left = (this.#ids.get(message.id) ?? 1) - 1
    if (left > 0) this.#ids.set(message.id, left)
    else this.#ids.delete(message.id)
    this.#write(message, null)
  }

  #write(message: WaitingMessage, value: Uint8Array | null): void {
    // If the write fails, that of the message fails too and ends the connection.
    this.#options.journal
      .write([{ type: 'keys', entries: [{ kind: KIND, id: makeName(message), value }] }])
      .catch(() => {})
  }

  /** Sets the timer for the next request. */
  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#isStopped || this.#isAsking || this.#waiting.size === 0 || this.#options.socket() === undefined) return
    const nextAtMs = Math.min(...[...this.#waiting.values()].map((one) => one.nextAtMs))
    const inMs = Math.min(DAY_MS, Math.max(GATHER_MS, nextAtMs - Date.now()))
    this.#timer = setTimeout(() => void this.#run(), inMs)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    try {
      const nowMs = Date.now()
      const due = [...this.#waiting.values()].filter(({ nextAtMs }) => nextAtMs <= nowMs)
      for (const message of due.filter((one) => this.#isLost(one, nowMs))) this.#giveUp(message)
      const next = due.filter((one) => !this.#isLost(one, nowMs)).slice(0, KEYS_MAX)
      if (next.length > 0) await this.#ask(next)
    } catch (error) {
      if (!this.#isStopped) this.#warn(error, 'The phone could not be asked for messages.')
      this.#putOff()
    } finally {
      this.#isAsking = false
      this.#plan()
    }
  }

  /** After a long time away the phone is asked once more, before the message is given up. */
  #isLost(message: WaitingMessage, nowMs: number): boolean {
    const isOver = nowMs - message.notedAtMs >= this.#options.timing.phoneAnswerWaitMs
    return message.asks >= ASKS_MAX || (isOver && this.#asked.has(makeName(message)))
  }

  #giveUp(message: WaitingMessage): void {
    this.#options.journal.together(() => {
      this.#forget(message)
      this.#options.giveUp(message)
    })
  }

  /** Asks for messages whose place is durable. Forgets those whose content has come over another connection, or whose chat was deleted. */
  async #ask(messages: readonly WaitingMessage[]): Promise<void> {
    const { instance, journal, reader } = this.#options
    await journal.settled()
    const rows = await reader.messagesById(instance, [...new Set(messages.map(({ id }) => id))])
    const isOpen = ({ id, fromMe }: WaitingMessage): boolean =>
      rows.some((row) => row.messageid === id && row.fromMe === fromMe && isPlaceholder(row))
    for (const message of messages) if (!isOpen(message)) this.#forget(message)
    const open = messages.filter((one) => isOpen(one) && this.#waiting.has(makeName(one)))
    const socket = this.#options.socket()
    if (open.length === 0 || socket === undefined || this.#isStopped) return
    await socket.sendPeerDataOperationMessage({
      peerDataOperationRequestType: PLACEHOLDER_MESSAGE_RESEND,
      placeholderMessageResendRequest: open.map((message) => ({ messageKey: makeKey(message) })),
    })
    // Stored afterwards: a crash in between asks twice instead of never.
    const askedAtMs = Date.now()
    for (const message of open) {
      if (!this.#waiting.has(makeName(message))) continue
      const asks = message.asks + 1
      if (asks === 1) this.#options.onAsked()
      const { phoneRequestRetryMs, phoneAnswerWaitMs } = this.#options.timing
      const pauseMs = Math.min(DAY_MS, phoneRequestRetryMs * 4 ** (asks - 1))
      const endMs = message.notedAtMs + phoneAnswerWaitMs
      this.#asked.add(makeName(message))
      // The phone has time to answer the last request too.
      const nextAtMs = Math.max(askedAtMs + phoneRequestRetryMs, Math.min(askedAtMs + pauseMs, endMs))
      this.#keep({ ...message, asks, askedAtMs, nextAtMs })
    }
  }

  #putOff(): void {
    const nextAtMs = Date.now() + this.#options.timing.phoneRequestRetryMs
    for (const message of this.#waiting.values())
      if (message.nextAtMs < nextAtMs) this.#remember({ ...message, nextAtMs })
  }

  #warn(error: unknown, sentence: string): void {
    this.#options.logger.warn({ error: errorText(error) }, sentence)
  }
}

function makeName({ id, chat, fromMe }: Pick<WaitingMessage, 'id' | 'chat' | 'fromMe'>): string {
  return `${fromMe ? 'own' : 'their'} ${chat} ${id}`
}

/** Names a message as the phone knows it: the chat without a device, and the author only in a group (`whatsapp-rust`, `src/pdo.rs`). */
function makeKey({ id, chat, participant, fromMe }: WaitingMessage): proto.IMessageKey {
  const author = isGroupJid(chat) && !fromMe && participant !== undefined ? { participant: bareJid(participant) } : {}
  return { remoteJid: bareJid(chat), fromMe, id, ...author }
}

function parse(bytes: Uint8Array): WaitingMessage | null {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as WaitingMessage
  } catch {
    return null
  }
}
