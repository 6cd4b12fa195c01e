import type { InstanceId } from '../../schemas/ids.js'
import { createScheduler, type Scheduler } from '../queues/scheduler.js'
import { createOutbox } from '../store/outbox.js'
import type { NodeContext } from './context.js'
import type { Actors } from './ports.js'
import type { Stores } from './stores.js'

/** Lanes in which instances send what waits in the store, a lane per instance and scheduler. */
export interface SendQueues {
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
export function createSendQueues({ events, logger }: NodeContext, { database }: Stores, { host }: Actors): SendQueues {
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
export async function attachSendQueues({ life }: NodeContext, sendQueues: SendQueues): Promise<void> {
  await life.start(
    'send queues',
    () => sendQueues,
    async ({ queued, due }) => {
      await Promise.all([queued.close(), due.close()])
    },
  )
}
