/** The webhook of an instance in the form of Evolution API. Others of the instance stay as they are. */
import { evolutionEventName, kindsOfEvolution } from '../../../schemas/dialects/evolution/event-names.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { WebhookRow } from '../../../schemas/ports/webhooks.js'
import { setWebhook as setWebhookRoute } from '../../routes/webhook/set.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asObject, asText, isOn, list, object, text } from './fields.js'

// Bound: 1,048,576, a body or header of a request.

const shared = { area: 'Webhooks', opens: 'instance' } as const
const FORM = 'evolution'
const OF_GROUPS = 'isGroupYes'

export const webhookFields = {
  ...object({
    enabled: { description: 'Whether events are delivered. Default: true.' },
    url: text('Where events are posted to.', 2_048),
    headers: { type: ['object', 'null'], description: 'Headers of the deliveries.' },
    byEvents: { type: ['boolean', 'null'], description: 'Append the name of the event to the URL.' },
    base64: { type: ['boolean', 'null'], description: 'Put files of messages into their events.' },
    webhookByEvents: { type: ['boolean', 'null'], description: 'Another spelling of `byEvents`.' },
    webhookBase64: { type: ['boolean', 'null'], description: 'Another spelling of `base64`.' },
    events: {
      ...list(text('Name of an event.', 100), 'Events; empty or missing for all.', 50),
      type: ['array', 'null'],
    },
  }),
  description: 'The webhook.',
}

export const evolutionWebhookRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/webhook/set',
    name: 'setWebhook',
    summary: 'Set the webhook of the instance',
    status: 201,
    operations: [setWebhookRoute],
    differs:
      'Events are stored, and delivered in order until the receiver takes them. Each has a `webhook-id` and a signature (Standard Webhooks). ' +
      'A header `jwt_key` is sent as it is: no token is made of it.',
    body: object({ webhook: webhookFields }, ['webhook']),
    handle: (call) => setEvolutionWebhook(call, asObject(call.body.webhook)),
  },
  {
    ...shared,
    method: 'GET',
    path: '/webhook/find',
    name: 'findWebhook',
    summary: 'Show the webhook of the instance',
    status: 200,
    operations: [],
    differs: 'Values of headers are masked.',
    async handle(call) {
      const found = await webhookOfInstance(call)
      return found === undefined ? null : toWebhook(found)
    },
  },
]

async function webhookOfInstance({ instance, context: { ports } }: DialectCall): Promise<WebhookRow | undefined> {
  if (instance === null) throw new Error('A webhook has no instance.')
  return (await ports.webhooks.list(instance.id)).find(({ form }) => form === FORM)
}

/** Sets the webhook, and returns it. Fields that are left out have their defaults, as in the original. */
export async function setEvolutionWebhook(call: DialectCall, fields: Json): Promise<Json> {
  const { enabled = true, url, headers, byEvents, base64, webhookByEvents, webhookBase64, events } = fields
  const former = await webhookOfInstance(call)
  const isEnabled = isOn(enabled)
  const isUrl = /^https?:\/\//i.test(asText(url))
  // Clients that switch it off send any text.
  if (isEnabled && !isUrl) throw invalid('url', 'must be a URL with http or https')
  if (!isUrl && former === undefined) return off(call)
  const formEvents = readNames(events)
  await call.ask(setWebhookRoute, {
    body: {
      action: former === undefined ? 'add' : 'update',
      ...(former === undefined ? {} : { id: former.id }),
      form: FORM,
      enabled: isEnabled,
      ...(isUrl ? { url } : {}),
      headers: asObject(headers),
      addUrlEvents: isOn(byEvents ?? webhookByEvents),
      includeBase64: isOn(base64 ?? webhookBase64),
      formEvents,
      events: kindsOfEvolution(formEvents),
      excludeMessages: call.facts?.settings.groupsIgnore === true ? [OF_GROUPS] : [],
    },
  })
  const after = await webhookOfInstance(call)
  return after === undefined ? off(call) : toWebhook(after)
}

/** Leaves messages of groups out of the webhook, or takes them in again. */
export async function groupsIgnored(call: DialectCall, isIgnored: boolean): Promise<void> {
  const found = await webhookOfInstance(call)
  if (found === undefined) return
  const excludeMessages = isIgnored ? [OF_GROUPS] : []
  await call.ask(setWebhookRoute, { body: { action: 'update', id: found.id, excludeMessages } })
}

export function toWebhook(row: WebhookRow): Json {
  return {
    id: row.id,
    url: row.shownUrl,
    headers: Object.keys(row.headers).length === 0 ? null : row.headers,
    enabled: row.enabled,
    events: row.formEvents,
    webhookByEvents: row.addUrlEvents,
    webhookBase64: row.includeBase64,
    createdAt: row.created.toISOString(),
    updatedAt: row.updated.toISOString(),
    instanceId: row.instance,
  }
}

function off({ instance }: DialectCall): Json {
  const none = { url: '', headers: null, enabled: false, events: [], webhookByEvents: false, webhookBase64: false }
  return { id: null, ...none, createdAt: null, updatedAt: null, instanceId: instance?.id }
}

/** @throws GatewayError INVALID_REQUEST for a name that the original does not have */
function readNames(events: unknown): readonly string[] {
  const given = Array.isArray(events) ? events.map(String) : []
  return [
    ...new Set(
      given.map((one) => {
        const name = evolutionEventName(one)
        if (name === undefined) throw invalid('events', `has an unknown event: ${one.slice(0, 100)}`)
        return name
      }),
    ),
  ]
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', { details: [{ field: `webhook.${field}`, why }] })
}
