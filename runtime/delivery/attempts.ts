import { BLOCKED_TWICE } from '../../schemas/delivery-failure.js'
import { withoutSecrets } from '../../schemas/webhook-access.js'
import { asFrequentWork, asWork, type Work } from '../../schemas/work.js'
import type { Outgoing, PostOutcome } from '../outgoing/client.js'
import type { DeliveryExchange } from '../store/journal/delivery-attempts.js'
import type { CircuitBreakers } from './circuit-breakers.js'
import { postFormed } from './formed-post.js'
import type { Lane } from './lane-key.js'
import type { Carrier, DeliveryStore, DeliveryTarget, EventForms, NextDelivery } from './ports.js'
import type { Receivers } from './receivers.js'
import { judgeOutcome, type RetryPolicy, type Verdict } from './retries.js'
import { type WebhookRequest, webhookRequest, withAiMetadata, withToken } from './webhook-request.js'

/** A lane that sends, or a line of batches. */
export interface SendingLane {
  readonly key: string
  readonly lane: Lane
  readonly target: DeliveryTarget
  readonly origin: string
}

/** An attempt: its verdict on the first delivery, and what was sent and answered. */
export interface Attempted {
  readonly verdict: Verdict
  readonly exchange: DeliveryExchange
  /** Set if it was not tried, because it has blocked nodes until they ended themselves. */
  readonly givenUp?: Work
}

/** Verdicts on deliveries of one attempt that were tried the first time. */
export interface BatchAttempted extends Attempted {
  readonly again: () => Verdict
}

export interface AttemptsOptions {
  readonly store: Pick<DeliveryStore, 'aiMetadata' | 'findToken'>
  readonly outgoing: Pick<Outgoing, 'post'>
  /** Brings events to receivers of the purpose `chatwoot`. */
  readonly carrier?: Carrier
  /** Writes events for receivers that want them in another form. */
  readonly forms?: EventForms
  readonly timeoutMs: number
  readonly policy: RetryPolicy
  readonly breakers: CircuitBreakers
  readonly receivers: Receivers
}

/** The deliveries of one request: one, or those of a batch. */
export type NextDeliveries = readonly [first: NextDelivery, ...others: NextDelivery[]]

interface Sent {
  readonly request: Pick<WebhookRequest, 'url' | 'shownHeaders'>
  readonly outcome: PostOutcome
  readonly policy: RetryPolicy
  /** False if the receiver takes nothing of the event. */
  readonly isSent?: boolean
}

/** Owner of the webhooks of all instances. */
export const OPERATOR = ''

/** Time of an answer above which it counts as slow. An origin that is slow again and again gets one lane at a time. */
const SLOW_MS = 3000
/** Bytes of an answer that are kept with its attempt. */
const ANSWER_MAX_BYTES = 1000

/** Sends deliveries to receivers, and tells the places and the breaker of the receiver what it answered. */
export class Attempts {
  readonly #options: AttemptsOptions

  constructor(options: AttemptsOptions) {
    this.#options = options
  }

  /** @throws the error of the store */
  async attempt(sending: SendingLane, deliveries: NextDeliveries): Promise<BatchAttempted> {
    const { key, target, origin } = sending
    const { receivers, breakers } = this.#options
    const [first] = deliveries
    const startedMs = performance.now()
    const { request, outcome, policy, isSent = true } = await this.#send(sending, deliveries)
    const durationMs = performance.now() - startedMs
    const verdict = judgeOutcome(outcome, first.attempts + 1, policy)
    if (!isSent) {
      const exchange = toExchange(request, outcome, durationMs)
      return { verdict, exchange, again: () => verdict }
    }
    // Several calls with a file in them take long without any trouble.
    receivers.report(origin, {
      isSlow: durationMs >= SLOW_MS && target.purpose !== 'chatwoot',
      isWell: isWell(outcome),
      durationMs,
    })
    const waitMs = verdict.type === 'retry' && !verdict.isReceiverAway ? verdict.delayMs : 0
    breakers.report(target.url, key, isWell(outcome), waitMs)
    const shortened = (one: Verdict): Verdict =>
      // The receiver came back during the attempt, which failed by its former trouble.
      one.type === 'retry' && one.isReceiverAway && breakers.hasClosedSince(target.url, startedMs)
        ? { ...one, delayMs: Math.min(one.delayMs, policy.delayMinMs) }
        : one
    return {
      verdict: shortened(verdict),
      exchange: toExchange(request, outcome, durationMs),
      // Each with a jitter of its own.
      again: () => shortened(judgeOutcome(outcome, 1, policy)),
    }
  }

  async #send({ target, lane }: SendingLane, deliveries: NextDeliveries): Promise<Sent> {
    const { outgoing, carrier, forms, timeoutMs, policy } = this.#options
    const [delivery, ...others] = deliveries
    const work = describeDeliveryWork({ target, lane }, delivery)
    if (target.purpose === 'chatwoot' && carrier !== undefined) {
      const carried = await asWork(work, () => carrier.carry(delivery.instance, lane.lane, delivery))
      return { ...carried, request: { url: new URL(target.url), shownHeaders: {} } }
    }
    const owner = target.instance ?? OPERATOR
    return await asFrequentWork(work, async () => {
      const options = { timeoutMs, keepBytes: ANSWER_MAX_BYTES, owner }
      const { store } = this.#options
      if (forms !== undefined && (target.form ?? '1.0') !== '1.0') {
        const { outcome, ...formed } = await postFormed(target, delivery, { forms, outgoing }, options)
        return { ...formed, outcome: withoutEcho(outcome, target, null), policy }
      }
      const told = async (one: NextDelivery) => await withToken(store, target, await withAiMetadata(store, target, one))
      const all = [await told(delivery), ...(await Promise.all(others.map(told)))] as const
      const request = webhookRequest(target, all, Date.now())
      const outcome = await outgoing.post({ ...request, ...options })
      const token = target.includeToken === true ? await store.findToken(delivery.instance) : null
      return { request, outcome: withoutEcho(outcome, target, token), policy }
    })
  }
}

export function describeDeliveryWork(
  { target, lane }: Pick<SendingLane, 'target' | 'lane'>,
  { instance, position, kind }: NextDelivery,
): Work {
  const [operation, feature] = target.purpose === 'chatwoot' ? ['chatwoot', 'chatwoot'] : [kind, 'webhooks']
  return { kind: 'delivery', operation, feature, instance, id: `${lane.webhookId} ${position}` }
}

/** A dead letter, without another attempt. */
export function giveUp({ target }: Pick<SendingLane, 'target'>, givenUp: Work): Attempted {
  const exchange = { url: target.url, statusCode: 0, durationMs: 0, headers: {}, answer: '' }
  return { verdict: { type: 'dead', statusCode: 0, error: BLOCKED_TWICE }, exchange, givenUp }
}

/** Returns true when the receiver is there: a refusal (4xx) is about the delivery. "Too many requests" is about the receiver. */
function isWell(outcome: PostOutcome): boolean {
  return outcome.answered && outcome.statusCode < 500 && outcome.statusCode !== 429
}

/** Returns the outcome as it may be stored and shown. */
function withoutEcho(outcome: PostOutcome, { access }: DeliveryTarget, token: string | null): PostOutcome {
  if (!outcome.answered || outcome.body === '') return outcome
  const body = access === undefined ? outcome.body : withoutSecrets(outcome.body, access)
  return { ...outcome, body: token === null ? body : body.replaceAll(token, '***') }
}

function toExchange(
  { url, shownHeaders }: Sent['request'],
  outcome: PostOutcome,
  durationMs: number,
): DeliveryExchange {
  const { statusCode, body } = outcome.answered ? outcome : { statusCode: 0, body: '' }
  return { url: url.href, statusCode, durationMs, headers: shownHeaders, answer: body }
}
