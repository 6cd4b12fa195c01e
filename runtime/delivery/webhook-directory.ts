/** Implements the port `WebhookDirectory` of the API, and the webhooks as deliveries see them, over the same rows. */

import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import { GatewayError } from '../../schemas/errors.js'
import { checkEventNames } from '../../schemas/event-kinds.js'
import type { InstanceId } from '../../schemas/ids.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { DeliveryId } from '../../schemas/ports/deliveries.js'
import type { WebhookDirectory, WebhookInput, WebhookRow } from '../../schemas/ports/webhooks.js'
import {
  changedReceiver,
  maskedHeaders,
  maskedWebhookUrl,
  NO_ACCESS,
  withoutCredentials,
  withoutSecrets,
} from '../../schemas/webhook-access.js'
import type { Outgoing } from '../outgoing/client.js'
import type { TokenCopies } from '../store/token-copies.js'
import type { StoredWebhook, WebhookRows } from '../store/webhooks.js'
import { postFormed } from './formed-post.js'
import type { Lane } from './lane-key.js'
import type {
  DeadLetterStore,
  DeliveryListStore,
  DeliveryTarget,
  DeliveryTargets,
  EventForms,
  NextDelivery,
} from './ports.js'
import { keyOfSecret, newWebhookSecret } from './signature.js'
import { bodyWithToken, webhookRequest } from './webhook-request.js'

export interface WebhookDirectoryOptions extends DeadLetterOptions, DeliveryDirectoryOptions, WebhookTestOptions {
  readonly rows: WebhookRows
  readonly receiverStates: WebhookDirectory['receiverStates']
  /** Maximum of webhooks per instance, and of global ones. */
  readonly webhooksMax: number
  /** Without it no webhook can carry tokens. */
  readonly tokenCopies?: Pick<TokenCopies, 'areKept' | 'read'>
  /** Called when a webhook was changed: deliveries that wait for it may be due now. */
  readonly onChanged?: (webhookId: string) => void
  /** Called when the row of a webhook was changed or deleted here: other nodes must forget it. */
  readonly onWritten?: (webhookId: string) => void
}

export interface Webhooks extends WebhookDirectory, DeliveryTargets {
  /** Checks a webhook of an imported file against the limits for callers. @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED */
  check(webhook: { readonly url: string; readonly events: readonly string[]; readonly secret: string }): Promise<void>
  /** Forgets rows in memory that another node has changed. Without it a change is noticed after 5 s. */
  refresh(webhooks: Iterable<string> | 'all'): void
}

export function createWebhooks(options: WebhookDirectoryOptions): Webhooks {
  const { rows, outgoing } = options
  const targets = createDeliveryTargets(rows, options.onWritten)
  return {
    list: async (instance) => (await rows.list(instance)).map(withoutSecret),
    receiverStates: options.receiverStates,
    ...createChanges(options, targets),
    errors: (instance, limit) => rows.errors(instance, limit),
    ...createDeadLetterDirectory({ ...options, rows: { list: (instance) => rows.receivers(instance) } }),
    ...createDeliveryDirectory({ ...options, rows: { list: (instance) => rows.receivers(instance) } }),
    test: createWebhookTest(options),
    async check({ url, events, secret }) {
      checkEventNames(events)
      if (events.length === 0) throw invalidField('events', 'must name at least one kind of event')
      await checkInput({ url, secret }, null, outgoing)
    },
    byId: targets.byId,
    disable: targets.disable,
    refresh: targets.refresh,
  }
}

function createChanges(
  { rows, outgoing, webhooksMax, onChanged, tokenCopies }: WebhookDirectoryOptions,
  targets: CachedTargets,
): Pick<WebhookDirectory, 'add' | 'setOnly' | 'update' | 'delete'> {
  return {
    async add(instance, input) {
      await checkInput(input, instance, outgoing)
      await checkToken(input, instance, tokenCopies)
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
    },
    async setOnly(instance, input) {
      await checkInput(input, instance, outgoing)
      await checkToken(input, instance, tokenCopies)
      const { row, isNew } = await rows.exclusively(instance, async (mine) => {
        const [first, ...more] = await mine.list(instance)
        // Callers cannot name the ids of the global ones, so the first stands for them.
        if (more.length > 0 && instance !== null) throw invalidField('id', 'is required: there are several webhooks')
        const changed = first === undefined ? null : await mine.update(instance, first.id, checkChanges(first, input))
        if (changed !== null) return { row: changed, isNew: false }
        if (input.url === undefined) throw invalidField('url', 'is required')
        return { row: await mine.insert(newWebhook(instance, input, input.url)), isNew: true }
      })
      if (isNew) return { webhook: withoutSecret(row), secret: row.secret }
      noteChanged(row.id)
      return { webhook: withoutSecret(row) }
    },
    async update(instance, id, input) {
      await checkInput(input, instance, outgoing)
      await checkToken(input, instance, tokenCopies)
      const webhook = await rows.exclusively(instance, async (mine) => {
        const former = (await mine.list(instance)).find((one) => one.id === id)
        return former === undefined ? null : mine.update(instance, id, checkChanges(former, input))
      })
      if (webhook === null) throw new GatewayError('WEBHOOK_NOT_FOUND')
      noteChanged(id)
      return withoutSecret(webhook)
    },
    async delete(instance, id) {
      const isDeleted = await rows.delete(instance, id)
      targets.noteWritten(id)
      if (!isDeleted) throw new GatewayError('WEBHOOK_NOT_FOUND')
    },
  }

  function noteChanged(id: string): void {
    targets.noteWritten(id)
    onChanged?.(id)
  }
}

/** Checks what needs no look at other webhooks, before any lock is held: a name may take long to resolve. */
async function checkInput(
  { secret, url, form, batch }: WebhookInput,
  instance: InstanceId | null,
  outgoing: Pick<Outgoing, 'assertUrlAllowed'>,
): Promise<void> {
  if (secret !== undefined) keyOfSecret(secret)
  assertForm(form, batch)
  if (url !== undefined) await outgoing.assertUrlAllowed(withoutCredentials(url), instance ?? '')
}

const NO_BATCHES = {
  batch: 'must be null: only webhooks of form 1.0 have batches',
  form: 'must be 1.0 while the webhook has batches: set batch to null',
}

/** A receiver of another form gets one event at a time. @throws GatewayError INVALID_REQUEST */
function assertForm(
  form: WebhookInput['form'],
  batch: WebhookInput['batch'],
  field: keyof typeof NO_BATCHES = 'batch',
): void {
  if (form !== undefined && form !== '1.0' && batch) throw invalidField(field, NO_BATCHES[field])
}

/** Refuses tokens in events if the operator does not want them, or the gateway has only the hash. @throws GatewayError INVALID_REQUEST, TOKEN_NOT_KEPT */
async function checkToken(
  { includeToken }: WebhookInput,
  instance: InstanceId | null,
  copies: WebhookDirectoryOptions['tokenCopies'],
): Promise<void> {
  if (includeToken !== true) return
  if (copies?.areKept !== true) throw invalidField('includeToken', 'needs WEBHOOK_TOKEN=true, which the operator sets')
  if (instance !== null && (await copies.read(instance)) === null) throw new GatewayError('TOKEN_NOT_KEPT')
}

/** Returns the fields that are set, with the address and the secrets for it apart. @throws GatewayError INVALID_REQUEST */
function checkChanges(former: StoredWebhook, { url, headers, ...rest }: WebhookInput) {
  const { form = former.form, batch = former.batch } = rest
  assertForm(form, batch, rest.batch ? 'batch' : 'form')
  const given = { ...(url === undefined ? {} : { url }), ...(headers === undefined ? {} : { headers }) }
  return { ...rest, ...changedReceiver(former, given) }
}

/** Fills in the defaults of the interface specification. @throws GatewayError INVALID_REQUEST */
function newWebhook(instance: InstanceId | null, input: WebhookInput, url: string) {
  if (input.events === undefined) throw invalidField('events', 'is required')
  return {
    instance,
    enabled: input.enabled ?? false,
    access: NO_ACCESS,
    url: withoutCredentials(url),
    ...changedReceiver(null, { url, ...(input.headers === undefined ? {} : { headers: input.headers }) }),
    events: input.events,
    excludeMessages: input.excludeMessages ?? [],
    addUrlEvents: input.addUrlEvents ?? false,
    addUrlTypesMessages: input.addUrlTypesMessages ?? false,
    includeAiMetadata: input.includeAiMetadata ?? false,
    includeToken: input.includeToken ?? false,
    batch: input.batch ?? null,
    form: input.form ?? '1.0',
    formEvents: input.formEvents ?? [],
    includeBase64: input.includeBase64 ?? false,
    secret: input.secret ?? newWebhookSecret(),
  }
}

function withoutSecret({ secret: _, purpose: __, access, ...row }: StoredWebhook): WebhookRow {
  return { ...row, shownUrl: maskedWebhookUrl(row.url, access), headers: maskedHeaders(access.headers) }
}

interface DeliveryDirectoryOptions {
  readonly rows: Pick<WebhookRows, 'list'>
  readonly deliveries: DeliveryListStore
}

/** Deliveries to the webhooks of one scope. The webhooks of other scopes cannot be reached. */
function createDeliveryDirectory({
  rows,
  deliveries,
}: DeliveryDirectoryOptions): Pick<WebhookDirectory, 'deliveries' | 'delivery' | 'receiverFigures'> {
  return {
    async receiverFigures(instance, { webhookId, hours }) {
      return deliveries.hours(listIds(await readWebhooks(rows, instance, webhookId)), hours)
    },
    async deliveries(instance, { webhookId, ...query }) {
      return deliveries.list(listIds(await readWebhooks(rows, instance, webhookId)), instance, query)
    },
    async delivery(instance, { webhookId, instance: of, sequence }) {
      const isOwn = listIds(await rows.list(instance)).includes(webhookId) && (instance === null || instance === of)
      const shown = isOwn ? await deliveries.show(webhookId, of, sequence) : null
      if (shown === null) throw new GatewayError('DELIVERY_NOT_FOUND')
      return shown
    },
  }
}

interface DeadLetterOptions {
  readonly rows: Pick<WebhookRows, 'list'>
  readonly deadLetters: DeadLetterStore
  /** Called when dead letters were put back in these lanes. */
  readonly onReplayed?: (lanes: readonly Lane[]) => void
}

/** Dead letters of the webhooks of one scope. The webhooks of other scopes cannot be reached. */
function createDeadLetterDirectory({
  rows,
  deadLetters,
  onReplayed,
}: DeadLetterOptions): Pick<WebhookDirectory, 'deadLetters' | 'replay'> {
  return {
    async deadLetters(instance, { webhookId, ...query }) {
      const own = await readWebhooks(rows, instance, webhookId)
      return deadLetters.list(listIds(own), query)
    },
    async replay(instance, { webhookId, deliveries, ...choice }) {
      const own = await readWebhooks(rows, instance, webhookId)
      const ids = listIds(own)
      const wanted = deliveries === undefined ? undefined : inScope(deliveries, ids, instance)
      const { lanes, count, eventIdsFound, remaining } =
        wanted === undefined ? await deadLetters.replay(ids, choice) : await deadLetters.resend(ids, wanted)
      const asked = deliveries === undefined ? choice.eventIds : deliveries.map(deliveryKey)
      if (lanes.length > 0) onReplayed?.(lanes)
      const touched = new Set(lanes.map((lane) => lane.webhookId))
      return {
        replayed: count,
        skipped: asked === undefined ? 0 : new Set(asked).size - eventIdsFound,
        remaining,
        disabled: listIds(own.filter(({ id, enabled }) => !enabled && touched.has(id))),
      }
    },
  }
}

/** Returns the deliveries to these webhooks, each once: of one instance, or of all (null). */
function inScope(
  deliveries: readonly DeliveryId[],
  webhookIds: readonly string[],
  instance: InstanceId | null,
): readonly DeliveryId[] {
  const own = new Map<string, DeliveryId>()
  for (const delivery of deliveries) {
    const { webhookId, instance: of } = delivery
    if (webhookIds.includes(webhookId) && (instance === null || instance === of))
      own.set(deliveryKey(delivery), delivery)
  }
  return [...own.values()]
}

function deliveryKey({ webhookId, instance, sequence }: DeliveryId): string {
  return `${webhookId}.${instance}.${sequence}`
}

interface CachedTargets extends DeliveryTargets {
  /** Forgets a row that was changed or deleted here, and tells other nodes. */
  noteWritten(id: string): void
  /** Forgets rows that another node has changed. Without it a change is noticed after 5 s. */
  refresh(webhooks: Iterable<string> | 'all'): void
}

const TARGETS_MAX = 10_000
const TARGET_TTL_MS = 5000

/** Webhooks as deliveries see them, from memory where possible. */
export function createDeliveryTargets(
  rows: Pick<WebhookRows, 'byId' | 'update'>,
  onWritten: ((webhookId: string) => void) | undefined,
): CachedTargets {
  const known = new LRUCache<string, Promise<DeliveryTarget | null>>({ ...entriesMax(TARGETS_MAX), ttl: TARGET_TTL_MS })
  return {
    byId(id) {
      const cached = known.get(id)
      if (cached !== undefined) return cached
      const read = rows.byId(id)
      known.set(id, read)
      read.catch(() => known.delete(id))
      return read
    },
    async disable(id) {
      const webhook = await rows.byId(id)
      if (webhook !== null) await rows.update(webhook.instance, id, { enabled: false })
      noteWritten(id)
    },
    noteWritten,
    refresh(webhooks) {
      if (webhooks === 'all') known.clear()
      else for (const id of webhooks) known.delete(id)
    },
  }

  function noteWritten(id: string): void {
    known.delete(id)
    onWritten?.(id)
  }
}

/** Returns one webhook of a scope, or all. @throws GatewayError WEBHOOK_NOT_FOUND */
async function readWebhooks(
  rows: Pick<WebhookRows, 'list'>,
  instance: InstanceId | null,
  id?: string,
): Promise<readonly StoredWebhook[]> {
  const all = await rows.list(instance)
  if (id === undefined) return all
  const own = all.filter((webhook) => webhook.id === id.toLowerCase())
  if (own.length === 0) throw new GatewayError('WEBHOOK_NOT_FOUND')
  return own
}

function listIds(webhooks: readonly StoredWebhook[]): string[] {
  return webhooks.map(({ id }) => id)
}

interface WebhookTestOptions {
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
function createWebhookTest(options: WebhookTestOptions): WebhookDirectory['test'] {
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
