import Bull from 'bull'
import type { Logger } from 'pino'
import { withTimeLimit } from '../../schemas/time-limit.js'
import type { QueueConnections } from './connections.js'

export interface JobQueueOptions {
  readonly redis: QueueConnections
  /** Maximum of jobs that this node takes at once. */
  readonly concurrency: number
  /** Called when a job has come. The job is done when the promise resolves. */
  readonly onJob: (name: string) => Promise<void>
  readonly log: Logger
}

export interface JobQueue {
  /** True while Redis is connected. */
  readonly isUsable: boolean
  /** Offers a job to all nodes. Jobs with one id are one job, until it is done. Rejects when Redis does not take it. */
  add(name: string, id: string): Promise<void>
  /** Takes no more jobs. Those that wait stay for other nodes. */
  close(): Promise<void>
}

/** Time between two looks of Bull for delayed jobs, of which there are none. */
const GUARD_INTERVAL_MS = 60_000
const CLOSE_MAX_MS = 2000
/**
 * Every job goes when it ends, since Bull takes no other one with its id before. A job that Redis lost between its way to a node and its start has
 * neither name nor options there; Bull starts it without them and would keep it.
 */
const REMOVED_AT_END = { removeOnComplete: true, removeOnFail: true } as const

/** The one queue of the cluster. Its jobs are names: what is to be done, and whether it is still due, stands in PostgreSQL. */
export function createJobQueue({ redis, concurrency, onJob, log }: JobQueueOptions): JobQueue {
  const blocking = redis.blocking()
  let isClosed = false
  const queue = new Bull('jobs', {
    prefix: redis.prefix,
    createClient: (type) => (type === 'client' ? redis.client : type === 'subscriber' ? redis.subscriber : blocking),
    defaultJobOptions: REMOVED_AT_END,
    // A job of a node that died runs elsewhere. The lock in PostgreSQL decides whether it may.
    settings: {
      lockDuration: 60_000,
      stalledInterval: 60_000,
      maxStalledCount: 1000,
      guardInterval: GUARD_INTERVAL_MS,
    },
  })
  // Workers are never listed by name, and Bull leaves a failure of the naming unhandled, which ends the process: when it stops before
  // Redis was reached (its `lib/worker.js`).
  Object.assign(queue, { setWorkerName: async () => {} })
  queue.on('error', (error) => log.debug({ reason: error.message }, 'Bull reported an error.'))
  // One handler for all names. One for each would block a connection for each.
  queue
    .process('*', concurrency, ({ name, opts }) => {
      Object.assign(opts, REMOVED_AT_END)
      return onJob(name)
    })
    .catch((error: Error) => {
      if (!isClosed) log.error({ reason: error.message }, 'The queue takes no jobs; they run when they are overdue.')
    })

  return {
    get isUsable() {
      return redis.client.status === 'ready'
    },
    async add(name, id) {
      await queue.add(name, {}, { jobId: id })
    },
    async close() {
      isClosed = true
      // A look that is under way would set its timer after the close, and keep the process alive for that long.
      const { settings } = queue as unknown as { settings: Bull.AdvancedSettings }
      settings.guardInterval = 0
      // Bull connects it once more to end its blocking command, and leaves a failure of that unhandled while a job runs.
      const connect = blocking.connect.bind(blocking)
      blocking.connect = () => {
        const connected = connect()
        connected.catch(() => {})
        return connected
      }
      await bounded(queue.close())
      // While Redis is away the close of Bull goes on, and its timers would keep the process alive.
      void (queue as unknown as { _clearTimers(): Promise<void> })._clearTimers()
      blocking.disconnect()
    },
  }
}

/** Waits for work that Redis may leave unanswered. */
function bounded(work: Promise<unknown>): Promise<unknown> {
  const nothing = () => {}
  return withTimeLimit(work.catch(nothing), CLOSE_MAX_MS, nothing)
}
