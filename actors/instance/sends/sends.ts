/**
 * Sends of one instance. A send passes these steps, a file each: admission, then at once or later by way of `acceptance`, the queue or
 * the delayed sends and `departures`, to `delivery`; one with a time of its own waits in `scheduled-sends` before. That resolves the chat, uploads files, takes the turn of the chat, composes, stores
 * and relays. `settlement` handles the network's answer. After a crash `relays` sends pending messages again.
 */
import { errorText } from '../../../lib/error-text.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type {
  CancelScheduledReply,
  CancelScheduledRequest,
  RescheduleRequest,
} from '../../../schemas/scheduled-send.js'
import type {
  QueueStatus,
  ReviseCommand,
  ReviseReply,
  ScheduleCommand,
  SendCommand,
  SendReply,
} from '../../../schemas/send-request.js'
import type { Feature } from '../feature.js'
import { pause } from '../pause.js'
import { Acceptance } from './acceptance.js'
import { Admission } from './admission.js'
import type { SendsContext } from './context.js'
import { bringForward, DelayedSends } from './delayed-sends.js'
import { Delivery } from './delivery.js'
import { Departures } from './departures.js'
import { DirectDelays } from './direct-delays.js'
import { DirectSends } from './direct-sends.js'
import { Fallbacks } from './fallbacks.js'
import { FirstSends } from './first-sends.js'
import { KnownChats } from './known-chats.js'
import { Parking } from './parking.js'
import { QueueRetries } from './queue-retries.js'
import { Relays } from './relays.js'
import { Revisions } from './revisions.js'
import { ScheduleRevisions } from './schedule-revisions.js'
import { ScheduledSends } from './scheduled-sends.js'
import { SendQueue } from './send-queue.js'
import { Settlement } from './settlement.js'
import { canceledUpdate } from './unsendable.js'

/** Time that a new connection gives to the queue alone. Then features may send too. */
const QUEUE_FIRST_MS = 1_000

/** The parts of the sends that features send with. */
export interface SendsForFeatures {
  readonly delivery: Delivery
  readonly queue: SendQueue
  readonly delayed: DelayedSends
  readonly known: KnownChats
  readonly relays: Relays
}

export class Sends {
  readonly forFeatures: SendsForFeatures
  #features: readonly Feature[] = []
  readonly #context: SendsContext
  readonly #relays: Relays
  readonly #revisions: Revisions
  readonly #settlement: Settlement
  readonly #departures: Departures
  readonly #direct: DirectSends
  readonly #firsts: FirstSends
  readonly #queue: SendQueue
  readonly #retries: QueueRetries
  readonly #delayed: DelayedSends
  readonly #admission: Admission
  readonly #cancellations: Cancellations
  readonly #scheduled: ScheduledSends
  readonly #scheduleRevisions: ScheduleRevisions
  /** Sends under way, by idempotency key or else by message id. */
  readonly #running = new Map<string, Promise<SendReply>>()

  constructor(context: SendsContext) {
    const relays = new Relays(context)
    const delays = new DirectDelays(context.presences)
    const revisions = new Revisions(context, relays)
    const fallbacks = new Fallbacks(context, relays)
    const delivery = new Delivery(context, { relays, delays, fallbacks, revisions })
    const known = new KnownChats(context)
    const parking = new Parking(context, relays, known)
    const departures = new Departures(context, delivery, parking)
    const retries = new QueueRetries(context)
    const queue = new SendQueue(context, { departures, delays, known, retries })
    parking.onParked((queued) => queue.lookAgainAt(queued))
    const delayed = new DelayedSends(context, { queue, departures, retries })
    const acceptance = new Acceptance(context, { queue, delayed, departures })
    const firsts = new FirstSends(context, delayed)
    const direct = new DirectSends(context, { delivery, acceptance, firsts })
    const scheduled = new ScheduledSends(context)
    this.forFeatures = { delivery, queue, delayed, known, relays }
    this.#context = context
    this.#relays = relays
    this.#revisions = revisions
    const refusals = () => this.#features.flatMap((feature) => feature.refusals ?? [])
    this.#settlement = new Settlement(context, { relays, revisions, fallbacks, parking, refusals })
    this.#departures = departures
    this.#direct = direct
    this.#firsts = firsts
    this.#queue = queue
    this.#retries = retries
    this.#delayed = delayed
    this.#admission = new Admission(context, { relays, delivery, direct, queue, delayed, acceptance, scheduled })
    this.#cancellations = new Cancellations(context, { departures, queue, delayed })
    this.#scheduled = scheduled
    this.#scheduleRevisions = new ScheduleRevisions(context, scheduled)
  }

  /** Tells these features from now on what happens. */
  tell(features: readonly Feature[]): void {
    this.#features = features
  }

  /** Sends a message. A command that is repeated meanwhile gets the same answer; one with the same idempotency key waits for the first. */
  send(command: SendCommand | ScheduleCommand): Promise<SendReply> {
    const name = command.idempotencyKey === undefined ? `id:${command.messageid}` : `key:${command.idempotencyKey}`
    const running = this.#running.get(name)
    if (running !== undefined && command.idempotencyKey === undefined) return running
    const result = (
      running === undefined
        ? Promise.resolve()
        : running.then(
            () => {},
            () => {},
          )
    ).then(async () => await this.#admit(command))
    this.#running.set(name, result)
    const forget = (): void => {
      if (this.#running.get(name) === result) this.#running.delete(name)
    }
    result.then(forget, forget)
    if (command.options.pauseChatbotMinutes !== undefined) this.#tellOfPause(result)
    return result
  }

  /** Admits a send behind those that a former owner had accepted. It may be one of them. */
  async #admit(command: SendCommand | ScheduleCommand): Promise<SendReply> {
    await this.#firsts.recover()
    await this.#firsts.left(command.messageid)
    return await this.#admission.admit(command)
  }

  /** An answer of an agent that this send has halted is not sent either way. */
  #tellOfPause(sent: Promise<unknown>): void {
    const tell = (): void => this.#each((feature) => feature.agentsPaused?.())
    sent.then(tell, tell)
  }

  #each(tell: (feature: Feature) => void): void {
    for (const feature of this.#features) tell(feature)
  }

  /** Edits or deletes a message of ours; cancels one that is scheduled or queued; pins any. See `Revisions`. */
  async revise(command: ReviseCommand): Promise<ReviseReply> {
    if (command.revision.kind === 'pin') return await this.#revisions.revise(command)
    const scheduled = await this.#scheduleRevisions.revise(command)
    if (scheduled !== null) return scheduled
    const canceled = command.revision.kind === 'delete' ? await this.#cancellations.cancel(command) : null
    return canceled ?? (await this.#revisions.revise(command))
  }

  /** See `Revisions`. */
  setTimer(messageid: MessageId, chat: ChatAddress, seconds: number): Promise<void> {
    return this.#revisions.setTimer(messageid, chat, seconds)
  }

  /** Handles the network's answer to a message of ours. */
  acknowledged(messageid: MessageId, error: number | null): void {
    this.#settlement.acknowledged(messageid, error)
    for (const feature of this.#features) if (feature.awaitsAnswers) feature.acknowledged?.(messageid, error)
  }

  /**
   * Handles a new connection: sends again, under their ids, the messages that the former connection may not have handed over. New messages to
   * those chats follow them.
   */
  opened(): void {
    this.#departures.opened()
    this.#revisions.opened()
    this.#each((feature) => feature.opened?.())
    this.#relays
      .opened()
      .then(() => Promise.race([this.runQueue(), pause(QUEUE_FIRST_MS)]))
      .then(() => this.#each((feature) => feature.queueWasFirst?.()))
      .catch((error: unknown) =>
        this.#context.logger.debug({ error: errorText(error) }, 'The queue of an instance was not run.'),
      )
  }

  /** Stops sending. Messages that were handed over may still be answered. */
  stop(): void {
    this.#direct.stop()
    this.#queue.stop()
    this.#retries.stop()
    this.#delayed.stop()
    this.#each((feature) => feature.stop?.())
    this.#relays.end()
  }

  /** True while the network has not answered all messages that were handed over. */
  get isWaiting(): boolean {
    return this.#relays.answers.isWaiting
  }

  /** Resolves when the network has answered all messages that were handed over, or their callers wait no more. */
  answered(): Promise<void> {
    return this.#relays.answers.none()
  }

  /** Handles that a person wrote: messages to them wait for no restriction of new chats. */
  heard(chat: ChatAddress): void {
    this.#queue.heard(chat)
    this.#each((feature) => feature.heard?.(chat))
  }

  /** Sends what is queued; see `SendQueue` and `DelayedSends`. */
  async runQueue(): Promise<void> {
    try {
      await this.#firsts.recover()
      await Promise.all([this.#queue.run(), this.#delayed.run()])
    } catch (error) {
      this.#retries.failed()
      throw error
    }
  }

  /**
   * Does what is due now of the work that has a time of its own, and asks with `wakeDueIn` to be called at the next time. It never waits for
   * that time, for the network or for its pacing, because the node has few lanes for all instances.
   */
  async runDue(): Promise<void> {
    this.#each((feature) => feature.runDue?.())
    await this.#scheduled.runDue()
  }

  /** See `ScheduleRevisions`. */
  reschedule(command: RescheduleRequest): Promise<SendReply> {
    return this.#scheduleRevisions.reschedule(command)
  }

  /** See `ScheduleRevisions`. */
  cancelScheduled(command: CancelScheduledRequest): Promise<CancelScheduledReply> {
    return this.#scheduleRevisions.cancel(command)
  }

  queueStatus(): Promise<QueueStatus> {
    return this.#queue.status()
  }

  /** Cancels what is queued. @throws GatewayError QUEUE_BUSY */
  clearQueue(): Promise<{ readonly canceled: number }> {
    return this.#cancellations.cancelAll()
  }
}

interface CancellationParts {
  readonly departures: Departures
  readonly queue: SendQueue
  readonly delayed: DelayedSends
}

/** Cancels sends that have not left. */
class Cancellations {
  readonly #context: SendsContext
  readonly #parts: CancellationParts

  constructor(context: SendsContext, parts: CancellationParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Cancels all that is queued or delayed. @throws GatewayError QUEUE_BUSY */
  async cancelAll(): Promise<{ readonly canceled: number }> {
    const { queue, delayed } = this.#parts
    const isFirst = !queue.isClearing
    try {
      return await queue.clear()
    } finally {
      if (isFirst)
        delayed
          .readAgain()
          .catch((error: unknown) =>
            this.#context.logger.debug({ error: errorText(error) }, 'Delayed sends were not read after a clearing.'),
          )
    }
  }

  /**
   * Cancels a send that is queued or waits for its delay. Returns null if the message is not such a send.
   * @throws GatewayError QUEUE_BUSY while it is being sent
   */
  async cancel({ id: named }: ReviseCommand): Promise<ReviseReply | null> {
    const { reader, id, journal } = this.#context
    const { departures, queue, delayed } = this.#parts
    await journal.settled()?.catch(() => {})
    const target = (await reader.messagesNamed(id, [named])).find(({ fromMe }) => fromMe)
    if (target === undefined || (target.status !== 'queued' && target.status !== 'canceled')) return null
    const { messageid } = target
    const reply = { messageid, timestampMs: Date.now(), content: {} }
    if (target.status === 'canceled') return reply
    if (departures.isLeaving(messageid)) throw new GatewayError('QUEUE_BUSY', { retryAfterSeconds: 1 })
    // From now on it does not begin to leave. It may have left while its row was read.
    departures.holdBack(messageid)
    try {
      return (await delayed.schedule(() => this.#cancelQueued(messageid))) ? reply : null
    } finally {
      departures.release(messageid)
      // Rows that were read earlier still have the status `queued`.
      queue.readAgain(messageid)
    }
  }

  /** Returns false if the message is not queued. */
  async #cancelQueued(messageid: MessageId): Promise<boolean> {
    const { reader, id, journal } = this.#context
    // The times that sends behind it were given a moment ago must be in the store.
    await journal.settled()?.catch(() => {})
    const row = (await reader.messagesById(id, [messageid])).find(({ fromMe }) => fromMe)
    if (row?.status !== 'queued') return row?.status === 'canceled'
    try {
      const waiting = await reader.delayedSends(id)
      await journal.write([canceledUpdate([messageid]), ...bringForward(waiting, messageid)])
      return true
    } finally {
      await this.#parts.delayed.readAgain().catch(() => {})
    }
  }
}
