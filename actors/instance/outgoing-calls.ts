import { errorText } from '../../lib/error-text.js'
import { GatewayError } from '../../schemas/errors.js'
import { type ChatAddress, isSameChat, toChatAddress } from '../../schemas/jid.js'
import type { CallEvent, MadeCall } from '../network/port/calls.js'
import { madeCall } from './calls.js'
import type { SendsContext } from './sends/context.js'

/** Maximum time for the stanza that ends a call. Phones end the ringing by themselves after a minute. */
const HANG_UP_MAX_MS = 10_000

interface Ringing {
  readonly call: MadeCall
  readonly own: ChatAddress
  readonly timer: NodeJS.Timeout
}

type End = { readonly state: 'timeout' | 'ended'; readonly reason: 'timeout' | null }
const TIMEOUT: End = { state: 'timeout', reason: 'timeout' }
const ENDED: End = { state: 'ended', reason: null }

/**
 * Rings people. An account calls one person at a time, as a phone does, and no sound follows: a call that is answered ends at once. Lives in
 * memory: after a crash of the node the phone that rings ends the call by itself, and no event tells of its end.
 */
export class OutgoingCalls {
  readonly #context: Pick<SendsContext, 'journal' | 'account' | 'connection' | 'timing' | 'logger'>
  #ringing: Ringing | null = null
  /** True from the moment at which a call is asked for. */
  #isBusy = false

  constructor(context: Pick<SendsContext, 'journal' | 'account' | 'connection' | 'timing' | 'logger'>) {
    this.#context = context
  }

  /**
   * Rings a person for that time at most. Resolves when the network has accepted the call.
   * @throws GatewayError CALL_RUNNING, NOT_ON_NETWORK, NETWORK_REFUSED, OUTCOME_UNKNOWN
   */
  async ring(asked: MadeCall, forMs: number): Promise<void> {
    if (this.#isBusy) throw new GatewayError('CALL_RUNNING')
    this.#isBusy = true
    try {
      await this.#begin(asked, forMs)
    } catch (error) {
      if (this.#ringing === null) this.#isBusy = false
      else await this.#end(this.#ringing, ENDED).catch(() => {})
      throw error
    }
  }

  /** Ends the call of this id, if it is the one that rings. Returns whether it was. */
  async hangUp(id: string): Promise<boolean> {
    const ringing = this.#ringing
    if (ringing?.call.id !== id) return false
    await this.#end(ringing, ENDED, true)
    return true
  }

  /** Returns the event as one of a call that this account makes, if it is, and ends that call if it was answered or refused. */
  take(event: CallEvent): CallEvent {
    const ringing = this.#ringing
    if (ringing?.call.id !== event.id || event.state === 'ringing') return event
    // Anybody who knows the id may send an end of the call.
    if (!isSameChat(event.from, ringing.call.to) && !isSameChat(toChatAddress(event.fromJid), ringing.call.to))
      return event
    if (event.state === 'accepted') this.#end(ringing, ENDED).catch(() => {})
    else this.#forget(ringing)
    return { ...event, callee: ringing.call.to }
  }

  /** Ends the call that rings, because this life of the actor ends. Never rejects. */
  async finish(): Promise<void> {
    if (this.#ringing !== null) await this.#end(this.#ringing, ENDED).catch(() => {})
  }

  /** Ends its timer. */
  stop(): void {
    if (this.#ringing !== null) this.#forget(this.#ringing)
  }

  async #begin(asked: MadeCall, forMs: number): Promise<void> {
    const { connection, account, journal, timing } = this.#context
    const live = await connection()
    const to = asked.to.lid === undefined ? await live.contacts.lookUp(asked.to) : asked.to
    const { own } = account
    if (to === null) throw new GatewayError('NOT_ON_NETWORK')
    if (own === null) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    const call = { ...asked, to }
    await live.calls.ring(call, timing.ackTimeoutMs).catch(async (error: unknown) => {
      // It may ring all the same, and nothing would end it.
      if (error instanceof GatewayError && error.code === 'OUTCOME_UNKNOWN')
        await live.calls.hangUp(call, null, 0).catch(() => {})
      throw error
    })
    const timer = setTimeout(() => {
      if (this.#ringing?.call === call) this.#end(this.#ringing, TIMEOUT).catch(() => {})
    }, forMs)
    this.#ringing = { call, own, timer }
    await journal.write([madeCall(call, { state: 'ringing', reason: null }, own)])
  }

  /** @param isAwaited true if a caller wants to know whether the network took it */
  async #end(ringing: Ringing, end: End, isAwaited = false): Promise<void> {
    const { connection, journal, logger } = this.#context
    this.#forget(ringing)
    try {
      const live = await connection()
      await live.calls.hangUp(ringing.call, end.reason, HANG_UP_MAX_MS)
    } catch (error) {
      if (isAwaited) throw error
      logger.info({ error: errorText(error) }, 'The network did not confirm the end of a call.')
    }
    await journal.write([madeCall(ringing.call, end, ringing.own)])
  }

  #forget(ringing: Ringing): void {
    clearTimeout(ringing.timer)
    if (this.#ringing !== ringing) return
    this.#ringing = null
    this.#isBusy = false
  }
}
