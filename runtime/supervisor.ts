/** Starts the processes of NODE_PROCESSES and the embedded servers that they share, and ends them in order. */
import { fileURLToPath } from 'node:url'
import { checkAddress } from '../api/listen-errors.js'
import { packageVersion } from '../lib/package-root.js'
import { OperatorError } from '../schemas/operator-error.js'
import { startGroupWatchdog } from './cluster/watchdog/group-watchdog.js'
import { loadSecrets } from './config/secrets.js'
import { type Config, readConfig } from './config.js'
import { databasePlace } from './connect/database-place.js'
import { redisPlace } from './connect/redis-place.js'
import { type Embedded, startEmbedded } from './embedded/start.js'
import { createLifecycle, type Lifecycle, LifecycleStopped } from './lifecycle.js'
import { createLogger, isPretty, type Logger, logDestination } from './logging.js'
import { healthSocket, makePeerFolder, removePeerFolder } from './processes/peer-folder.js'
import { processCount } from './processes/process-count.js'
import { createProcessGroup } from './processes/process-group.js'
import { readableStack } from './readable-stack.js'
import { UNSHARED_CONNECTIONS } from './store/database.js'

/** Time of a process beyond its own limit, before it is killed. */
const BEYOND_LIMIT_MS = 1_000
/** Time for the embedded servers, after the processes. */
const AFTER_PROCESSES_MS = 4_000

/** For jobs of PostgreSQL and people. */
const SPARE_CONNECTIONS = 15
const CONNECTIONS_MIN = 100

/** In log lines, where the processes are 1, 2 and so on. */
const SUPERVISOR = 0

const program = fileURLToPath(new URL('./node-process.js', import.meta.url))

async function supervise(config: Config, count: number): Promise<void> {
  const logger = createLogger(config.logging, await logDestination(config.logging), { process: SUPERVISOR })
  const { http, cluster } = config
  const stopTimeoutMs = cluster.shutdownTimeoutMs + BEYOND_LIMIT_MS
  let areAllInOrder = true
  const life = createLifecycle({
    logger,
    shutdownTimeoutMs: stopTimeoutMs + AFTER_PROCESSES_MS,
    exit: (code) => process.exit(code === 0 && !areAllInOrder ? 1 : code),
  })
  life.handleProcessEvents()
  try {
    await checkAddress({ host: http.host, port: http.port, hostSetting: 'HOST', portSetting: 'PORT' })
    if (cluster.healthPort > 0)
      await checkAddress({
        host: http.host,
        port: cluster.healthPort,
        hostSetting: 'HOST',
        portSetting: 'HEALTH_PORT',
      })
    const embedded = await startServers(config, count, life, logger)
    // Made here, once, while no process looks for them.
    const { isAdminTokenNew } = loadSecrets(config)
    const peerFolder = await life.start(
      'folder of sockets',
      async () => makePeerFolder(),
      async (folder) => {
        if (folder !== undefined) removePeerFolder(folder)
      },
    )
    if (cluster.healthPort > 0) await startHealth(config, count, peerFolder, life, logger)
    const group = createProcessGroup({
      count,
      program,
      args: process.argv.slice(2),
      describePlace: (ofGroup) => ({
        ...ofGroup,
        isAdminTokenNew,
        ...(peerFolder === undefined ? {} : { peerFolder }),
        ...(config.database.url === undefined ? { database: embedded.database } : {}),
        ...(redisPlace(config.redis) === undefined ? { redis: embedded.redis } : {}),
      }),
      stopTimeoutMs,
      logger,
      onListening: ({ url, host, port }) =>
        logger.info({ url, host, port, processes: count, version: packageVersion }, 'The API listens.'),
      onFailedStart: (code) => void life.stop('a process did not start').finally(() => process.exit(code)),
    })
    life.onFatal(() => group.kill())
    await life.start(
      'processes',
      () => group.start(),
      async () => {
        areAllInOrder = await group.stop('the supervisor stops')
      },
      { stopTimeoutMs: stopTimeoutMs + BEYOND_LIMIT_MS },
    )
  } catch (error) {
    if (error instanceof LifecycleStopped) return
    await life.stop('the start failed')
    throw error
  }
}

/** Answers probes for all processes, which the machine that probes cannot reach one by one. */
async function startHealth(
  { http, cluster, logging }: Config,
  count: number,
  peerFolder: string | undefined,
  life: Lifecycle,
  logger: Logger,
): Promise<void> {
  const settings = {
    reportMs: cluster.blockedReportMs,
    endMs: cluster.timing.mainSilenceMs,
    health: { host: http.host, port: cluster.healthPort },
    logFields: { process: SUPERVISOR },
    isPretty: isPretty(logging),
  }
  const sockets =
    peerFolder === undefined ? [] : Array.from({ length: count }, (_, before) => healthSocket(peerFolder, before + 1))
  await life.start(
    'watchdog',
    () =>
      startGroupWatchdog({ settings, sockets }, (err) =>
        logger.error({ err }, 'The watchdog failed. Nothing answers on HEALTH_PORT.'),
      ),
    (watchdog) => watchdog.close(),
  )
}

function startServers(config: Config, count: number, life: Lifecycle, logger: Logger): Promise<Embedded> {
  const needed = count * (config.database.poolMax + UNSHARED_CONNECTIONS) + SPARE_CONNECTIONS
  return life.start(
    'embedded servers',
    () =>
      startEmbedded({
        dataDir: config.data.dir,
        database: databasePlace(config.database),
        redis: redisPlace(config.redis),
        logger: logger.child({ part: 'embedded' }),
        postgresSettings: { max_connections: String(Math.max(CONNECTIONS_MIN, needed)) },
      }),
    (servers) => servers.stop(),
    { stopTimeoutMs: 20_000 },
  )
}

try {
  const config = readConfig(process.env)
  const count = processCount(config.cluster.processes)
  // On one core `auto` needs no supervisor.
  if (count === 1) await import(new URL('./node-process.js', import.meta.url).href)
  else await supervise(config, count)
} catch (error) {
  const text = error instanceof OperatorError ? error.message : readableStack(String((error as Error).stack ?? error))
  process.stderr.write(`${text}\n`, () => process.exit(1))
}
