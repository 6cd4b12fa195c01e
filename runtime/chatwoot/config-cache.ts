import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootConfig, ChatwootConfigs } from '../store/chatwoot/config-rows.js'
import type { KnownConfigs } from './parts.js'

const CONFIGS_MAX = 10_000
const TTL_MS = 5_000

/** Remembers settings for a few seconds. Another node's change is noticed by a hint, or after that time. */
export function createConfigCache(configs: Pick<ChatwootConfigs, 'byInstance'>): KnownConfigs {
  const known = new LRUCache<InstanceId, Promise<ChatwootConfig | null>>({
    ...entriesMax(CONFIGS_MAX),
    ttl: TTL_MS,
  })
  return {
    byInstance(instance) {
      const cached = known.get(instance)
      if (cached !== undefined) return cached
      const read = configs.byInstance(instance)
      known.set(instance, read)
      read.catch(() => known.delete(instance))
      return read
    },
    forget(instances) {
      if (instances === 'all') known.clear()
      else for (const instance of instances) known.delete(instance)
    },
  }
}
