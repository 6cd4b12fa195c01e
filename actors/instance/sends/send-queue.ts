import { errorText } from '../../../lib/error-text.js'
import { withTimeLimit } from '../../../lib/time-limit.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, isSameChat } from '../../../schemas/jid.js'
import type { QueueStatus } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { ChatSet } from './chat-set.js'
import type { SendsContext } from './context.js'
import type { Departures } from './departures.js'
import { choosePresence, type DirectDelays } from './direct-delays.js'
import type { KnownChats } from './known-chats.js'
import { QueuePace } from './queue-pace.js'
import type { QueueRetries } from './queue-retries.js'
import { queuedSend } from './send-content.js'
import { canceledUpdate } from './unsendable.js'

type QueueContext = Pick<
  SendsContext,
  'id' | 'journal' | 'reader' | 'logger' | 'timing' | 'session' | 'presences' | 'connection' | 'pacer' | 'wakeQueue'
>

export interface QueueParts {
  /** Sends what leaves the queue. */
  readonly departures: Pick<Departures, 'send'>
  /** Chats in which a direct send waits for its delay. The queue skips them. */
  readonly delays: Pick<DirectDelays, 'chats' | 'onEnd'>
  readonly known: Pick<KnownChats, 'heard' | 'isKnown' | 'isKnownIfNeeded'>
  readonly retries: Pick<QueueRetries, 'failed' | 'left'>
}

/** Rows that are read first: mostly the first of them leaves, and the others wait for their pause. */
const FIRST_PAGE = 5
const PAGE = 50
/** Maximum of chats that wait for their delays at once. Further ones begin theirs later. */
const DELAYS_AT_ONCE = 100
/** Maximum of waiting chats that are skipped in the search for one that does not wait. */
const CHATS_PASSED_MAX = 500
const CANCELED_AT_ONCE = 200
/** Maximum time that a clearing waits for the send that is under way. */
const DRAIN_MAX_MS = 5_000

/** One look at the queued rows, from the first that is not parked. */
interface Scan {
  /** Position behind which rows are still to be read. */
  after: number
  /** True if all rows before it are parked or have left. */
  isWhole: boolean
}

/** Wakes a send that waits behind others. @param isRunWanted false if a run of the queue has just failed */
type Wake = (isRunWanted: boolean) => void

/** The first send of its chat, while it waits for its delay. */
interface Held {
  readonly message: MessageForActor
  readonly dueAtMs: number
  readonly timer: NodeJS.Timeout
  isReady: boolean
}

/**
 * The asynchronous sends of one instance: rows with status `queued`, sent one by one, paced, and in their order within each chat.
 * A send with a delay holds back only its chat. Other chats go on meanwhile.
 */
export class SendQueue {
  readonly #context: QueueContext
  readonly #parts: QueueParts
  #isRunning = false
  /** True if `run` was called since the last look at the rows. */
  #isRunWanted = false
  #isStopped = false
  #isClearing = false
  /** Counts clearings. Rows that were read before one are outdated after it. */
  #clearings = 0
  #sending: Promise<boolean> | null = null
  readonly #pace: QueuePace
  /** Sends that leave past the queue. */
  readonly #beside = new Set<Promise<unknown>>()
  readonly #held = new Set<Held>()
  /** Wake-ups of sends that wait until earlier ones have left their chat. */
  readonly #behind = new Map<Wake, ChatAddress>()

  #onLeft: () => void = () => {}

  constructor(context: QueueContext, parts: QueueParts) {
    this.#context = context
    this.#parts = parts
    this.#pace = new QueuePace(context, parts.known)
    parts.delays.onEnd(() => void this.run())
  }

  get isClearing(): boolean {
    return this.#isClearing
  }

  /** True while it sends. Campaigns wait for their turn. */
  get isBusy(): boolean {
    return this.#isRunning
  }

  /** False if nothing is queued, as far as the last look has shown. */
  get mayHaveRows(): boolean {
    return this.#isRunning || this.#pace.isWaiting || this.#pace.parked.size > 0
  }

  /** @param listener called when a send has left, or never will */
  onLeft(listener: () => void): void {
    this.#onLeft = listener
  }

  /** Checks that one more send may be queued. @throws GatewayError QUEUE_FULL, QUEUE_BUSY */
  async admit(): Promise<number> {
    const { reader, id, timing } = this.#context
    if (this.#isClearing) throw busy()
    const queued = await reader.queuedCount(id)
    if (queued >= timing.queueMax) throw new GatewayError('QUEUE_FULL')
    return queued
  }

  /**
   * Sends what is queued, oldest first, paced, while there is a connection. May be called at any time: it never runs twice at once, and
   * looks at the rows once more if it was called meanwhile.
   */
  async run(): Promise<void> {
    this.#isRunWanted = true
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#isRunWanted && !this.#isHalted) {
        this.#isRunWanted = false
        this.#pace.begin()
        await this.#sendAll(this.#clearings)
      }
    } catch (error) {
      // Without a connection, the next one runs the queue.
      this.#context.logger.debug({ error: errorText(error) }, 'The queue of an instance waits.')
      this.#parts.retries.failed()
    } finally {
      this.#isRunning = false
    }
    // A caller during a failing send, as a new connection is, would not call again.
    if (this.#isRunWanted && !this.#isHalted) await this.run()
  }

  /** Returns the time in milliseconds until a send to this chat may leave; null if none in its delay stands before it. */
  heldMs(chat: ChatAddress): number | null {
    const held = this.#heldIn(chat)
    return held === undefined ? null : Math.max(0, held.dueAtMs - performance.now())
  }

  /** Resolves when all sends that were queued for the chat before this one have left, or never will. */
  async former(messageid: MessageId, chat: ChatAddress): Promise<void> {
    const { reader, id } = this.#context
    for (let isRunWanted = true; ; ) {
      // Registered before the rows are read, so that a send which leaves meanwhile wakes it.
      let wake: Wake = () => {}
      const next = new Promise<boolean>((resolve) => {
        wake = resolve
      })
      this.#behind.set(wake, chat)
      try {
        if (this.#isStopped || !(await reader.hasQueuedBefore(id, messageid))) return
        if (isRunWanted) void this.run()
        isRunWanted = await next
      } finally {
        this.#behind.delete(wake)
      }
    }
  }

  /**
   * Sends a message past the queue. A clearing waits for it as for the send that is under way.
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

  /** Handles that a person wrote. */
  heard(chat: ChatAddress): void {
    this.#parts.known.heard(chat)
    if (this.#pace.parked.release(chat)) this.#context.wakeQueue()
  }

  /** Looks at this send again, because it is in the queue again. */
  lookAgainAt({ chat, position }: MessageForActor): void {
    this.#pace.parked.release(chat)
    this.#pace.parked.lookFrom(position)
    this.#context.wakeQueue()
  }

  /** Forgets the rows that were read, because this one was canceled. */
  readAgain(canceled: MessageId): void {
    this.#clearings += 1
    this.#pace.parked.forget(canceled)
    for (const held of this.#held) if (held.message.messageid === canceled) this.#release(held)
    this.#wakeBehind()
    void this.run()
  }

  stop(): void {
    this.#isStopped = true
    this.#pace.stop()
    for (const held of this.#held) this.#release(held)
    this.#wakeBehind()
  }

  async status(): Promise<QueueStatus> {
    const { reader, id, timing, session } = this.#context
    const pending = await reader.queuedCount(id)
    const { isConnected: sessionReady } = session
    const resetting = this.#isClearing
    const processingNow = this.#sending !== null || (this.#held.size > 0 && sessionReady)
    const waiting = pending === 0 ? 'idle' : sessionReady ? 'queued' : 'waiting_connection'
    return {
      status: resetting ? 'resetting' : processingNow ? 'processing' : waiting,
      pending,
      processingNow,
      acceptingNewMessages: !resetting && pending < timing.queueMax,
      sessionReady,
      resetting,
    }
  }

  /**
   * Cancels all that is queued, sends in their delay included. The send that is under way is waited for, and is not canceled.
   * @throws GatewayError QUEUE_BUSY while another call clears it, or if that send takes too long
   */
  async clear(): Promise<{ readonly canceled: number }> {
    if (this.#isClearing) throw busy()
    this.#isClearing = true
    this.#clearings += 1
    try {
      await this.#drained()
      for (const held of this.#held) this.#release(held)
      this.#pace.parked.releaseAll()
      let canceled = 0
      for (;;) {
        const count = await this.#cancelSome()
        if (count === 0) return { canceled }
        canceled += count
      }
    } finally {
      this.#isClearing = false
      this.#wakeBehind()
      void this.run()
    }
  }

  get #isHalted(): boolean {
    return this.#isStopped || this.#isClearing
  }

  /** Sends all that may leave now, including sends whose delay ends meanwhile. */
  async #sendAll(clearings: number): Promise<void> {
    const { reader, id } = this.#context
    const { delays } = this.#parts
    const { parked } = this.#pace
    const isOutdated = (): boolean => this.#isHalted || this.#pace.isWaiting || clearings !== this.#clearings
    /** Chats of which nothing can leave before something else has. */
    let passed = new ChatSet()
    const scan: Scan = { after: parked.cursor, isWhole: true }
    for (let limit = FIRST_PAGE; !isOutdated() && passed.size < CHATS_PASSED_MAX; limit = PAGE) {
      if (await this.#sendReady(isOutdated)) passed = new ChatSet()
      if (isOutdated()) break
      const except = [...[...this.#held].map(({ message }) => message.chat), ...delays.chats, ...passed.all]
      scan.isWhole &&= except.length === 0
      const queued = await reader.queuedSends(id, limit, { except, after: scan.after })
      if (queued.length === 0 && !this.#isAnyReady) break
      let hasLeft = false
      for (const message of queued) {
        if (await this.#sendReady(isOutdated)) hasLeft = true
        if (isOutdated()) break
        if (passed.has(message.chat)) continue
        if (parked.has(message.chat)) parked.addBehind(message)
        else if (!(await this.#mayLeave(message, isOutdated))) passed.add(message.chat)
        else if (await this.#sendNext(message, isOutdated)) hasLeft = true
        if (parked.has(message.chat)) this.#goPast(message, scan)
        else scan.isWhole &&= !passed.has(message.chat)
      }
      if (!hasLeft) continue
      passed = new ChatSet()
      scan.after = parked.cursor
      scan.isWhole = true
    }
    this.#pace.end()
  }

  /** Skips a parked send, and those before it, in this scan; also in the next ones if all before it are parked too. */
  #goPast({ position }: MessageForActor, scan: Scan): void {
    scan.after = position
    if (scan.isWhole) this.#pace.parked.cursor = position
  }

  /**
   * Returns false if its chat waits for its delay. The delay begins no sooner than the sends before it need to leave, so that the
   * indicator lasts until the message arrives.
   */
  async #mayLeave(message: MessageForActor, isOutdated: () => boolean): Promise<boolean> {
    const { connection, presences, timing } = this.#context
    if (this.#heldIn(message.chat) !== undefined) return false
    const { content, options } = queuedSend(message.queuedRequest)
    const waitMs = options.delayMs ?? 0
    if (waitMs <= 0) return true
    const takesMs = (this.#held.size * (timing.pacingMinMs + timing.pacingMaxMs)) / 2
    if (this.#held.size >= DELAYS_AT_ONCE || (this.#held.size > 0 && takesMs >= waitMs)) return false
    await connection()
    if (isOutdated()) return false
    this.#hold(message, waitMs)
    presences.start(message.chat, choosePresence(content), waitMs)
    return false
  }

  #hold(message: MessageForActor, waitMs: number): void {
    const timer = setTimeout(() => {
      held.isReady = true
      void this.run()
    }, waitMs)
    const held: Held = { message, dueAtMs: performance.now() + waitMs, timer, isReady: false }
    this.#held.add(held)
  }

  get #isAnyReady(): boolean {
    return [...this.#held].some(({ isReady }) => isReady)
  }

  /** Sends the messages whose delay is over. Returns true if one was sent, or never will be. */
  async #sendReady(isOutdated: () => boolean): Promise<boolean> {
    let hasLeft = false
    for (const held of [...this.#held]) {
      if (!held.isReady || !this.#held.has(held)) continue
      if (await this.#sendNext(held.message, isOutdated, held)) hasLeft = true
      if (isOutdated()) return hasLeft
    }
    return hasLeft
  }

  /** Returns true if the message was sent or never will be. Releases `held` then, and when the message is parked. */
  async #sendNext(message: MessageForActor, isOutdated: () => boolean, held?: Held): Promise<boolean> {
    if (isOutdated()) return false
    await this.#context.connection()
    const chat = await this.#pace.chatInTurn(message)
    if (isOutdated()) return false
    if (chat === null) {
      if (held !== undefined) this.#release(held)
      return false
    }
    const sending = this.#parts.departures.send(message, chat)
    this.#sending = sending
    try {
      await sending
    } catch (error) {
      // The message may have left before the error.
      this.#wakeBehind(message.chat, false)
      throw error
    } finally {
      this.#sending = null
    }
    if (held !== undefined) this.#release(held)
    this.#parts.retries.left()
    this.#wakeBehind(message.chat)
    this.#onLeft()
    return true
  }

  #heldIn(chat: ChatAddress): Held | undefined {
    return [...this.#held].find(({ message }) => isSameChat(message.chat, chat))
  }

  #release(held: Held): void {
    clearTimeout(held.timer)
    this.#held.delete(held)
  }

  /** Wakes the sends that wait behind others of this chat; of all chats without an argument. */
  #wakeBehind(left?: ChatAddress, isRunWanted = true): void {
    for (const [wake, chat] of [...this.#behind]) {
      if (left !== undefined && !isSameChat(chat, left)) continue
      this.#behind.delete(wake)
      wake(isRunWanted)
    }
  }

  async #drained(): Promise<void> {
    if (this.#sending === null && this.#beside.size === 0) return
    const sending = Promise.allSettled([this.#sending, ...this.#beside])
    await withTimeLimit(sending, DRAIN_MAX_MS, () => {
      throw busy()
    })
  }

  async #cancelSome(): Promise<number> {
    const { reader, journal, id } = this.#context
    const queued = await reader.queuedSends(id, CANCELED_AT_ONCE, { withDelayed: true })
    if (queued.length === 0) return 0
    await journal.write([canceledUpdate(queued.map(({ messageid }) => messageid))])
    return queued.length
  }
}

function busy(): GatewayError {
  return new GatewayError('QUEUE_BUSY', { retryAfterSeconds: 1 })
}
