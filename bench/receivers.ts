/**
 * How fast webhooks reach one backend that takes its time, and what another tenant notices of that. The deliveries of a node run here, on a
 * store of their own, without the network; the receivers are a process. There is always more to deliver than the backend takes, from 100 chats of each account.
 * The share is of what the places that the backend had could take: places × 1/latency. `npm run bench -- receivers [seconds a round] [latencies] [accounts] [batch]`;
 * a batch is its maximum and its wait in milliseconds (`100,200`).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { newWebhookSecret } from '../runtime/delivery/signature.js'
import { createDeliveryTargets } from '../runtime/delivery/webhook-directory.js'
import { createWebhookDelivery, type WebhookDelivery } from '../runtime/delivery/webhooks.js'
import { createOutgoing } from '../runtime/outgoing/client.js'
import { createScheduler } from '../runtime/queues/scheduler.js'
import { deliveryStore } from '../runtime/store/delivery-views.js'
import type { Committed } from '../runtime/store/journal.js'
import { createWebhookRows } from '../runtime/store/webhooks.js'
import type { InstanceId, Jid } from '../schemas/ids.js'
import type { WebhookBatch } from '../schemas/ports/webhooks.js'
import { aMessage, openTestStore, received, type TestStore } from '../test/support/store.js'
import { type Part, runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import type { SlowReceiversOrder, Taken } from './harness/slow-receivers.js'

const [secondsText = '10', latenciesText = '50,200,500', accountsText = '4,100', batchText] = process.argv.slice(2)
const [max = 0, waitMs = 0] = batchText?.split(',').map(Number) ?? []
const batch = batchText === undefined ? null : { max, waitMs }
const seconds = Number(secondsText)
/** As by default. */
const [CONCURRENCY, INSTANCE_CONCURRENCY] = [256, 32]
const CHATS = 100
/** Deliveries that wait, at least, and of one write. */
const BACKLOG = 1_500
const WRITE = 100
/** Time in which the places grow: that of so many answers, and a bit. */
const GROWTH_ANSWERS = 12
const GROWTH_MS = 2_000
const LOOK_MS = 50
const NEIGHBOUR_EVERY_MS = 100

interface World {
  readonly store: TestStore
  readonly delivery: WebhookDelivery
  readonly ask: <T>(order: SlowReceiversOrder) => Promise<T>
  readonly neighbour: { readonly account: InstanceId; readonly url: string }
}

interface Round {
  readonly perSecond: number
  readonly places: number
  readonly agesMs: readonly number[]
}

await runBench(async () => {
  const part = await startPart('bench/harness/slow-receivers.js', {}, /^ready$/)
  const after: (() => Promise<void> | void)[] = []
  const world = await open(part, (work) => after.push(work))
  const quiet = await onlyNeighbour(world)
  const rows = [['another tenant alone', '', '', '', '', ...computeFigures(quiet)]]
  for (const accounts of accountsText.split(',').map(Number))
    for (const latencyMs of latenciesText.split(',').map(Number)) {
      const { perSecond, places, agesMs } = await round(world, accounts, latencyMs)
      const allowed = (places * 1_000) / latencyMs
      const share = `${((100 * perSecond) / allowed).toFixed(0)} %`
      const figures = [places.toFixed(0), perSecond.toFixed(0), allowed.toFixed(0), share]
      rows.push([`${accounts} accounts, ${latencyMs} ms`, ...figures, ...computeFigures(agesMs)])
    }
  const head = ['one backend', 'places', 'a second', 'places × 1/latency', 'share', 'another tenant, p50 ms', 'p99']
  say(table(head, rows), '', `${seconds} s a round. Node.js ${process.version}.`)
  await world.delivery.close()
  for (const work of after) await work()
})

async function open(part: Part, after: (work: () => Promise<void> | void) => void): Promise<World> {
  const place: { delivery?: WebhookDelivery } = {}
  const onCommitted = ({ lanes }: Committed) => place.delivery?.wake(lanes)
  const store = await openTestStore({ after }, { onCommitted }, true)
  const outgoing = createOutgoing({
    allowPrivateAddresses: true,
    userAgent: 'posthorn-bench',
    connectionsMax: CONCURRENCY,
  })
  const { pool } = store.database
  const base = { url: () => 'http://gateway.example', fileUrl: () => '' }
  const delivery = createWebhookDelivery({
    createScheduler,
    store: deliveryStore(pool, base, () => store.shards, {
      isOurs: () => true,
      record: (instance, outcomes) => store.journal.writeDeliveries(instance, store.findEpoch(instance), outcomes),
    }),
    targets: createDeliveryTargets(createWebhookRows(store.database, store.encryption), undefined),
    outgoing,
    timeoutMs: 30_000,
    concurrency: CONCURRENCY,
    instanceConcurrency: INSTANCE_CONCURRENCY,
    logger: pino({ level: 'warn' }),
  })
  place.delivery = delivery
  const ask = <T>(order: SlowReceiversOrder) => part.ask<T>(order)
  const neighbour = {
    account: await store.newInstance('neighbour'),
    url: await ask<string>({ open: { latencyMs: 5 } }),
  }
  await hook(store, neighbour.account, neighbour.url, null)
  return { store, delivery, ask, neighbour }
}

async function hook(store: TestStore, instance: InstanceId, url: string, batch: WebhookBatch | null): Promise<void> {
  const secret = newWebhookSecret()
  const rest = { excludeMessages: [], addUrlEvents: false, addUrlTypesMessages: false, secret, batch }
  await createWebhookRows(store.database, store.encryption).insert({
    ...{ instance, enabled: true, url, events: ['messages'] },
    ...rest,
  })
}

async function onlyNeighbour(world: World): Promise<readonly number[]> {
  const stop = writeToNeighbour(world)
  await wait(GROWTH_MS)
  await world.ask<Taken>({ take: world.neighbour.url })
  await wait(seconds * 1_000)
  const { agesMs } = await world.ask<Taken>({ take: world.neighbour.url })
  await stop()
  return agesMs
}

async function round(world: World, accountCount: number, latencyMs: number): Promise<Round> {
  const { store, ask, neighbour } = world
  const url = await ask<string>({ open: { latencyMs } })
  const accounts: InstanceId[] = []
  for (let index = 0; index < accountCount; index += 1) accounts.push(await store.newInstance(`account ${index}`))
  for (const account of accounts) await hook(store, account, url, batch)
  const stops = [await keepBacklog(world, accounts), writeToNeighbour(world)]
  await wait(GROWTH_MS + GROWTH_ANSWERS * latencyMs)
  await ask<Taken>({ take: url })
  await ask<Taken>({ take: neighbour.url })
  const startedMs = performance.now()
  const places: number[] = []
  while (performance.now() - startedMs < seconds * 1_000) {
    await wait(LOOK_MS)
    places.push(placesOfBackend(world.delivery))
  }
  const { count } = await ask<Taken>({ take: url })
  const perSecond = (count * 1_000) / (performance.now() - startedMs)
  const { agesMs } = await ask<Taken>({ take: neighbour.url })
  for (const stop of stops) await stop()
  await forget(world, accounts)
  return { perSecond, places: places.reduce((sum, one) => sum + one, 0) / places.length, agesMs }
}

/** The neighbour's receiver never has all its places taken, so it keeps those of the start. */
function placesOfBackend(delivery: WebhookDelivery): number {
  const { start, grown, reduced, slow } = delivery.counts().places
  const perReceiver = start.receivers === 0 ? 0 : start.places / start.receivers
  return start.places - perReceiver + grown.places + reduced.places + slow.places || perReceiver
}

/** Writes so that there is always something to deliver. */
async function keepBacklog({ store, delivery }: World, accounts: readonly InstanceId[]): Promise<() => Promise<void>> {
  let isOver = false
  let written = 0
  const before = delivery.counts().delivered
  const write = async (): Promise<void> => {
    const perAccount = Math.max(1, Math.ceil(WRITE / accounts.length))
    await Promise.all(accounts.map((account) => receive(store, account, perAccount, written)))
    written += 1
  }
  const writeOn = async (): Promise<void> => {
    let writes = 0
    while (!isOver) {
      const waiting = writes * Math.max(WRITE, accounts.length) - (delivery.counts().delivered - before)
      if (waiting > BACKLOG) await wait(LOOK_MS / 5)
      else {
        await write()
        writes += 1
      }
    }
  }
  const writing = writeOn()
  return async () => {
    isOver = true
    await writing
  }
}

function receive(store: TestStore, account: InstanceId, count: number, seed: number): Promise<unknown> {
  const journal = store.journal.forInstance(account, store.findEpoch(account))
  const messages = Array.from({ length: count }, (_, index) => {
    const jid = `55119${String((seed * count + index) % CHATS).padStart(8, '0')}@s.whatsapp.net` as Jid
    return received(aMessage({ chat: { pn: jid }, sender: jid, senderPn: jid, text: String(Date.now()) }))
  })
  return journal.write(messages)
}

function writeToNeighbour({ store, neighbour }: World): () => Promise<void> {
  let isOver = false
  const writeOn = async (): Promise<void> => {
    for (let index = 0; !isOver; index += 1) {
      await Promise.all([receive(store, neighbour.account, 1, index), wait(NEIGHBOUR_EVERY_MS)])
    }
  }
  const writing = writeOn()
  return async () => {
    isOver = true
    await writing
  }
}

/** Drops what still waits for a backend, so that the next one has the node for itself. */
async function forget({ store, delivery }: World, accounts: readonly InstanceId[]): Promise<void> {
  await store.rows('UPDATE webhook SET enabled = false WHERE instance_id = ANY($1)', [[...accounts]])
  await store.rows('DELETE FROM delivery WHERE instance_id = ANY($1)', [[...accounts]])
  while (delivery.counts().running > 0) await wait(LOOK_MS)
}

function computeFigures(agesMs: readonly number[]): string[] {
  const sorted = agesMs.toSorted((a, b) => a - b)
  return [median(agesMs).toFixed(0), (sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(0)]
}
