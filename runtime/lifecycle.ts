/** The life of the process. Parts start in order and stop in reverse. Signals and fatal errors lead to the same end. */
import { withTimeLimit } from '../lib/time-limit.js'
import type { Logger } from './logging.js'

/** Part of the time of a shutdown that is kept for the stop of the parts, after the drain. */
export const AFTER_DRAIN_MS = 8_000

export interface StartOptions {
  readonly startTimeoutMs?: number
  readonly stopTimeoutMs?: number
}

export interface Lifecycle {
  /**
   * Starts a part after those before it. Calls its `stop`, with the result of `start`, before theirs.
   * If the process is stopped meanwhile, the part is stopped again.
   * @throws LifecycleStopped, the error of `start`, or an error that names the part when it takes too long
   */
  start<T>(
    name: string,
    start: () => Promise<T> | T,
    stop?: (part: T) => Promise<void> | void,
    options?: StartOptions,
  ): Promise<T>
  /** Calls the hook synchronously, before anything else, when the process must end at once. Sockets are destroyed there, so that no frame leaves. */
  onFatal(hook: () => void): void
  /** Stops every part, the last one first. Never throws: logs and passes over a part that fails or takes too long. */
  stop(reason: string): Promise<void>
  /** Stops every part and exits 0. Does nothing more when that is under way. */
  end(reason: string): void
  /**
   * Makes SIGTERM, SIGINT and SIGHUP stop in order and exit 0, a second signal exit 1 at once, and an uncaught error exit 1.
   * A supervised process ignores SIGINT and SIGHUP, which a terminal sends to it too: its supervisor tells it when to stop.
   */
  handleProcessEvents(options?: { readonly isSupervised: boolean }): void
  /** Runs the fatal hooks, logs `error`, stops the parts that stop in a short time, and exits 1. */
  fail(error: unknown): void
  readonly isStopping: boolean
  /** True once the fatal hooks have begun. */
  readonly isFatal: boolean
}

export class LifecycleStopped extends Error {
  constructor(name: string) {
    super(`The process was stopped while ${name} started.`)
    this.name = 'LifecycleStopped'
  }
}

export interface LifecycleOptions {
  readonly logger: Logger
  /** Maximum time of the whole stop. Parts that are left then are abandoned. */
  readonly shutdownTimeoutMs: number
  /** Ends the process. Tests give their own. */
  readonly exit?: (code: number) => void
}

/** Maximum time of a part to start. */
export const startTimeoutDefaultMs = 120_000
const stopTimeoutDefaultMs = 10_000
const fatalTimeoutMs = 3_000

interface StartedPart {
  readonly name: string
  readonly stop: () => Promise<void> | void
  readonly stopTimeoutMs: number
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  return new ProcessLife(options)
}

class ProcessLife implements Lifecycle {
  readonly #logger: Logger
  readonly #shutdownTimeoutMs: number
  readonly #exit: (code: number) => void
  readonly #started: StartedPart[] = []
  readonly #fatalHooks: Array<() => void> = []
  #stopping: Promise<void> | undefined
  #hasFailed = false
  #isFatal = false
  #hasHungUp = false

  constructor({ logger, shutdownTimeoutMs, exit = (code) => process.exit(code) }: LifecycleOptions) {
    this.#logger = logger
    this.#shutdownTimeoutMs = shutdownTimeoutMs
    this.#exit = exit
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  get isFatal(): boolean {
    return this.#isFatal
  }

  async start<T>(
    name: string,
    startPart: () => Promise<T> | T,
    stopPart?: (part: T) => Promise<void> | void,
    { startTimeoutMs = startTimeoutDefaultMs, stopTimeoutMs = stopTimeoutDefaultMs }: StartOptions = {},
  ): Promise<T> {
    if (this.isStopping) throw new LifecycleStopped(name)
    const begunAt = performance.now()
    const part = await within(startTimeoutMs, `Starting ${name}`, startPart())
    this.#logger.debug({ part: name, tookMs: Math.round(performance.now() - begunAt) }, 'Part started.')
    if (stopPart !== undefined) this.#started.push({ name, stop: () => stopPart(part), stopTimeoutMs })
    if (this.isStopping) {
      await this.#stopStarted()
      throw new LifecycleStopped(name)
    }
    return part
  }

  onFatal(hook: () => void): void {
    this.#fatalHooks.push(hook)
  }

  stop(reason: string): Promise<void> {
    this.#stopping ??= this.#stopAll(reason)
    return this.#stopping
  }

  fail(error: unknown): void {
    if (this.#hasFailed) {
      this.#exit(1)
      return
    }
    this.#hasFailed = true
    this.#runFatalHooks()
    this.#logger.fatal({ err: error }, 'Fatal error: the process ends.')
    const timer = setTimeout(() => this.#exit(1), fatalTimeoutMs)
    void this.stop('fatal error').finally(() => {
      clearTimeout(timer)
      this.#exit(1)
    })
  }

  end(reason: string): void {
    if (this.isStopping) return
    void this.stop(reason).finally(() => this.#exit(0))
  }

  handleProcessEvents({ isSupervised } = { isSupervised: false }): void {
    if (isSupervised) {
      process.on('SIGINT', () => {})
      // A manager of services, such as systemd, sends it to all processes, beside the word of the supervisor.
      process.once('SIGTERM', () => {
        this.end('SIGTERM')
        process.on('SIGTERM', () => this.#onSignal('SIGTERM'))
      })
    } else for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal))
    process.on('SIGHUP', () => {
      // A terminal that is closed may send it twice.
      if (!isSupervised && !this.#hasHungUp) this.end('SIGHUP')
      this.#hasHungUp = true
    })
    process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
      // Lines for a terminal that is gone.
      if (this.#hasHungUp && (error.code === 'EIO' || error.code === 'EPIPE')) return
      this.fail(error)
    })
    process.on('unhandledRejection', (error) => this.fail(error))
  }

  #onSignal(signal: string): void {
    if (this.isStopping) {
      this.#logger.warn({ signal }, 'Second signal: the process ends at once.')
      this.#runFatalHooks()
      this.#exit(1)
      return
    }
    this.end(signal)
  }

  #runFatalHooks(): void {
    this.#isFatal = true
    for (const hook of this.#fatalHooks) {
      try {
        hook()
      } catch (error) {
        this.#logger.error({ err: error }, 'Fatal hook failed.')
      }
    }
  }

  async #stopAll(reason: string): Promise<void> {
    this.#logger.info({ reason }, 'Stopping.')
    await within(this.#shutdownTimeoutMs, 'Stopping', this.#stopStarted()).catch((error: unknown) => {
      this.#logger.error({ err: error }, 'Stopped before every part was done.')
    })
  }

  async #stopStarted(): Promise<void> {
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await within(part.stopTimeoutMs, `Stopping ${part.name}`, part.stop())
        this.#logger.debug({ part: part.name }, 'Part stopped.')
      } catch (error) {
        this.#logger.error({ part: part.name, err: error }, 'Part did not stop cleanly.')
      }
    }
  }
}

function within<T>(timeoutMs: number, what: string, work: Promise<T> | T): Promise<T> {
  return withTimeLimit(Promise.resolve(work), timeoutMs, () => {
    throw new Error(`${what} took longer than ${timeoutMs} ms.`)
  })
}
