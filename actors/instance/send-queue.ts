import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { QueueStatus } from './commands.js'
import type { Change, InstanceJournal, InstanceReader, MessageForActor } from './ports.js'
import { messageOf } from './relays.js'

export interface SendQueueOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly logger: Logger
  readonly random: () => number
  readonly pacingMinMs: number
  readonly pacingMaxMs: number
  /** More are refused. */
  readonly queueMax: number
  readonly isConnected: () => boolean
  /** Resolves when there is a connection. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connected: () => Promise<unknown>
  /** A clearing has ended. */
  readonly cleared: () => void
  /** Sends one; resolves when it is sent, or with false when it never can be. @throws when another try may do better */
  readonly send: (queued: MessageForActor) => Promise<boolean>
}

const PAGE = 50
const CANCELED_AT_ONCE = 200
/** How long a clearing waits for the send that is under way. */
const DRAIN_MAX_MS = 5_000

/** The asynchronous sends of one instance: rows with status `queued`, sent one by one. */
export class SendQueue {
  readonly #options: SendQueueOptions
  #isRunning = false
  #isAsked = false
  #isStopped = false
  #isClearing = false
  /** Counts clearings: what was read before one is outdated after it. */
  #clearings = 0
  #sending: Promise<boolean> | null = null
  /** Those that do not stand in the line. */
  readonly #beside = new Set<Promise<unknown>>()

  constructor(options: SendQueueOptions) {
    this.#options = options
  }

  /** Whether one more is taken. @throws GatewayError QUEUE_FULL, QUEUE_BUSY */
  async admit(): Promise<void> {
    const { reader, instance, queueMax } = this.#options
    if (this.#isClearing) throw busy()
    if ((await reader.queuedCount(instance)) >= queueMax) throw new GatewayError('QUEUE_FULL')
  }

  /** Sends what is queued, oldest first, paced, while there is a connection. Called again at any time it goes on, never twice at once. */
  async run(): Promise<void> {
    this.#isAsked = true
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#isAsked && !this.#isHeld) {
        this.#isAsked = false
        const clearings = this.#clearings
        const queued = await this.#options.reader.queuedSends(this.#options.instance, PAGE)
        for (const message of queued) if (!(await this.#sendNext(message, clearings))) break
        if (queued.length > 0) this.#isAsked = true
      }
    } catch (error) {
      // No connection, or no store: the next connection, wake-up or sweep goes on.
      this.#options.logger.debug({ error: messageOf(error) }, 'The queue of an instance waits.')
    } finally {
      this.#isRunning = false
    }
    // Whoever asked while a send was failing, as a new connection does, would not ask again.
    if (this.#isAsked && !this.#isHeld) await this.run()
  }

  /**
   * Sends one that does not stand in the line. A clearing waits for it as for the one that is under way.
   * @throws GatewayError QUEUE_BUSY while the queue is cleared
   */
  async beside<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isHeld) throw busy()
    const sending = send()
    this.#beside.add(sending)
    try {
      return await sending
    } finally {
      this.#beside.delete(sending)
    }
  }

  /** Forgets what was read: one of it was canceled. */
  readAgain(): void {
    this.#clearings += 1
    this.#isAsked = true
  }

  stop(): void {
    this.#isStopped = true
  }

  async status(): Promise<QueueStatus> {
    const { reader, instance, queueMax, isConnected } = this.#options
    const pending = await reader.queuedCount(instance)
    const [sessionReady, processingNow, resetting] = [isConnected(), this.#sending !== null, this.#isClearing]
    const status = resetting
      ? 'resetting'
      : processingNow
        ? 'processing'
        : pending === 0
          ? 'idle'
          : sessionReady
            ? 'queued'
            : 'waiting_connection'
    return {
      status,
      pending,
      processingNow,
      acceptingNewMessages: !resetting && pending < queueMax,
      sessionReady,
      resetting,
    }
  }

  /**
   * Cancels all that is queued. The send that is under way is waited for, and is no part of it.
   * @throws GatewayError QUEUE_BUSY while another clears it, or when that send takes too long
   */
  async clear(): Promise<{ readonly canceled: number }> {
    if (this.#isClearing) throw busy()
    this.#isClearing = true
    this.#clearings += 1
    try {
      await this.#drained()
      let canceled = 0
      for (;;) {
        const count = await this.#cancelSome()
        if (count === 0) return { canceled }
        canceled += count
      }
    } finally {
      this.#isClearing = false
      this.#options.cleared()
      void this.run()
    }
  }

  get #isHeld(): boolean {
    return this.#isStopped || this.#isClearing
  }

  /** False when the rest of what was read is not to be sent. */
  async #sendNext(message: MessageForActor, clearings: number): Promise<boolean> {
    const { connected, send, pacingMinMs, pacingMaxMs, random } = this.#options
    const isOutdated = (): boolean => this.#isHeld || clearings !== this.#clearings
    if (isOutdated()) return false
    await connected()
    if (isOutdated()) return false
    const sending = send(message)
    this.#sending = sending
    try {
      if (!(await sending)) return true
    } finally {
      this.#sending = null
    }
    await pause(pacingMinMs + (pacingMaxMs - pacingMinMs) * random())
    return true
  }

  async #drained(): Promise<void> {
    if (this.#sending === null && this.#beside.size === 0) return
    const sending = Promise.allSettled([this.#sending, ...this.#beside])
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), DRAIN_MAX_MS)
    })
    const outcome = await Promise.race([sending, late]).finally(() => clearTimeout(timer))
    if (outcome === 'late') throw busy()
  }

  async #cancelSome(): Promise<number> {
    const { reader, journal, instance } = this.#options
    const queued = await reader.queuedSends(instance, CANCELED_AT_ONCE, true)
    if (queued.length === 0) return 0
    await journal.write([canceledUpdate(queued.map(({ messageid }) => messageid))])
    return queued.length
  }
}

/** The change that cancels queued sends. */
export function canceledUpdate(messageids: readonly MessageId[]): Change {
  return {
    type: 'message.update',
    messageids,
    fromMe: true,
    set: { status: 'canceled', queuedRequest: null },
    announce: { type: 'Status', state: 'Canceled', event: { IsFromMe: true } },
  }
}

function busy(): GatewayError {
  return new GatewayError('QUEUE_BUSY', { retryAfterSeconds: 1 })
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}
