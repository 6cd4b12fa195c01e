/** Finds replies whose webhooks did not reach us: Chatwoot sends each once. */
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { apiOf } from './conversation-place.js'
import { missedSinceMs, storeMissedReplies } from './missed-replies.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'
import { ChatwootRefusal } from './refusal.js'

export interface RecoveryOptions extends Pick<ChatwootParts, 'store' | 'known' | 'outgoing' | 'logger'> {
  readonly receiver: Pick<ChatwootReceiver, 'store'>
  readonly shards: () => readonly number[]
}

/** Time between two looks at the conversations of an inbox. */
const EVERY_MS = 10 * 60_000
/** After a start or a move of a shard. */
const SOON_MS = 5_000
const CONVERSATIONS_MAX = 1_000

export class Recovery {
  readonly #options: RecoveryOptions
  readonly #running = new Set<InstanceId>()

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  /** Looks at inboxes that were not looked at for a while; after a start or a move at all of them. */
  async run(isStart: boolean): Promise<void> {
    const { store, known, shards, logger } = this.#options
    for (const instance of await store.configs.toLookAt(shards(), isStart ? SOON_MS : EVERY_MS)) {
      const config = await known.byInstance(instance)
      if (config === null || this.#running.has(instance)) continue
      this.#running.add(instance)
      try {
        await this.#look(config)
        await store.configs.noteLooked(instance)
        known.forget([instance])
      } catch (error) {
        if (!(error instanceof ChatwootRefusal)) throw error
        logger.debug({ instanceId: instance, reason: error.message }, 'Conversations of Chatwoot could not be listed.')
      } finally {
        this.#running.delete(instance)
      }
    }
  }

  async #look(config: ChatwootConfig): Promise<void> {
    const api = apiOf(this.#options, config)
    const withinMs = Date.now() - missedSinceMs(config)
    const active = await api.activeConversations(config.inboxId, withinMs / 1_000 + 60)
    for (const conversation of active.slice(0, CONVERSATIONS_MAX))
      await storeMissedReplies(this.#options, api, config, conversation)
  }
}
