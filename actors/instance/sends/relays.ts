/**
 * Hands messages to the network in the order of each chat, whatever happens to connections.
 *
 * A message goes over a connection only when everything of its chat that former ones may not have handed over has gone over it again.
 * No row is missed: a connection that opens reads the pending rows when all earlier writes are durable, and a send that stored its row
 * for a connection that was replaced meanwhile has the pending rows read again.
 */
import { errorText } from '../../../lib/error-text.js'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import { isProgramError } from '../../../schemas/program-error.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import { isStoreTrouble } from '../../../schemas/store-trouble.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { causeOfFailure } from '../../network/disconnects.js'
import type { Connection } from '../../network/port/connection.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import { pause } from '../pause.js'
import { readAgain } from '../read-again.js'
import { Answers, answerChange, type SendOutcome } from './answers.js'
import type { SendsContext } from './context.js'
import { type PostHandover, StatusParts } from './status-parts.js'
import { failedUpdate, type Unsendable, unsendableReason } from './unsendable.js'

type RelaysContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'logger' | 'account' | 'timing' | 'connection'>

/** A message, and the open connection on which it is its turn. */
export interface Turn<Message extends OutgoingMessage> {
  readonly connection: Connection
  /** Number of the connection among those that have opened. */
  readonly generation: number
  readonly message: Message
}

/** A message as it is handed to a connection. */
interface Handover extends PostHandover {
  readonly chat: ChatAddress
}

/** A relay that fails while its connection lives is tried again after each of these, and then given up. */
const RETRY_MS = [500, 2_000]

export class Relays {
  /** The calls that wait for the network's answers. */
  readonly answers: Answers
  readonly #context: RelaysContext
  readonly #lanes = new Lanes()
  /** Made for the first status post. */
  #posts: StatusParts | undefined
  /** Messages that were handed to the present connection, until their answers are stored. */
  readonly #handedOver = new Set<MessageId>()
  /** For each reading of pending rows, the messages that were handed over since it began, or before. */
  readonly #readings = new Set<Set<MessageId>>()
  /** Messages that are sent again over the present connection, by lane. New messages stand behind them. */
  readonly #again = new Map<string, Promise<void>>()
  #isRead: Promise<void> = Promise.resolve()
  #isEnding = false
  /** Counts the connections that have opened. */
  #generation = 0

  constructor(context: RelaysContext) {
    this.#context = context
    this.answers = new Answers(context.timing.ackTimeoutMs)
  }

  /** Handles a new connection. Resolves when the messages that must be sent again stand in their lanes. */
  opened(): Promise<void> {
    this.#generation += 1
    this.#handedOver.clear()
    this.#again.clear()
    return this.#readPending()
  }

  /** Hands over nothing new from now on. */
  end(): void {
    this.#isEnding = true
  }

  /** Runs work in the lane of a chat: after all work that entered the lane before. */
  inLane<T>(chat: ChatAddress, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(findLane(chat), work)
  }

  /**
   * Composes a message on the connection on which it is the turn of its chat, and again if the connection is replaced meanwhile.
   * @throws GatewayError INSTANCE_MOVING and the errors of `compose`
   */
  async takeTurn<M extends OutgoingMessage>(
    chat: ChatAddress,
    compose: (connection: Connection) => Promise<M>,
  ): Promise<Turn<M>> {
    const deadlineMs = Date.now() + this.#context.timing.parkTimeoutMs
    for (;;) {
      await this.#context.connection(Math.max(0, deadlineMs - Date.now()))
      const generation = this.#generation
      await this.#isRead
      await this.#again.get(findLane(chat))
      const connection = await this.#context.connection(Math.max(0, deadlineMs - Date.now()))
      if (generation !== this.#generation) continue
      const message = await compose(connection)
      if (this.#isEnding) throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 })
      if (generation === this.#generation) return { connection, generation, message }
    }
  }

  /**
   * Relays a message over the connection of its turn, and again if that fails. Must be called in the same step in which its row was
   * written. Resolves when the message was handed over, or is left to the next connection.
   * @param stored settles with the write of its row
   */
  async relay(
    { connection, generation, message }: Turn<OutgoingMessage>,
    { messageid, chat, post, to }: Omit<Handover, 'message'>,
    stored: Promise<unknown>,
  ): Promise<void> {
    this.#noteHandedOver(messageid)
    // Its frame may be made later than the refusal of its row, when the gate has nothing to wait for.
    stored.catch((error: unknown) => {
      this.answers.settle(messageid, { status: 'pending' })
      connection.destroy(causeOfFailure(error))
    })
    try {
      await this.#hand(connection, { messageid, chat, message, post, to })
    } catch (error) {
      this.#handedOver.delete(messageid)
      const isStored = await stored.then(
        () => true,
        () => false,
      )
      // If it was never stored, its caller gets that error.
      if (isStored) await this.#relayUntilTaken({ messageid, chat, message, post }, generation, error)
    }
  }

  /**
   * Relays another message under the id of one that the network has refused. Calls that wait for its answer go on waiting. It takes no
   * lane: messages behind it in the chat wait only for the frame of the first one.
   */
  async relayInstead(
    connection: Connection,
    { messageid, chat, message }: Handover,
    stored: Promise<unknown>,
  ): Promise<void> {
    const generation = this.#generation
    this.#noteHandedOver(messageid)
    try {
      await connection.messages.relay(messageid, chat, message)
    } catch (error) {
      this.#handedOver.delete(messageid)
      await stored
      await this.#relayUntilTaken({ messageid, chat, message }, generation, error)
    }
  }

  /** Handles the network's answer to a part of a status post. Returns true if it says nothing of the whole message. */
  partAnswered(messageid: MessageId, error: number | null): boolean {
    return this.#posts?.answered(messageid, error) ?? false
  }

  /**
   * Hands a message over that may be at the network already. Phones take a message that comes twice for one; a channel would show two posts, so it
   * is looked at first.
   */
  async #handAgain(connection: Connection, handover: Handover): Promise<void> {
    const { chat, messageid } = handover
    const { group } = chat
    const found =
      group !== undefined && isChannelJid(group) ? await connection.channels.findPost(group, { messageid }) : null
    if (found === null) await this.#hand(connection, handover)
    else await this.#posted(messageid, group as Jid, found.serverid)
  }

  /** The network has taken a post whose answer was lost. */
  async #posted(messageid: MessageId, channel: Jid, serverid: number): Promise<void> {
    const post = { type: 'channel.post', channel, serverid, messageid } as const
    const stored = this.#context.journal.write([answerChange(messageid, null, false), post])
    this.answered(messageid, { status: 'sent' }, stored)
    await stored
  }

  async #hand(connection: Connection, handover: Handover): Promise<void> {
    if (isStatusChat(handover.chat)) {
      this.#posts ??= new StatusParts(this.#context)
      await this.#posts.relay(connection, handover)
    } else await connection.messages.relay(handover.messageid, handover.chat, handover.message)
  }

  /**
   * Handles the decision on a message: of the network, or ours. A failure is answered once it is durable. Until then a crash would send
   * the message again, after its caller heard that it failed. If the decision is not stored, the connection ends: the network does not
   * answer twice over one connection, and the next one sends the message again.
   * @param stored settles with the write of its row
   */
  answered(messageid: MessageId, outcome: SendOutcome, stored: Promise<unknown>): void {
    const generation = this.#generation
    if (outcome.status !== 'failed') this.answers.settle(messageid, outcome)
    const end = (known: SendOutcome): void => {
      this.answers.settle(messageid, known)
      this.#handedOver.delete(messageid)
    }
    stored.then(
      () => end(outcome),
      (error: unknown) => {
        end({ status: 'pending' })
        void this.#endConnection(generation, error)
      },
    )
  }

  /** Relays a stored message again after a failure, over the same connection or over the one that has taken its place. */
  async #relayUntilTaken(handover: Handover, generation: number, failure: unknown): Promise<void> {
    const { messageid } = handover
    let error = failure
    for (const waitMs of RETRY_MS) {
      if (await this.#isOthersToSend(messageid, generation)) return
      this.#context.logger.debug({ error: errorText(error) }, 'A message was not handed to the socket. It is retried.')
      await pause(waitMs)
      if (await this.#isOthersToSend(messageid, generation)) return
      try {
        this.#noteHandedOver(messageid)
        const connection = await this.#context.connection(0)
        await this.#handAgain(connection, handover)
        return
      } catch (again) {
        this.#handedOver.delete(messageid)
        error = again
      }
    }
    if (await this.#isOthersToSend(messageid, generation)) return
    // If the store is away, the next connection sends the message again, before later ones of its chat.
    if (isStoreTrouble(error)) await this.#endConnection(generation, error)
    else await this.#giveUp(messageid, { why: explainFailure(this.#context, error, messageid) })
  }

  /** Returns true if its connection is gone. Then the next one finds the row, or was made to look again. */
  async #isOthersToSend(messageid: MessageId, generation: number): Promise<boolean> {
    if (generation === this.#generation) {
      const isOpen = await this.#context.connection(0).then(
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
      this.#context.logger.warn(
        { error: errorText(error) },
        'Pending messages could not be read. The next connection reads them.',
      )
      await this.#endConnection(generation, error)
    })
    await this.#isRead
  }

  /** Ends a connection, if it is still the present one. The next one starts from the store. */
  async #endConnection(generation: number, error: unknown): Promise<void> {
    const connection = await this.#context.connection(0).catch(() => null)
    if (generation === this.#generation && !this.#isEnding) connection?.destroy(causeOfFailure(error))
  }

  /** Reads the pending rows, and puts those that were not handed to the present connection into their lanes again. */
  async #sendAgain(): Promise<void> {
    const { id, reader, journal, logger } = this.#context
    const generation = this.#generation
    // The callers of failed writes get these errors themselves.
    await journal.settled()?.catch(() => {})
    const handedOver = new Set(this.#handedOver)
    this.#readings.add(handedOver)
    // Nothing new goes out before: it would overtake the messages that are still to be sent.
    const isWanted = (): boolean => generation === this.#generation && !this.#isEnding
    const read = readAgain(() => reader.pendingSends(id), isWanted)
    const rows = await read.finally(() => this.#readings.delete(handedOver))
    if (generation !== this.#generation) return
    const pending = rows.filter(({ messageid }) => !handedOver.has(messageid))
    for (const message of pending) {
      const why = this.#whyNotAgain(message)
      if (why !== null) await this.#giveUp(message.messageid, why)
      else this.#queueAgain(message, generation)
    }
    if (pending.length > 0)
      logger.info({ instanceId: id, count: pending.length }, 'Messages without an answer of WhatsApp are sent again.')
  }

  #whyNotAgain(message: MessageForActor): Unsendable | null {
    const { account, timing } = this.#context
    const oldestMs = performance.now() - timing.sendMaxAgeMs
    const outdated = unsendableReason(message, { own: account.own, oldestMs })
    return outdated ?? (message.proto === null ? { why: 'It was not kept.' } : null)
  }

  #queueAgain(message: MessageForActor, generation: number): void {
    this.#noteHandedOver(message.messageid)
    const lane = findLane(message.chat)
    const before = this.#again.get(lane) ?? Promise.resolve()
    const mine = before.then(() => this.#relayAgain(message, message.proto as Uint8Array, generation))
    this.#again.set(lane, mine)
  }

  /** Never rejects. A message that was not handed over waits for the next connection, and those of its lane with it. */
  async #relayAgain({ messageid, chat }: MessageForActor, proto: Uint8Array, generation: number): Promise<void> {
    if (generation !== this.#generation) return
    const connection = await this.#context.connection(0).catch(() => null)
    if (connection === null || generation !== this.#generation) return
    const message = connection.messages.recall(proto)
    try {
      await this.#handAgain(connection, { messageid, chat, message })
    } catch (error) {
      this.#handedOver.delete(messageid)
      await this.#relayUntilTaken({ messageid, chat, message }, generation, error).catch(() => {})
    }
  }

  async #giveUp(messageid: MessageId, unsendable: Unsendable): Promise<void> {
    const stored = this.#context.journal.write([failedUpdate(messageid, unsendable)])
    this.answered(messageid, { status: 'failed', code: null, why: unsendable.why }, stored)
    await stored
  }

  #noteHandedOver(messageid: MessageId): void {
    this.#handedOver.add(messageid)
    for (const reading of this.#readings) reading.add(messageid)
  }
}

/** Returns why a message could not be handed to the network. Logs an error of ours. */
export function explainFailure({ logger }: Pick<SendsContext, 'logger'>, error: unknown, messageid: MessageId): string {
  if (!isProgramError(error)) return `It could not be handed to WhatsApp: ${errorText(error)}`
  logger.error({ err: error, messageid }, 'A message was not handed to WhatsApp because of a bug in the gateway.')
  return 'A bug in the gateway; its log has the error. The message was not handed to WhatsApp.'
}

function findLane(chat: ChatAddress): string {
  return chat.lid ?? toChatId(chat)
}

/** Runs work one after the other in each lane. Lanes run side by side. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Runs `work` when all earlier work of the lane has ended, and resolves or rejects as it does. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(lane) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    this.#tails.set(lane, tail)
    void tail.then(() => {
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane)
    })
    return mine
  }
}
