import Bull from 'bull'
import type { Logger } from 'pino'
import { withTimeLimit } from '../../schemas/time-limit.js'
import type { QueueConnections } from './connections.js'

interface Job {
  readonly lane: string
}

export interface JobQueueOptions {
  readonly redis: QueueConnections
  readonly kind: string
  /** Maximum of jobs that are taken at once. */
  readonly concurrency: number
  /** Called when a job has come. The job is done when the promise resolves. */
  readonly onJob: (lane: string) => Promise<void>
  /** Called when the blocking connection, over which jobs come, is ready. */
  readonly onBlockingReady: () => void
  readonly isClosed: () => boolean
  readonly log: Logger
}

/** Time between two looks of Bull for delayed jobs, of which there are none. */
const GUARD_INTERVAL_MS = 60_000
const CLOSE_MAX_MS = 2000

/** The jobs of one queue in Redis: each job is the name of a lane. */
export class JobQueue {
  readonly #redis: QueueConnections
  readonly #blocking: ReturnType<QueueConnections['blocking']>
  readonly #queue: Bull.Queue<Job>

  constructor({ redis, kind, concurrency, onJob, onBlockingReady, isClosed, log }: JobQueueOptions) {
    this.#redis = redis
    const blocking = redis.blocking()
    this.#blocking = blocking
    this.#queue = new Bull<Job>(kind, {
      prefix: redis.prefix,
      createClient: (type) => (type === 'client' ? redis.client : type === 'subscriber' ? redis.subscriber : blocking),
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      // The sweep finds a lane that stalls with its process. Bull's own recovery may try as often as it likes.
      settings: {
        lockDuration: 60_000,
        stalledInterval: 60_000,
        maxStalledCount: 1000,
        guardInterval: GUARD_INTERVAL_MS,
      },
    })
    // Workers are never listed by name, and Bull leaves a failure of the naming unhandled, which ends the process: when it stops before
    // Redis was reached (its `lib/worker.js`).
    Object.assign(this.#queue, { setWorkerName: async () => {} })
    this.#queue.on('error', (error) => log.debug({ reason: error.message }, 'Bull reported an error.'))
    this.#queue
      .process(concurrency, ({ data }) => onJob(data.lane))
      .catch((error: Error) => {
        if (!isClosed()) log.error({ reason: error.message }, 'The queue does not process jobs; lanes run from memory.')
      })
    blocking.on('ready', onBlockingReady)
  }

  async add(lanes: readonly string[]): Promise<void> {
    await this.#queue.addBulk(lanes.map((lane) => ({ data: { lane } })))
  }

  /** Removes the waiting jobs, since nothing may stay in Redis for a node that is gone. The next sweep finds their lanes. */
  async close(): Promise<void> {
    if (this.#redis.client.status === 'ready') await bounded(this.#queue.empty())
    // A look that is under way would set its timer after the close, and keep the process alive for that long.
    const { settings } = this.#queue as unknown as { settings: Bull.AdvancedSettings }
    settings.guardInterval = 0
    await bounded(this.#queue.close())
    this.#blocking.disconnect()
  }
}

/** Waits for work that Redis may leave unanswered. */
function bounded(work: Promise<unknown>): Promise<unknown> {
  const nothing = () => {}
  return withTimeLimit(work.catch(nothing), CLOSE_MAX_MS, nothing)
}
