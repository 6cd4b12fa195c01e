/** Starts the parts of a node in order, and stops them in reverse. `runtime/node/` has the parts. It is the whole process, or one of several. */

import type pg from 'pg'
import type { InstanceId } from '../schemas/ids.js'
import { OperatorError } from '../schemas/operator-error.js'
import { readConfig } from './config.js'
import { createLifecycle, LifecycleStopped } from './lifecycle.js'
import { createLogger, logDestination } from './logging.js'
import { startActors } from './node/actors.js'
import { checkApiAddress, startApi } from './node/api.js'
import { startChannels } from './node/channels.js'
import { attachChatwoot, createChatwoot } from './node/chatwoot.js'
import { startClientVersion } from './node/client-version.js'
import { joinCluster, startMembership } from './node/cluster.js'
import { createNodeContext, type NodeContext } from './node/context.js'
import { attachDelivery, createDelivery } from './node/delivery.js'
import { openDirectories } from './node/directories.js'
import { startKnowledge } from './node/knowledge.js'
import { prepareNetworkLibrary } from './node/network.js'
import type { Actors } from './node/ports.js'
import { type Stores, startStores } from './node/stores.js'
import { startUpkeep } from './node/upkeep.js'
import { joinOwnGroup } from './processes/membership.js'
import { takePlace } from './processes/process-place.js'
import { createScheduler, type Scheduler } from './queues/scheduler.js'
import { readableStack } from './readable-stack.js'

/** Messages that are still to be sent, of all instances. */

/** An instance that has work with a time of its own. */
interface DueInstance {
  readonly id: InstanceId
  /** Milliseconds until the first of it is due. 0 or less: now. */
  readonly inMs: number
}

interface Outbox {
  /** Instances of these shards that should be connected and have something queued. */
  instancesWithQueued(shards: readonly number[]): Promise<readonly InstanceId[]>
  /** Returns the instances of these shards that have work which is due now or within that time, by PostgreSQL's clock. */
  instancesDue(shards: readonly number[], withinMs: number): Promise<readonly DueInstance[]>
}

// One look into the index per instance, however much is queued.
// $1 shards
const WITH_QUEUED = `
  SELECT i.id FROM instance AS i
  WHERE i.desired_connected AND i.shard = ANY($1::smallint[])
    AND EXISTS (SELECT FROM message AS m WHERE m.instance_id = i.id AND m.outbox = 1)`

/**
 * The kinds of work with a time of its own, a statement each that returns the columns `id` and `due`, the time of the earliest. Each
 * makes one look into a partial index per instance, however much waits.
 * $1 shards   $2 milliseconds within which it is due
 */
const KINDS: readonly string[] = [
  // Scheduled sends, of instances without a connection too: from their time on they are queued, and their age is counted.
  `SELECT i.id, s.due FROM instance AS i CROSS JOIN LATERAL (
     SELECT due FROM scheduled_send WHERE instance_id = i.id AND status = 'scheduled' ORDER BY due LIMIT 1) AS s
   WHERE i.shard = ANY($1::smallint[])`,
  // The next message of each campaign, and campaigns that are being deleted, which need no connection.
  `SELECT i.id, c.due FROM instance AS i CROSS JOIN LATERAL (
     SELECT min(CASE WHEN c.status = 'deleting' THEN now() ELSE GREATEST(c.scheduled_at, p.next_at) END) AS due
     FROM campaign AS c JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
     WHERE c.instance_id = i.id AND c.status IN ('scheduled', 'sending', 'deleting')
       AND (i.desired_connected OR c.status = 'deleting')) AS c
   WHERE i.shard = ANY($1::smallint[]) AND c.due IS NOT NULL`,
  // Turns of agents that wait for their time, or whose owner has ended.
  `SELECT i.id, t.due_at AS due FROM instance AS i CROSS JOIN LATERAL (
     SELECT due_at FROM agent_turn WHERE instance_id = i.id AND ended IS NULL ORDER BY due_at LIMIT 1) AS t
   WHERE i.shard = ANY($1::smallint[])`,
]

const DUE = `
  SELECT id, (extract(epoch FROM min(due) - now()) * 1000)::float8 AS in_ms FROM (${KINDS.join(' UNION ALL ')}) AS kinds
  WHERE due <= now() + $2::bigint * interval '1 millisecond' GROUP BY id`

function createOutbox(pool: pg.Pool): Outbox {
  return {
    async instancesWithQueued(shards) {
      const { rows } = await pool.query<{ id: InstanceId }>(WITH_QUEUED, [shards])
      return rows.map(({ id }) => id)
    },
    async instancesDue(shards, withinMs) {
      const { rows } = await pool.query<{ id: InstanceId; in_ms: number }>(DUE, [shards, withinMs])
      return rows.map(({ id, in_ms: inMs }) => ({ id, inMs }))
    },
  }
}

/** Lanes in which instances send what waits in the store, a lane per instance and scheduler. */
interface SendQueues {
  /** Messages that are queued. A run lasts until the queue is empty, and mostly waits for its pacing. */
  readonly queued: Scheduler
  /** Work with a time of its own. A run does what is due now, and never waits for the next. */
  readonly due: Scheduler
}

/** Maximum of queues of instances that run at once. Each mostly waits for its pacing. */
const SEND_QUEUES_MAX = 1_000
/** Maximum of instances that do at once what is due. */
const DUE_LANES_MAX = 64
/** Time ahead for which a sweep sets timers. Above the longest time between two sweeps. */
const DUE_WITHIN_MS = 35_000

/** Creates the schedulers of sends. */
function createSendQueues({ events, logger }: NodeContext, { database }: Stores, { host }: Actors): SendQueues {
  const outbox = createOutbox(database.pool)
  const queued = createScheduler({
    kind: 'send',
    concurrency: SEND_QUEUES_MAX,
    handle: (instance) => host.runQueue(instance as InstanceId),
    sweep: () => outbox.instancesWithQueued(host.ready()),
    logger,
  })
  const due = createScheduler({
    kind: 'due',
    concurrency: DUE_LANES_MAX,
    handle: (instance) => host.runDue(instance as InstanceId),
    sweep: async () => {
      const instances = await outbox.instancesDue(host.ready(), DUE_WITHIN_MS)
      return instances.map(({ id, inMs }) => ({ lane: id, inMs }))
    },
    logger,
  })
  events.on('sendQueued', (instance) => queued.wake(instance))
  events.on('dueSoon', (instance, inMs) => due.wakeIn(instance, inMs))
  events.on('shardsReady', () => {
    void queued.sweepNow()
    void due.sweepNow()
  })
  return { queued, due }
}

/** Closes the queues when the node stops, before it leaves the cluster. Call it after the node has joined. */
async function attachSendQueues({ life }: NodeContext, sendQueues: SendQueues): Promise<void> {
  await life.start(
    'send queues',
    () => sendQueues,
    async ({ queued, due }) => {
      await Promise.all([queued.close(), due.close()])
    },
  )
}

async function start(node: NodeContext): Promise<void> {
  // The supervisor of several processes has checked it, and holds the port.
  if (node.group === null) await checkApiAddress(node.config)
  const stores = await startStores(node)
  node.group?.opened()
  const membership = await startMembership(node, stores)
  const directories = await openDirectories(node, stores)
  const channels = await startChannels(node, stores)
  const knowledge = await startKnowledge(node, stores, channels)
  const clientVersion = await startClientVersion(node, stores)
  const actors = await startActors(node, stores, clientVersion.keeper, membership, directories, channels, knowledge)
  const chatwoot = createChatwoot(node, { stores, channels, actors })
  const delivery = createDelivery(node, { stores, membership, directories, channels, actors, chatwoot })
  const sendQueues = createSendQueues(node, stores, actors)
  const parts = { stores, membership, directories, channels, actors, delivery, chatwoot }
  const cluster = await joinCluster(node, parts)
  await attachDelivery(node, delivery)
  await attachSendQueues(node, sendQueues)
  await attachChatwoot(node, chatwoot)
  const jobs = await startUpkeep(node, { ...parts, cluster, knowledge }, clientVersion)
  await startApi(node, { ...parts, cluster, knowledge, jobs })
}

async function main(): Promise<void> {
  const place = takePlace(process.env)
  const config = readConfig(process.env)
  const lineFields = place === null ? null : { process: place.index }
  const logger = createLogger(config.logging, await logDestination(config.logging), lineFields)
  const mediaHosts = prepareNetworkLibrary(config)
  const life = createLifecycle({ logger, shutdownTimeoutMs: config.cluster.shutdownTimeoutMs })
  life.handleProcessEvents({ isSupervised: place !== null })
  const group = place === null ? null : joinOwnGroup(place, life)
  try {
    await start(createNodeContext({ config, logger, life, mediaHosts, group }))
  } catch (error) {
    if (error instanceof LifecycleStopped) return
    await life.stop('the start failed')
    throw error
  }
}

main().catch((error: unknown) => {
  const text =
    error instanceof OperatorError
      ? error.message
      : error instanceof Error
        ? readableStack(error.stack ?? error.message)
        : String(error)
  process.stderr.write(`${text}\n`, () => process.exit(1))
})
