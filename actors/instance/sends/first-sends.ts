import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../../lib/back-off.js'
import { errorText } from '../../../lib/error-text.js'
import { withTimeLimit } from '../../../lib/time-limit.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { parseScheduledContent, type ScheduledContent } from '../../../schemas/scheduled-send.js'
import { FIRST_SEND_KIND } from '../../../schemas/sealed-kinds.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { Change } from '../ports.js'
import type { SendsContext } from './context.js'
import type { DelayedSends } from './delayed-sends.js'
import { laterRow } from './later-row.js'
import { resolveKnownChat, storedAddresses } from './resolve.js'
import { createAgentPause } from './rows.js'
import { failedUpdate } from './unsendable.js'

// Bound: 1,000, the sends of a page.

type Kept = ScheduledContent & { readonly ordinal: number }

const PAGE = 100
/** Maximum of sends that are recovered. More would not come from calls that waited at the same time. */
const RECOVERED_MAX = 10_000
/** Attempts to remove a send that was refused, for about three seconds, before its outcome is called unknown. */
const REMOVAL_ATTEMPTS = 6
const REMOVAL_WAIT_MIN_MS = 100
const REMOVAL_WAIT_MAX_MS = 1_000

/**
 * Keeps a send that needs an answer of the network before its row can be written, such as the first message to a person. It is stored before
 * the first question, sealed beside the keys of the account, where no caller sees it: a number without an account must leave nothing behind.
 * The write of its row removes it, and so does a refusal. Whatever a crash leaves there is queued by the next owner.
 */
export class FirstSends {
  readonly #context: SendsContext
  readonly #delayed: Pick<DelayedSends, 'run' | 'hold'>
  /** Sends that were refused, but could not be removed. */
  readonly #refused = new Set<MessageId>()
  /** Sends that a former owner left, until they have left. */
  readonly #leaving = new Map<MessageId, Promise<void>>()
  #recovery: Promise<void> | null = null
  #count = 0

  constructor(context: SendsContext, delayed: Pick<DelayedSends, 'run' | 'hold'>) {
    this.#context = context
    this.#delayed = delayed
  }

  /** Stores a send, unless nothing has to be asked before its row. Returns whether it was stored. */
  async keep(command: SendCommand, asked: ChatAddress): Promise<boolean> {
    if (command.post !== undefined || (await this.#isSettled(asked))) return false
    const content = await this.#composeContent(command, asked)
    if (content === null) return false
    this.#count += 1
    // Two calls within a millisecond keep their order.
    const kept: Kept = { ...content, ordinal: Date.now() * 1_000 + (this.#count % 1_000) }
    const value = Buffer.from(JSON.stringify(kept))
    await this.#context.journal.write([keyChange(command.messageid, value)])
    return true
  }

  /** Returns the change that removes a send, for the write that stores its row. */
  removal(messageid: MessageId): Change {
    return keyChange(messageid, null)
  }

  /**
   * Removes a send that was refused.
   * @throws GatewayError NOT_OWNER: the next owner answers the call; OUTCOME_UNKNOWN: it may still be sent
   */
  async refuse(messageid: MessageId): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await this.#context.journal.write([this.removal(messageid)])
        return
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'NOT_OWNER') throw error
        if (attempt < REMOVAL_ATTEMPTS) {
          // A store that was away for a moment must not make the outcome unknown.
          await pause(backOffMs(attempt, REMOVAL_WAIT_MIN_MS, REMOVAL_WAIT_MAX_MS))
          continue
        }
        this.#refused.add(messageid)
        throw new GatewayError('OUTCOME_UNKNOWN', { cause: error })
      }
  }

  /** Queues what a former owner left, once, and removes what could not be removed. */
  async recover(): Promise<void> {
    this.#recovery ??= this.#recover().catch((error: unknown) => {
      this.#recovery = null
      throw error
    })
    await this.#recovery
    if (this.#refused.size === 0) return
    const ids = [...this.#refused]
    await this.#context.journal.write(ids.map((id) => this.removal(id)))
    for (const id of ids) this.#refused.delete(id)
  }

  /** Waits until a send that a former owner left has left, for as long as its caller waits. */
  async left(messageid: MessageId): Promise<void> {
    const leaving = this.#leaving.get(messageid)
    if (leaving !== undefined) await withTimeLimit(leaving, this.#context.timing.ackTimeoutMs, () => {})
  }

  /** Returns true if the store knows the person, and the connection their devices. */
  async #isSettled(asked: ChatAddress): Promise<boolean> {
    const known = await resolveKnownChat(this.#context, asked)
    if (known === null) return false
    try {
      const { messages } = await this.#context.connection()
      return await messages.isSettled(known.address)
    } catch {
      // The connection has ended. Its delivery says so.
      return false
    }
  }

  /** Returns null for a reaction to a message which is not there: its delivery knows both addresses, and refuses it. */
  async #composeContent(command: SendCommand, asked: ChatAddress): Promise<ScheduledContent | null> {
    const chat = (await storedAddresses(this.#context, asked)) ?? asked
    const bare = { ...command, options: { ...command.options, delayMs: 0 } }
    try {
      const { row, request } = await laterRow(this.#context, bare, chat, chat)
      return { row, request }
    } catch (error) {
      if (error instanceof GatewayError && error.code !== 'STORE_UNAVAILABLE') return null
      throw error
    }
  }

  async #recover(): Promise<void> {
    const { id, journal, logger } = this.#context
    const found = await this.#read()
    if (found.length === 0) return
    await journal.write(found.flatMap((kept) => this.#toQueue(kept)))
    logger.info({ instanceId: id, count: found.length }, 'Messages that a former owner had accepted are sent.')
    const young = found.filter((kept) => !this.#isOld(kept))
    // Queues the older delayed sends before these.
    try {
      await this.#delayed.run()
    } catch (error) {
      // The next reading finds the older ones and these, in their order.
      logger.debug({ error: errorText(error) }, 'Delayed sends were not read.')
      return
    }
    for (const { row } of young) {
      const { messageid, chat } = row
      const left = this.#delayed.hold({ messageid, chat, delayMs: 0, dueInMs: 0, isVoice: false })
      this.#leaving.set(messageid, left)
      void left.finally(() => this.#leaving.delete(messageid))
    }
  }

  /** Reads what is stored, in the order in which it was asked. */
  async #read(): Promise<Kept[]> {
    const { id, reader } = this.#context
    const found: Kept[] = []
    let after = ''
    while (found.length < RECOVERED_MAX) {
      const page = await reader.keyPage(id, FIRST_SEND_KIND, after, PAGE)
      for (const [messageid, bytes] of page) {
        const kept = parseKept(bytes, messageid)
        if (kept !== null) found.push(kept)
        after = messageid
      }
      if (page.size < PAGE) break
    }
    return found.sort((one, other) => one.ordinal - other.ordinal)
  }

  #toQueue(kept: Kept): Change[] {
    const { row, request } = kept
    const { messageid, chat } = row
    return [
      { type: 'message', message: { ...row, queuedRequest: request }, announce: false },
      ...createAgentPause(request, chat),
      { type: 'message.update', messageids: [messageid], fromMe: true, set: { dueInMs: 0 } },
      ...(this.#isOld(kept)
        ? [failedUpdate(messageid, { why: 'It was not sent within SEND_MAX_AGE_MS.', reason: 'expired' })]
        : []),
      this.removal(messageid),
    ]
  }

  #isOld({ row }: Kept): boolean {
    return Date.now() - row.messageTimestampMs > this.#context.timing.sendMaxAgeMs
  }
}

function keyChange(messageid: MessageId, value: Uint8Array | null): Change {
  return { type: 'keys', entries: [{ kind: FIRST_SEND_KIND, id: messageid, value }] }
}

/** Returns null for bytes that are no send. */
function parseKept(bytes: Uint8Array, messageid: string): Kept | null {
  const text = Buffer.from(bytes).toString()
  const content = parseScheduledContent(text, messageid)
  if (content === null) return null
  const { ordinal } = content as Partial<Kept>
  return { ...content, ordinal: Number.isSafeInteger(ordinal) ? Number(ordinal) : 0 }
}
