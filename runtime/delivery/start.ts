/** Everything that brings events out of a node: webhooks and streams, over the store, through the guarded client. */
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { Outgoing } from '../outgoing/client.js'
import type { QueueConnections } from '../queues/connections.js'
import type { Committed } from '../store/journal.js'
import type { WebhookRows } from '../store/webhooks.js'
import { createDeliveryStore, createStreamStore, type StorePorts } from './delivery-store.js'
import type { RetryPolicy } from './retries.js'
import { createStreams, type Streams } from './stream.js'
import { createWebhooks, type Webhooks } from './webhook-directory.js'
import { createWebhookDelivery, type WebhookCounts } from './webhooks.js'

export interface DeliveryOptions {
  readonly node: string
  readonly redis: QueueConnections
  readonly keyPrefix?: string
  readonly store: StorePorts
  readonly webhooks: WebhookRows
  readonly outgoing: Outgoing
  /** The base of our own API, told in every event. */
  readonly publicUrl: string
  readonly webhook: {
    readonly timeoutMs: number
    /** Lanes that send at once on this node. */
    readonly concurrency: number
    /** Of these to one receiver; a quarter of them, 16 at most, when absent. */
    readonly receiverConcurrency?: number
    /** Per instance. */
    readonly max: number
    readonly retries?: Partial<RetryPolicy>
    readonly sweepEveryMs?: number
  }
  readonly stream?: { readonly heartbeatMs?: number; readonly clientsMax?: number; readonly pollEveryMs?: number }
  readonly logger: Logger
}

export interface Delivery {
  /** The ports of the API. */
  readonly webhooks: Webhooks
  readonly streams: Streams
  /** To be called by the journal after each commit. */
  onCommitted(committed: Committed): void
  /** Looks for due deliveries now: after a claim of shards. */
  sweepNow(): Promise<void>
  counts(): WebhookCounts & { readonly streams: number }
  close(): Promise<void>
}

const MERGE_SWEEP_DELAY_MS = 1000

export function startDelivery(options: DeliveryOptions): Delivery {
  const { webhook, outgoing, publicUrl, logger } = options
  let mergeTimer: NodeJS.Timeout | undefined

  const webhooks = createWebhooks({
    rows: options.webhooks,
    outgoing,
    timeoutMs: webhook.timeoutMs,
    webhooksMax: webhook.max,
    sample: async (instance, eventId) => sampleEvent(instance, eventId, publicUrl),
    onChanged: () => void sender.sweepNow(),
  })
  const sender = createWebhookDelivery({
    node: options.node,
    redis: options.redis,
    store: createDeliveryStore(options.store),
    targets: webhooks,
    outgoing,
    timeoutMs: webhook.timeoutMs,
    concurrency: webhook.concurrency,
    logger,
    ...(options.keyPrefix === undefined ? {} : { keyPrefix: options.keyPrefix }),
    ...(webhook.receiverConcurrency === undefined ? {} : { receiverConcurrency: webhook.receiverConcurrency }),
    ...(webhook.retries === undefined ? {} : { retries: webhook.retries }),
    ...(webhook.sweepEveryMs === undefined ? {} : { sweepEveryMs: webhook.sweepEveryMs }),
  })
  const streams = createStreams({ ...options.stream, store: createStreamStore(options.store), logger })

  return {
    webhooks,
    streams,
    onCommitted({ events, lanes, mergedLanes }) {
      if (lanes.length > 0) sender.wake(lanes)
      if (streams.size > 0) streams.wake(new Set(events.map(({ instance }) => instance)))
      // What waited in the former lane is in another one now, which perhaps nobody wakes.
      if (mergedLanes.length > 0) mergeTimer ??= setTimeout(sweepAfterMerge, MERGE_SWEEP_DELAY_MS)
    },
    sweepNow: () => sender.sweepNow(),
    counts: () => ({ ...sender.counts(), streams: streams.size }),
    async close() {
      clearTimeout(mergeTimer)
      streams.close()
      await sender.close()
    },
  }

  function sweepAfterMerge(): void {
    mergeTimer = undefined
    void sender.sweepNow()
  }
}

/** What `POST /webhook/test` sends: a message that nobody wrote, in the shape of a real one. */
function sampleEvent(instance: InstanceId | null, eventId: string, publicUrl: string): Record<string, unknown> {
  return {
    BaseUrl: publicUrl,
    EventType: 'messages',
    instanceName: instance ?? '',
    owner: '',
    eventId,
    sequence: 0,
    schemaVersion: 1,
    timestamp: Date.now(),
    isTest: true,
    chat: { wa_chatid: '5511999999999@s.whatsapp.net', wa_name: 'Test' },
    message: {
      messageid: 'TEST',
      chatid: '5511999999999@s.whatsapp.net',
      fromMe: false,
      isGroup: false,
      messageType: 'conversation',
      text: 'This is a test of your webhook.',
      messageTimestamp: Date.now(),
    },
  }
}
