import { createHash } from 'node:crypto'
import type { MessageId } from '../../schemas/ids.js'

/** Returns the id under which a part of a reply is sent: the same at each attempt, another when an agent asks again. */
export function replyId(instance: string, cwId: number, part: number, kind: string): MessageId {
  const hash = createHash('sha256').update(`${instance}\n${cwId}\n${part}\n${kind}`).digest('hex')
  return `3EB0${hash.slice(0, 36).toUpperCase()}` as MessageId
}
