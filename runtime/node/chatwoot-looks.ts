import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { Recovery } from '../chatwoot/recovery.js'

/** After a move of shards, replies are found then that Chatwoot still brought to the node that has gone. */
const SECOND_LOOK_MS = 20_000

/** Times at which this node looks for replies that Chatwoot could not bring. */
export interface ChatwootLooks {
  /** Of shards that this node has got: when the API listens, and once more. */
  atShards(shards: readonly number[]): void
  at(instance: InstanceId): void
  /** Looks at the inboxes that are due. */
  again(shards: readonly number[]): void
  listens(): void
  close(): void
}

export function createChatwootLooks(recovery: Recovery, logger: Logger): ChatwootLooks {
  const waiting = new Set<number>()
  const moved = new Set<number>()
  let isListening = false
  let second: NodeJS.Timeout | undefined
  const noted = (looked: Promise<void>) => {
    looked.catch((error: unknown) => logger.warn({ err: error }, 'A look for missed replies failed.'))
  }
  const taken = (shards: Set<number>) => {
    const all = [...shards]
    shards.clear()
    return all
  }
  return {
    atShards(shards) {
      for (const shard of shards) (isListening ? moved : waiting).add(shard)
      if (!isListening) return
      noted(recovery.lookAtShards(shards))
      clearTimeout(second)
      second = setTimeout(() => noted(recovery.lookAtShards(taken(moved))), SECOND_LOOK_MS)
      second.unref()
    },
    at: (instance) => noted(recovery.lookAt(instance)),
    again: (shards) => noted(recovery.lookAgain(shards)),
    // A reply that was refused before was written before, so a look from now on finds it.
    listens() {
      isListening = true
      noted(recovery.lookAtShards(taken(waiting)))
    },
    close: () => clearTimeout(second),
  }
}
