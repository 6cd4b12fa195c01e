import type { PacedChat } from '../../../schemas/pacing.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { SendsContext } from './context.js'
import type { KnownChats } from './known-chats.js'
import { ParkedSends } from './parked-sends.js'
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
