import type { PossiblyExtendedCacheStore } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { InstanceId } from '../../../schemas/ids.js'

/** What the library takes as a cache; reading it waits for nothing. */
type Window = Omit<PossiblyExtendedCacheStore, 'get'> & { get<T>(key: string): T | undefined }

/**
 * Baileys makes several caches with timers of their own for every socket; these are windows on one bounded cache of the node.
 * What is lost from it is asked of the network again.
 */
export function createNodeCaches(entriesMax: number) {
  const shared = new LRUCache<string, { readonly value: unknown }>({ max: entriesMax })

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
      // Called for one socket only: the entries of others must stay, and its own age out.
      flushAll: () => {},
    }
  }

  return {
    /** Times are Baileys' own (`DEFAULT_CACHE_TTLS`): 5 minutes for devices and calls, an hour for retries. */
    forInstance(instance: InstanceId, epoch: number) {
      // While another node owned the instance its devices may have changed: what was cached before that is not looked at again.
      const life = `${instance}@${epoch}`
      return {
        userDevicesCache: window(`${life}:devices:`, 5 * 60_000),
        callOfferCache: window(`${life}:calls:`, 5 * 60_000),
        msgRetryCounterCache: window(`${life}:retries:`, 60 * 60_000),
        placeholderResendCache: window(`${life}:placeholders:`, 60 * 60_000),
      }
    },
  }
}

export type NodeCaches = ReturnType<typeof createNodeCaches>
