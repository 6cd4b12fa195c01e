/** Drives the bulk jobs of the cluster: claims instances at the pace of each job, and changes a few at once. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BulkJobRow } from '../../schemas/ports/bulk-jobs.js'
import type { BulkFacts, BulkWork, ChangeInstance, ClaimedTarget } from './bulk-ports.js'

/** Time between two looks for new jobs, and for instances whose next attempt is due. */
const POLL_MS = 1_000
/** Minimum time between two claims of one job. A quick pace claims several at once. */
const CLAIM_EVERY_MS = 200
/** Maximum of changes of one job that are under way. */
const AT_ONCE = 20
/** The same for tags, which only need the database and share its connections with all calls. */
const TAGS_AT_ONCE = 3
const ATTEMPTS_MAX = 5
const RETRY_MS = 5_000
const MINUTE_MS = 60_000

/** Runs all jobs until none is left or the signal aborts. @throws the error of the store, when no change is under way */
export async function runBulkJobs(work: BulkWork, change: ChangeInstance, signal: AbortSignal): Promise<void> {
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  const running = new Map<string, Promise<void>>()
  const errors: unknown[] = []
  const start = (job: BulkJobRow): void => {
    const run = new JobRun(work, change, job, ended).run().catch((error: unknown) => {
      errors.push(error)
      failed.abort()
    })
    running.set(
      job.id,
      run.finally(() => running.delete(job.id)),
    )
  }
  try {
    await work.failLeft()
    while (!ended.aborted) {
      for (const job of await work.adopt()) start(job)
      if (running.size === 0) break
      await Promise.race([...running.values(), wait(POLL_MS, ended)])
    }
  } finally {
    failed.abort()
    await Promise.all(running.values())
  }
  if (errors.length > 0) throw errors[0]
}

class JobRun {
  readonly #work: BulkWork
  readonly #change: ChangeInstance
  readonly #job: BulkJobRow
  readonly #ended: AbortSignal
  readonly #atOnce: number
  readonly #underWay = new Set<Promise<void>>()
  #error: unknown

  constructor(work: BulkWork, change: ChangeInstance, job: BulkJobRow, ended: AbortSignal) {
    this.#work = work
    this.#change = change
    this.#job = job
    this.#ended = ended
    this.#atOnce = job.action === 'tag' ? TAGS_AT_ONCE : AT_ONCE
  }

  async run(): Promise<void> {
    try {
      while (!this.#ended.aborted && this.#error === undefined && (await this.#step()));
    } finally {
      await Promise.all(this.#underWay)
    }
    if (this.#error !== undefined) throw this.#error
  }

  /** Begins the next changes and waits as the pace demands. Returns false when the job is over or another run has it. */
  async #step(): Promise<boolean> {
    const { id, action, perMinute } = this.#job
    const everyMs = action === 'tag' ? 0 : MINUTE_MS / perMinute
    const room = this.#atOnce - this.#underWay.size
    const limit = everyMs === 0 ? room : Math.min(room, Math.max(1, Math.floor(CLAIM_EVERY_MS / everyMs)))
    const targets = await this.#work.claim(id, limit)
    if (targets.length === 0) {
      if (!(await this.#work.isOurs(id))) return false
      await this.#waitForOne(POLL_MS)
      return true
    }
    const facts = await this.#work.facts(this.#job, targets)
    for (const target of targets) this.#begin(target, facts.get(target.instance))
    if (everyMs > 0) await wait(targets.length * everyMs, this.#ended)
    if (this.#underWay.size >= this.#atOnce) await Promise.race(this.#underWay)
    return true
  }

  #begin(target: ClaimedTarget, facts: BulkFacts | undefined): void {
    const change = this.#settle(target, facts).catch((error: unknown) => {
      this.#error ??= error
    })
    const underWay = change.finally(() => this.#underWay.delete(underWay))
    this.#underWay.add(underWay)
  }

  async #settle(target: ClaimedTarget, facts: BulkFacts | undefined): Promise<void> {
    const result = await this.#change(this.#job, target, facts)
    const { position, attempts } = target
    if (result.isRetryable === true && attempts < ATTEMPTS_MAX)
      await this.#work.retry(this.#job.id, position, RETRY_MS * attempts, result)
    else await this.#work.settle(this.#job, position, result)
  }

  /** Waits until a change ends, or that long. */
  async #waitForOne(ms: number): Promise<void> {
    await Promise.race([...this.#underWay, wait(ms, this.#ended)])
  }
}

/** Waits that long, or until the signal aborts. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
