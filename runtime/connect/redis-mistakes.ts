/** Finds mistakes in the settings of Redis taken together; the schema checks each of them alone. */
import { addressOf, isTls, type RedisSettings, redisPort, sentinelPort, serverAt } from './redis-place.js'
import { tlsMistakes } from './tls.js'

/** A sentence for each; none shows a secret. */
export function redisMistakes(settings: RedisSettings): string[] {
  const { url, sentinels, sentinelName, clusterNodes, tls } = settings
  const ways = [
    ...(url === undefined ? [] : ['REDIS_URL']),
    ...(sentinels.length === 0 ? [] : ['REDIS_SENTINELS']),
    ...(clusterNodes.length === 0 ? [] : ['REDIS_CLUSTER_NODES']),
  ]
  return [
    ...(ways.length > 1 ? [`${ways.join(' and ')}: are different ways to reach Redis; set one of them.`] : []),
    ...urlMistakes(url, tls.isOn),
    ...addressMistakes('REDIS_SENTINELS', sentinels, sentinelPort),
    ...addressMistakes('REDIS_CLUSTER_NODES', clusterNodes, redisPort),
    ...(sentinels.length > 0 && sentinelName === undefined
      ? ['REDIS_SENTINELS: needs REDIS_SENTINEL_NAME, by which the Sentinels know the primary.']
      : []),
    ...uselessSettings(settings, ways.length > 0),
    ...tlsMistakes('REDIS_TLS', tls),
  ]
}

function urlMistakes(url: string | undefined, isTlsOn: boolean): string[] {
  if (url === undefined) return []
  try {
    if (serverAt(url).type === 'socket' && isTlsOn) return ['REDIS_TLS: there is no TLS on a unix socket.']
  } catch {
    return ['REDIS_URL: is not a valid URL.']
  }
  return url.includes('?') ? ['REDIS_URL: takes no parameters (what follows the question mark).'] : []
}

function addressMistakes(name: string, list: readonly string[], defaultPort: number): string[] {
  const wrong = list.filter((text) => {
    try {
      addressOf(text, defaultPort)
      return false
    } catch {
      return true
    }
  })
  return wrong.map((text) => `${name}: ${JSON.stringify(text)} is not a host and a port.`)
}

/** Lists settings that would have no effect. Their author expects one. */
function uselessSettings(settings: RedisSettings, isRedisGiven: boolean): string[] {
  const { username, password, sentinels, sentinelName, sentinelUsername, sentinelPassword, tls } = settings
  const somewhere = ['REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER_NODES', isRedisGiven] as const
  const bySentinel = ['REDIS_SENTINELS', sentinels.length > 0] as const
  const byTls = ['REDIS_TLS=true or a rediss:// URL', isTls(settings)] as const
  const rules: readonly (readonly [name: string, isSet: boolean, needs: readonly [what: string, isThere: boolean]])[] =
    [
      ['REDIS_USERNAME', username !== undefined, ['REDIS_PASSWORD', password !== undefined]],
      ['REDIS_PASSWORD', password !== undefined, somewhere],
      ['REDIS_TLS', tls.isOn, somewhere],
      ['REDIS_REPLICAS', settings.replicas > 0, somewhere],
      ['REDIS_SENTINEL_NAME', sentinelName !== undefined, bySentinel],
      ['REDIS_SENTINEL_PASSWORD', sentinelPassword !== undefined, bySentinel],
      [
        'REDIS_SENTINEL_USERNAME',
        sentinelUsername !== undefined,
        ['REDIS_SENTINEL_PASSWORD', sentinelPassword !== undefined],
      ],
      ['REDIS_TLS_CA_FILE', tls.caFile !== undefined, byTls],
      ['REDIS_TLS_CERT_FILE', tls.certFile !== undefined, byTls],
      ['REDIS_TLS_KEY_FILE', tls.keyFile !== undefined, byTls],
      ['REDIS_TLS_SERVER_NAME', tls.serverName !== undefined, byTls],
    ]
  return rules
    .filter(([, isSet, [, isThere]]) => isSet && !isThere)
    .map(([name, , [what]]) => `${name}: is of no use without ${what}.`)
}
