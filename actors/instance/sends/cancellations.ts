import { errorText } from '../../../schemas/error-text.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { ReviseCommand, ReviseReply } from '../../../schemas/send-request.js'
import type { SendsContext } from './context.js'
import { bringForward, type DelayedSends } from './delayed-sends.js'
import type { Departures } from './departures.js'
import type { SendQueue } from './send-queue.js'
import { canceledUpdate } from './unsendable.js'

export interface CancellationParts {
  readonly departures: Departures
  readonly queue: SendQueue
  readonly delayed: DelayedSends
}

/** Cancels sends that have not left. */
export class Cancellations {
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
