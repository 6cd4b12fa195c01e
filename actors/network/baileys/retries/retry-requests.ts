import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import { RecentMap } from '../../../instance/recent-map.js'
import type { RetryReceipt } from './retry-receipt.js'

/** A message that could not be decrypted. */
export interface FailedMessage {
  readonly id: string
  /** Device that sent it. */
  readonly sender: string
  /** True if a message for this device alone failed: the two sides may have different states of the session. */
  readonly isSessionBroken: boolean
  readonly node: BinaryNode
}

export interface DecryptedMessage extends Pick<FailedMessage, 'id' | 'sender'> {
  /** True if it began a new session. */
  readonly isFirstOfSession: boolean
}

export interface RetryRequestOptions {
  readonly send: (receipt: RetryReceipt) => Promise<void>
  readonly isOpen: () => boolean
  readonly failed: (error: unknown) => void
  /** Called when too many messages wait to be asked for. */
  readonly onFull: () => void
}

/** Messages of the account that senders are asked for at once, and of one sender, so that a hostile one leaves places for others. */
const AT_ONCE = 20
const AT_ONCE_OF_SENDER = 10
/** Maximum numbers of messages that wait to be asked for. The account's phone is asked for further ones (`PhoneRequests`). */
const WAITING_MAX = 1_000
const WAITING_OF_SENDER_MAX = 250
/** Requests for one message, as in the library (`maxMsgRetryCount`). */
const RETRIES_MAX = 5
/** Time in which an answer comes. Then others are asked for, and a session is renewed again. */
const ANSWER_MS = 10_000
/** Time after the renewal of a session in which messages of the former one may still come. */
const RENEWED_MS = 60_000
/** Failed messages for which the library has not asked yet, counts of requests, and renewed sessions that are remembered. */
const FAILED_MAX = 100
const COUNTED_MAX = 2_000
const RENEWALS_MAX = 1_000

/**
 * Asks senders for messages that could not be decrypted. The library would ask for them one after the other, with a pause of 250 ms in which no
 * other message of the account is handled. Here requests wait beside the line of messages, and up to 20 are under way.
 *
 * If a session has gone back, because the store lost commits, each message of that sender fails until the session is new. The first request
 * therefore has keys, from which the sender makes a new one. The others wait for that, and have none.
 */
export class RetryRequests {
  readonly #options: RetryRequestOptions
  /** The last message of each id that failed. The library asks for it before it handles the next one. */
  readonly #failed = new RecentMap<string, FailedMessage>(FAILED_MAX)
  readonly #counts = new RecentMap<string, number>(COUNTED_MAX)
  readonly #waiting: FailedMessage[] = []
  /** Messages that were asked for and have not come. */
  readonly #asked = new Map<string, { readonly sender: string; readonly timer: NodeJS.Timeout }>()
  /** Senders who are about to make a new session. */
  readonly #renewing = new Map<string, NodeJS.Timeout>()
  /** Times at which senders made new sessions. */
  readonly #renewed = new RecentMap<string, number>(RENEWALS_MAX)
  #isStopped = false

  constructor(options: RetryRequestOptions) {
    this.#options = options
  }

  /** Notes that a message could not be decrypted. The library decides whether it is asked for. */
  note(message: FailedMessage): void {
    this.#failed.set(message.id, message)
    this.#end(formatName(message))
  }

  /** Asks for a message that was noted. Returns false for any other. */
  ask(id: string): boolean {
    const message = this.#failed.get(id)
    if (message === undefined) return false
    this.#failed.delete(id)
    if (!this.#hasRoom(message)) this.#options.onFull()
    else {
      this.#waiting.push(message)
      this.#askMore()
    }
    return true
  }

  /** Handles that a message was decrypted. */
  came({ id, sender, isFirstOfSession }: DecryptedMessage): void {
    if (this.#asked.size + this.#renewing.size === 0) return
    if (isFirstOfSession && this.#renewing.has(sender)) {
      this.#renewed.set(sender, Date.now())
      this.#endRenewal(sender)
    }
    this.#end(formatName({ id, sender }))
    this.#askMore()
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.length = 0
    for (const { timer } of this.#asked.values()) clearTimeout(timer)
    for (const timer of this.#renewing.values()) clearTimeout(timer)
    this.#asked.clear()
    this.#renewing.clear()
  }

  #askMore(): void {
    let index = 0
    while (this.#asked.size < AT_ONCE && index < this.#waiting.length) {
      const message = this.#waiting[index]
      if (message === undefined || this.#mustWait(message)) index += 1
      else {
        this.#waiting.splice(index, 1)
        this.#request(message)
      }
    }
  }

  #hasRoom({ sender }: FailedMessage): boolean {
    if (this.#waiting.length >= WAITING_MAX) return false
    return this.#waiting.filter((one) => one.sender === sender).length < WAITING_OF_SENDER_MAX
  }

  #mustWait({ sender }: FailedMessage): boolean {
    if (this.#renewing.has(sender)) return true
    return [...this.#asked.values()].filter((one) => one.sender === sender).length >= AT_ONCE_OF_SENDER
  }

  #request({ id, sender, isSessionBroken, node }: FailedMessage): void {
    const name = formatName({ id, sender })
    const count = (this.#counts.get(name) ?? 0) + 1
    if (count > RETRIES_MAX || !this.#options.isOpen()) return
    this.#counts.set(name, count)
    const isNew = Date.now() - (this.#renewed.get(sender) ?? 0) < RENEWED_MS
    // The first failure of a group's message mostly means that the key of the group is missing. The sender adds that to each answer.
    const withKeys = count > 1 || (isSessionBroken && !isNew)
    this.#asked.set(name, { sender, timer: this.#after(() => this.#end(name)) })
    if (withKeys)
      this.#renewing.set(
        sender,
        this.#after(() => this.#endRenewal(sender)),
      )
    this.#options.send({ node, count, withKeys }).catch(this.#options.failed)
  }

  #end(name: string): void {
    clearTimeout(this.#asked.get(name)?.timer)
    this.#asked.delete(name)
  }

  #endRenewal(sender: string): void {
    clearTimeout(this.#renewing.get(sender))
    this.#renewing.delete(sender)
  }

  #after(work: () => void): NodeJS.Timeout {
    const run = (): void => {
      if (this.#isStopped) return
      work()
      this.#askMore()
    }
    return setTimeout(run, ANSWER_MS).unref()
  }
}

/**
 * Lets the library decide which messages are asked for, and hand them over. It asks whether a message had too many retries already, sends
 * nothing if so, and acknowledges the stanza (`sendRetryRequest` in `Socket/messages-recv.js` of 7.0.0-rc14).
 */
export function takeOverRetries(
  { messageRetryManager: manager }: Pick<WASocket, 'messageRetryManager'>,
  retries: Pick<RetryRequests, 'ask'>,
): void {
  if (manager === null) throw new Error('The library has no count of retries.')
  const hasExceeded = manager.hasExceededMaxRetries.bind(manager)
  manager.hasExceededMaxRetries = (id) => retries.ask(id) || hasExceeded(id)
}

/** Names a message among those of all senders, who choose the ids. */
function formatName({ id, sender }: Pick<FailedMessage, 'id' | 'sender'>): string {
  return `${sender} ${id}`
}
