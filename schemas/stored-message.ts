/** Types only. */
import type { Jid, MessageId } from './ids.js'
import type { ChatAddress } from './jid.js'
import type { MessageStatus } from './stored-fields.js'

/** A message as an instance reads it back. */
export interface MessageForActor {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  readonly fromMe: boolean
  readonly isGroup: boolean
  readonly sender: Jid
  readonly messageTimestampMs: number
  /** Place among the messages of the instance, in the order in which they were accepted. */
  readonly position: number
  /**
   * When it was accepted, or when it got its status if that is `pending`, in milliseconds of `performance.now()`; may be negative.
   * Made of its age by PostgreSQL's clock, so that no clock of a node counts.
   */
  readonly waitsSinceMs: number
  readonly status: MessageStatus
  readonly proto: Uint8Array | null
  readonly queuedRequest: unknown
  readonly requestHash: string | null
  /** Its text or caption as it is after the last edit. */
  readonly presentText: string
  readonly record: Readonly<Record<string, unknown>>
}
