import { GatewayError } from '../../schemas/errors.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import type { PeerOutcome } from './peers/client.js'

/** The end of one request to an owner. */
export type CallOutcome = PeerOutcome | { readonly type: 'threw'; readonly error: unknown }

/** Why a call came back without an answer. */
export type ReturnReason = 'moved' | 'busy' | 'lost'

/** Returns why a call was not answered and whether it may have been carried out all the same; null when it was answered. */
export function returnOf(outcome: CallOutcome): { why: ReturnReason; wasBegun: boolean } | null {
  switch (outcome.type) {
    case 'reply':
      return null
    case 'failed':
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'threw':
      if (outcome.error instanceof ShardMoved) return { why: 'moved', wasBegun: outcome.error.wasBegun }
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'moved':
      return { why: 'moved', wasBegun: outcome.wasBegun }
    case 'busy':
      return { why: 'busy', wasBegun: false }
    case 'lost':
      return { why: 'lost', wasBegun: outcome.wasSent }
    default:
      return neverOutcome(outcome)
  }
}

/** Tells whether the journal refused a write because the epoch of the instance is over. */
function isDeposed(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'NOT_OWNER'
}

function neverOutcome(outcome: never): never {
  throw new Error(`An unknown outcome: ${JSON.stringify(outcome)}`)
}
