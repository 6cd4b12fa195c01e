/** Messages that a phone has and its companions do not: the server or the sender's client gives them a mark instead of a ciphertext. */
import { type Node, node } from '../wire/nodes.js'

/** Marks in place of a ciphertext. The phone has a message marked `phone`, and one of `none`, which has no mark; linked devices never get one marked `view_once`, `hosted` or `bot`. */
export const MARKS = ['phone', 'none', 'view_once', 'hosted', 'bot'] as const
export type Mark = (typeof MARKS)[number]

/** Ways in which a message stays unreadable for the receiver's companions, at first or for good. */
export interface Withholding {
  readonly mark?: Mark
  /** The ciphertext is damaged; `always`: it is not sent again either. */
  readonly damaged?: 'once' | 'always'
}

export function isMark(text: string): text is Mark {
  return (MARKS as readonly string[]).includes(text)
}

/** Returns the nodes that stand in place of the ciphertext (`whatsapp-rust`, `src/message/receive.rs`). */
export function makeMarks(mark: Mark): Node[] {
  if (mark === 'none') return []
  if (mark === 'view_once') return [node('unavailable', { type: 'view_once' })]
  if (mark === 'hosted') return [node('unavailable', { hosted: 'true' })]
  return mark === 'bot' ? [node('unavailable', {}), node('bot', {})] : [node('unavailable', {})]
}

/** A request for messages, as the phone saw it. */
export interface ResendRequest {
  readonly id: string
  readonly keys: readonly string[]
  readonly atMs: number
}
