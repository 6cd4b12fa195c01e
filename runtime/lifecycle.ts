/** The life of the process: parts start in order and stop in reverse; signals and fatal errors lead to the same end. */
import type { Logger } from './logging.js'

/** Of a shutdown, for what follows when everything was given to the other nodes, or could not be. */
export const AFTER_DRAIN_MS = 8_000

export interface StartOptions {
  readonly startTimeoutMs?: number
  readonly stopTimeoutMs?: number
}

export interface Lifecycle {
  /**
   * Start a part after those before it. Its `stop` is called, with what `start` gave, before theirs.
   * When the process is told to stop meanwhile, the part is stopped again and `LifecycleStopped` is thrown.
   * @throws what `start` throws, or an error that names the part when it takes too long
   */
  start<T>(
    name: string,
    start: () => Promise<T> | T,
    stop?: (part: T) => Promise<void> | void,
    options?: StartOptions,
  ): Promise<T>
  /** Called, synchronously, before anything else when the process must end at once: destroy sockets, so that no frame leaves. */
  onFatal(hook: () => void): void
  /** Stop every part, the last one first. Never throws: what fails or takes too long is logged and passed over. */
  stop(reason: string): Promise<void>
  /** SIGTERM or SIGINT stops in order and exits 0, a second one exits 1 at once; an uncaught error exits 1. */
  handleProcessEvents(): void
  /** Run the fatal hooks, log `error`, stop what can be stopped in a short time, exit 1. */
  fail(error: unknown): void
  readonly isStopping: boolean
}

export class LifecycleStopped extends Error {
  constructor(name: string) {
    super(`The process was told to stop while ${name} started`)
    this.name = 'LifecycleStopped'
  }
}

export interface LifecycleOptions {
  readonly logger: Logger
  /** For the whole stop; what is left then is abandoned. */
  readonly shutdownTimeoutMs: number
  /** Ends the process; a value in tests. */
  readonly exit?: (code: number) => void
}

/** A part that takes longer to start ends the process. */
export const startTimeoutDefaultMs = 120_000
const stopTimeoutDefaultMs = 10_000
const fatalTimeoutMs = 3_000

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { logger, shutdownTimeoutMs, exit = (code) => process.exit(code) } = options
  const started: Array<{ name: string; stop: () => Promise<void> | void; stopTimeoutMs: number }> = []
  const fatalHooks: Array<() => void> = []
  let stopping: Promise<void> | undefined
  let hasFailed = false

  async function start<T>(
    name: string,
    startPart: () => Promise<T> | T,
    stopPart?: (part: T) => Promise<void> | void,
    { startTimeoutMs = startTimeoutDefaultMs, stopTimeoutMs = stopTimeoutDefaultMs }: StartOptions = {},
  ): Promise<T> {
    if (stopping !== undefined) throw new LifecycleStopped(name)
    const begunAt = performance.now()
    const part = await within(startTimeoutMs, `Starting ${name}`, startPart())
    logger.debug({ part: name, tookMs: Math.round(performance.now() - begunAt) }, 'part started')
    if (stopPart !== undefined) started.push({ name, stop: () => stopPart(part), stopTimeoutMs })
    if (stopping !== undefined) {
      await stopStarted()
      throw new LifecycleStopped(name)
    }
    return part
  }

  async function stopStarted(): Promise<void> {
    for (let part = started.pop(); part !== undefined; part = started.pop()) {
      try {
        await within(part.stopTimeoutMs, `Stopping ${part.name}`, part.stop())
        logger.debug({ part: part.name }, 'part stopped')
      } catch (error) {
        logger.error({ part: part.name, err: error }, 'part did not stop cleanly')
      }
    }
  }

  function stop(reason: string): Promise<void> {
    stopping ??= (async () => {
      logger.info({ reason }, 'stopping')
      await within(shutdownTimeoutMs, 'Stopping', stopStarted()).catch((error: unknown) => {
        logger.error({ err: error }, 'stopped before every part was done')
      })
    })()
    return stopping
  }

  function fail(error: unknown): void {
    if (hasFailed) {
      exit(1)
      return
    }
    hasFailed = true
    runFatalHooks()
    logger.fatal({ err: error }, 'fatal error, the process ends')
    const timer = setTimeout(() => exit(1), fatalTimeoutMs)
    void stop('fatal error').finally(() => {
      clearTimeout(timer)
      exit(1)
    })
  }

  function runFatalHooks(): void {
    for (const hook of fatalHooks) {
      try {
        hook()
      } catch (error) {
        logger.error({ err: error }, 'fatal hook failed')
      }
    }
  }

  function handleProcessEvents(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping !== undefined) {
          logger.warn({ signal }, 'second signal, the process ends at once')
          runFatalHooks()
          exit(1)
          return
        }
        void stop(signal).finally(() => exit(0))
      })
    }
    process.on('uncaughtException', fail)
    process.on('unhandledRejection', fail)
  }

  return {
    start,
    stop,
    fail,
    handleProcessEvents,
    onFatal: (hook) => void fatalHooks.push(hook),
    get isStopping() {
      return stopping !== undefined
    },
  }
}

async function within<T>(timeoutMs: number, what: string, work: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
