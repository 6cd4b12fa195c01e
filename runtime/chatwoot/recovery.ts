/** Finds replies whose webhooks did not reach us: Chatwoot sends each once. */
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootApi, CwConversation, CwMessage } from './chatwoot-api.js'
import { apiOf } from './conversation-place.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'
import { ChatwootRefusal } from './refusal.js'
import { type AgentMessage, agentMessage } from './webhook-facts.js'

export interface RecoveryOptions extends Pick<ChatwootParts, 'store' | 'known' | 'outgoing' | 'logger'> {
  readonly receiver: Pick<ChatwootReceiver, 'store'>
  readonly shards: () => readonly number[]
}

/** Time between two looks at the conversations of an inbox. */
const EVERY_MS = 10 * 60_000
/** After a start or a move of a shard. */
const SOON_MS = 5_000
/** Clocks differ, and a reply may have been under way. */
const OVERLAP_MS = 120_000
const CONVERSATIONS_MAX = 1_000
const PAGES_MAX = 20

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
    const sinceMs = Math.max(config.enabledAtMs, config.lookedAtMs - OVERLAP_MS)
    const active = await api.activeConversations(config.inboxId, (Date.now() - sinceMs) / 1_000 + 60)
    for (const conversation of active.slice(0, CONVERSATIONS_MAX)) {
      const { replies, last } = await this.#repliesOf(api, config, conversation, sinceMs)
      for (const reply of replies) await this.#options.receiver.store(config.instance, 'created', reply)
      if (last > 0) await this.#options.store.chats.seen(config.instance, conversation.id, last)
    }
  }

  /** Returns replies that are not known, in order, and the newest message. */
  async #repliesOf(
    api: ChatwootApi,
    { instance }: ChatwootConfig,
    conversation: CwConversation,
    sinceMs: number,
  ): Promise<{ readonly replies: readonly AgentMessage[]; readonly last: number }> {
    const { chats, messages } = this.#options.store
    const chat = await chats.byConversation(instance, conversation.id)
    const found: CwMessage[] = []
    let after = chat?.seenId ?? 0
    for (let page = 0; page < PAGES_MAX; page++) {
      const some = await api.messages(conversation.id, after)
      found.push(...some)
      const last = some.at(-1)?.id ?? after
      const isEnd = after === 0 || last <= after
      after = Math.max(after, last)
      if (isEnd) break
    }
    const known = await messages.known(
      instance,
      found.map(({ id }) => id),
    )
    const replies = found
      .map(({ raw }) => agentMessage({ ...raw, conversation: shownIn(conversation) }))
      .filter((one): one is AgentMessage => one !== null && one.sourceId === '' && !known.has(one.cwId))
      .filter(({ createdMs, isDeleted }) => createdMs >= sinceMs && !isDeleted)
    return { replies, last: after }
  }
}

/** A conversation as webhooks have it. */
function shownIn({ id, contactId, sourceId, phone, identifier }: CwConversation) {
  return {
    id,
    contact_inbox: { contact_id: contactId, source_id: sourceId },
    meta: { sender: { id: contactId, phone_number: phone, identifier } },
  }
}
