/** The parts that carriers of messages and replies share. Types only. */

import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { MediaService } from '../../schemas/ports/media.js'
import type { Outgoing } from '../outgoing/client.js'
import type { ChatwootChats } from '../store/chatwoot/chat-rows.js'
import type { ChatwootConfig, ChatwootConfigs } from '../store/chatwoot/config-rows.js'
import type { ChatwootIncomings } from '../store/chatwoot/incoming-rows.js'
import type { ChatwootMessages } from '../store/chatwoot/message-rows.js'
import type { DatabaseClock } from '../store/database-clock.js'
import type { SharedWork } from '../work/work.js'

export interface ChatwootStore {
  readonly configs: ChatwootConfigs
  readonly chats: ChatwootChats
  readonly messages: ChatwootMessages
  readonly incomings: ChatwootIncomings
}

/** Settings from memory where possible. */
export interface KnownConfigs {
  byInstance(instance: InstanceId): Promise<ChatwootConfig | null>
  forget(instances: Iterable<InstanceId> | 'all'): void
}

/** Counted for metrics. */
export type ChatwootEvent =
  | 'carried'
  | 'found'
  | 'created_again'
  | 'replied'
  | 'reply_failed'
  | 'reply_missed'
  | 'webhook_refused'

export interface ChatwootParts {
  readonly store: ChatwootStore
  readonly known: KnownConfigs
  /** With hosts of the own network that the operator allows. */
  readonly outgoing: Pick<Outgoing, 'request' | 'assertUrlAllowed' | 'download'>
  readonly media: () => Pick<MediaService, 'open' | 'linkTo' | 'take' | 'release' | 'canConvert'>
  readonly clock: DatabaseClock
  readonly count: (event: ChatwootEvent) => void
  /** Conversations that have just got old messages. */
  readonly replays: Pick<LRUCache<string, true>, 'has' | 'set'>
  readonly work: Pick<SharedWork, 'run'>
  readonly logger: Logger
}
