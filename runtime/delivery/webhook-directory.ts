/** The port `WebhookDirectory` of the API, and the webhooks as deliveries see them, over the same rows. */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../schemas/errors.js'
import { eventKinds } from '../../schemas/event-kinds.js'
import type { InstanceId } from '../../schemas/ids.js'
import type {
  DeadLetterQuery,
  ReplayChoice,
  WebhookDirectory,
  WebhookInput,
  WebhookRow,
} from '../../schemas/ports/webhooks.js'
import type { Outgoing } from '../outgoing/client.js'
import type { StoredWebhook, WebhookRows } from '../store/webhooks.js'
import type { Lane } from './lane-key.js'
import type { DeadLetterStore, DeliveryTarget, DeliveryTargets } from './ports.js'
import { keyOfSecret, newWebhookSecret } from './signature.js'
import { webhookRequest } from './webhook-request.js'

export interface WebhookDirectoryOptions {
  readonly rows: WebhookRows
  readonly deadLetters: DeadLetterStore
  readonly outgoing: Pick<Outgoing, 'assertUrlAllowed' | 'post'>
  readonly timeoutMs: number
  /** Per instance, and of the global ones. */
  readonly webhooksMax: number
  /** The body that a test sends. */
  readonly sample: (instance: InstanceId | null, eventId: string) => Promise<Readonly<Record<string, unknown>>>
  /** A webhook was changed: what waits for it may be due now. */
  readonly onChanged?: (webhookId: string) => void
  /** The row of a webhook was changed or deleted here: what other nodes keep of it in memory is outdated. */
  readonly onWritten?: (webhookId: string) => void
  /** Dead letters were put back in these lanes. */
  readonly onReplayed?: (lanes: readonly Lane[]) => void
}

export interface Webhooks extends WebhookDirectory, DeliveryTargets {
  /** Holds a webhook that comes from elsewhere against what callers may set. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
  check(webhook: { readonly url: string; readonly events: readonly string[]; readonly secret: string }): Promise<void>
  /** Forgets what is kept in memory: another node has changed these rows. Without it a change is noticed after 5 s. */
  refresh(webhooks: Iterable<string> | 'all'): void
}

const TARGET_TTL_MS = 5000
const TEST_ANSWER_MAX_BYTES = 4096

export function createWebhooks(options: WebhookDirectoryOptions): Webhooks {
  const { rows, outgoing, timeoutMs, webhooksMax } = options
  const known = new LRUCache<string, Promise<DeliveryTarget | null>>({ max: 10_000, ttl: TARGET_TTL_MS })

  return {
    list: async (instance) => (await rows.list(instance)).map(withoutSecret),
    add,
    setOnly,
    update,
    delete: remove,
    errors: (instance, limit) => rows.errors(instance, limit),
    deadLetters,
    replay,
    test,
    async check({ url, events, secret }) {
      const stranger = events.find((event) => !(eventKinds as readonly string[]).includes(event))
      if (stranger !== undefined) throw invalid('events', `must be of: ${eventKinds.join(', ')}`)
      if (events.length === 0) throw invalid('events', 'must name at least one kind of event')
      await check({ url, secret }, null)
    },
    byId,
    disable,
    refresh(webhooks) {
      if (webhooks === 'all') known.clear()
      else for (const id of webhooks) known.delete(id)
    },
  }

  async function add(instance: InstanceId | null, input: WebhookInput & { url: string }) {
    await check(input, instance)
    const made = newWebhook(instance, input, input.url)
    const webhook = await rows.exclusively(instance, async (mine) => {
      if ((await mine.list(instance)).length >= webhooksMax) {
        throw new GatewayError('INVALID_REQUEST', {
          message: `There are ${webhooksMax} webhooks already; delete one before adding another.`,
        })
      }
      return mine.insert(made)
    })
    return { webhook: withoutSecret(webhook), secret: made.secret }
  }

  async function setOnly(instance: InstanceId | null, input: WebhookInput) {
    await check(input, instance)
    const { row, isNew } = await rows.exclusively(instance, async (mine) => {
      const [first, ...more] = await mine.list(instance)
      // The global ones have no ids that a caller could name, so the first stands for them.
      if (more.length > 0 && instance !== null) throw invalid('id', 'is required: there are several webhooks')
      const changed = first === undefined ? null : await mine.update(instance, first.id, input)
      if (changed !== null) return { row: changed, isNew: false }
      if (input.url === undefined) throw invalid('url', 'is required')
      return { row: await mine.insert(newWebhook(instance, input, input.url)), isNew: true }
    })
    if (isNew) return { webhook: withoutSecret(row), secret: row.secret }
    noteChanged(row.id)
    return { webhook: withoutSecret(row) }
  }

  async function update(instance: InstanceId | null, id: string, input: WebhookInput) {
    await check(input, instance)
    const webhook = await rows.update(instance, id, input)
    if (webhook === null) throw new GatewayError('WEBHOOK_NOT_FOUND')
    noteChanged(id)
    return withoutSecret(webhook)
  }

  /** What needs no look at other webhooks, before any lock is held: a name may take long to resolve. */
  async function check({ secret, url }: WebhookInput, instance: InstanceId | null): Promise<void> {
    if (secret !== undefined) keyOfSecret(secret)
    if (url !== undefined) await outgoing.assertUrlAllowed(url, instance ?? '')
  }

  function noteChanged(id: string): void {
    noteWritten(id)
    options.onChanged?.(id)
  }

  function noteWritten(id: string): void {
    known.delete(id)
    options.onWritten?.(id)
  }

  async function remove(instance: InstanceId | null, id: string): Promise<void> {
    const isDeleted = await rows.delete(instance, id)
    noteWritten(id)
    if (!isDeleted) throw new GatewayError('WEBHOOK_NOT_FOUND')
  }

  async function deadLetters(instance: InstanceId | null, { webhookId, limit, offset }: DeadLetterQuery) {
    const own = await ownWebhooks(instance, webhookId)
    return options.deadLetters.list(
      own.map(({ id }) => id),
      limit,
      offset,
    )
  }

  async function replay(instance: InstanceId | null, { webhookId, ...choice }: ReplayChoice) {
    const own = await ownWebhooks(instance, webhookId)
    const { lanes, count, eventIdsFound, remaining } = await options.deadLetters.replay(
      own.map(({ id }) => id),
      choice,
    )
    if (lanes.length > 0) options.onReplayed?.(lanes)
    const touched = new Set(lanes.map((lane) => lane.webhookId))
    return {
      replayed: count,
      skipped: choice.eventIds === undefined ? 0 : new Set(choice.eventIds).size - eventIdsFound,
      remaining,
      disabled: own.filter(({ id, enabled }) => !enabled && touched.has(id)).map(({ id }) => id),
    }
  }

  /** One webhook of this scope, or all: what is asked of dead letters is asked through these and reaches no other's. */
  async function ownWebhooks(instance: InstanceId | null, id?: string): Promise<readonly StoredWebhook[]> {
    const all = await rows.list(instance)
    if (id === undefined) return all
    const own = all.filter((webhook) => webhook.id === id.toLowerCase())
    if (own.length === 0) throw new GatewayError('WEBHOOK_NOT_FOUND')
    return own
  }

  async function test(instance: InstanceId | null, id: string) {
    const webhook = await rows.byId(id)
    if (webhook === null || webhook.instance !== instance) throw new GatewayError('WEBHOOK_NOT_FOUND')
    await outgoing.assertUrlAllowed(webhook.url, instance ?? '')
    const eventId = randomUUID()
    const body = JSON.stringify(await options.sample(instance, eventId))
    const sample = { eventId, kind: 'messages', messageType: 'conversation', body, traceparent: null } as const
    const request = webhookRequest(webhook, sample, Date.now())
    const startedMs = performance.now()
    const outcome = await outgoing.post({
      ...request,
      timeoutMs,
      keepBytes: TEST_ANSWER_MAX_BYTES,
      owner: instance ?? '',
    })
    if (!outcome.answered) {
      if (outcome.error === 'ADDRESS_REFUSED') throw new GatewayError('URL_NOT_ALLOWED')
      throw new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why: outcome.error }] })
    }
    const durationMs = Math.round(performance.now() - startedMs)
    return { statusCode: outcome.statusCode, durationMs, body: outcome.body }
  }

  function byId(id: string): Promise<DeliveryTarget | null> {
    const cached = known.get(id)
    if (cached !== undefined) return cached
    const read = rows.byId(id)
    known.set(id, read)
    read.catch(() => known.delete(id))
    return read
  }

  async function disable(id: string): Promise<void> {
    const webhook = await rows.byId(id)
    if (webhook !== null) await rows.update(webhook.instance, id, { enabled: false })
    noteWritten(id)
  }
}

/** What the interface specification says of one that is new. @throws GatewayError INVALID_REQUEST */
function newWebhook(instance: InstanceId | null, input: WebhookInput, url: string) {
  if (input.events === undefined) throw invalid('events', 'is required')
  return {
    instance,
    enabled: input.enabled ?? false,
    url,
    events: input.events,
    excludeMessages: input.excludeMessages ?? [],
    addUrlEvents: input.addUrlEvents ?? false,
    addUrlTypesMessages: input.addUrlTypesMessages ?? false,
    secret: input.secret ?? newWebhookSecret(),
  }
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}

function withoutSecret({ secret: _, ...row }: StoredWebhook): WebhookRow {
  return row
}
