/** Redis from the packages of Debian and its children. Some 4 s and 14 MB. */
import { cachedProgram, type DebianProgram, fetchProgram } from './debian-program.js'
import type { RedisBinary } from './redis-binary.js'

const redis: DebianProgram = {
  name: 'redis',
  packages: ['redis-server', 'redis-tools'],
  file: 'usr/bin/redis-server',
  showVersion: '--version',
}

/** One that was fetched before, for this release of the distribution. */
export function cachedRedis(dataFolder: string): RedisBinary | undefined {
  return cachedProgram(redis, dataFolder)
}

/**
 * Fetch it into the user's cache folder, or into the data folder when there is none.
 * @throws what apt says
 */
export function fetchRedis(dataFolder: string): Promise<RedisBinary> {
  return fetchProgram(redis, dataFolder)
}
