import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { PacedChat, ParkReason } from '../../../schemas/pacing.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { listChatNames } from './chat-set.js'
import type { SendsContext } from './context.js'
import type { KnownChats } from './known-chats.js'
import { refusedBefore } from './parking.js'

const TIMER_MAX_MS = 3_600_000

/** The pacing of one queue: what of it may leave now, what is parked, and the timer that wakes it. */
export class QueuePace {
  readonly parked = new ParkedSends()
  readonly #context: Pick<SendsContext, 'pacer' | 'wakeQueue'>
  readonly #known: Pick<KnownChats, 'isKnown' | 'isKnownIfNeeded'>
  #timer: NodeJS.Timeout | undefined
  #isWaiting = false
  #restChanges = 0
  #isStopped = false

  constructor(
    context: Pick<SendsContext, 'pacer' | 'wakeQueue'>,
    known: Pick<KnownChats, 'isKnown' | 'isKnownIfNeeded'>,
  ) {
    this.#context = context
    this.#known = known
  }

  /** True if nothing may leave before the timer wakes the queue. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** Begins a run of the queue. */
  begin(): void {
    const { restChanges } = this.#context.pacer
    this.#isWaiting = false
    if (performance.now() >= this.parked.nextAtMs || restChanges !== this.#restChanges) this.parked.releaseAll()
    this.#restChanges = restChanges
  }

  /** Ends a run that found nothing more to send now. */
  end(): void {
    const { pacer } = this.#context
    pacer.noteParked('async', this.parked.counts())
    if (this.#isWaiting) return
    pacer.idle('async')
    if (this.parked.size > 0) this.#wakeIn(this.parked.nextAtMs - performance.now())
  }

  /** Returns the chat of a send that may leave now. Otherwise parks the send, or makes the queue wait, and returns null. */
  async chatInTurn(message: MessageForActor): Promise<PacedChat | null> {
    const { pacer } = this.#context
    const refused = refusedBefore(message.queuedRequest)
    const isKnown = await (refused === null
      ? this.#known.isKnownIfNeeded('async', message.chat)
      : this.#known.isKnown(message.chat))
    const restMs = isKnown || refused === null ? 0 : refused.untilMs - (await pacer.nowMs())
    const decision = await pacer.decide('async', { isKnown })
    if (decision.now && restMs <= 0) return { isKnown }
    if (!decision.now && 'waitMs' in decision) {
      this.#isWaiting = true
      this.#wakeIn(decision.waitMs)
    } else if (decision.now) this.parked.add(message, restMs, 'limit')
    else this.parked.add(message, Math.max(restMs, decision.parkMs), decision.reason)
    return null
  }

  /** Ends the timer. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #wakeIn(waitMs: number): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => this.#context.wakeQueue(), Math.min(Math.max(waitMs, 0), TIMER_MAX_MS))
    this.#timer.unref()
  }
}

interface Parked {
  readonly chat: ChatAddress
  readonly position: number
  readonly untilMs: number
  readonly reason: ParkReason
}

/**
 * Queued sends that wait because their recipients never wrote, and those behind them in their chats. The queue looks only at the rows behind
 * `cursor`, so that however many are parked, others are found at once.
 */
class ParkedSends {
  readonly #rows = new Map<MessageId, Parked>()
  /** Parked sends by each address of their chat: their number, and the reason of the first. */
  readonly #chats = new Map<string, { readonly count: number; readonly reason: ParkReason }>()
  /** Position up to which all queued sends are parked. */
  cursor = 0

  get size(): number {
    return this.#rows.size
  }

  /** Time until the first of them is worth another look, by `performance.now()`; infinite if there is none. */
  get nextAtMs(): number {
    let nextMs = Number.POSITIVE_INFINITY
    for (const { untilMs } of this.#rows.values()) nextMs = Math.min(nextMs, untilMs)
    return nextMs
  }

  has(chat: ChatAddress): boolean {
    return listChatNames(chat).some((name) => this.#chats.has(name))
  }

  add({ messageid, chat, position }: MessageForActor, parkMs: number, reason: ParkReason): void {
    this.#remove(messageid)
    this.#rows.set(messageid, { chat, position, untilMs: performance.now() + parkMs, reason })
    for (const name of listChatNames(chat)) {
      const known = this.#chats.get(name)
      this.#chats.set(name, { count: (known?.count ?? 0) + 1, reason: known?.reason ?? reason })
    }
  }

  /** Adds a send that stands behind a parked one in its chat. It waits as long as that. */
  addBehind(message: MessageForActor): void {
    if (this.#rows.has(message.messageid)) return
    const reasons = listChatNames(message.chat).flatMap((name) => this.#chats.get(name)?.reason ?? [])
    this.add(message, Number.POSITIVE_INFINITY, reasons[0] ?? 'limit')
  }

  /** Lets the sends to a chat be looked at again. Returns true if there are any. */
  release(chat: ChatAddress): boolean {
    if (!this.has(chat)) return false
    const names = new Set<string>(listChatNames(chat))
    for (const [messageid, row] of [...this.#rows]) {
      if (!listChatNames(row.chat).some((name) => names.has(name))) continue
      this.#remove(messageid)
      this.lookFrom(row.position)
    }
    return true
  }

  /** Forgets a send that was canceled. Those behind it in its chat are looked at again. */
  forget(messageid: MessageId): void {
    const row = this.#rows.get(messageid)
    if (row !== undefined) this.release(row.chat)
  }

  /** Lets all be looked at again. */
  releaseAll(): void {
    this.#rows.clear()
    this.#chats.clear()
    this.cursor = 0
  }

  /** Lets the send at this position be looked at again. */
  lookFrom(position: number): void {
    this.cursor = Math.min(this.cursor, position - 1)
  }

  /** Returns the number of parked sends, by reason. */
  counts(): Partial<Record<ParkReason, number>> {
    const counts: Partial<Record<ParkReason, number>> = {}
    for (const { reason } of this.#rows.values()) counts[reason] = (counts[reason] ?? 0) + 1
    return counts
  }

  #remove(messageid: MessageId): void {
    const row = this.#rows.get(messageid)
    if (row === undefined) return
    this.#rows.delete(messageid)
    for (const name of listChatNames(row.chat)) {
      const known = this.#chats.get(name)
      if (known === undefined || known.count <= 1) this.#chats.delete(name)
      else this.#chats.set(name, { ...known, count: known.count - 1 })
    }
  }
}
