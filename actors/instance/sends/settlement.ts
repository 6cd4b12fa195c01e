import { errorText } from '../../../lib/error-text.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { Refusals } from '../feature.js'
import type { WriteDelay } from '../ports.js'
import { answerChange } from './answers.js'
import type { SendsContext } from './context.js'
import type { Fallbacks } from './fallbacks.js'
import type { Parking } from './parking.js'
import { refusalSentence } from './refusals.js'
import type { Relays } from './relays.js'
import type { Revisions } from './revisions.js'

export interface SettlementParts {
  readonly relays: Relays
  readonly revisions: Revisions
  readonly fallbacks: Fallbacks
  readonly parking: Parking
  /** Those of the features. */
  readonly refusals: () => readonly Refusals[]
}

/** The last step of a message: stores the network's answer and answers the callers who wait for it. */
export class Settlement {
  readonly #context: Pick<SendsContext, 'journal' | 'logger' | 'session'>
  readonly #parts: SettlementParts

  constructor(context: Pick<SendsContext, 'journal' | 'logger' | 'session'>, parts: SettlementParts) {
    this.#context = context
    this.#parts = parts
  }

  /**
   * Handles the network's answer to a message of ours. Sends a text in place of a refused menu, if there is one, and keeps a queued message
   * that is refused for now, or the recipient that a feature keeps.
   */
  acknowledged(messageid: MessageId, error: number | null): void {
    const { relays, fallbacks, parking } = this.#parts
    const refusals = this.#parts.refusals()
    if (relays.partAnswered(messageid, error)) return
    if (error === null) {
      parking.taken(messageid)
      for (const one of refusals) if (one.awaitsAnswers) one.taken(messageid)
    }
    if (error !== null && fallbacks.mayHelp(error))
      this.#settleUnless(fallbacks.send(messageid, error), messageid, error)
    else if (error !== null && parking.mayHelp(messageid, error))
      this.#settleUnless(parking.park(messageid, error), messageid, error)
    else if (error !== null && refusals.some((one) => one.mayHelp(error)))
      this.#settleUnless(this.#isParked(messageid, error), messageid, error)
    else this.#settle(messageid, error)
  }

  /** Returns true if the message is of a feature, which keeps its recipient. If that cannot be read, the message has failed. */
  async #isParked(messageid: MessageId, error: number): Promise<boolean> {
    for (const one of this.#parts.refusals())
      if (one.mayHelp(error) && (await one.park(messageid, error).catch(() => false))) return true
    return false
  }

  #settleUnless(isHelped: Promise<boolean>, messageid: MessageId, error: number): void {
    const settle = (isDone: boolean): void => {
      if (!isDone) this.#settle(messageid, error)
    }
    this.#note(isHelped.then(settle))
  }

  #settle(messageid: MessageId, error: number | null): void {
    const { relays, revisions } = this.#parts
    // A caller who still waits gets the answer; otherwise an event carries it.
    const isAwaited = relays.answers.isAwaited(messageid)
    const isSilent = error === null && relays.answers.isSilent(messageid)
    const changes = [answerChange(messageid, error, isSilent), ...revisions.answered(messageid, error)]
    const stored = this.#context.journal.write(changes, error === null ? this.#delay(isAwaited) : undefined)
    this.#note(stored)
    relays.answered(
      messageid,
      error === null ? { status: 'sent' } : { status: 'failed', code: error, why: refusalSentence(error) },
      stored,
    )
  }

  /**
   * A crash before the answer is stored only relays the message again, under its id. A caller who got the answer may read the message next; nobody
   * waits for that of a queued one.
   */
  #delay(isAwaited: boolean): WriteDelay | undefined {
    if (this.#context.session.isFinishing) return undefined
    return isAwaited ? 'soon' : 'later'
  }

  #note(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.#context.logger.debug({ error: errorText(error) }, "WhatsApp's answer to a message was not stored."),
    )
  }
}
