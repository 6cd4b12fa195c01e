/** Sends the bodies of one event in the form of another gateway, one after the other. */
import { withoutEnd } from '../../lib/without-end.js'
import type { Outgoing, PostOutcome } from '../outgoing/client.js'
import type { DeliveryTarget, EventForms, FormedBody, NextDelivery } from './ports.js'
import { type WebhookRequest, webhookRequest } from './webhook-request.js'

export interface FormedPost {
  readonly request: Pick<WebhookRequest, 'url' | 'shownHeaders'>
  readonly outcome: PostOutcome
  /** False if the receiver takes none of the bodies, so that nothing was sent. */
  readonly isSent: boolean
}

interface PostOptions {
  readonly timeoutMs: number
  readonly keepBytes: number
  readonly owner: string
}

const NOTHING: PostOutcome = {
  answered: true,
  statusCode: 204,
  headers: {},
  body: 'The webhook takes no event of its form for this one: nothing was sent.',
}

/**
 * The first body that is not taken ends the attempt. The next one sends all of them again: each has an id of its own, by which a receiver
 * drops what it has.
 * @throws the error of the store
 */
export async function postFormed(
  target: DeliveryTarget,
  delivery: NextDelivery,
  { forms, outgoing }: { readonly forms: EventForms; readonly outgoing: Pick<Outgoing, 'post'> },
  options: PostOptions,
): Promise<FormedPost> {
  let post: FormedPost = {
    request: { url: new URL(target.url), shownHeaders: {} },
    outcome: NOTHING,
    isSent: false,
  }
  for (const [index, formed] of (await forms.bodies(target, delivery)).entries()) {
    const request = composeRequest(target, delivery, formed, index)
    post = { request, outcome: await outgoing.post({ ...request, ...options }), isSent: true }
    if (!isTaken(post.outcome)) break
  }
  return post
}

function composeRequest(target: DeliveryTarget, delivery: NextDelivery, { path, body }: FormedBody, index: number) {
  const url = new URL(target.url)
  if (target.addUrlEvents) url.pathname = withoutEnd(url.pathname, '/') + path
  // The path has the event in the words of the form already.
  const plain = { ...target, url: url.href, addUrlEvents: false, addUrlTypesMessages: false, batch: null }
  const eventId = index === 0 ? delivery.eventId : `${delivery.eventId}.${index}`
  return webhookRequest(plain, [{ ...delivery, eventId, body }], Date.now())
}

function isTaken(outcome: PostOutcome): boolean {
  return outcome.answered && outcome.statusCode >= 200 && outcome.statusCode < 300
}
