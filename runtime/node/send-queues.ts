import type { InstanceId } from '../../schemas/ids.js'
import { createScheduler, type Scheduler } from '../queues/scheduler.js'
import { createOutbox } from '../store/outbox.js'
import type { Actors } from './actors.js'
import type { NodeContext } from './context.js'
import type { Stores } from './stores.js'

/** Maximum of queues of instances that run at once. Each mostly waits for its pacing. */
const SEND_QUEUES_MAX = 1_000

/** Creates the scheduler of queued sends, a lane per instance. */
export function createSendQueues({ events, logger }: NodeContext, { database }: Stores, { host }: Actors): Scheduler {
  const outbox = createOutbox(database.pool)
  const sendQueues = createScheduler({
    kind: 'send',
    concurrency: SEND_QUEUES_MAX,
    handle: (instance) => host.runQueue(instance as InstanceId),
    sweep: () => outbox.instancesWithQueued(host.ready()),
    logger,
  })
  events.on('sendQueued', (instance) => sendQueues.wake(instance))
  events.on('shardsReady', () => void sendQueues.sweepNow())
  return sendQueues
}

/** Closes the queues when the node stops, before it leaves the cluster. Call it after the node has joined. */
export async function attachSendQueues({ life }: NodeContext, sendQueues: Scheduler): Promise<void> {
  await life.start(
    'send queues',
    () => sendQueues,
    (queues) => queues.close(),
  )
}
