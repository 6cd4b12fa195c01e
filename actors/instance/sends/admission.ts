import { type ChatAddress, parseRecipient } from '../../../schemas/jid.js'
import type { ScheduleCommand, SendCommand, SendReply } from '../../../schemas/send-request.js'
import { STATUS_CHAT } from '../../../schemas/status-post.js'
import type { Acceptance } from './acceptance.js'
import type { SendsContext } from './context.js'
import type { DelayedSends } from './delayed-sends.js'
import type { Delivery } from './delivery.js'
import type { DirectSends } from './direct-sends.js'
import { answerFromRow } from './former-send.js'
import type { Relays } from './relays.js'
import { type ScheduledSends, toSend } from './scheduled-sends.js'
import type { SendQueue } from './send-queue.js'

export interface AdmissionParts {
  readonly relays: Relays
  readonly delivery: Delivery
  readonly direct: DirectSends
  readonly queue: SendQueue
  readonly delayed: DelayedSends
  readonly acceptance: Acceptance
  readonly scheduled: ScheduledSends
}

/** The first step of a send: answers it from its row, sends it now, or puts it into the queue or among the delayed or scheduled sends. */
export class Admission {
  readonly #context: SendsContext
  readonly #parts: AdmissionParts
  /** Delayed sends whose place in the chat is not fixed yet, by recipient. */
  readonly #accepting = new Map<string, Promise<void>>()

  constructor(context: SendsContext, parts: AdmissionParts) {
    this.#context = context
    this.#parts = parts
  }

  async admit(command: SendCommand | ScheduleCommand): Promise<SendReply> {
    const former = await answerFromRow(this.#context, this.#parts, command)
    if (former !== null) return former
    const address = command.post === undefined ? parseRecipient(command.number) : STATUS_CHAT
    if (command.type === 'send') return await this.#sendNow(command, address)
    const scheduled = await this.#parts.scheduled.accept(command, address)
    if (scheduled !== null) return scheduled
    const { record, warnings } = await this.#sendNow(toSend(command), address)
    return { record, warnings: [...warnings, 'send_at: is less than 2 seconds ahead, so the message was sent now'] }
  }

  async #sendNow(command: SendCommand, address: ChatAddress): Promise<SendReply> {
    const { acceptance, direct } = this.#parts
    const leaveTurn = await this.#enterTurn(command, address)
    try {
      if (await this.#mustWait(command, address)) return await acceptance.delay(command, address, leaveTurn)
    } finally {
      leaveTurn()
    }
    return command.options.async ? await acceptance.enqueue(command, address) : await direct.send(command, address)
  }

  /**
   * Waits until earlier delayed sends to the same recipient have their place, so that none is overtaken while its row is made.
   * Returns a function to call when this send has its place, too.
   */
  async #enterTurn({ options }: SendCommand, { group, pn, lid }: ChatAddress): Promise<() => void> {
    const name = group ?? pn ?? lid ?? ''
    const before = this.#accepting.get(name)
    if (!this.#isDelayed(options.delayMs)) {
      await before
      return () => {}
    }
    let leave = (): void => {}
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    }).then(() => {
      if (this.#accepting.get(name) === mine) this.#accepting.delete(name)
    })
    this.#accepting.set(name, mine)
    await before
    return leave
  }

  /** Returns true if the send leaves later than its caller waits for an answer, or queues behind one that does. */
  async #mustWait({ options }: SendCommand, chat: ChatAddress): Promise<boolean> {
    const { delayed, queue } = this.#parts
    if (this.#isDelayed(options.delayMs)) return true
    await delayed.run()
    // The queue keeps the order of its own sends by itself.
    return delayed.heldMs(chat) !== null || (!options.async && queue.heldMs(chat) !== null)
  }

  #isDelayed(delayMs = 0): boolean {
    return delayMs > this.#context.timing.ackTimeoutMs
  }
}
