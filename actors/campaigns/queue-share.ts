import type { SendQueue } from '../instance/sends/send-queue.js'

/** Sends of the queue after which a campaign has a turn. */
const SENDS_BEFORE = 9

/** Lets asynchronous sends go before campaigns, but every tenth turn is a campaign's, so that a queue that never empties holds none back. */
export class QueueShare {
  readonly #queue: Pick<SendQueue, 'isBusy'>
  /** Sends of the queue since a campaign waits for it; null if none waits. */
  #passed: number | null = null

  /** @param onTurn called when it is the turn of a campaign that waits */
  constructor(queue: Pick<SendQueue, 'isBusy' | 'onLeft'>, onTurn: () => void) {
    this.#queue = queue
    queue.onLeft(() => {
      if (this.#passed === null) return
      this.#passed += 1
      if (this.#passed >= SENDS_BEFORE) onTurn()
    })
  }

  /** Returns true if a campaign that is due may send a message now. Otherwise counts what goes before it. */
  takesTurn(): boolean {
    const isOurs = !this.#queue.isBusy || (this.#passed ?? 0) >= SENDS_BEFORE
    this.#passed = isOurs ? null : (this.#passed ?? 0)
    return isOurs
  }
}
