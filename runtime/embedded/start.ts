/** The private servers of a gateway that was given none: PostgreSQL and Redis, on unix sockets in the data folder. */
import path from 'node:path'
import { backOffMs } from '../../lib/back-off.js'
import { OperatorError } from '../../schemas/operator-error.js'
import type { DatabasePlace } from '../connect/database-place.js'
import { type RedisPlace, redisAt } from '../connect/redis-place.js'
import type { Logger } from '../logging.js'
import { prepareDataFolder } from './data-folder.js'
import { type FolderLock, lockFolder } from './folder-lock.js'
import { type PostgresServerOptions, preparePostgres, startPostgres } from './postgres.js'
import { findPostgres } from './postgres-binaries.js'
import { choosePostgresUser } from './postgres-user.js'
import { startRedis } from './redis.js'
import { findRedis } from './redis-binary.js'
import { embeddedDatabase, postgresSockets, redisSocket } from './server-places.js'
import type { RunningServer, ServerStatus } from './server-process.js'
import { socketFolder } from './socket-folder.js'

export interface EmbeddedOptions {
  /** Absolute; made when it does not exist. Not touched when both servers are given. */
  readonly dataDir: string
  /** An external PostgreSQL, instead of ours. */
  readonly database?: DatabasePlace | undefined
  /** An external Redis, instead of ours. */
  readonly redis?: RedisPlace | undefined
  readonly logger: Logger
  /** A folder with `postgres` and `initdb`, instead of those that came with npm. */
  readonly postgresBinaries?: string | undefined
  /** PostgreSQL settings over ours, such as `{ fsync: 'off' }` in tests. */
  readonly postgresSettings?: Readonly<Record<string, string>> | undefined
}

export interface Embedded {
  readonly database: DatabasePlace
  readonly redis: RedisPlace
  /** Undefined for a server that is not ours. */
  status(): { readonly postgres: ServerStatus | undefined; readonly redis: ServerStatus | undefined }
  /** End our servers in order (PostgreSQL by a fast shutdown) and release the data folder. */
  stop(): Promise<void>
}

/**
 * Start, or adopt, what was not given. A gateway that was killed leaves its servers running; the next one on the same
 * folder takes them over. A server that dies later is started again, with a growing wait; meanwhile its callers see errors.
 * @throws OperatorError when the folder is in use or not ours, or a server cannot run here: a sentence that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, database: givenDatabase, redis: givenRedis, logger } = options
  if (givenDatabase !== undefined && givenRedis !== undefined) return external(givenDatabase, givenRedis)
  refuseWindows(givenDatabase, givenRedis)
  prepareDataFolder(dataDir)
  const lock = lockFolder(dataDir)
  const sockets = socketFolder(dataDir)
  const [postgres, redis] = await Promise.allSettled([
    givenDatabase === undefined ? supervisePostgres(options, sockets) : undefined,
    givenRedis === undefined ? superviseRedis(dataDir, sockets, logger) : undefined,
  ])
  const supervisors = [postgres, redis].flatMap((start) =>
    start.status === 'fulfilled' && start.value ? [start.value] : [],
  )
  const failed = [postgres, redis].find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await stopAll(supervisors, lock)
    throw failed.reason
  }
  const [postgresSupervisor, redisSupervisor] = [fulfilled(postgres), fulfilled(redis)]
  let stopped: Promise<void> | undefined
  return {
    database: givenDatabase ?? embeddedDatabase(sockets),
    redis: givenRedis ?? redisAt(redisSocket(sockets)),
    status: () => ({ postgres: postgresSupervisor?.status(), redis: redisSupervisor?.status() }),
    stop() {
      stopped ??= stopAll(supervisors, lock)
      return stopped
    },
  }
}

/** @throws OperatorError that names everything that is missing on Windows, where neither server can be embedded */
function refuseWindows(database: DatabasePlace | undefined, redis: RedisPlace | undefined): void {
  if (process.platform !== 'win32') return
  const missing = [...(database === undefined ? ['DATABASE_URL'] : []), ...(redis === undefined ? ['REDIS_URL'] : [])]
  throw new OperatorError(
    `Posthorn brings no PostgreSQL and Redis for Windows. Set ${missing.join(' and ')} to servers of yours, or run it in WSL or as a container, where it brings both.`,
  )
}

async function supervisePostgres(options: EmbeddedOptions, sockets: string): Promise<Supervisor> {
  const place = await findPostgresPlace(options, sockets)
  await preparePostgres(place)
  return await supervise({ name: 'PostgreSQL', start: () => startPostgres(place), logger: options.logger })
}

/** Returns how PostgreSQL is started in this data folder. */
export async function findPostgresPlace(
  options: Pick<EmbeddedOptions, 'dataDir' | 'postgresBinaries' | 'postgresSettings'>,
  sockets: string,
): Promise<PostgresServerOptions> {
  const { dataDir } = options
  const folder = path.join(dataDir, 'postgresql')
  const found = await findPostgres({
    folder: options.postgresBinaries,
    librariesFolder: path.join(dataDir, 'postgresql-libraries'),
  })
  return {
    folder,
    socketFolder: postgresSockets(sockets),
    logFile: path.join(dataDir, 'postgresql.log'),
    ...(await choosePostgresUser(dataDir, sockets, folder, found)),
    settings: options.postgresSettings,
  }
}

async function superviseRedis(dataDir: string, sockets: string, logger: Logger): Promise<Supervisor> {
  const place = {
    folder: path.join(dataDir, 'redis'),
    socket: redisSocket(sockets),
    logFile: path.join(dataDir, 'redis.log'),
    binary: await findRedis(dataDir, logger),
  }
  return await supervise({ name: 'Redis', start: () => startRedis(place), logger })
}

async function stopAll(supervisors: readonly Supervisor[], lock: FolderLock): Promise<void> {
  const results = await Promise.allSettled(supervisors.map((supervisor) => supervisor.stop()))
  lock.release()
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function external(database: DatabasePlace, redis: RedisPlace): Embedded {
  return {
    database,
    redis,
    status: () => ({ postgres: undefined, redis: undefined }),
    stop: () => Promise.resolve(),
  }
}

function fulfilled<T>(result: PromiseSettledResult<T | undefined>): T | undefined {
  return result.status === 'fulfilled' ? result.value : undefined
}

// Keeps one server running: when it dies it is started again, after a wait that grows, so that a full disk is no crash loop.

interface Supervisor {
  status(): ServerStatus
  /** End the server and stop watching it. */
  stop(): Promise<void>
}

interface SuperviseOptions {
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
async function supervise(options: SuperviseOptions): Promise<Supervisor> {
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
