import { createHash } from 'node:crypto'
import type { MessageId } from '../../../schemas/ids.js'

const LENGTH_MAX = 200

/**
 * Returns the id under which a message is stored. The sender's client chooses the id, and the store would refuse one that does not fit into an
 * index, again and again. Shortens longer ids, which no known client makes, each always to the same.
 */
export function messageIdOf(id: string): MessageId {
  if (id.length <= LENGTH_MAX) return id as MessageId
  return `${id.slice(0, 64)}~${createHash('sha256').update(id).digest('hex')}` as MessageId
}
