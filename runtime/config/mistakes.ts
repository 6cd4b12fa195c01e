import { nearestOf } from '../../schemas/nearest.js'
import { isNetworkQuery, NETWORK_QUERIES } from '../../schemas/network-queries.js'
import { databaseMistakes } from '../connect/database-place.js'
import { redisMistakes } from '../connect/redis-mistakes.js'
import { fileMistakes } from '../connect/tls.js'
import { privateHostMistakes } from './agents.js'
import { healthPortMistakes, nameMistakes, portMistakes, timingMistakes } from './cluster.js'
import { storageMistakes } from './media.js'
import { originMistakes } from './origins.js'
import type { SettingValue } from './schema.js'
import type { Config } from './slices.js'

export function contradictions(values: Readonly<Record<string, SettingValue>>, config: Config): string[] {
  const mistakes: string[] = []
  for (const [least, most] of [
    ['SEND_DELAY_MIN_MS', 'SEND_DELAY_MAX_MS'],
    ['RECONNECT_DELAY_MIN_MS', 'RECONNECT_DELAY_MAX_MS'],
    ['WEBHOOK_BACKOFF_MIN_MS', 'WEBHOOK_BACKOFF_MAX_MS'],
  ] as const) {
    if (Number(values[least]) > Number(values[most])) mistakes.push(`${least}: is larger than ${most}.`)
  }
  mistakes.push(...scheduledDelayMistakes(values))
  mistakes.push(...timingMistakes((name) => Number(values[`CLUSTER_${name}_MS`])))
  mistakes.push(...nameMistakes(config.cluster))
  mistakes.push(...healthPortMistakes(config.cluster, config.http.port))
  // Without DATABASE_URL the processes take any free ports.
  if (values.DATABASE_URL !== undefined) mistakes.push(...portMistakes(config.cluster, config.http.port))
  if (values.DATABASE_URL !== undefined && values.ENCRYPTION_KEY === undefined) {
    mistakes.push(
      'ENCRYPTION_KEY: must be set when DATABASE_URL is, since every node needs the same one; make it with: openssl rand -base64 32',
    )
  }
  for (const name of ['WA_WEBSOCKET_URL', 'PUBLIC_URL', 'DASHBOARD_GRAFANA_URL']) {
    const value = values[name]
    if (typeof value === 'string' && !URL.canParse(value)) mistakes.push(`${name}: is not a valid URL.`)
  }
  mistakes.push(
    ...grafanaMistakes(config.http.grafanaUrl),
    ...originMistakes('CORS_ORIGINS', config.http.corsOrigins),
    ...privateHostMistakes('AGENT_PRIVATE_HOSTS', config.agents.privateHosts),
    ...privateHostMistakes('WEBHOOK_PRIVATE_HOSTS', config.webhooks.privateHosts),
    ...privateHostMistakes('CHATWOOT_PRIVATE_HOSTS', config.chatwoot.privateHosts),
    ...storageMistakes(config.media),
    ...databaseMistakes(config.database),
    ...redisMistakes(config.redis),
    ...fileMistakes('WA_MEDIA_CA_FILE', config.network.mediaCaFile),
    ...queryMistakes(config.network.queryIds),
  )
  return mistakes
}

/** Either bound of the pause after scheduled messages may be that of all queued ones. */
function scheduledDelayMistakes(values: Readonly<Record<string, SettingValue>>): string[] {
  const [min, max] = [values.SCHEDULED_DELAY_MIN_MS, values.SCHEDULED_DELAY_MAX_MS]
  if (min === undefined && max === undefined) return []
  if (Number(min ?? values.SEND_DELAY_MIN_MS) <= Number(max ?? values.SEND_DELAY_MAX_MS)) return []
  if (min === undefined)
    return ['SCHEDULED_DELAY_MAX_MS: is smaller than SEND_DELAY_MIN_MS; set SCHEDULED_DELAY_MIN_MS, too.']
  return [
    `SCHEDULED_DELAY_MIN_MS: is larger than ${max === undefined ? 'SEND_DELAY_MAX_MS; set SCHEDULED_DELAY_MAX_MS, too' : 'SCHEDULED_DELAY_MAX_MS'}.`,
  ]
}

function queryMistakes(queryIds: Readonly<Record<string, string>>): string[] {
  const unknown = Object.keys(queryIds).filter((name) => !isNetworkQuery(name))
  return unknown.map((name) => {
    const near = nearestOf(name, Object.keys(NETWORK_QUERIES))
    return `WA_QUERY_IDS: names no query ${name}${near === undefined ? '' : `, did you mean ${near}?`}`
  })
}

/** The page shows the address to every administrator. */
function grafanaMistakes(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password } = new URL(url)
  return username === '' && password === '' ? [] : ['DASHBOARD_GRAFANA_URL: must not have a user or a password in it.']
}
