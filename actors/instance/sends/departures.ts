import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { PacedChat } from '../../../schemas/pacing.js'
import { isProgramError } from '../../../schemas/program-error.js'
import { isStoreTrouble } from '../../../schemas/store-trouble.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'
import { RecentMap } from '../recent-map.js'
import type { SendsContext } from './context.js'
import type { Delivery } from './delivery.js'
import type { Parking } from './parking.js'
import { explainFailure } from './relays.js'
import { resolveChat } from './resolve.js'
import { queuedSend } from './send-content.js'
import { failedUpdate, type Unsendable, unsendableReason } from './unsendable.js'

/** Errors that a later attempt cannot help. */
export const UNSENDABLE: ReadonlySet<ErrorCode> = new Set([
  // Values of placeholders can make a menu invalid.
  'INVALID_REQUEST',
  'INVALID_NUMBER',
  'NOT_ON_NETWORK',
  'GROUP_NOT_FOUND',
  'MESSAGE_NOT_FOUND',
  'OWN_MESSAGE',
  'MESSAGE_TOO_OLD',
  'MEDIA_REFUSED',
  'MEDIA_FILE_GONE',
])

/** A message fails after so many errors of the program. */
const TRIES_MAX = 6
/** Maximum of failures that are remembered for callers who still wait. */
const FAILURES_MAX = 100

/** Sends that were accepted earlier and leave now: those of the queue, and delayed ones. Each leaves once, or is canceled. */
export class Departures {
  readonly #context: SendsContext
  readonly #delivery: Delivery
  readonly #parking: Parking
  readonly #leaving = new Set<MessageId>()
  readonly #canceling = new Set<MessageId>()
  /** Why messages could not be sent lately. */
  readonly #failures = new RecentMap<MessageId, GatewayError>(FAILURES_MAX)
  /** Number of tries of messages that met errors. */
  readonly #tries = new RecentMap<MessageId, number>(FAILURES_MAX)
  /** Time at which the connection opened, by `performance.now()`. */
  #openedAtMs = 0

  constructor(context: SendsContext, delivery: Delivery, parking: Parking) {
    this.#context = context
    this.#delivery = delivery
    this.#parking = parking
  }

  /** Handles a new connection. */
  opened(): void {
    this.#openedAtMs = performance.now()
  }

  isLeaving(messageid: MessageId): boolean {
    return this.#leaving.has(messageid)
  }

  /** Returns why a message could not be sent, if that was found lately. */
  failure(messageid: MessageId): GatewayError | undefined {
    return this.#failures.get(messageid)
  }

  /** Prevents a message from leaving while it is canceled, until `release`. */
  holdBack(messageid: MessageId): void {
    this.#canceling.add(messageid)
  }

  release(messageid: MessageId): void {
    this.#canceling.delete(messageid)
  }

  /** Sends a delayed message that is due, unless it was canceled. @throws GatewayError if another try may do better */
  async sendDue(messageid: MessageId): Promise<void> {
    const { id, journal, reader } = this.#context
    await journal.settled()?.catch(() => {})
    const rows = await reader.messagesById(id, [messageid])
    const row = rows.find(({ fromMe, status }) => fromMe && status === 'queued')
    if (row !== undefined && !this.#leaving.has(messageid)) await this.send(row)
  }

  /**
   * Sends a queued message. Resolves to false if it can never be sent.
   * @param paced given if the message is paced; a delayed one leaves at its time
   * @throws GatewayError if another try may do better
   */
  async send(queued: MessageForActor, paced?: PacedChat): Promise<boolean> {
    if (this.#canceling.has(queued.messageid)) return false
    this.#leaving.add(queued.messageid)
    try {
      return await this.#sendYoungEnough(queued, paced)
    } finally {
      this.#leaving.delete(queued.messageid)
    }
  }

  async #sendYoungEnough(queued: MessageForActor, paced: PacedChat | undefined): Promise<boolean> {
    const { account, timing, pacer } = this.#context
    const { scheduled, options } = queuedSend(queued.queuedRequest)
    const oldestMs =
      scheduled === undefined
        ? // Waiting in a long queue on an open connection does not count as age, nor do the delay that the caller asked for and a rest of
          // the account.
          this.#openedAtMs - timing.sendMaxAgeMs - (options.delayMs ?? 0) - (paced === undefined ? 0 : pacer.restedMs)
        : // The age of a scheduled message counts from its time, whatever it waited for.
          performance.now() + scheduled.lateMs - scheduled.expireAfterMs
    const outdated = unsendableReason(queued, { own: account.own, oldestMs })
    if (outdated === null) return await this.#deliver(queued, paced)
    const isLate = scheduled !== undefined && outdated.reason === 'expired'
    const why = isLate ? `It was not sent within ${scheduled.expireAfterMs / 1000} seconds of its time.` : outdated.why
    return await this.#fail(queued.messageid, { ...outdated, why })
  }

  async #deliver(queued: MessageForActor, paced: PacedChat | undefined): Promise<boolean> {
    const asked = queuedSend(queued.queuedRequest)
    // Its delay is over.
    const command = { ...asked, options: { ...asked.options, delayMs: 0 } }
    let isResolved = false
    const opened = this.#openedAtMs
    try {
      const deadlineMs = Date.now() + this.#context.timing.parkTimeoutMs
      const chat = await resolveChat(this.#context, queued.chat, deadlineMs)
      isResolved = true
      await this.#delivery.deliver(command, chat, { queued, alongside: paced && (() => this.#taken(queued, paced)) })
      return true
    } catch (error) {
      // A refusal of the message is written already. A message that can never be sent must not hold back the others.
      if (isResolved && error instanceof GatewayError && error.code === 'SEND_REFUSED') return true
      if (!(error instanceof GatewayError)) return await this.#failLater(queued.messageid, error, { opened, paced })
      if (!UNSENDABLE.has(error.code) && error.code !== 'SEND_REFUSED') throw error
      this.#failures.set(queued.messageid, error)
      return await this.#fail(queued.messageid, { why: error.message })
    }
  }

  /**
   * Handles an error that says nothing about the message. Resolves to true if the queue may send the next one and try this one again, and to
   * false if the message has failed after `TRIES_MAX` errors of the program. Errors of the media storage or the network fail no message.
   * @param attempt `opened`: when the connection of the attempt opened; `paced`: given if the queue sends
   * @throws the error, if the store is away, the connection has ended, or the send was delayed: it waits, and later ones of its chat too
   */
  async #failLater(
    messageid: MessageId,
    error: unknown,
    { opened, paced }: { readonly opened: number; readonly paced: PacedChat | undefined },
  ): Promise<boolean> {
    if (isStoreTrouble(error)) throw error
    await this.#context.connection(0).catch(() => {
      throw error
    })
    if (opened !== this.#openedAtMs) throw error
    const tries = (this.#tries.get(messageid) ?? 0) + 1
    this.#tries.set(messageid, tries)
    if (isProgramError(error) && tries >= TRIES_MAX)
      return await this.#fail(messageid, { why: explainFailure(this.#context, error, messageid) })
    if (paced === undefined) throw error
    return true
  }

  /** Returns the changes of the pacing that belong to this send. */
  #taken(queued: MessageForActor, paced: PacedChat): readonly Change[] {
    const { pacer } = this.#context
    this.#parking.leaves(queued, paced)
    const { scheduled } = queuedSend(queued.queuedRequest)
    return pacer.taken('async', paced, pacer.pauseMs(scheduled === undefined ? 'queued' : 'scheduled'))
  }

  async #fail(messageid: MessageId, unsendable: Unsendable): Promise<false> {
    await this.#context.journal.write([failedUpdate(messageid, unsendable)])
    return false
  }
}
