/** Chooses the deliveries that are recorded although they succeeded. The number is limited, for each webhook and for the node. */
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../schemas/entries-max.js'

export interface SuccessSamples {
  /** Returns true when the delivery to this webhook is to be recorded. */
  take(webhookId: string, nowMs: number): boolean
}

/** Rows a second, and rows at once after a pause. */
interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

const WEBHOOKS_REMEMBERED = 10_000
const OF_WEBHOOK: Rate = { perSecond: 2, burst: 50 }
const OF_NODE: Rate = { perSecond: 50, burst: 500 }

export function createSuccessSamples(ofWebhook = OF_WEBHOOK, ofNode = OF_NODE): SuccessSamples {
  const webhooks = new LRUCache<string, Bucket>(entriesMax(WEBHOOKS_REMEMBERED))
  const node: Bucket = { tokens: ofNode.burst, filledAtMs: 0 }
  return {
    take(webhookId, nowMs) {
      let webhook = webhooks.get(webhookId)
      if (webhook === undefined) {
        webhook = { tokens: ofWebhook.burst, filledAtMs: nowMs }
        webhooks.set(webhookId, webhook)
      }
      fill(webhook, ofWebhook, nowMs)
      fill(node, ofNode, nowMs)
      if (webhook.tokens < 1 || node.tokens < 1) return false
      webhook.tokens -= 1
      node.tokens -= 1
      return true
    },
  }
}

function fill(bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.filledAtMs) * perSecond) / 1000)
  bucket.filledAtMs = nowMs
}
