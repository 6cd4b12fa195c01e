/** What an instance tells the features above its sends. Types only. */
import type { MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { DisconnectCause } from '../network/port/events.js'
import type { Change } from './ports.js'

/**
 * A feature above the connection, the sends and the inbox of an instance, such as its campaigns or its agents. These call it through this
 * interface and know nothing else of it; `instance.ts` creates it. No call waits for the network, and none throws.
 */
export interface Feature {
  /** Handles a new connection. */
  opened?(): void
  /** Handles that the queue went first on a new connection. */
  queueWasFirst?(): void
  /** Returns what a received message changes, to be written together with it. */
  listChanges?(message: NewMessage): readonly Change[]
  /** Handles that a person wrote. */
  heard?(chat: ChatAddress): void
  /** True while `acknowledged` has something to do. */
  readonly awaitsAnswers?: boolean
  /** Handles WhatsApp's answer to a message of the account. */
  acknowledged?(messageid: MessageId, error: number | null): void
  /** Handles that a send has paused the agents of its chat, or tried to. */
  agentsPaused?(): void
  /** Handles that the account cannot connect again by itself, in the step in which that is written. */
  accountEnded?(cause: DisconnectCause): void
  /** Does what is due now. */
  runDue?(): void
  /** Begins nothing more. */
  stop?(): void
  /** What it does about messages of its own that are refused. */
  readonly refusals?: Refusals
}

/** Keeps the recipient of a message that WhatsApp refuses for now. */
export interface Refusals {
  /** True while `taken` has something to do. */
  readonly awaitsAnswers: boolean
  /** Handles that WhatsApp took a message. */
  taken(messageid: MessageId): void
  /** Returns true if a message with this error may be kept. */
  mayHelp(error: number): boolean
  /** Returns false if the message is of another feature, or the refusal is final. */
  park(messageid: MessageId, error: number): Promise<boolean>
}
