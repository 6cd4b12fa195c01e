import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { MediaService } from '../../schemas/ports/media.js'
import { createEventForms } from '../delivery/event-forms.js'
import type { DeliveryStore, EventForms } from '../delivery/ports.js'
import { createReceiverStates, type ReceiverStates } from '../delivery/receiver-states.js'
import { createWebhooks, type Webhooks } from '../delivery/webhook-directory.js'
import { createWebhookDelivery, type WebhookDelivery } from '../delivery/webhooks.js'
import { createDeliveryMetrics } from '../metrics/delivery-metrics.js'
import { createScheduler } from '../queues/scheduler.js'
import { deadLetterStore, deliveryListStore, deliveryStore, sampleEvent } from '../store/delivery-views.js'
import { createWebhookRows } from '../store/webhooks.js'
import type { Channels } from './channels.js'
import type { NodeChatwoot } from './chatwoot.js'
import type { NodeContext } from './context.js'
import type { Directories } from './directories.js'
import type { Actors, ClusterMembership } from './ports.js'
import type { Stores } from './stores.js'

/** The webhooks of all instances, and the deliveries of those whose shards this node has. */
export interface NodeDelivery {
  readonly webhooks: Webhooks
  readonly lanes: WebhookDelivery
  readonly receiverStates: ReceiverStates
  /** Takes the files of messages, for receivers that want them in events. */
  readonly useFiles: (media: Pick<MediaService, 'open'>) => void
  /** Begins no more deliveries of a shard that is about to move, and waits for those under way, though not for long. */
  settle(shard: number): Promise<void>
  /** Delivers for a shard again. */
  resume(shard: number): void
}

/** The parts that deliveries need. */
export interface NodeDeliveryParts {
  readonly stores: Stores
  readonly membership: ClusterMembership
  readonly directories: Directories
  readonly channels: Channels
  readonly actors: Actors
  readonly chatwoot: Pick<NodeChatwoot, 'carrier'>
}

interface LaneParts {
  readonly webhooks: Webhooks
  readonly receiverStates: ReceiverStates
  readonly settling: ReadonlySet<number>
  readonly ageMaxMs: number
  readonly forms: EventForms
}

const HOUR_MS = 60 * 60_000
/** Maximum wait of a move for deliveries under way. A slower receiver may get one twice, under its event id. */
const SETTLE_MS = 300

export function createDelivery(node: NodeContext, parts: NodeDeliveryParts): NodeDelivery {
  const { config, registry, logger, incarnation } = node
  const { streams } = parts.channels
  const receiverStates = createReceiverStates({ redis: parts.stores.redis.client, incarnation, log: logger })
  let files: Pick<MediaService, 'open'> | undefined
  const forms = createEventForms({
    dialects: parts.directories.dialects,
    url: parts.channels.origin.url,
    open: () => {
      const media = files
      return media === undefined ? undefined : (instance, record) => media.open(instance, record, 'own')
    },
  })
  const webhooks = createDirectory(node, parts, receiverStates, forms)
  /** Shards whose webhooks are not sent, because they are about to move. */
  const settling = new Set<number>()
  const ageMaxMs = config.webhooks.maxAgeHours === 0 ? Number.POSITIVE_INFINITY : config.webhooks.maxAgeHours * HOUR_MS
  const lanes = createLanes(node, parts, { webhooks, receiverStates, settling, ageMaxMs, forms })
  createDeliveryMetrics(registry, {
    deliveries: () => lanes.counts(),
    oldestDelivery: () => ({ ageMs: lanes.oldestAgeMs(), ageMaxMs }),
    streams: () => streams.size,
  })
  // Chatwoot writes rows of its own. Before `webhookChanged`, which reads them.
  node.events.on('webhookWritten', (webhookId) => webhooks.refresh([webhookId]))
  listen(node, parts, lanes)
  return {
    webhooks,
    lanes,
    receiverStates,
    useFiles(media) {
      files = media
    },
    settle(shard) {
      settling.add(shard)
      return lanes.settle((instance) => parts.stores.findShard(instance) === shard, SETTLE_MS)
    },
    resume: (shard) => void settling.delete(shard),
  }
}

/** Closes the deliveries when the node stops, before it leaves the cluster. Call it after the node has joined. */
export async function attachDelivery(
  { config, life }: NodeContext,
  { lanes, receiverStates }: NodeDelivery,
): Promise<void> {
  await life.start(
    'webhook delivery',
    () => lanes,
    async (open) => {
      await open.close()
      await receiverStates.close()
    },
    { stopTimeoutMs: config.webhooks.timeoutMs + 2_000 },
  )
}

function createDirectory(
  { config, events }: NodeContext,
  parts: NodeDeliveryParts,
  receiverStates: ReceiverStates,
  forms: EventForms,
): Webhooks {
  const { database, encryption } = parts.stores
  const { webhooks: outgoing, origin } = parts.channels
  const { instances, tokenCopies } = parts.directories
  return createWebhooks({
    tokenCopies,
    rows: createWebhookRows(database, encryption),
    deadLetters: deadLetterStore(database.pool, origin),
    deliveries: deliveryListStore(database.pool, origin),
    outgoing,
    timeoutMs: config.webhooks.timeoutMs,
    forms,
    webhooksMax: config.webhooks.max,
    receiverStates: (urls) => receiverStates.read(urls),
    sample: async (instance, eventId) =>
      sampleEvent(instance === null ? null : await instances.byId(instance), eventId, origin.url()),
    onChanged: (webhookId) => events.emit('webhookChanged', webhookId),
    onReplayed: (lanes) => events.emit('deadLettersReplayed', lanes),
    onWritten: (webhookId) => events.emit('webhookWritten', webhookId),
  })
}

function createLanes(
  { config, logger, traffic, receiverCounts }: NodeContext,
  parts: NodeDeliveryParts,
  { webhooks, receiverStates, settling, ageMaxMs, forms }: LaneParts,
): WebhookDelivery {
  const { timeoutMs, concurrency, instanceConcurrency, receiverConcurrency } = config.webhooks
  const { attemptsMax, backoffMinMs, backoffMaxMs } = config.webhooks
  const { webhooks: outgoing, origin } = parts.channels
  const { host } = parts.actors
  return createWebhookDelivery({
    createScheduler,
    store: deliveryStore(parts.stores.database.lanes.deliveries, origin, () => host.ready(), {
      ...ownership(parts, settling),
      findToken: (instance) => parts.directories.tokenCopies.read(instance),
    }),
    targets: webhooks,
    outgoing,
    carrier: parts.chatwoot.carrier,
    forms,
    blocked: parts.stores.blockedWork,
    timeoutMs,
    concurrency,
    instanceConcurrency,
    receiverConcurrency,
    retries: { attemptsMax, delayMinMs: backoffMinMs, delayMaxMs: backoffMaxMs },
    ageMaxMs,
    onAttempt(webhookId, isTaken, durationMs) {
      if (isTaken) traffic.delivered(durationMs)
      receiverCounts.attempt(webhookId, isTaken, durationMs)
    },
    onReceiverState: (receiver, state) => receiverStates.note(receiver, state),
    logger,
  })
}

/** Limits deliveries to the shards of this node, and writes their outcomes under the epoch in which it owns them. */
function ownership(
  { stores: { findShard }, actors: { host, journal }, membership }: NodeDeliveryParts,
  settling: ReadonlySet<number>,
): Pick<DeliveryStore, 'isOurs' | 'record'> {
  return {
    isOurs: (instance: InstanceId) => host.isReady(findShard(instance)) && !settling.has(findShard(instance)),
    async record(instance, outcomes) {
      const epoch = membership.findEpoch(findShard(instance))
      if (epoch === undefined) throw new GatewayError('NOT_OWNER')
      await journal.writeDeliveries(instance, epoch, outcomes)
    },
  }
}

function listen({ events }: NodeContext, { channels, membership }: NodeDeliveryParts, lanes: WebhookDelivery): void {
  const { streams } = channels
  const { hints } = membership
  events.on('committed', (committed) => {
    const changed = new Set(committed.events.map(({ instance }) => instance))
    streams.wake(changed)
    if (changed.size > 0) hints.events(changed)
    lanes.wake(committed.lanes)
    if (committed.mergedLanes.length > 0) void lanes.sweepNow()
  })
  events.on('webhookChanged', (webhookId) => lanes.changed(webhookId))
  events.on('deadLettersReplayed', (replayed) => {
    lanes.replayed(replayed)
    hints.webhooks(new Set(replayed.map(({ webhookId }) => webhookId)))
  })
  events.on('shardsReady', () => void lanes.sweepNow())
}
