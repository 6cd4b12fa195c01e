import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../schemas/entries-max.js'
import type { WebhookRows } from '../store/webhooks.js'
import type { DeliveryTarget, DeliveryTargets } from './ports.js'

export interface CachedTargets extends DeliveryTargets {
  /** Forgets a row that was changed or deleted here, and tells other nodes. */
  noteWritten(id: string): void
  /** Forgets rows that another node has changed. Without it a change is noticed after 5 s. */
  refresh(webhooks: Iterable<string> | 'all'): void
}

const TARGETS_MAX = 10_000
const TARGET_TTL_MS = 5000

/** Webhooks as deliveries see them, from memory where possible. */
export function createDeliveryTargets(
  rows: Pick<WebhookRows, 'byId' | 'update'>,
  onWritten: ((webhookId: string) => void) | undefined,
): CachedTargets {
  const known = new LRUCache<string, Promise<DeliveryTarget | null>>({ ...entriesMax(TARGETS_MAX), ttl: TARGET_TTL_MS })
  return {
    byId(id) {
      const cached = known.get(id)
      if (cached !== undefined) return cached
      const read = rows.byId(id)
      known.set(id, read)
      read.catch(() => known.delete(id))
      return read
    },
    async disable(id) {
      const webhook = await rows.byId(id)
      if (webhook !== null) await rows.update(webhook.instance, id, { enabled: false })
      noteWritten(id)
    },
    noteWritten,
    refresh(webhooks) {
      if (webhooks === 'all') known.clear()
      else for (const id of webhooks) known.delete(id)
    },
  }

  function noteWritten(id: string): void {
    known.delete(id)
    onWritten?.(id)
  }
}
