/**
 * Runs the work that the cluster shares, on any node, each kind on one node at a time.
 *
 * PostgreSQL knows when each job is due. Every node reads that from time to time and offers the due ones to all nodes over Bull; one node takes
 * each, and runs it under a lock in PostgreSQL. So Bull decides where a job runs and nothing else:
 * - Redis lost the job: it is still due, and the next look offers it again.
 * - two nodes offer one job, or an old job comes late: it has one id for each due time, and what is not due is not run.
 * - Redis is away, or brings a job to nobody who can run it: the node that sees it overdue runs it itself.
 * - the node dies: the lock ends with its connection, and the job is due again soon.
 */

import Bull from 'bull'
import type { Logger } from 'pino'
import { withTimeLimit } from '../../lib/time-limit.js'
import { asWork, type GivenUpWork } from '../../schemas/work.js'
import type { QueueConnections } from './connections.js'
import type { ClusterJobStore, JobOutcome, JobState, Processor } from './processor.js'

export interface ClusterJobsOptions {
  readonly redis: QueueConnections
  readonly store: ClusterJobStore
  readonly processors: readonly Processor[]
  /** Jobs that have blocked nodes until they ended themselves. */
  readonly blocked?: GivenUpWork
  /** Time between two looks at what is due. Default 30 s. */
  readonly lookEveryMs?: number
  /** Time after which a due job runs on the node that sees it, if Redis is connected. Default 2 minutes. */
  readonly overdueMs?: number
  readonly logger: Logger
}

export interface ClusterJobs {
  /** Makes a job due now, at the earliest `minGapMs` after its last run began, and offers it to all nodes. */
  request(name: string, minGapMs?: number): Promise<void>
  /** Looks now at what is due: after a transaction that requested a job. */
  lookNow(): Promise<void>
  /** State of each job, as of the last look, at most a minute ago. */
  states(): readonly JobState[]
  counts(): readonly JobCount[]
  /** Takes no more jobs, aborts those under way and waits for them. */
  close(): Promise<void>
}

export interface JobCount {
  readonly name: string
  readonly outcome: 'done' | 'failed'
  readonly count: number
}

const LOOK_EVERY_MS = 30_000
const OVERDUE_MS = 2 * 60_000
const RETRY_MS = 5 * 60_000
const BLOCKED_TWICE = 'The job blocked its node until it ended itself, twice.'
/** Maximum of jobs that a node runs at once. A long one must not keep the others waiting on a node that is alone. */
const AT_ONCE = 8

export function createClusterJobs(options: ClusterJobsOptions): ClusterJobs {
  return new SharedJobs(options)
}

class SharedJobs implements ClusterJobs {
  readonly #options: ClusterJobsOptions
  readonly #log: Logger
  readonly #queue: JobQueue
  readonly #ended = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  readonly #counts = new Map<string, { name: string; outcome: JobCount['outcome']; count: number }>()
  readonly #onRedisReady = (): void => void this.lookNow()
  readonly #timer: NodeJS.Timeout
  #states: readonly JobState[] = []
  #looking = Promise.resolve()
  #nextLook: Promise<void> | undefined

  constructor(options: ClusterJobsOptions) {
    this.#options = options
    this.#log = options.logger.child({ part: 'jobs' })
    // A counter that begins with its first failure shows no increase.
    for (const { name } of options.processors)
      for (const outcome of ['done', 'failed'] as const)
        this.#counts.set(`${name} ${outcome}`, { name, outcome, count: 0 })
    this.#queue = createJobQueue({
      redis: options.redis,
      concurrency: AT_ONCE,
      onJob: (name) => this.#run(name),
      log: this.#log,
    })
    options.redis.client.on('ready', this.#onRedisReady)
    const { lookEveryMs = LOOK_EVERY_MS } = options
    this.#timer = setInterval(() => void this.lookNow(), lookEveryMs * (0.9 + Math.random() * 0.2))
    void this.lookNow()
  }

  async request(name: string, minGapMs?: number): Promise<void> {
    await this.#options.store.request(name, minGapMs)
    await this.lookNow()
  }

  /** Looks one after the other. Calls during a look cause one further look. */
  lookNow(): Promise<void> {
    this.#nextLook ??= this.#looking.then(() => {
      this.#nextLook = undefined
      return this.#look()
    })
    this.#looking = this.#nextLook
    return this.#nextLook
  }

  states(): readonly JobState[] {
    return this.#states
  }

  counts(): readonly JobCount[] {
    return [...this.#counts.values()]
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#options.redis.client.off('ready', this.#onRedisReady)
    this.#ended.abort(new Error('The node stops.'))
    await this.#looking
    await Promise.all(this.#running.values())
    await this.#queue.close()
  }

  async #look(): Promise<void> {
    const { store, processors, overdueMs = OVERDUE_MS } = this.#options
    if (this.#ended.signal.aborted) return
    try {
      this.#states = await store.read(processors)
      const due = this.#states.filter(({ name, isDue }) => isDue && !this.#running.has(name))
      for (const job of due) {
        if (this.#queue.isUsable && job.overdueMs < overdueMs) this.#offer(job)
        else void this.#run(job.name)
      }
    } catch (error) {
      if (!this.#ended.signal.aborted)
        this.#log.warn({ err: error }, 'The jobs that are due could not be read; tried again soon.')
    }
  }

  #offer({ name, due }: JobState): void {
    // Redis may never answer. The job is overdue then.
    this.#queue.add(name, `${name}@${due}`).catch((error: Error) => {
      if (!this.#ended.signal.aborted) this.#log.debug({ name, reason: error.message }, 'Redis did not take a job.')
    })
  }

  /** Runs a job here, unless it runs already or is not due. Does nothing for a kind that this node does not know. */
  #run(name: string): Promise<void> {
    const processor = this.#options.processors.find((known) => known.name === name)
    if (processor === undefined || this.#ended.signal.aborted) return Promise.resolve()
    const running = this.#running.get(name) ?? this.#runOnce(processor)
    this.#running.set(name, running)
    return running
  }

  /** Runs a job. Looks at what is due afterwards if it was requested meanwhile. */
  async #runOnce(processor: Processor): Promise<void> {
    const outcome = await this.#runAlone(processor)
    this.#running.delete(processor.name)
    if (outcome?.nextMs === 0) void this.lookNow()
  }

  async #runAlone(processor: Processor): Promise<JobOutcome | null> {
    try {
      return await this.#options.store.runAlone(processor, (lost) => this.#attempt(processor, lost))
    } catch (error) {
      if (!this.#ended.signal.aborted)
        this.#log.warn({ name: processor.name, err: error }, 'The store did not let a job run; tried again soon.')
      return null
    }
  }

  async #attempt({ name, everyMs, retryMs = RETRY_MS, run }: Processor, lost: AbortSignal): Promise<JobOutcome> {
    const beganMs = performance.now()
    const signal = AbortSignal.any([this.#ended.signal, lost])
    const usualMs = everyMs === null ? null : everyMs * (0.9 + Math.random() * 0.1)
    const { blocked } = this.#options
    const work = { kind: 'job', operation: name, feature: 'cluster', instance: '', id: name } as const
    try {
      // The next run gets another two attempts: a job is about other rows then.
      if (await blocked?.isGivenUp(work)) {
        blocked?.forget(work)
        this.#count(name, 'failed')
        this.#log.error({ name }, 'A job blocked its node twice and is given up until its next time.')
        return { nextMs: usualMs, failure: BLOCKED_TWICE }
      }
      const { nextMs, result } = await asWork(work, () => run(signal))
      // A run that was cut short is to be done by another node, now.
      if (signal.aborted) return { nextMs: 0 }
      this.#count(name, 'done')
      this.#log.debug({ name, tookMs: Math.round(performance.now() - beganMs) }, 'A job was done.')
      return { nextMs: nextMs ?? usualMs, result }
    } catch (error) {
      if (signal.aborted) return { nextMs: 0 }
      this.#count(name, 'failed')
      this.#log.warn({ name, err: error }, 'A job failed; tried again later.')
      const failure = error instanceof Error ? error.message : String(error)
      return { nextMs: Math.min(retryMs, everyMs ?? retryMs), failure: failure.slice(0, 500) }
    }
  }

  #count(name: string, outcome: JobCount['outcome']): void {
    const key = `${name} ${outcome}`
    const { count } = this.#counts.get(key) ?? { count: 0 }
    this.#counts.set(key, { name, outcome, count: count + 1 })
  }
}

interface JobQueueOptions {
  readonly redis: QueueConnections
  /** Maximum of jobs that this node takes at once. */
  readonly concurrency: number
  /** Called when a job has come. The job is done when the promise resolves. */
  readonly onJob: (name: string) => Promise<void>
  readonly log: Logger
}

interface JobQueue {
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
