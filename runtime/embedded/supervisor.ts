/** Keeps one server running: when it dies it is started again, after a wait that grows, so that a full disk is no crash loop. */
import { backOffMs } from '../../schemas/back-off.js'
import type { Logger } from '../logging.js'
import type { RunningServer, ServerStatus } from './server.js'

export interface Supervisor {
  status(): ServerStatus
  /** End the server and stop watching it. */
  stop(): Promise<void>
}

export interface SuperviseOptions {
  readonly name: string
  /** Adopt a running server or start one; resolves when it answers. */
  readonly start: () => Promise<RunningServer>
  readonly logger: Logger
  readonly backoffMinMs?: number
  readonly backoffMaxMs?: number
}

/** A server that ran for so long had a good start; its next failure is a first one. */
const steadyAfterMs = 60_000

/** Resolves when the server answers for the first time; a first start that fails is thrown, later ones are tried again for good. */
export async function supervise(options: SuperviseOptions): Promise<Supervisor> {
  const { name, start, logger, backoffMinMs = 250, backoffMaxMs = 30_000 } = options
  let server: RunningServer | undefined = await start()
  let restarts = 0
  let isStopping = false
  const stopping = deferred()

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (!isStopping) {
      if (server !== undefined) {
        const startedAt = performance.now()
        await Promise.race([server.ended, stopping.promise])
        if (isStopping) return
        if (performance.now() - startedAt > steadyAfterMs) failures = 0
        logger.error({ server: name, pid: server.pid }, 'embedded server ended, it is started again')
        server = undefined
      }
      await wait(backOffMs(failures, backoffMinMs, backoffMaxMs), stopping.promise)
      if (isStopping) return
      failures += 1
      try {
        server = await start()
        restarts += 1
        logger.info({ server: name, pid: server.pid, restarts }, 'embedded server runs again')
      } catch (error) {
        logger.error({ server: name, err: error, failures }, 'embedded server did not start, tried again later')
      }
    }
  }

  logger.info({ server: name, pid: server.pid, adopted: server.adopted }, 'embedded server runs')
  const keeping = keepRunning()

  return {
    status: () => ({
      state: isStopping ? 'stopped' : server === undefined ? 'waiting' : 'running',
      pid: server?.pid,
      adopted: server?.adopted ?? false,
      restarts,
    }),
    async stop() {
      isStopping = true
      stopping.resolve()
      // A start that is under way is waited for: its server must end too.
      await keeping
      await server?.stop()
    },
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function wait(ms: number, orUntil: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
    timer.unref()
  })
  await Promise.race([elapsed, orUntil])
  clearTimeout(timer)
}
