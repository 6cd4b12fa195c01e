import { errorText } from '../../../lib/error-text.js'
import type { MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, isSameChat } from '../../../schemas/jid.js'
import type { DelayedSend } from '../instance-reader.js'
import type { Change } from '../ports.js'
import { listChatNames } from './chat-set.js'
import type { SendsContext } from './context.js'
import type { Departures } from './departures.js'
import type { QueueRetries } from './queue-retries.js'
import type { SendQueue } from './send-queue.js'

type DelayedContext = Pick<SendsContext, 'id' | 'logger' | 'presences' | 'timing'> & {
  readonly reader: Pick<SendsContext['reader'], 'delayedSends'>
}

export interface DelayedParts {
  readonly queue: Pick<SendQueue, 'former' | 'beside'>
  /** Sends what is due. */
  readonly departures: Pick<Departures, 'sendDue'>
  readonly retries: Pick<QueueRetries, 'failed' | 'left'>
}

/** The delayed sends of one chat, in order. */
interface Lane {
  tail: Promise<void>
  /** Time at which the last of them is due, by the monotonic clock. */
  dueAtMs: number
  readonly ids: Set<MessageId>
  /** True if one of them could not be sent. Those behind it are read again together with it, so that none overtakes it. */
  isBroken: boolean
}

/**
 * Holds sends until they are due. They are rows with status `queued`, so they wait longer than a caller waits for an answer, and survive
 * restarts. Memory holds only which rows wait, and until when. Later sends to the same chat wait behind them.
 */
export class DelayedSends {
  readonly #context: DelayedContext
  readonly #parts: DelayedParts
  /** Lanes by each address of their chat. */
  readonly #lanes = new Map<string, Lane>()
  readonly #held = new Map<MessageId, Promise<void>>()
  readonly #wakers = new Set<() => void>()
  #isRead = false
  #reading: Promise<void> | null = null
  #isStopped = false
  /** Counts the lanes that broke. */
  #breaks = 0
  /** Grows each time when all held sends are dropped and read again. */
  #generation = 0
  /** The last change of the times of delayed sends. */
  #scheduling: Promise<unknown> = Promise.resolve()

  constructor(context: DelayedContext, parts: DelayedParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Runs work that gives delayed sends their times, after all such work before it. */
  schedule<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#scheduling.then(work, work)
    this.#scheduling = mine.catch(() => {})
    return mine
  }

  /** Reads the waiting rows from the store, unless they are known. */
  async run(): Promise<void> {
    if (this.#isRead || this.#isStopped) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  /** False if stored rows may wait that are not held. A send that is held then might leave before them. */
  get isRead(): boolean {
    return this.#isRead || this.#isStopped
  }

  /** Returns the time in milliseconds until a send to this chat may leave; null if none waits there. */
  heldMs(chat: ChatAddress): number | null {
    const lane = this.#findLane(chat)
    return lane === undefined ? null : Math.max(0, lane.dueAtMs - performance.now())
  }

  /** Holds a send until it is due and `stored`, the write of its row, has resolved. Resolves when it has left or never will. */
  hold(send: DelayedSend, stored: Promise<unknown> = Promise.resolve()): Promise<void> {
    const known = this.#held.get(send.messageid)
    if (known !== undefined) return known
    const lane = this.#join(send.chat)
    const dueAtMs = performance.now() + send.dueInMs
    lane.dueAtMs = Math.max(lane.dueAtMs, dueAtMs)
    const generation = this.#generation
    const leave = (): void => {
      lane.ids.delete(send.messageid)
      if (this.#held.get(send.messageid) === done) this.#held.delete(send.messageid)
      if (lane.ids.size === 0) this.#forget(lane)
    }
    const isStored = stored.then(
      () => true,
      // The writer may try again under the same id. After an unknown outcome the row may be stored, so the lane is read again.
      () => {
        leave()
        this.#break(lane, lane.dueAtMs)
        this.#parts.retries.failed()
        return false
      },
    )
    // Later sends of the lane wait for earlier ones, even if this one was not stored.
    const done = Promise.all([isStored, lane.tail]).then(async ([isThere]) => {
      if (isThere) await this.#sendWhenDue(send, dueAtMs, lane, generation).finally(leave)
    })
    lane.ids.add(send.messageid)
    lane.tail = done
    this.#held.set(send.messageid, done)
    return done
  }

  /** Drops all held sends and reads the rows again, because some were canceled. One that is just leaving is waited for. */
  async readAgain(): Promise<void> {
    this.#generation += 1
    this.#isRead = false
    for (const lane of new Set(this.#lanes.values())) this.#break(lane, 0)
    this.#wakeAll()
    await this.#reading?.catch(() => {})
    this.#isRead = false
    await this.run()
  }

  stop(): void {
    this.#isStopped = true
    this.#wakeAll()
  }

  async #read(): Promise<void> {
    const generation = this.#generation
    const breaks = this.#breaks
    const rows = await this.#context.reader.delayedSends(this.#context.id).catch((error: unknown) => {
      this.#parts.retries.failed()
      throw error
    })
    if (generation !== this.#generation || this.#isStopped) return
    // If a lane broke during the reading, a row of it may be missing.
    this.#isRead = breaks === this.#breaks
    for (const row of rows) void this.hold(row)
  }

  async #sendWhenDue(send: DelayedSend, dueAtMs: number, lane: Lane, generation: number): Promise<void> {
    const isOver = (): boolean => this.#isStopped || generation !== this.#generation || lane.isBroken
    if (isOver()) return
    this.#show(send, dueAtMs - performance.now())
    await this.#until(dueAtMs)
    if (isOver()) return
    try {
      await this.#send(send, isOver)
    } catch (error) {
      // Without a connection, the next one reads the row again.
      this.#context.logger.debug({ error: errorText(error) }, 'A delayed send continues waiting.')
      this.#break(lane, lane.dueAtMs)
      this.#parts.retries.failed()
    }
  }

  /** Sends a message that is due. Sends that were queued for the chat before it go first, however long the queue is. */
  async #send({ messageid, chat }: DelayedSend, isOver: () => boolean): Promise<void> {
    const { queue, departures, retries } = this.#parts
    await queue.former(messageid, chat)
    if (isOver()) return
    await queue.beside(() => departures.sendDue(messageid))
    retries.left()
  }

  #show({ chat, delayMs, isVoice }: DelayedSend, leftMs: number): void {
    const { presences, timing } = this.#context
    const shownMs = Math.min(leftMs, timing.presenceMaxMs - (delayMs - leftMs))
    if (delayMs > 0 && shownMs > 0) presences.start(chat, isVoice ? 'recording' : 'composing', shownMs)
  }

  #until(dueAtMs: number): Promise<void> {
    const leftMs = dueAtMs - performance.now()
    if (leftMs <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, leftMs)
      this.#wakers.add(wake)
    })
  }

  #wakeAll(): void {
    for (const wake of [...this.#wakers]) wake()
  }

  #findLane(chat: ChatAddress): Lane | undefined {
    for (const name of listChatNames(chat)) {
      const lane = this.#lanes.get(name)
      if (lane !== undefined) return lane
    }
    return undefined
  }

  #join(chat: ChatAddress): Lane {
    const lane = this.#findLane(chat) ?? {
      tail: Promise.resolve(),
      dueAtMs: 0,
      ids: new Set<MessageId>(),
      isBroken: false,
    }
    for (const name of listChatNames(chat)) this.#lanes.set(name, lane)
    return lane
  }

  /**
   * Reads the sends of a lane again at the next `run`. Sends that are held from now on wait until the one that is leaving has left.
   * @param dueAtMs until when those sends wait, as far as it is known
   */
  #break(lane: Lane, dueAtMs: number): void {
    if (lane.isBroken) return
    lane.isBroken = true
    this.#isRead = false
    this.#breaks += 1
    const next: Lane = { tail: lane.tail, dueAtMs, ids: new Set(), isBroken: false }
    const names = [...this.#lanes].filter(([, known]) => known === lane).map(([name]) => name)
    this.#forget(lane)
    for (const name of names) this.#lanes.set(name, next)
    void next.tail.then(() => {
      if (next.ids.size === 0) this.#forget(next)
    })
  }

  #forget(lane: Lane): void {
    for (const [name, known] of this.#lanes) if (known === lane) this.#lanes.delete(name)
    for (const id of lane.ids) this.#held.delete(id)
  }
}

/**
 * Returns the changes that bring forward the sends behind a canceled one, by the time that it held them back.
 * @param waiting delayed sends in their order
 */
export function bringForward(waiting: readonly DelayedSend[], canceled: MessageId): Change[] {
  const own = waiting.find(({ messageid }) => messageid === canceled)
  if (own === undefined) return []
  const lane = waiting.filter(({ chat }) => isSameChat(chat, own.chat))
  const at = lane.indexOf(own)
  const heldMs = own.dueInMs - Math.max(0, lane[at - 1]?.dueInMs ?? 0)
  if (heldMs <= 0) return []
  return lane.slice(at + 1).map(({ messageid, dueInMs }) => ({
    type: 'message.update',
    messageids: [messageid],
    fromMe: true,
    set: { dueInMs: Math.max(0, dueInMs - heldMs) },
  }))
}
