import { connectionFailure } from '../connection-failure.js'
import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'
import type { RedisFacts } from '../redis-facts.js'

// Ours: answers of our own stores and settings.

const VERSION_MIN = [6, 2] as const
const SETTINGS = 'REDIS_URL (or REDIS_SENTINELS, REDIS_CLUSTER_NODES) and the REDIS_TLS settings'

/** @param facts undefined when the gateway has a Redis of its own that does not run */
export function redisCheck(facts: Promise<RedisFacts> | undefined, replicasNeeded: number): Check {
  return {
    name: 'Redis',
    async run() {
      if (facts === undefined)
        return [skipped('REDIS_URL is not set: the gateway starts one of its own, which does not run now.')]
      try {
        const found = await facts
        return [versionResult(found), ...mistakes(found, replicasNeeded)]
      } catch (error) {
        return [refusal(error)]
      }
    },
  }
}

function versionResult({ version }: RedisFacts): Result {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin, minorMin] = VERSION_MIN
  const isNewEnough = major > majorMin || (major === majorMin && minor >= minorMin)
  return isNewEnough
    ? ok(`Version ${version} answers.`)
    : failed(`Version ${version} is too old.`, 'Use Redis 6.2 or newer.')
}

function mistakes(facts: RedisFacts, replicasNeeded: number): readonly Result[] {
  const results: Result[] = []
  if (!facts.isPrimary)
    results.push(failed('It is a replica, which takes no writes.', 'Let REDIS_URL lead to the primary.'))
  if (facts.replicas < replicasNeeded)
    results.push(
      warning(
        `${facts.replicas} replicas are connected; REDIS_REPLICAS wants ${replicasNeeded}, and nodes prove in PostgreSQL that they live.`,
        'Start the replicas, or lower REDIS_REPLICAS.',
      ),
    )
  if (facts.memoryMaxBytes > 0 && facts.evictionPolicy !== 'noeviction')
    results.push(
      warning(
        `When its memory is full it removes keys (${facts.evictionPolicy}), leases of nodes among them.`,
        'Set maxmemory-policy to noeviction.',
      ),
    )
  return results
}

function refusal(error: unknown): Result {
  const { message } = error as Error
  if (/^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH)/.test(message))
    return failed(
      `It refuses the user: ${message}`,
      'Correct REDIS_USERNAME and REDIS_PASSWORD, or those in REDIS_URL.',
    )
  return connectionFailure(error, 'The server', SETTINGS)
}
