import { errorText } from '../../lib/error-text.js'
import { withTimeLimit } from '../../lib/time-limit.js'
import {
  type AccountLimits,
  endOfLimits,
  isCapped,
  isLocked,
  type LimitKind,
  limitsReport,
  NO_LIMITS,
  parseLimits,
} from '../../schemas/account-limits.js'
import { GatewayError } from '../../schemas/errors.js'
import type { FetchedLimits, LimitsEvent } from '../network/port/limits.js'
import type { Change } from './ports.js'
import type { SendsContext } from './sends/context.js'

export interface LimitsParts {
  readonly context: Pick<SendsContext, 'id' | 'reader' | 'logger' | 'connection' | 'random'>
  readonly write: (changes: readonly Change[]) => void
  /** Time between two looks at the network's restrictions. 0: none without a cause. */
  readonly checkMs: number
  /** Called with the restrictions after each look and each notice. */
  readonly onChange: (limits: AccountLimits) => void
  /** Time in milliseconds for which the network's refusal for the rate still holds. */
  readonly rateRestMs: () => Promise<number>
}

/** The answer of `/instance/wa_messages_limits`. */
export interface CheckedLimits {
  readonly limits: AccountLimits
  /** True if the network has answered within the last minute. */
  readonly isFresh: boolean
  readonly errors: FetchedLimits['errors']
}

/** The network's codes for a message that a restriction forbids, and for too many messages. */
const RESTRICTED = 463
const TOO_MANY = 429
/** Minimum time between two look-ups. Each refused message would cause one. */
const LOOK_UP_GAP_MS = 60_000
/** Maximum delay of the first look after a login, so that many logins are not followed by as many look-ups at once. */
const FIRST_LOOK_MAX_MS = 60_000
/** Time that the answer of a refused message waits for the look-up. */
const EXPLAIN_WAIT_MS = 3_000
/** Node.js fires a longer timer at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * The network's restrictions of one account: asked for after a login, after a refusal, from time to time and at the end of a lock, since the
 * library asks after no refusal (`handleBadAck` of rc14). Writes each change, with an event when a restriction begins, changes or ends.
 */
export class Limits {
  readonly #parts: LimitsParts
  #known: AccountLimits | null = null
  #loading: Promise<AccountLimits> | null = null
  #lookUp: Promise<FetchedLimits['errors']> | null = null
  #lookedUpAtMs = Number.NEGATIVE_INFINITY
  #errors: FetchedLimits['errors'] = {}
  #answeredAtMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isOpen = false

  constructor(parts: LimitsParts) {
    this.#parts = parts
  }

  /** The restrictions that hold now, as far as they are known. */
  active(nowMs = Date.now()): readonly LimitKind[] {
    const limits = this.#known ?? NO_LIMITS
    return [
      ...(isLocked(limits, nowMs) ? (['reachout_timelock'] as const) : []),
      ...(isCapped(limits, nowMs) ? (['new_chat_message_capping'] as const) : []),
    ]
  }

  /** Plans the first look after a login. */
  opened(): void {
    const { checkMs, context } = this.#parts
    this.#isOpen = true
    this.#lookIn(Math.min(checkMs, FIRST_LOOK_MAX_MS) * context.random())
  }

  /** Ends the timer, because the connection or the actor has ended. */
  closed(): void {
    this.#isOpen = false
    clearTimeout(this.#timer)
  }

  /** Forgets the restrictions, because the instance was paired: perhaps with another account. */
  forget(): void {
    this.#known = NO_LIMITS
    this.#lookedUpAtMs = Number.NEGATIVE_INFINITY
    this.#answeredAtMs = Number.NEGATIVE_INFINITY
    this.#parts.write([{ type: 'instance', set: { limits: '' } }])
    this.#parts.onChange(NO_LIMITS)
  }

  /** The network has refused a message because of a restriction. */
  refused(): void {
    this.#look().catch(() => {})
  }

  onNotice({ reachout, cap }: LimitsEvent): void {
    const take = async (): Promise<void> => {
      this.#take(await this.#load(), { ...(reachout && { reachout }), ...(cap && { cap }) })
      // A lock without an end: the network may know it by now.
      if (reachout?.isActive === true && reachout.untilMs === null) await this.#look()
    }
    take().catch((error: unknown) =>
      this.#parts.context.logger.warn({ error: errorText(error) }, 'A notice of a restriction was not stored.'),
    )
  }

  /** Returns what is known. Asks the network first, unless it was asked within the last minute or the instance is not connected. */
  async check(): Promise<CheckedLimits> {
    await this.#look().catch(() => {})
    const limits = await this.#load()
    const isFresh = performance.now() - this.#answeredAtMs < LOOK_UP_GAP_MS
    return { limits, isFresh, errors: this.#errors }
  }

  /** Returns what is known, without a question to the network. */
  known(): Promise<AccountLimits> {
    return this.#load()
  }

  /** Returns what is known after a look, or after a short wait for it. Never rejects. */
  async renewed(): Promise<AccountLimits> {
    await withTimeLimit(
      this.#look().catch(() => {}),
      EXPLAIN_WAIT_MS,
      () => {},
    )
    return await this.#load().catch(() => NO_LIMITS)
  }

  /** Adds the restrictions of the account to the refusal of a message. Returns any other error as it is. */
  async explained(error: unknown): Promise<unknown> {
    if (!(error instanceof GatewayError) || error.code !== 'SEND_REFUSED') return error
    if (error.fields.provider_code === TOO_MANY) return withRest(error, await this.#parts.rateRestMs().catch(() => 0))
    if (error.fields.provider_code !== RESTRICTED) return error
    return withLimits(error, await this.renewed(), Date.now())
  }

  #load(): Promise<AccountLimits> {
    if (this.#known !== null) return Promise.resolve(this.#known)
    if (this.#loading !== null) return this.#loading
    const { id, reader } = this.#parts.context
    const loading = reader.limits(id).then((stored) => {
      this.#known ??= parseLimits(stored)
      return this.#known
    })
    this.#loading = loading
    const forget = (): void => {
      this.#loading = null
    }
    loading.then(forget, forget)
    return loading
  }

  get #gapMs(): number {
    const { checkMs } = this.#parts
    return checkMs === 0 ? LOOK_UP_GAP_MS : Math.min(checkMs, LOOK_UP_GAP_MS)
  }

  /** Asks the network. Several callers share one look-up; within a minute after one there is no other. */
  async #look(): Promise<void> {
    if (this.#lookUp === null && performance.now() - this.#lookedUpAtMs < this.#gapMs) return
    this.#lookUp ??= this.#ask().finally(() => {
      this.#lookUp = null
    })
    this.#errors = await this.#lookUp
  }

  async #ask(): Promise<FetchedLimits['errors']> {
    const connection = await this.#parts.context.connection(0)
    this.#lookedUpAtMs = performance.now()
    const { reachout, cap, errors } = await connection.limits.fetch()
    this.#answeredAtMs = performance.now()
    this.#take(await this.#load(), { ...(reachout && { reachout }), ...(cap && { cap }) })
    return errors
  }

  /** Stores what the network has said, and plans the next look. */
  #take(before: AccountLimits, said: Partial<Pick<AccountLimits, 'reachout' | 'cap'>>): void {
    const nowMs = Date.now()
    const checkedAtMs = said.reachout || said.cap ? nowMs : before.checkedAtMs
    const after: AccountLimits = { ...this.#ended(before, nowMs), ...said, checkedAtMs }
    this.#known = after
    const events = compareStages(before, after, nowMs)
    this.#parts.write([{ type: 'instance', set: { limits: JSON.stringify(after) } }, ...events])
    this.#parts.onChange(after)
    const endMs = endOfLimits(after, nowMs)
    this.#lookIn(endMs === null ? this.#nextMs : Math.min(this.#nextMs, Math.max(endMs - nowMs, this.#gapMs) + 1_000))
  }

  /** Ends a lock whose time is over, also if the network could not be asked. */
  #ended(limits: AccountLimits, nowMs: number): AccountLimits {
    const { reachout } = limits
    if (reachout === null || !reachout.isActive || isLocked(limits, nowMs)) return limits
    return { ...limits, reachout: { ...reachout, isActive: false } }
  }

  /** Time until the next look. Spread, so that instances that logged in together do not ask together. */
  get #nextMs(): number {
    const { checkMs, context } = this.#parts
    return checkMs * (0.75 + context.random() / 2)
  }

  #lookIn(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#isOpen || this.#parts.checkMs === 0) return
    const look = async (): Promise<void> => {
      this.#timer = undefined
      await this.#look().catch((error: unknown) =>
        this.#parts.context.logger.debug({ error: errorText(error) }, 'The restrictions of an account were not read.'),
      )
      if (this.#timer === undefined) this.#lookIn(this.#nextMs)
    }
    this.#timer = setTimeout(() => void look(), Math.min(delayMs, TIMER_MAX_MS))
    this.#timer.unref()
  }
}

type Stage = readonly [kind: LimitKind, before: string, after: string]

/** Makes an event for each restriction that has begun, changed or ended. */
function compareStages(before: AccountLimits, after: AccountLimits, nowMs: number): readonly Change[] {
  const stages: readonly Stage[] = [
    ['reachout_timelock', lockStage(before), lockStage(after)],
    ['new_chat_message_capping', capStage(before), capStage(after)],
  ]
  return stages
    .filter(([, was, is]) => was !== is)
    .map(([restriction, was, is]) => {
      const change = was === '' ? 'began' : is === '' ? 'ended' : 'changed'
      const event = { restriction, change, ...limitsReport(after, nowMs) }
      return { type: 'event', kind: 'limits', body: { event } }
    })
}

function lockStage({ reachout }: AccountLimits): string {
  return reachout?.isActive === true ? `active ${reachout.type} ${reachout.untilMs}` : ''
}

/** A warning of the network is a stage too. The use of the quota is none: it changes with each message. */
function capStage({ cap }: AccountLimits): string {
  return cap === null || cap.status === 'NONE' ? '' : cap.status
}

/** Adds the time after which messages are worth a try again. */
function withRest(error: GatewayError, restMs: number): GatewayError {
  const retryAfter = Math.max(1, Math.ceil(restMs / 1_000))
  const fields = { ...error.fields, error_key: 'WHATSAPP_RATE_LIMIT', retryAfter, retryAfterSeconds: retryAfter }
  const { message } = error
  return new GatewayError('SEND_REFUSED', { message, fields, retryAfterSeconds: retryAfter, cause: error })
}

function withLimits(error: GatewayError, limits: AccountLimits, nowMs: number): GatewayError {
  const report = limitsReport(limits, nowMs)
  const { new_chat_message_capping, reachout_timelock } = report
  const endMs = endOfLimits(limits, nowMs)
  const retryAfter = endMs === null ? undefined : Math.max(1, Math.ceil((endMs - nowMs) / 1_000))
  const isKnown = report.error_key !== ''
  const own = {
    message:
      'WhatsApp refused a message to a new contact. It has reported no restriction: a privacy token of the contact may be missing.',
    message_ptbr:
      'O WhatsApp recusou uma mensagem para um novo contato. Nenhuma restrição foi informada: pode faltar um token de privacidade do contato.',
  }
  const { message, message_ptbr } = isKnown ? report : own
  return new GatewayError('SEND_REFUSED', {
    message: error.message,
    details: { new_chat_message_capping, reachout_timelock },
    fields: {
      ...error.fields,
      error_key: isKnown ? report.error_key : 'WHATSAPP_NEW_CHAT_REFUSED',
      message,
      message_ptbr,
      provider_message: error.message,
      provider_message_ptbr: message_ptbr,
      diagnostics_endpoint: '/instance/wa_messages_limits',
      ...(retryAfter === undefined ? {} : { retryAfter, retryAfterSeconds: retryAfter }),
    },
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    cause: error,
  })
}
