import type { MessageId } from '../../../schemas/ids.js'
import type { Change } from '../ports.js'
import { refusalSentence } from './refusals.js'

/** The fate of a message, as far as its caller learns of it. */
export type SendOutcome =
  | { readonly status: 'sent' }
  | { readonly status: 'pending' }
  /** `code`: the network's; null if it never saw the message. */
  | { readonly status: 'failed'; readonly code: number | null; readonly why: string }

export interface SendAnswer {
  /** Resolves to the network's answer, or to `pending` after the bounded wait. Never rejects. */
  readonly outcome: Promise<SendOutcome>
  /** Ends the wait with `pending`. */
  readonly stop: () => void
}

/** The calls that wait for the network's answer to a message. */
export class Answers {
  readonly #timeoutMs: number
  readonly #waiting = new Map<MessageId, Set<(outcome: SendOutcome) => void>>()
  /** Messages whose answer has an event as well. */
  readonly #told = new Set<MessageId>()
  readonly #onNone = new Set<() => void>()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** True while any call waits. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Resolves when no call waits. */
  async none(): Promise<void> {
    while (this.isWaiting)
      await new Promise<void>((resolve) => {
        this.#onNone.add(resolve)
      })
  }

  isAwaited(messageid: MessageId): boolean {
    return this.#waiting.has(messageid)
  }

  /** True if the answer to the calls that wait needs no event. */
  isSilent(messageid: MessageId): boolean {
    return this.isAwaited(messageid) && !this.#told.has(messageid)
  }

  /** @param isTold true if an event says the same as the answer */
  wait(messageid: MessageId, isTold = false): SendAnswer {
    if (isTold) this.#told.add(messageid)
    const waiting = this.#waiting.get(messageid) ?? new Set()
    this.#waiting.set(messageid, waiting)
    let stop = (): void => {}
    const outcome = new Promise<SendOutcome>((resolve) => {
      const settle = (answer: SendOutcome): void => {
        clearTimeout(timer)
        waiting.delete(settle)
        if (waiting.size === 0 && this.#waiting.get(messageid) === waiting) {
          this.#waiting.delete(messageid)
          this.#told.delete(messageid)
        }
        resolve(answer)
        if (!this.isWaiting) this.#wake()
      }
      stop = () => settle({ status: 'pending' })
      const timer = setTimeout(stop, this.#timeoutMs)
      waiting.add(settle)
    })
    return { outcome, stop }
  }

  /** Answers all calls that wait for this message. */
  settle(messageid: MessageId, outcome: SendOutcome): void {
    for (const settle of [...(this.#waiting.get(messageid) ?? [])]) settle(outcome)
  }

  #wake(): void {
    for (const wake of this.#onNone) wake()
    this.#onNone.clear()
  }
}

/** Returns the change of a row that the network's answer makes, with its event unless that is silent. */
export function answerChange(messageid: MessageId, error: number | null, isSilent: boolean): Change {
  const set =
    error === null
      ? { status: 'sent' as const, queuedRequest: null }
      : { status: 'failed' as const, queuedRequest: null, error: refusalSentence(error), providerCode: error }
  const announce = {
    type: 'Status',
    state: error === null ? 'Sent' : 'Failed',
    event: { IsFromMe: true, ...(error === null ? {} : { provider_code: error }) },
  }
  return { type: 'message.update', messageids: [messageid], fromMe: true, set, ...(isSilent ? {} : { announce }) }
}
