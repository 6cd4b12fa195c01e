import type { PossiblyExtendedCacheStore } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import type { InstanceId } from '../../../schemas/ids.js'

/** Cache in the library's form. Reads are synchronous. */
type Window = Omit<PossiblyExtendedCacheStore, 'get'> & { get<T>(key: string): T | undefined }

/**
 * Makes windows on one bounded cache of the node, where Baileys would make several caches with timers for every socket. If an entry is
 * evicted, the library asks the network again.
 */
export function createNodeCaches(max: number) {
  const shared = new LRUCache<string, { readonly value: unknown }>(entriesMax(max))

  function window(prefix: string, ttlMs: number): Window {
    const get = (key: string): unknown => shared.get(prefix + key)?.value
    return {
      get: <T>(key: string) => get(key) as T | undefined,
      set: (key, value) => {
        shared.set(prefix + key, { value }, { ttl: ttlMs })
      },
      del: (key) => {
        shared.delete(prefix + key)
      },
      mget: async <T>(keys: string[]) => {
        const found: Record<string, T | undefined> = {}
        for (const key of keys) {
          const value = get(key)
          if (value !== undefined) found[key] = value as T
        }
        return found
      },
      mset: (entries) => {
        for (const { key, value } of entries) shared.set(prefix + key, { value }, { ttl: ttlMs })
      },
      mdel: (keys) => {
        for (const key of keys) shared.delete(prefix + key)
      },
      // Does nothing: it is called for one socket, the entries of others must stay, and its own expire.
      flushAll: () => {},
    }
  }

  return {
    /** Uses the lifetimes of Baileys (`DEFAULT_CACHE_TTLS`): 5 minutes for devices and calls, an hour for retries. */
    forInstance(instance: InstanceId, epoch: number) {
      // The epoch separates entries of earlier ownerships: devices may have changed while another node owned the instance.
      const life = `${instance}@${epoch}`
      return {
        userDevicesCache: window(`${life}:devices:`, 5 * 60_000),
        callOfferCache: window(`${life}:calls:`, 5 * 60_000),
        msgRetryCounterCache: window(`${life}:retries:`, 60 * 60_000),
      }
    },
  }
}

export type NodeCaches = ReturnType<typeof createNodeCaches>
