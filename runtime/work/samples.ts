/** Chooses what is recorded of much that happens. The number is limited, for each owner and for the node. */
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'

export interface Samples {
  /** Returns true when what happened to this owner is to be recorded. */
  take(owner: string, nowMs: number): boolean
}

/** Rows a second, and rows at once after a pause. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

const OWNERS_REMEMBERED = 10_000

export function createSamples(ofOwner: Rate, ofNode: Rate): Samples {
  const owners = new LRUCache<string, Bucket>(entriesMax(OWNERS_REMEMBERED))
  const node: Bucket = { tokens: ofNode.burst, filledAtMs: 0 }
  return {
    take(id, nowMs) {
      let owner = owners.get(id)
      if (owner === undefined) {
        owner = { tokens: ofOwner.burst, filledAtMs: nowMs }
        owners.set(id, owner)
      }
      fill(owner, ofOwner, nowMs)
      fill(node, ofNode, nowMs)
      if (owner.tokens < 1 || node.tokens < 1) return false
      owner.tokens -= 1
      node.tokens -= 1
      return true
    },
  }
}

function fill(bucket: Bucket, { perSecond, burst }: Rate, nowMs: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.filledAtMs) * perSecond) / 1000)
  bucket.filledAtMs = nowMs
}
