import { createHash } from 'node:crypto'
import type { MessageId } from '../../../schemas/ids.js'

const LENGTH_MAX = 200

/**
 * The id of a message of others is chosen by their client: one that does not fit into an index would be refused by the store again
 * and again. Longer ones, which no known client makes, are shortened, each always to the same.
 */
export function messageIdOf(id: string): MessageId {
  if (id.length <= LENGTH_MAX) return id as MessageId
  return `${id.slice(0, 64)}~${createHash('sha256').update(id).digest('hex')}` as MessageId
}
