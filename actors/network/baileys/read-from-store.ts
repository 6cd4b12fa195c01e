import type { proto } from '@whiskeysockets/baileys'
import type { NetworkEvent } from '../port/events.js'
import type { MessageEnvelope } from './incoming.js'
import { findVote, type PollStore, readVote } from './poll-inbox.js'
import type { ChangeStore, Own } from './secrets/people.js'
import { isChange, readChange } from './secrets/read-change.js'

/** A message that came, by itself or in an answer of the phone. */
export interface ReceivedMessage {
  readonly envelope: MessageEnvelope
  readonly message: proto.IMessage
  readonly encoded: Uint8Array
}

export type MessageStore = PollStore & ChangeStore

/**
 * Reads a message whose meaning depends on an earlier one: a vote, an edit, or another change. Returns null for all others, whose event is
 * complete. A copy in high definition is one of those (`kinds/hd-copy.ts`).
 * @throws when the store cannot be read
 */
export function readFromStore(
  received: ReceivedMessage & { readonly event: NetworkEvent },
  own: Own,
  store: MessageStore,
): Promise<readonly NetworkEvent[]> | null {
  const { event, message } = received
  if (isChange(event)) return readChange(received, own, store)
  if (event.type !== 'message') return null
  const vote = findVote(message)
  return vote === null ? null : readVote(event.message, vote, own, store)
}
