import { createHash } from 'node:crypto'
import { isObject } from '../../lib/is-object.js'
import { withoutEnd } from '../../lib/without-end.js'
import { makeTraceparent, nextSpan } from '../../schemas/call-context.js'
import { accessHeaders, maskedHeaders, NO_ACCESS } from '../../schemas/webhook-access.js'
import type { DeliveryStore, DeliveryTarget, NextDelivery } from './ports.js'
import { keyOfSecret, signatureHeaders } from './signature.js'

// Bound: 1,048,576, 20,000 values, an event of a message that the API sent.

export interface WebhookRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** With the values of the webhook's own headers and credentials masked. */
  readonly shownHeaders: Readonly<Record<string, string>>
  readonly body: string
}

type Signable = Pick<NextDelivery, 'eventId' | 'kind' | 'messageType' | 'body' | 'traceparent'>

/**
 * Deliveries as a POST, signed at `nowMs`: one as an object, or an array if the webhook has batches. One is a step in the trace of the call that caused
 * its event; where none did, in one that is named by the event, so that all attempts, and all webhooks, of one event are one trace. A batch of
 * several has an id and a trace of its own, which are the same for the same events.
 */
export function webhookRequest(
  target: DeliveryTarget,
  deliveries: readonly [Signable, ...Signable[]],
  nowMs: number,
): WebhookRequest {
  const [first, ...others] = deliveries
  const body = target.batch ? `[${deliveries.map((one) => one.body).join(',')}]` : first.body
  const batchId = others.length === 0 ? null : idOfBatch(deliveries)
  const traceparent = batchId === null ? first.traceparent : null
  const own = {
    'content-type': 'application/json',
    traceparent: traceparent === null ? makeTraceparent(batchId ?? first.eventId) : nextSpan(traceparent),
    ...signatureHeaders(cachedKey(target), batchId ?? first.eventId, Math.floor(nowMs / 1000), body),
  }
  const access = accessHeaders(target.access ?? NO_ACCESS)
  return {
    url: deliveryUrl(target, first),
    headers: { ...access, ...own },
    shownHeaders: { ...maskedHeaders(access), ...own },
    body,
  }
}

/** An id in the form of those of events. Of its first event alone it would be that of other batches, which a receiver would drop as known. */
function idOfBatch(deliveries: readonly Signable[]): string {
  const hash = createHash('sha256')
  for (const { eventId } of deliveries) hash.update(`${eventId} `)
  const hex = hash.digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** The webhook's URL with the suffixes that it asks for: the event, then the message's type. */
export function deliveryUrl(
  target: Pick<DeliveryTarget, 'url' | 'addUrlEvents' | 'addUrlTypesMessages'>,
  delivery: Pick<NextDelivery, 'kind' | 'messageType'>,
): URL {
  const url = new URL(target.url)
  const suffixes = [
    ...(target.addUrlEvents ? [delivery.kind] : []),
    ...(target.addUrlTypesMessages && delivery.messageType !== '' ? [delivery.messageType] : []),
  ]
  if (suffixes.length > 0) {
    url.pathname = [withoutEnd(url.pathname, '/'), ...suffixes.map(encodeURIComponent)].join('/')
  }
  return url
}

/**
 * Puts `ai_metadata` into the event of a message for a webhook that asks for it. Events are stored without it, so that no other receiver,
 * list of deliveries or dead letter has prompts.
 * @throws the error of the store
 */
export async function withAiMetadata(
  store: Pick<DeliveryStore, 'aiMetadata'>,
  target: Pick<DeliveryTarget, 'includeAiMetadata'>,
  delivery: NextDelivery,
): Promise<NextDelivery> {
  if (!mayHaveAiMetadata(target, delivery)) return delivery
  const body = JSON.parse(delivery.body) as Record<string, unknown>
  if (!isObject(body.message) || typeof body.message.messageid !== 'string') return delivery
  const metadata = await store.aiMetadata(delivery.instance, body.message.messageid)
  if (metadata === null) return delivery
  const message = { ...body.message, ai_metadata: JSON.parse(metadata) as unknown }
  return { ...delivery, body: JSON.stringify({ ...body, message }) }
}

/**
 * Puts the token of the instance into an event for a webhook that asks for it, as receivers of other gateways look accounts up by it. Events are
 * stored without it.
 * @throws the error of the store
 */
export async function withToken(
  store: Pick<DeliveryStore, 'findToken'>,
  { includeToken }: Pick<DeliveryTarget, 'includeToken'>,
  delivery: NextDelivery,
): Promise<NextDelivery> {
  const token = includeToken === true ? await store.findToken(delivery.instance) : null
  return token === null ? delivery : { ...delivery, body: bodyWithToken(delivery.body, token) }
}

/** Adds the token to a body, which is the text of an object with some fields. */
export function bodyWithToken(body: string, token: string): string {
  return `${body.slice(0, -1)},"token":${JSON.stringify(token)}}`
}

/** Maximum of characters that `ai_metadata` adds to an event. Agents write less, and an imported one may have so many (`column-rules.ts`). */
export const AI_METADATA_MAX = 70_000

/** Returns false if the event stays as it is stored. Only messages that the API sent can be of an agent. */
export function mayHaveAiMetadata(
  { includeAiMetadata }: Pick<DeliveryTarget, 'includeAiMetadata'>,
  { kind, body }: Pick<NextDelivery, 'kind' | 'body'>,
): boolean {
  return includeAiMetadata === true && kind === 'messages' && body.includes('"wasSentByApi":true')
}

// A target object stands for one version of its webhook, so the key goes with it.
const keys = new WeakMap<DeliveryTarget, Buffer>()

function cachedKey(target: DeliveryTarget): Buffer {
  const known = keys.get(target)
  if (known !== undefined) return known
  const key = keyOfSecret(target.secret)
  keys.set(target, key)
  return key
}
