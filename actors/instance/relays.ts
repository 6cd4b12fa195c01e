import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { type ChatAddress, chatIdOf } from '../../schemas/jid.js'
import { isProgramError } from '../../schemas/program-error.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import { causeOfFailure } from '../network/disconnects.js'
import type { Connection } from '../network/port/connection.js'
import type { OutgoingMessage } from '../network/port/messages.js'
import type { InstanceJournal, InstanceReader } from './ports.js'
import { readAgain } from './read-again.js'

export interface RelaysOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly logger: Logger
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: (waitMs: number) => Promise<Connection>
  /** The own addresses, once connected. */
  readonly own: () => ChatAddress | null
  readonly parkTimeoutMs: number
  readonly ackTimeoutMs: number
  /** What was not sent within this time is not sent any more. */
  readonly sendMaxAgeMs: number
}

export type Outcome =
  | { readonly status: 'sent' }
  | { readonly status: 'pending' }
  /** `code`: the network's; null when it never saw the message. */
  | { readonly status: 'failed'; readonly code: number | null; readonly why: string }

export interface Relayed<Stored> {
  /** The network's answer, or `pending` after the bounded wait. */
  readonly outcome: Promise<Outcome>
  readonly stored: Promise<Stored>
}

export interface Relay<Message extends OutgoingMessage, Stored> {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  /** Makes the message; called again when the connection is replaced meanwhile. */
  readonly compose: (connection: Connection) => Promise<Message>
  /** Writes its row as `pending`; called once, in the same step as the relay. */
  readonly store: (message: Message) => Promise<Stored>
}

/** What is handed to a connection, as it is. */
interface Handover {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  readonly message: OutgoingMessage
}

/** A relay that fails while its connection lives is tried again after each of these, and then given up. */
const RETRY_MS = [500, 2_000]

/**
 * The way of messages to the network, in the order of each chat, whatever happens to connections.
 *
 * A message goes over a connection only when everything of its chat that former ones may not have handed over has gone over it again.
 * So that no row is missed: a connection that opens reads the pending rows when all that was written before is durable, and whoever
 * stored a row for a connection that was replaced meanwhile has them read again.
 */
export class Relays {
  readonly #options: RelaysOptions
  readonly #lanes = new Map<string, Promise<unknown>>()
  /** Who waits for the network's answer to a message. */
  readonly #acks = new Map<MessageId, Set<(outcome: Outcome) => void>>()
  /** Handed to the present connection, until its answer is stored; and, for each reading of pending rows, what was since it began. */
  readonly #handedOver = new Set<MessageId>()
  readonly #readings = new Set<Set<MessageId>>()
  /** What is sent again over the present connection, by lane; new messages stand behind it. */
  readonly #again = new Map<string, Promise<void>>()
  #isRead: Promise<void> = Promise.resolve()
  #isEnding = false
  /** Counts the connections that have opened. */
  #generation = 0

  constructor(options: RelaysOptions) {
    this.#options = options
  }

  /** A connection opened. Resolves when it is known what must be sent again; that stands in its lanes then. */
  opened(): Promise<void> {
    this.#generation += 1
    this.#handedOver.clear()
    this.#again.clear()
    return this.#readPending()
  }

  /** What the network, or we, decide on a message that is on its way already; `pending` after the bounded wait, or at once by `stop`. */
  awaitAnswer(messageid: MessageId): { readonly outcome: Promise<Outcome>; readonly stop: () => void } {
    return this.#awaitAck(messageid)
  }

  /** Nothing new is handed over from now on. */
  end(): void {
    this.#isEnding = true
  }

  /** Messages that the network has not answered, and that are on their way or were handed over not long ago. */
  get isWaiting(): boolean {
    return this.#acks.size > 0
  }

  isAwaited(messageid: MessageId): boolean {
    return this.#acks.has(messageid)
  }

  /**
   * The network, or we, have decided on a message; `stored` settles with the write of its row.
   * A failure is answered once it is durable: until then a crash would send the message again, after its caller heard that it failed.
   */
  answered(messageid: MessageId, outcome: Outcome, stored: Promise<unknown>): void {
    if (outcome.status !== 'failed') this.#settle(messageid, outcome)
    const end = (known: Outcome): void => {
      this.#settle(messageid, known)
      this.#handedOver.delete(messageid)
    }
    stored.then(
      () => end(outcome),
      () => end({ status: 'pending' }),
    )
  }

  /** In the lane of the chat: `before`, which may take its time, and then the message. */
  send<M extends OutgoingMessage, S>(relay: Relay<M, S>, before: () => Promise<void>): Promise<Relayed<S>> {
    return this.#inLane(laneOf(relay.chat), async () => {
      await before()
      return await this.#sendNow(relay)
    })
  }

  /**
   * Another message under the id of one that the network has refused; whoever waits for its answer waits on. Not in a lane: what stands
   * behind it in the chat has waited for nothing but the frame of the first one.
   */
  async sendInstead(
    connection: Connection,
    { messageid, chat, message, stored }: Handover & { stored: Promise<unknown> },
  ): Promise<void> {
    const generation = this.#generation
    this.#noteHandedOver(messageid)
    try {
      await connection.messages.relay(messageid, chat, message)
    } catch (error) {
      this.#handedOver.delete(messageid)
      await stored
      await this.#handOver({ messageid, chat, message }, generation, error)
    }
  }

  async #sendNow<M extends OutgoingMessage, S>({ messageid, chat, compose, store }: Relay<M, S>): Promise<Relayed<S>> {
    const { connection, generation, message } = await this.#composeOnCurrent(chat, compose)
    const { outcome } = this.#awaitAck(messageid)
    this.#noteHandedOver(messageid)
    const stored = store(message)
    // Its frame may be made later than the refusal of its row, when the gate has nothing to wait for any more.
    stored.catch((error: unknown) => {
      this.#settle(messageid, { status: 'pending' })
      connection.destroy(causeOfFailure(error))
    })
    try {
      await connection.messages.relay(messageid, chat, message)
    } catch (error) {
      this.#handedOver.delete(messageid)
      const isStored = await stored.then(
        () => true,
        () => false,
      )
      // Was it never stored, the caller is told so.
      if (isStored) await this.#handOver({ messageid, chat, message }, generation, error)
    }
    return { outcome, stored }
  }

  /** The message made for a connection on which it is its turn, and which is still the present one. */
  async #composeOnCurrent<M extends OutgoingMessage>(
    chat: ChatAddress,
    compose: (connection: Connection) => Promise<M>,
  ): Promise<{ connection: Connection; generation: number; message: M }> {
    const deadlineMs = Date.now() + this.#options.parkTimeoutMs
    for (;;) {
      await this.#options.connection(Math.max(0, deadlineMs - Date.now()))
      const generation = this.#generation
      await this.#isRead
      await this.#again.get(laneOf(chat))
      const connection = await this.#options.connection(Math.max(0, deadlineMs - Date.now()))
      if (generation !== this.#generation) continue
      const message = await compose(connection)
      if (this.#isEnding) throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 })
      if (generation === this.#generation) return { connection, generation, message }
    }
  }

  /** The row is there and the relay failed: over the same connection again, or over the one that has taken its place. */
  async #handOver({ messageid, chat, message }: Handover, generation: number, failure: unknown): Promise<void> {
    let error = failure
    for (const waitMs of RETRY_MS) {
      if (await this.#isOthersToSend(messageid, generation)) return
      this.#options.logger.debug(
        { error: messageOf(error) },
        'A message was not handed to the socket; it is tried again.',
      )
      await pause(waitMs)
      if (await this.#isOthersToSend(messageid, generation)) return
      try {
        this.#noteHandedOver(messageid)
        const connection = await this.#options.connection(0)
        await connection.messages.relay(messageid, chat, message)
        return
      } catch (again) {
        this.#handedOver.delete(messageid)
        error = again
      }
    }
    if (await this.#isOthersToSend(messageid, generation)) return
    if (!isProgramError(error))
      return await this.#giveUp(messageid, `It could not be handed to the network: ${messageOf(error)}`)
    this.#options.logger.error(
      { err: error, messageid },
      'A message was not handed to the network by an error of ours.',
    )
    await this.#giveUp(messageid, 'An error of the gateway, which its log describes: it was not handed to the network.')
  }

  /** True when its connection is gone: the next one finds the row, or has been told to look again. */
  async #isOthersToSend(messageid: MessageId, generation: number): Promise<boolean> {
    if (generation === this.#generation) {
      const isOpen = await this.#options.connection(0).then(
        () => true,
        () => false,
      )
      if (generation === this.#generation) return !isOpen
    }
    // The connection that opened meanwhile may have looked for pending rows before there was this one.
    if (!this.#handedOver.has(messageid)) await this.#readPending()
    return true
  }

  async #readPending(): Promise<void> {
    const before = this.#isRead
    const generation = this.#generation
    const read = before.then(() => this.#sendAgain())
    this.#isRead = read.catch(async (error: unknown) => {
      this.#options.logger.warn(
        { error: messageOf(error) },
        'Pending messages could not be read: the next connection does.',
      )
      const connection = await this.#options.connection(0).catch(() => null)
      if (generation === this.#generation && !this.#isEnding) connection?.destroy(causeOfFailure(error))
    })
    await this.#isRead
  }

  async #sendAgain(): Promise<void> {
    const { instance, reader, journal, logger, sendMaxAgeMs } = this.#options
    const generation = this.#generation
    // Whoever waits for a write that failed is told so himself.
    await journal.settled()?.catch(() => {})
    const handedOver = new Set(this.#handedOver)
    this.#readings.add(handedOver)
    // Nothing new goes out before: it would overtake what is still to be sent.
    const isWanted = (): boolean => generation === this.#generation && !this.#isEnding
    const read = readAgain(() => reader.pendingSends(instance), isWanted)
    const rows = await read.finally(() => this.#readings.delete(handedOver))
    if (generation !== this.#generation) return
    const pending = rows.filter(({ messageid }) => !handedOver.has(messageid))
    for (const message of pending) {
      const outdated = whyNotToSend(message, { own: this.#options.own(), oldestMs: performance.now() - sendMaxAgeMs })
      if (outdated !== null || message.proto === null) {
        await this.#giveUp(message.messageid, outdated ?? 'It was not kept.')
        continue
      }
      this.#noteHandedOver(message.messageid)
      const lane = laneOf(message.chat)
      const before = this.#again.get(lane) ?? Promise.resolve()
      const mine = before.then(() => this.#relayAgain(message, message.proto as Uint8Array, generation))
      this.#again.set(lane, mine)
    }
    if (pending.length > 0)
      logger.info(
        { instanceId: instance, count: pending.length },
        'Messages without an answer of the network are sent again.',
      )
  }

  /** Never rejects: what it could not hand over waits for the next connection, and those of its lane with it. */
  async #relayAgain({ messageid, chat }: MessageForActor, proto: Uint8Array, generation: number): Promise<void> {
    if (generation !== this.#generation) return
    const connection = await this.#options.connection(0).catch(() => null)
    if (connection === null || generation !== this.#generation) return
    const message = connection.messages.recall(proto)
    try {
      await connection.messages.relay(messageid, chat, message)
    } catch (error) {
      this.#handedOver.delete(messageid)
      await this.#handOver({ messageid, chat, message }, generation, error).catch(() => {})
    }
  }

  async #giveUp(messageid: MessageId, why: string): Promise<void> {
    const stored = this.#options.journal.write([failedUpdate(messageid, why)])
    this.answered(messageid, { status: 'failed', code: null, why }, stored)
    await stored
  }

  #noteHandedOver(messageid: MessageId): void {
    this.#handedOver.add(messageid)
    for (const reading of this.#readings) reading.add(messageid)
  }

  #inLane<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lanes.get(lane) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    this.#lanes.set(lane, tail)
    void tail.then(() => {
      if (this.#lanes.get(lane) === tail) this.#lanes.delete(lane)
    })
    return mine
  }

  #awaitAck(messageid: MessageId): { readonly outcome: Promise<Outcome>; readonly stop: () => void } {
    const waiting = this.#acks.get(messageid) ?? new Set()
    this.#acks.set(messageid, waiting)
    let stop = (): void => {}
    const outcome = new Promise<Outcome>((resolve) => {
      const settle = (answer: Outcome): void => {
        clearTimeout(timer)
        waiting.delete(settle)
        if (waiting.size === 0 && this.#acks.get(messageid) === waiting) this.#acks.delete(messageid)
        resolve(answer)
      }
      stop = () => settle({ status: 'pending' })
      const timer = setTimeout(stop, this.#options.ackTimeoutMs)
      waiting.add(settle)
    })
    return { outcome, stop }
  }

  #settle(messageid: MessageId, outcome: Outcome): void {
    for (const settle of [...(this.#acks.get(messageid) ?? [])]) settle(outcome)
  }
}

/** Why a message that waited is not sent any more, as a sentence; null when it is. `oldestMs`: what waits since before is too old. */
export function whyNotToSend(
  { waitsSinceMs, sender, record }: MessageForActor,
  { own, oldestMs }: { own: ChatAddress | null; oldestMs: number },
): string | null {
  if (waitsSinceMs < oldestMs) return 'It was not sent within SEND_MAX_AGE_MS.'
  // Who accepted it was another account: the instance has been paired anew since. One that has another number now has its LID still.
  const isOfOther = sender !== '' && own !== null && sender !== own.pn && ![sender, record.sender_lid].includes(own.lid)
  return isOfOther
    ? `It was to be sent by ${sender.split('@')[0]}, to which the instance is not paired any more.`
    : null
}

/** That a message will not be sent, for its row and as an event. */
export function failedUpdate(messageid: MessageId, why: string) {
  return {
    type: 'message.update' as const,
    messageids: [messageid],
    fromMe: true,
    set: { status: 'failed' as const, error: why, queuedRequest: null },
    announce: { type: 'Status', state: 'Failed', event: { IsFromMe: true, error: why } },
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function laneOf(chat: ChatAddress): string {
  return chat.lid ?? chatIdOf(chat)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
