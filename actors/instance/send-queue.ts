import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { type ChatAddress, isSameChat } from '../../schemas/jid.js'
import type { QueueStatus } from '../../schemas/send-request.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import type { Change, InstanceJournal, InstanceReader } from './ports.js'
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
  /** How long a send is to wait once it is its turn in its chat. */
  readonly delayMs: (queued: MessageForActor) => number
  /** Shows its chat that it is being written. */
  readonly show: (queued: MessageForActor, durationMs: number) => void
  /** Chats in which a direct send waits for its delay. */
  readonly delayedChats: () => readonly ChatAddress[]
  /** Sends one whose delay is over; resolves when it is sent, or with false when it never can be. @throws when another try may do better */
  readonly send: (queued: MessageForActor) => Promise<boolean>
}

const PAGE = 50
/** Chats that wait for their delay at once; further ones begin theirs later. */
const DELAYS_AT_ONCE = 100
/** So many chats that wait are looked past for one that does not. */
const CHATS_PASSED_MAX = 500
const CANCELED_AT_ONCE = 200
/** How long a clearing waits for the send that is under way. */
const DRAIN_MAX_MS = 5_000

/** The first of its chat, which waits for its delay. */
interface Held {
  readonly message: MessageForActor
  readonly dueAtMs: number
  readonly timer: NodeJS.Timeout
  isReady: boolean
}

/**
 * The asynchronous sends of one instance: rows with status `queued`, sent one by one, paced, and in their order within each chat.
 * One with a delay holds back its chat alone: the others are sent meanwhile.
 */
export class SendQueue {
  readonly #options: SendQueueOptions
  #isRunning = false
  #isAsked = false
  #isStopped = false
  #isClearing = false
  /** Counts clearings: what was read before one is outdated after it. */
  #clearings = 0
  #sending: Promise<boolean> | null = null
  /** Resolves when the next may leave after the last one. */
  #pace: Promise<void> = Promise.resolve()
  /** Those that do not stand in the line. */
  readonly #beside = new Set<Promise<unknown>>()
  readonly #held = new Set<Held>()
  /** Those that wait until what was accepted before them has left its chat. */
  readonly #behind = new Map<() => void, ChatAddress>()

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
      while (this.#isAsked && !this.#isHalted) {
        this.#isAsked = false
        await this.#sendAll(this.#clearings)
      }
    } catch (error) {
      // No connection, or no store: the next connection, wake-up or sweep goes on.
      this.#options.logger.debug({ error: messageOf(error) }, 'The queue of an instance waits.')
    } finally {
      this.#isRunning = false
    }
    // Whoever asked while a send was failing, as a new connection does, would not ask again.
    if (this.#isAsked && !this.#isHalted) await this.run()
  }

  /** In how many milliseconds a send to this chat may leave at the earliest; null when none in its delay stands before it. */
  heldMs(chat: ChatAddress): number | null {
    const held = this.#heldIn(chat)
    return held === undefined ? null : Math.max(0, held.dueAtMs - performance.now())
  }

  /** Resolves when what was queued for the chat of this send before it has left, or will not. */
  async former(messageid: MessageId, chat: ChatAddress): Promise<void> {
    const { reader, instance } = this.#options
    for (;;) {
      // Before the question: what leaves while it is asked wakes.
      let wake = (): void => {}
      const next = new Promise<void>((resolve) => {
        wake = resolve
      })
      this.#behind.set(wake, chat)
      try {
        if (this.#isStopped || !(await reader.hasQueuedBefore(instance, messageid))) return
        void this.run()
        await next
      } finally {
        this.#behind.delete(wake)
      }
    }
  }

  /**
   * Sends one that does not stand in the line. A clearing waits for it as for the one that is under way.
   * @throws GatewayError QUEUE_BUSY while the queue is cleared
   */
  async beside<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isHalted) throw busy()
    const sending = send()
    this.#beside.add(sending)
    try {
      return await sending
    } finally {
      this.#beside.delete(sending)
    }
  }

  /** Forgets what was read: this one was canceled. */
  readAgain(canceled: MessageId): void {
    this.#clearings += 1
    for (const held of this.#held) if (held.message.messageid === canceled) this.#release(held)
    this.#wakeBehind()
    void this.run()
  }

  stop(): void {
    this.#isStopped = true
    for (const held of this.#held) this.#release(held)
    this.#wakeBehind()
  }

  async status(): Promise<QueueStatus> {
    const { reader, instance, queueMax, isConnected } = this.#options
    const pending = await reader.queuedCount(instance)
    const processingNow = this.#sending !== null || (this.#held.size > 0 && isConnected())
    const [sessionReady, resetting] = [isConnected(), this.#isClearing]
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
   * Cancels all that is queued, those in their delay included. The send that is under way is waited for, and is no part of it.
   * @throws GatewayError QUEUE_BUSY while another clears it, or when that send takes too long
   */
  async clear(): Promise<{ readonly canceled: number }> {
    if (this.#isClearing) throw busy()
    this.#isClearing = true
    this.#clearings += 1
    try {
      await this.#drained()
      for (const held of this.#held) this.#release(held)
      let canceled = 0
      for (;;) {
        const count = await this.#cancelSome()
        if (count === 0) return { canceled }
        canceled += count
      }
    } finally {
      this.#isClearing = false
      this.#wakeBehind()
      this.#options.cleared()
      void this.run()
    }
  }

  get #isHalted(): boolean {
    return this.#isStopped || this.#isClearing
  }

  /** Sends all that does not wait for a delay, of those too whose delay ends meanwhile. */
  async #sendAll(clearings: number): Promise<void> {
    const { reader, instance, delayedChats } = this.#options
    const isOutdated = (): boolean => this.#isHalted || clearings !== this.#clearings
    /** Chats of which nothing can leave before something else has. */
    let passed = new Chats()
    while (!isOutdated() && passed.size < CHATS_PASSED_MAX) {
      if (await this.#sendReady(isOutdated)) passed = new Chats()
      const held = [...this.#held].map(({ message }) => message.chat)
      const except = [...held, ...delayedChats(), ...passed.all]
      const queued = await reader.queuedSends(instance, PAGE, { except })
      if (queued.length === 0 && !this.#isAnyReady) return
      let hasLeft = false
      for (const message of queued) {
        if (await this.#sendReady(isOutdated)) hasLeft = true
        if (isOutdated()) return
        const { chat } = message
        if (passed.has(chat)) continue
        if (delayedChats().some((one) => isSameChat(one, chat)) || !(await this.#mayLeave(message, isOutdated)))
          passed.add(chat)
        else if (await this.#sendNext(message, isOutdated)) hasLeft = true
      }
      if (hasLeft) passed = new Chats()
    }
  }

  /**
   * False when its chat waits for its delay. That begins no sooner than those before it need to leave, so that what is shown lasts until the
   * message comes.
   */
  async #mayLeave(message: MessageForActor, isOutdated: () => boolean): Promise<boolean> {
    const { connected, delayMs, show, pacingMinMs, pacingMaxMs } = this.#options
    if (this.#heldIn(message.chat) !== undefined) return false
    const waitMs = delayMs(message)
    if (waitMs <= 0) return true
    const takesMs = (this.#held.size * (pacingMinMs + pacingMaxMs)) / 2
    if (this.#held.size >= DELAYS_AT_ONCE || (this.#held.size > 0 && takesMs >= waitMs)) return false
    await connected()
    if (isOutdated()) return false
    const timer = setTimeout(() => {
      held.isReady = true
      void this.run()
    }, waitMs)
    const held: Held = { message, dueAtMs: performance.now() + waitMs, timer, isReady: false }
    this.#held.add(held)
    show(message, waitMs)
    return false
  }

  get #isAnyReady(): boolean {
    return [...this.#held].some(({ isReady }) => isReady)
  }

  /** Sends those whose delay is over. True when something was sent, or never will be. */
  async #sendReady(isOutdated: () => boolean): Promise<boolean> {
    let hasLeft = false
    for (const held of [...this.#held]) {
      if (!held.isReady || !this.#held.has(held)) continue
      if (!(await this.#sendNext(held.message, isOutdated, () => this.#release(held)))) return hasLeft
      hasLeft = true
    }
    return hasLeft
  }

  /** False when what was read is outdated. `left`: called when it was sent or never will be. */
  async #sendNext(message: MessageForActor, isOutdated: () => boolean, left = () => {}): Promise<boolean> {
    const { connected, send, pacingMinMs, pacingMaxMs, random } = this.#options
    if (isOutdated()) return false
    await this.#pace
    if (isOutdated()) return false
    await connected()
    if (isOutdated()) return false
    const sending = send(message)
    this.#sending = sending
    try {
      if (await sending) this.#pace = pause(pacingMinMs + (pacingMaxMs - pacingMinMs) * random())
    } finally {
      this.#sending = null
    }
    left()
    this.#wakeBehind(message.chat)
    return true
  }

  #heldIn(chat: ChatAddress): Held | undefined {
    return [...this.#held].find(({ message }) => isSameChat(message.chat, chat))
  }

  #release(held: Held): void {
    clearTimeout(held.timer)
    this.#held.delete(held)
  }

  /** All, unless a chat is named. */
  #wakeBehind(left?: ChatAddress): void {
    for (const [wake, chat] of [...this.#behind]) {
      if (left !== undefined && !isSameChat(chat, left)) continue
      this.#behind.delete(wake)
      wake()
    }
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
    const queued = await reader.queuedSends(instance, CANCELED_AT_ONCE, { withDelayed: true })
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

/** A set of chats, each under any of its addresses. */
class Chats {
  readonly all: ChatAddress[] = []
  readonly #names = new Set<Jid>()

  get size(): number {
    return this.all.length
  }

  add(chat: ChatAddress): void {
    this.all.push(chat)
    for (const name of namesOf(chat)) this.#names.add(name)
  }

  has(chat: ChatAddress): boolean {
    return namesOf(chat).some((name) => this.#names.has(name))
  }
}

function namesOf({ group, lid, pn }: ChatAddress): Jid[] {
  return [group, lid, pn].filter((name) => name !== undefined)
}

function busy(): GatewayError {
  return new GatewayError('QUEUE_BUSY', { retryAfterSeconds: 1 })
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}
