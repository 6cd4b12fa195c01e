/**
 * The embedded servers alone, for several nodes on one machine: `node dist/embedded.js` starts them in DATA_DIR,
 * prints the lines that each node needs in its environment, and ends them on SIGTERM or SIGINT.
 */

import { OperatorError } from '../../schemas/operator-error.js'
import { type Config, readConfig } from '../config.js'
import { databasePlace } from '../connect/database-place.js'
import { redisPlace } from '../connect/redis-place.js'
import { createLifecycle, LifecycleStopped } from '../lifecycle.js'
import { createLogger } from '../logging.js'
import { readableStack } from '../readable-stack.js'
import { startEmbedded } from './start.js'

async function main(config: Config): Promise<void> {
  // Logs go to stderr, so that the lines on stdout can be read by a program.
  const logger = createLogger(config.logging, process.stderr)
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs: config.cluster.shutdownTimeoutMs })
  lifecycle.handleProcessEvents()
  const [database, redis] = [databasePlace(config.database), redisPlace(config.redis)]
  const embedded = await lifecycle.start(
    'embedded servers',
    () => startEmbedded({ dataDir: config.data.dir, database, redis, logger }),
    (started) => started.stop(),
    { stopTimeoutMs: config.cluster.shutdownTimeoutMs },
  )
  // The caller knows a database that they gave.
  if (database === undefined) process.stdout.write(`DATABASE_URL=${embedded.database.connectionString}\n`)
  if (embedded.redis.type === 'socket' && redis === undefined)
    process.stdout.write(`REDIS_URL=${embedded.redis.path}\n`)
  // The servers do not keep the process alive; this timer does, until a signal ends it.
  setInterval(() => undefined, 2 ** 30)
}

try {
  await main(readConfig(process.env))
} catch (error) {
  if (!(error instanceof LifecycleStopped)) {
    process.stderr.write(
      `${error instanceof OperatorError ? error.message : readableStack(String((error as Error).stack))}\n`,
    )
    process.exit(1)
  }
}
