import { type ChatAddress, toChatAddress, toChatId } from '../../schemas/jid.js'
import type { CheckLimits } from '../instance/operation-timing.js'
import type { ResolvedChat, SendsContext } from '../instance/sends/context.js'
import { throwLookUpRefusal } from '../instance/sends/refusals.js'
import { keepChat, notOnNetwork, resolveChat, resolveKnownChat } from '../instance/sends/resolve.js'

/** Time after which a campaign asks again for a look-up that is under way. Its answer wakes the campaigns before. */
const ANSWER_MAX_MS = 30_000

/** The chat of a recipient, or the time to wait for it. */
type Found =
  | { readonly chat: ResolvedChat }
  /** The look-up is under way, or may begin then. Other campaigns can go on. */
  | { readonly waitMs: number }
  /** Only recipients who must be looked up wait. */
  | { readonly parkMs: number }

/**
 * Finds the chats of recipients. Known people are found in the store, and so are numbers that were looked up lately. Others are looked up at the
 * network, one at a time, within a budget of the instance; no turn waits for the answer.
 */
export class NumberChecks {
  readonly #context: SendsContext
  readonly #onAnswer: () => void
  #budget: CheckBudget | null = null
  #isUnderWay = false
  /** The number that was asked for last. Its answer comes from the store, and is no earlier one. */
  #asked: string | null = null
  #failed: { readonly name: string; readonly error: unknown } | null = null

  constructor(context: SendsContext, onAnswer: () => void) {
    this.#context = context
    this.#onAnswer = onAnswer
  }

  /** @throws GatewayError NOT_ON_NETWORK, SEND_REFUSED, and the errors of the connection and the store */
  async find(asked: ChatAddress): Promise<Found> {
    const known = await resolveKnownChat(this.#context, asked)
    if (known !== null) return { chat: known }
    // A LID is not looked up.
    if (asked.pn === undefined) return { chat: await resolveChat(this.#context, asked, Date.now()) }
    const { id, reader } = this.#context
    const name = toChatId(asked)
    const checked = await reader.numberCheck(id, name)
    if (checked !== null) {
      if (this.#asked !== name) this.#context.count({ what: 'numberCheck', outcome: 'cached' })
      this.#asked = null
      return { chat: await this.#found(asked, checked.found === null ? null : toChatAddress(checked.found)) }
    }
    const failed = this.#failed
    if (failed?.name === name) {
      this.#failed = null
      throw failed.error
    }
    return this.#isUnderWay ? { waitMs: ANSWER_MAX_MS } : await this.#begin(asked, name)
  }

  async #begin(asked: ChatAddress, name: string): Promise<Found> {
    // People whom nobody has looked up have never written: nobody is looked up in vain.
    const decision = await this.#context.pacer.decide('campaign', { isKnown: false })
    if (decision.now !== true) return 'parkMs' in decision ? { parkMs: decision.parkMs } : { waitMs: decision.waitMs }
    const nowMs = await this.#context.pacer.nowMs()
    const budget = await this.#loadedBudget(nowMs)
    const next = budget.next(nowMs)
    if ('parkMs' in next || next.waitMs > 0) {
      this.#context.count({ what: 'numberCheck', outcome: 'refused' })
      return next
    }
    budget.take(nowMs)
    this.#context.count({ what: 'numberCheck', outcome: 'asked' })
    this.#asked = name
    this.#isUnderWay = true
    this.#lookUp(asked)
      .catch((error: unknown) => {
        this.#failed = { name, error }
      })
      .finally(() => {
        this.#isUnderWay = false
        this.#onAnswer()
      })
    return { waitMs: ANSWER_MAX_MS }
  }

  async #lookUp(asked: ChatAddress): Promise<void> {
    const { connection, journal } = this.#context
    const live = await connection(0)
    const found = await live.contacts.lookUp(asked).catch(throwLookUpRefusal)
    const pn = found?.pn ?? found?.lid ?? null
    await journal.write([{ type: 'numberCheck', address: toChatId(asked), found: pn }])
    if (found !== null) await keepChat(this.#context, asked, found)
  }

  /** @throws GatewayError NOT_ON_NETWORK */
  async #found(asked: ChatAddress, address: ChatAddress | null): Promise<ResolvedChat> {
    if (address === null) throw notOnNetwork(asked)
    const known = await resolveKnownChat(this.#context, address)
    return known ?? (await keepChat(this.#context, asked, address))
  }

  async #loadedBudget(nowMs: number): Promise<CheckBudget> {
    const { id, reader, timing } = this.#context
    this.#budget ??= new CheckBudget(timing.numberChecks, await reader.numberChecks(id), nowMs)
    return this.#budget
  }
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The look-ups of numbers of one instance: so many on a UTC day, and so many in a minute, which may follow each other at once. */
export class CheckBudget {
  readonly #limits: CheckLimits
  #day: number
  #today: number
  /** Time by which all look-ups so far would have been made at the pace of the minute. */
  #pacedUntilMs: number

  /** @param known look-ups of this day, and of the minute before now */
  constructor(limits: CheckLimits, known: { readonly today: number; readonly lastMinute: number }, nowMs: number) {
    this.#limits = limits
    this.#day = Math.floor(nowMs / DAY_MS)
    this.#today = known.today
    this.#pacedUntilMs = nowMs + known.lastMinute * this.#everyMs
  }

  /** Returns the time until the next day if the look-ups of this one are used up, or else the time until the next look-up, 0 if it may begin. */
  next(nowMs: number): { readonly parkMs: number } | { readonly waitMs: number } {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#today = 0
    }
    const { perDay } = this.#limits
    if (perDay > 0 && this.#today >= perDay) return { parkMs: (day + 1) * DAY_MS - nowMs }
    return { waitMs: Math.max(0, this.#pacedUntilMs + this.#everyMs - nowMs - MINUTE_MS) }
  }

  /** Counts a look-up. */
  take(nowMs: number): void {
    this.#today += 1
    this.#pacedUntilMs = Math.max(this.#pacedUntilMs, nowMs) + this.#everyMs
  }

  get #everyMs(): number {
    return this.#limits.perMinute === 0 ? 0 : MINUTE_MS / this.#limits.perMinute
  }
}
