import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { WebhookDirectory } from '../../schemas/ports/webhooks.js'
import { withoutSecrets } from '../../schemas/webhook-access.js'
import type { Outgoing } from '../outgoing/client.js'
import type { TokenCopies } from '../store/token-copies.js'
import type { StoredWebhook, WebhookRows } from '../store/webhooks.js'
import { postFormed } from './formed-post.js'
import type { EventForms, NextDelivery } from './ports.js'
import { bodyWithToken, webhookRequest } from './webhook-request.js'

export interface WebhookTestOptions {
  readonly rows: Pick<WebhookRows, 'byId'>
  readonly outgoing: Pick<Outgoing, 'assertUrlAllowed' | 'post'>
  readonly timeoutMs: number
  readonly forms?: EventForms
  readonly tokenCopies?: Pick<TokenCopies, 'read'>
  /** Makes the body that a test sends. */
  readonly sample: (instance: InstanceId | null, eventId: string) => Promise<Readonly<Record<string, unknown>>>
}

type Event = Pick<NextDelivery, 'eventId' | 'kind' | 'messageType' | 'body' | 'traceparent'>

const ANSWER_MAX_BYTES = 4096
/** Fields of a delivery that a sample has not. */
const UNSTORED = { position: 0, attempts: 0, dueInMs: 0, lastError: '' }

/** Sends one sample to a webhook now, past the queue. */
export function createWebhookTest(options: WebhookTestOptions): WebhookDirectory['test'] {
  const { rows, outgoing, timeoutMs, sample, forms, tokenCopies } = options
  const post = async (webhook: StoredWebhook, event: Event, how: Parameters<typeof postFormed>[3]) => {
    if (forms === undefined || webhook.form === '1.0')
      return await outgoing.post({ ...webhookRequest(webhook, [event], Date.now()), ...how })
    const delivery = { ...event, ...UNSTORED, instance: webhook.instance ?? ('' as InstanceId) }
    // A sample goes to any webhook, whatever it takes.
    return (await postFormed({ ...webhook, formEvents: [] }, delivery, { forms, outgoing }, how)).outcome
  }
  return async (instance, id) => {
    const webhook = await rows.byId(id)
    if (webhook === null || webhook.instance !== instance || webhook.purpose !== 'webhook')
      throw new GatewayError('WEBHOOK_NOT_FOUND')
    await outgoing.assertUrlAllowed(webhook.url, instance ?? '')
    const eventId = randomUUID()
    const text = JSON.stringify(await sample(instance, eventId))
    const isPlain = forms === undefined || webhook.form === '1.0'
    const token =
      isPlain && webhook.includeToken && instance !== null ? ((await tokenCopies?.read(instance)) ?? null) : null
    const body = token === null ? text : bodyWithToken(text, token)
    const event = { eventId, kind: 'messages', messageType: 'conversation', body, traceparent: null } as const
    const startedMs = performance.now()
    const options = { timeoutMs, keepBytes: ANSWER_MAX_BYTES, owner: instance ?? '' }
    const outcome = await post(webhook, event, options)
    if (!outcome.answered) {
      if (outcome.error === 'ADDRESS_REFUSED') throw new GatewayError('URL_NOT_ALLOWED')
      throw new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why: outcome.error }] })
    }
    if (outcome.redirectError !== undefined)
      throw new GatewayError('FETCH_FAILED', {
        message: outcome.redirectError,
        details: [{ field: 'url', why: outcome.redirectError }],
      })
    const durationMs = Math.round(performance.now() - startedMs)
    const answer = withoutSecrets(outcome.body, webhook.access)
    const shown = token === null ? answer : answer.replaceAll(token, '***')
    return { statusCode: outcome.statusCode, durationMs, body: shown }
  }
}
