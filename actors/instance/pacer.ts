import { backOffMs } from '../../lib/back-off.js'
import { errorText } from '../../lib/error-text.js'
import type { AccountLimits } from '../../schemas/account-limits.js'
import { limitsReport, NO_LIMITS } from '../../schemas/account-limits.js'
import type {
  AfterRefusal,
  NewChatHold,
  PaceDecision,
  PacedChat,
  PacedKind,
  PacingHold,
  PacingOutlook,
  PacingReport,
  ParkedCounts,
  ParkReason,
} from '../../schemas/pacing.js'
import { computeWaitMs, debit, refill } from './pacing/bucket.js'
import { isBudgeted, NewChats } from './pacing/new-chats.js'
import type { PacerParts } from './pacing/pacer-parts.js'
import { findSinceMs, type OwnSettings } from './pacing/pacer-parts.js'
import { Slots } from './pacing/slots.js'
import { DAY_MS, type PacerState, parseState } from './pacing/state.js'
import type { Change } from './ports.js'

/** The pacing as this life of the actor holds it. */
interface Loaded {
  /** PostgreSQL's clock less the monotonic clock of this process. No wall clock of a node counts. */
  readonly clockMs: number
  readonly own: OwnSettings
  readonly state: PacerState
  readonly newChats: NewChats
  nextAtMs: number
}

/** The network's codes for a message that a restriction forbids, and for too many messages. */
const RESTRICTED = 463
const TOO_MANY = 429

const RATE_REST_MIN_MS = 60_000
const RATE_REST_MAX_MS = 15 * 60_000
/** Time for which the pace is halved after a refusal for the rate. */
const SLOW_AFTER_RATE_MS = 3_600_000
/** Maximum time for which one person rests after a refusal without a restriction of the account. */
const PERSON_REST_MS = DAY_MS
const TIMER_MAX_MS = 3_600_000

/**
 * Decides when sends that nobody waits for may leave. Its state is written with each of them, in the same transaction, so that neither a
 * restart nor a move of the instance is followed by a burst. Times are of PostgreSQL's clock.
 */
export class Pacer {
  readonly #parts: PacerParts
  readonly #turns = new Slots()
  readonly #parked = new Map<PacedKind, ParkedCounts>()
  #loaded: Loaded | null = null
  #loading: Promise<Loaded> | null = null
  #limits: AccountLimits = NO_LIMITS
  /** Direct sends since the last count of tokens. */
  #direct = 0
  #restChanges = 0
  #isRestReported = false
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: PacerParts) {
    this.#parts = parts
  }

  /** Returns whether a send may leave now, and when to ask again if not. */
  async decide(kind: PacedKind, chat: PacedChat): Promise<PaceDecision> {
    const loaded = await this.#load()
    const { state, newChats, nextAtMs } = loaded
    const nowMs = this.#now(loaded)
    this.#passTime(loaded, nowMs)
    if (state.restUntilMs > nowMs) return { waitMs: state.restUntilMs - nowMs, reason: 'network_rest' }
    if (kind === 'async' && nextAtMs > nowMs) return { waitMs: nextAtMs - nowMs, reason: 'pace' }
    const parked = chat.isKnown ? null : newChats.findPark(kind, nowMs)
    if (parked !== null) return parked
    const waitMs = this.#rateWaitMs(kind, state, nowMs)
    return waitMs > 0 ? { waitMs, reason: 'rate' } : { now: true }
  }

  /** Returns why people who never wrote get nothing now, and how long; null if they may. */
  async newChatsHold(kind: PacedKind): Promise<NewChatHold | null> {
    const loaded = await this.#load()
    this.#passTime(loaded, this.#now(loaded))
    return loaded.newChats.findHold(kind, this.#now(loaded))
  }

  /** Returns true if `decide` needs to know whether the recipient has ever written. */
  async asksForNewChats(kind: PacedKind): Promise<boolean> {
    const { newChats } = await this.#load()
    return newChats.isWatched || isBudgeted(this.#parts.settings, kind)
  }

  /**
   * Returns the changes that belong into the write of a send that leaves now: the next time, the rate, the budget. Call it in the step of
   * that write, after `decide`.
   * @param delayMs the pause until the next asynchronous send; ignored for other kinds
   */
  taken(kind: PacedKind, chat: PacedChat, delayMs: number): readonly Change[] {
    const loaded = this.#loaded
    if (loaded === null) return []
    const { state, newChats } = loaded
    const nowMs = this.#now(loaded)
    const before = JSON.stringify(state)
    const perMinute = this.#perMinute(state, nowMs)
    if (perMinute > 0) {
      this.#refill(state, perMinute, nowMs)
      debit(state)
      state.pacedAtMs = nowMs
    }
    if (!chat.isKnown) newChats.taken(kind, nowMs)
    this.#turns.took(kind, nowMs)
    const pauseMs = kind === 'async' ? delayMs * (state.slowUntilMs > nowMs ? 2 : 1) : 0
    if (pauseMs > 0) loaded.nextAtMs = nowMs + pauseMs
    const after = JSON.stringify(state)
    if (pauseMs === 0 && after === before) return []
    const set = { ...(pauseMs > 0 ? { nextAtMs: loaded.nextAtMs } : {}), state: after }
    return [{ type: 'pacing', set }]
  }

  /** Returns a pause after an asynchronous send, at random within the settings. */
  pauseMs(which: 'queued' | 'scheduled' = 'queued'): number {
    const { delayMinMs, delayMaxMs } = this.#delays(which)
    return delayMinMs + (delayMaxMs - delayMinMs) * this.#parts.context.random()
  }

  /** Returns the time from one asynchronous send to the next, on average and at the present pace. */
  async meanIntervalMs(which: 'queued' | 'scheduled'): Promise<number> {
    const loaded = await this.#load()
    const { delayMinMs, delayMaxMs } = this.#delays(which)
    const { sendsPerMinute } = this.#parts.settings
    const pace = loaded.state.slowUntilMs > this.#now(loaded) ? 2 : 1
    return pace * Math.max((delayMinMs + delayMaxMs) / 2, sendsPerMinute === 0 ? 0 : 60_000 / sendsPerMinute)
  }

  /** Counts a direct send. It takes from the rate and never waits for it. */
  direct(): void {
    this.#direct += 1
  }

  /** Handles the network's refusal of a paced message. */
  async refused(code: number, chat: PacedChat): Promise<AfterRefusal> {
    if (code !== RESTRICTED && code !== TOO_MANY) return { next: 'fail' }
    const loaded = await this.#load()
    if (code === TOO_MANY) {
      this.#restForRate(loaded)
      return { next: 'park', ms: await this.rateRestMs() }
    }
    this.limitsChanged(await this.#parts.limits.renewed())
    const restUntilMs = loaded.newChats.refused(this.#now(loaded))
    if (restUntilMs !== null) return { next: 'park', ms: restUntilMs - this.#now(loaded) }
    return chat.isKnown ? { next: 'fail' } : { next: 'park', ms: PERSON_REST_MS, isOfPerson: true }
  }

  /** Handles that the network took a message to a person who never wrote. */
  accepted(): void {
    if (this.#loaded !== null) this.#loaded.newChats.accepted(this.#now(this.#loaded))
  }

  /** Handles that the network refused a message of the account for its rate. */
  rateRefused(): void {
    this.#load().then(
      (loaded) => this.#restForRate(loaded),
      (error: unknown) => this.#warn(error, 'The pacing of an instance was not read.'),
    )
  }

  /** Handles the present restrictions of the account by the network. */
  limitsChanged(limits: AccountLimits): void {
    this.#limits = limits
    if (this.#loaded !== null) this.#loaded.newChats.follow(limits, this.#now(this.#loaded))
  }

  /** Handles a pairing of the instance, perhaps with another account. */
  paired(): void {
    this.#load()
      .then((loaded) => {
        const nowMs = this.#now(loaded)
        const since = { pairedAtMs: nowMs, inUseSinceMs: loaded.own.offeredSinceMs, offeredSinceMs: null }
        Object.assign(loaded.own, since)
        Object.assign(loaded.state, parseState({ state: '', nowMs }))
        loaded.newChats.use(findSinceMs(loaded.own))
        const state = JSON.stringify(loaded.state)
        // The empty change of the instance lets nodes that remember its row read it again.
        this.#parts.write([
          { type: 'pacing', set: { ...since, state } },
          { type: 'instance', set: {} },
        ])
      })
      .catch((error: unknown) => this.#warn(error, 'The time of a pairing was not stored.'))
  }

  /** Uses settings of the owner of the instance, which are stored already. */
  async use(
    set: Partial<Pick<OwnSettings, 'delayMinMs' | 'delayMaxMs' | 'inUseSinceMs' | 'offeredSinceMs'>>,
  ): Promise<void> {
    const loaded = await this.#load()
    Object.assign(loaded.own, set)
    loaded.newChats.use(findSinceMs(loaded.own))
    if (typeof set.delayMaxMs === 'number')
      loaded.nextAtMs = Math.min(loaded.nextAtMs, this.#now(loaded) + set.delayMaxMs)
    this.#parts.context.wakeQueue()
  }

  /** Notes the sends of a kind that wait because their recipients never wrote. */
  noteParked(kind: PacedKind, counts: ParkedCounts): void {
    this.#parked.set(kind, counts)
  }

  /** Notes that a kind has nothing to send now. */
  idle(kind: PacedKind): void {
    this.#turns.leaves(kind)
  }

  /** Returns the time by PostgreSQL's clock. */
  async nowMs(): Promise<number> {
    return this.#now(await this.#load())
  }

  /** Grows when a rest of new chats begins, moves or ends. Sends that were parked before may leave then. */
  get restChanges(): number {
    return this.#restChanges
  }

  /** Length of the last rest of new chats. A message that waited through it is not older for that. */
  get restedMs(): number {
    return this.#loaded === null ? 0 : this.#loaded.newChats.restedMs(this.#now(this.#loaded))
  }

  /** Returns the time in milliseconds for which the network's refusal for the rate still holds. */
  async rateRestMs(): Promise<number> {
    const loaded = await this.#load()
    return Math.max(0, loaded.state.restUntilMs - this.#now(loaded))
  }

  /** The reasons for which sends wait, as far as this node has read them. */
  get holds(): readonly PacingHold[] {
    const loaded = this.#loaded
    if (loaded === null) return []
    const { restUntilMs } = loaded.state
    const nowMs = this.#now(loaded)
    const ofRate = restUntilMs > nowMs ? [{ kind: 'rate_limit' as const, untilMs: restUntilMs }] : []
    return [...loaded.newChats.holds(nowMs), ...ofRate]
  }

  /** Returns the number of parked sends of all kinds, by reason. */
  parked(): Record<ParkReason, number> {
    const sums = { limit: 0, budget: 0, network_lock: 0 }
    for (const counts of this.#parked.values())
      for (const [reason, count] of Object.entries(counts)) sums[reason as ParkReason] += count
    return sums
  }

  async report(): Promise<PacingReport> {
    const loaded = await this.#load()
    const { state, newChats, nextAtMs } = loaded
    const nowMs = this.#now(loaded)
    this.#passTime(loaded, nowMs)
    const budget = newChats.budget(nowMs)
    const day = new Date(state.day * DAY_MS).toISOString().slice(0, 10)
    const left = budget === null ? null : Math.max(0, budget - state.newChats)
    const nextSendAtMs = Math.max(nextAtMs, state.restUntilMs)
    return {
      parked: Object.values(this.parked()).reduce((sum, count) => sum + count, 0),
      budget: { day, used: state.newChats, left },
      nextSendAtMs: nextSendAtMs > nowMs ? nextSendAtMs : null,
      holds: this.holds,
    }
  }

  async outlook(kind: PacedKind): Promise<PacingOutlook> {
    const loaded = await this.#load()
    const { state, newChats, own } = loaded
    const nowMs = this.#now(loaded)
    this.#passTime(loaded, nowMs)
    const hold = newChats.findHold(kind, nowMs)
    const budget = isBudgeted(this.#parts.settings, kind) ? newChats.budget(nowMs) : null
    const left = hold !== null ? 0 : budget === null ? null : Math.max(0, budget - state.newChats)
    return {
      nowMs,
      inUseSinceMs: findSinceMs(own),
      sendsPerMinute: this.#perMinute(state, nowMs),
      restUntilMs: state.restUntilMs > nowMs ? state.restUntilMs : null,
      newChats:
        left === null
          ? null
          : {
              left,
              hold: hold?.reason ?? null,
              untilMs: hold === null ? null : nowMs + hold.ms,
              coming: this.#comingBudgets(loaded, kind, nowMs),
            },
    }
  }

  /** Returns the budgets of new chats of the coming days, until they stay the same. */
  #comingBudgets({ newChats }: Loaded, kind: PacedKind, nowMs: number): readonly (number | null)[] {
    const { settings } = this.#parts
    if (!isBudgeted(settings, kind)) return [null]
    return [...settings.newChatsWarmUp, 0].map((_, index) => newChats.budget(nowMs + (index + 1) * DAY_MS))
  }

  /** Ends the timer, and writes nothing more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #load(): Promise<Loaded> {
    if (this.#loaded !== null) return Promise.resolve(this.#loaded)
    this.#loading ??= this.#read().finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #read(): Promise<Loaded> {
    const { context, limits, settings } = this.#parts
    const [stored, known] = await Promise.all([context.reader.pacing(context.id), limits.known()])
    const { nowMs, nextAtMs, state: _state, ...own } = stored
    const state = parseState(stored)
    const newChats = new NewChats(
      {
        settings,
        random: context.random,
        store: () => this.#store(state),
        report: (restriction, change, untilMs) => this.#report(restriction, change, untilMs),
        onChange: () => {
          this.#restChanges += 1
          this.#wakeAtEnd()
        },
      },
      state,
      findSinceMs(own),
    )
    this.#loaded = { clockMs: nowMs - performance.now(), own: { ...own }, state, newChats, nextAtMs: 0 }
    // A later time was written while PostgreSQL's clock was wrong.
    this.#loaded.nextAtMs = Math.min(nextAtMs ?? 0, nowMs + 2 * this.#longestDelayMs())
    this.#isRestReported = state.restUntilMs > 0
    this.#passTime(this.#loaded, nowMs)
    this.limitsChanged(known)
    this.#wakeAtEnd()
    return this.#loaded
  }

  #now({ clockMs }: Loaded): number {
    return performance.now() + clockMs
  }

  /** The owner's settings count for both kinds. */
  #delays(which: 'queued' | 'scheduled'): { readonly delayMinMs: number; readonly delayMaxMs: number } {
    const { timing } = this.#parts.context
    const [nodeMinMs, nodeMaxMs] =
      which === 'queued'
        ? [timing.pacingMinMs, timing.pacingMaxMs]
        : [timing.scheduledPacingMinMs, timing.scheduledPacingMaxMs]
    const { delayMinMs, delayMaxMs } = this.#loaded?.own ?? { delayMinMs: null, delayMaxMs: null }
    const min = delayMinMs ?? nodeMinMs
    return { delayMinMs: min, delayMaxMs: Math.max(min, delayMaxMs ?? nodeMaxMs) }
  }

  #longestDelayMs(): number {
    return Math.max(this.#delays('queued').delayMaxMs, this.#delays('scheduled').delayMaxMs)
  }

  #perMinute({ slowUntilMs }: PacerState, nowMs: number): number {
    return this.#parts.settings.sendsPerMinute / (slowUntilMs > nowMs ? 2 : 1)
  }

  #refill(state: PacerState, perMinute: number, nowMs: number): void {
    refill(state, perMinute, nowMs)
    if (this.#direct > 0) debit(state, this.#direct)
    this.#direct = 0
  }

  #rateWaitMs(kind: PacedKind, state: PacerState, nowMs: number): number {
    const perMinute = this.#perMinute(state, nowMs)
    if (perMinute === 0) return 0
    this.#refill(state, perMinute, nowMs)
    const untilToken = computeWaitMs(state, perMinute, nowMs)
    const waitMs = untilToken === 0 && this.#turns.isOfOther(kind, nowMs) ? 60_000 / perMinute : untilToken
    if (waitMs > 0) this.#turns.waits(kind, waitMs, nowMs)
    return waitMs
  }

  /** Begins a new day of the budget, and ends a rest that is over. */
  #passTime({ state, newChats }: Loaded, nowMs: number): void {
    newChats.passTime(nowMs)
    if (this.#isRestReported && state.restUntilMs <= nowMs) {
      this.#isRestReported = false
      this.#report('rate_limit', 'ended', null)
    }
    // After an hour at half the pace without a refusal, the next rest is short again.
    if (state.restSteps === 0 || state.slowUntilMs > nowMs) return
    state.restSteps = 0
    state.restUntilMs = 0
    this.#store(state)
  }

  #restForRate(loaded: Loaded): void {
    const { state } = loaded
    const nowMs = this.#now(loaded)
    // Messages that were under way together are refused together.
    if (state.restUntilMs > nowMs || this.#isStopped) return
    state.restUntilMs = nowMs + backOffMs(state.restSteps, RATE_REST_MIN_MS, RATE_REST_MAX_MS)
    state.restSteps += 1
    state.slowUntilMs = Math.max(state.slowUntilMs, state.restUntilMs + SLOW_AFTER_RATE_MS)
    this.#isRestReported = true
    this.#store(state)
    this.#report('rate_limit', 'began', state.restUntilMs)
    this.#wakeAtEnd()
  }

  #store(state: PacerState): void {
    if (!this.#isStopped) this.#parts.write([{ type: 'pacing', set: { state: JSON.stringify(state) } }])
  }

  #report(restriction: PacingHold['kind'], change: 'began' | 'changed' | 'ended', untilMs: number | null): void {
    if (this.#isStopped || this.#loaded === null) return
    const until = untilMs === null ? null : new Date(untilMs).toISOString()
    const event = { restriction, change, until, ...limitsReport(this.#limits, this.#now(this.#loaded)) }
    this.#parts.write([{ type: 'event', kind: 'limits', body: { event } }])
  }

  /** Wakes the queue, now and when the next rest is over. */
  #wakeAtEnd(): void {
    clearTimeout(this.#timer)
    const loaded = this.#loaded
    if (loaded === null || this.#isStopped) return
    this.#parts.context.wakeQueue()
    const nowMs = this.#now(loaded)
    const { restUntilMs, restOfNew } = loaded.state
    const ends = [restUntilMs, restOfNew?.untilMs ?? 0].filter((atMs) => atMs > nowMs)
    if (ends.length === 0) return
    const end = (): void => {
      this.#passTime(loaded, this.#now(loaded))
      this.#wakeAtEnd()
    }
    this.#timer = setTimeout(end, Math.min(...ends.map((atMs) => atMs - nowMs + 1), TIMER_MAX_MS))
    this.#timer.unref()
  }

  #warn(error: unknown, what: string): void {
    this.#parts.context.logger.warn({ error: errorText(error) }, what)
  }
}
