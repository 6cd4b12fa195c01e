/** Deliveries of a node to receivers of webhooks, on a store of their own and without the network. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { createWebhooks } from '../../runtime/delivery/webhook-directory.js'
import {
  createWebhookDelivery,
  type WebhookDelivery,
  type WebhookDeliveryOptions,
} from '../../runtime/delivery/webhooks.js'
import { createOutgoing } from '../../runtime/outgoing/client.js'
import { createScheduler } from '../../runtime/queues/scheduler.js'
import { deadLetterStore, deliveryListStore, deliveryStore, sampleEvent } from '../../runtime/store/delivery-views.js'
import type { Committed } from '../../runtime/store/journal.js'
import { createWebhookRows } from '../../runtime/store/webhooks.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import type { WebhookInput } from '../../schemas/ports/webhooks.js'
import { PATIENCE_MS } from './eventually.js'
import { aMessage, openTestStore, received, type TestStore } from './store.js'

export const deliveryLog = pino({ level: process.env.POSTHORN_TEST_LOG_LEVEL ?? 'silent' })

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Of an array, its first one. */
  readonly event: ReceivedEvent
  readonly events: readonly ReceivedEvent[]
}

export interface ReceivedEvent {
  readonly eventId: string
  readonly sequence: number
  readonly message: { readonly messageid: string; readonly chatid: string; readonly text: string }
}

export type Answer = (request: Received, response: ServerResponse) => void

export const ok: Answer = (_, response) => void response.end('ok')

/** A receiver of webhooks; `answer` may be exchanged at any time. */
export async function startReceiver(t: TestContext, answer: Answer = ok) {
  const requests: Received[] = []
  let open = 0
  let most = 0
  const receiver = { requests, answer, url: '', taken: [] as Received[], mostAtOnce: () => most }
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const events = [JSON.parse(body) as ReceivedEvent | ReceivedEvent[]].flat()
      const got = { path: request.url ?? '', headers: request.headers, body, event: events[0] as ReceivedEvent, events }
      requests.push(got)
      response.on('finish', () => {
        if (response.statusCode < 300) receiver.taken.push(got)
      })
      receiver.answer(got, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

export async function startDeliveries(t: TestContext, options: Partial<WebhookDeliveryOptions> = {}) {
  let delivery: WebhookDelivery | undefined
  const told: Committed['lanes'][] = []
  let isDeaf = false
  const store = await openTestStore(t, {
    onCommitted: ({ lanes }: Committed) => {
      told.push(lanes)
      if (!isDeaf) delivery?.wake(lanes)
    },
  })
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  const run = async () => {
    const node = await startNode(t, store, options)
    delivery = node.delivery
    return node
  }
  const node = await run()
  return {
    ...node,
    store,
    instance,
    run,
    /** Commits texts of one chat, in order. */
    async receive(chat: number, ...texts: string[]) {
      await journal.write(texts.map((text) => received(aMessage({ ...fromChat(chat), text }))))
    },
    async add(input: Partial<WebhookInput> & { url: string }, scope: InstanceId | null = instance) {
      const added = await node.webhooks.add(scope, { events: ['messages'], enabled: true, ...input })
      return { ...added.webhook, secret: added.secret }
    },
    /** Holds back the notices of commits until `tell` passes them on. */
    keepCommits() {
      isDeaf = true
      told.length = 0
    },
    tell() {
      for (const lanes of told.splice(0)) node.delivery.wake(lanes)
    },
    waiting: async () => (await store.rows<{ count: number }>('SELECT count(*) FROM delivery'))[0]!.count,
  }
}

async function startNode(t: TestContext, store: TestStore, options: Partial<WebhookDeliveryOptions>) {
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  const publicUrl = 'http://gateway.example'
  const webhooks = createWebhooks({
    rows: createWebhookRows(store.database, store.encryption),
    deadLetters: deadLetterStore(store.database.pool, { url: () => publicUrl, fileUrl: () => '' }),
    deliveries: deliveryListStore(store.database.pool, { url: () => publicUrl, fileUrl: () => '' }),
    outgoing,
    timeoutMs: 30_000,
    webhooksMax: 20,
    receiverStates: async (urls) => urls.map(() => null),
    sample: async (_, eventId) => sampleEvent(null, eventId, publicUrl),
    onChanged: (webhookId) => delivery.changed(webhookId),
    onReplayed: (lanes) => delivery.replayed(lanes),
  })
  const delivery = createWebhookDelivery({
    createScheduler,
    store: deliveryStore(store.database.pool, { url: () => publicUrl, fileUrl: () => '' }, () => store.shards, {
      isOurs: () => true,
      record: (instance, outcomes) => store.journal.writeDeliveries(instance, store.findEpoch(instance), outcomes),
    }),
    targets: webhooks,
    outgoing,
    // A delivery that is late comes twice.
    timeoutMs: 30_000,
    concurrency: 64,
    retries: { delayMinMs: 100, delayMaxMs: 400 },
    logger: deliveryLog,
    ...options,
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      await delivery.close()
      await outgoing.close()
    })()
    return stopped
  }
  t.after(stop)
  return { webhooks, delivery, stop }
}

export function fromChat(chat: number) {
  const number = `5511900000${String(chat).padStart(3, '0')}@s.whatsapp.net` as Jid
  return { chat: { pn: number }, sender: number, senderPn: number }
}

export async function eventually(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS
  while (!(await isTrue())) {
    if (performance.now() > untilMs) assert.fail(`Never: ${what}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

export function textsByChat(requests: readonly Received[]): Record<string, string[]> {
  const texts: Record<string, string[]> = {}
  for (const { message } of requests.flatMap(({ events }) => events)) {
    const { chatid, text } = message
    texts[chatid] = [...(texts[chatid] ?? []), text]
  }
  return texts
}

export const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))
