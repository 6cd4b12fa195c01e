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

/** Kinds of messages that clients do not show by themselves, by the `type` of their records, whose `messageType` is `other`. */
export const QUIET_TYPES = [
  'keepInChatMessage',
  'conditionalRevealMessage',
  'pollAddOptionMessage',
  'groupRootKeyShareMessage',
  'rootSecretDistributeMessage',
  'statusLinkPreviewMetadataMessage',
  // Control data that the gateway does not know.
  'protocolMessage',
] as const

/** Reads and writes the field `edited` of a message record: JSON, the oldest edit first. */

interface Edit {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The edits of a message, oldest first; null when `edited` holds none, or the text that a release up to 0.1.0 wrote there. */
export function parseEdits({
  text,
  edited,
}: {
  readonly text: string
  readonly edited: string
}): readonly Edit[] | null {
  if (edited === '' || edited === text || !edited.startsWith('[{"text":')) return null
  try {
    // Bound: 1,048,576, 20,000 values, the edits of a message.
    const edits = JSON.parse(edited) as unknown
    return Array.isArray(edits) && edits.every(isEdit) ? edits : null
  } catch {
    return null
  }
}

/** The text that a message has now. */
export function findPresentText(message: { readonly text: string; readonly edited: string }): string {
  return parseEdits(message)?.at(-1)?.text ?? message.text
}

function isEdit(value: unknown): value is Edit {
  const { text, at } = (value ?? {}) as Partial<Edit>
  return typeof text === 'string' && typeof at === 'number'
}
