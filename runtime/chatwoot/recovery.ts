/** Finds replies whose webhooks did not reach us: Chatwoot sends each once. */
import { backOffMs } from '../../lib/back-off.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import { createChatwootApi } from './conversation-place.js'
import { missedSinceMs, storeMissedReplies } from './missed-replies.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'
import { ChatwootRefusal } from './refusal.js'

export interface RecoveryOptions
  extends Pick<ChatwootParts, 'store' | 'known' | 'outgoing' | 'clock' | 'work' | 'logger'> {
  readonly receiver: Pick<ChatwootReceiver, 'store'>
  readonly isOurs: (instance: InstanceId) => boolean
}

/** A look that is still to be made. */
interface Owed {
  readonly failures: number
  readonly dueMs: number
}

/** Time between two looks at the conversations of an inbox. */
const EVERY_MS = 10 * 60_000
const AGAIN_MIN_MS = 2_000
/** Maximum time of a look at a Chatwoot that is slow. */
const LOOK_MAX_MS = 60_000
const CONVERSATIONS_MAX = 1_000

export class Recovery {
  readonly #options: RecoveryOptions
  readonly #owed = new Map<InstanceId, Owed>()
  readonly #running = new Set<InstanceId>()

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  /** Looks at all inboxes of these shards, which were of another node or of none. */
  async lookAtShards(shards: readonly number[]): Promise<void> {
    for (const instance of await this.#options.store.configs.toLookAt(shards, 0)) this.#owe(instance)
    await this.#lookAtOwed()
  }

  /** Looks at inboxes of these shards that were not looked at for a while, and at those whose last look failed. */
  async lookAgain(shards: readonly number[]): Promise<void> {
    for (const instance of await this.#options.store.configs.toLookAt(shards, EVERY_MS))
      if (!this.#owed.has(instance)) this.#owe(instance)
    await this.#lookAtOwed()
  }

  /** Looks at the inbox of an instance whose Chatwoot was away. */
  async lookAt(instance: InstanceId): Promise<void> {
    this.#owe(instance)
    await this.#lookAtOwed()
  }

  #owe(instance: InstanceId): void {
    this.#owed.set(instance, { failures: 0, dueMs: 0 })
  }

  async #lookAtOwed(): Promise<void> {
    const nowMs = performance.now()
    const due = [...this.#owed].filter(([instance, { dueMs }]) => dueMs <= nowMs && !this.#running.has(instance))
    await Promise.all(
      due.map(async ([instance]) => {
        this.#running.add(instance)
        await this.#options.work
          .run('chatwoot_look', instance, (place) => place.lend(this.#lookOnce(instance)))
          .finally(() => this.#running.delete(instance))
      }),
    )
  }

  async #lookOnce(instance: InstanceId): Promise<void> {
    const { store, known, isOurs, logger } = this.#options
    const owed = this.#owed.get(instance)
    try {
      const config = isOurs(instance) ? await known.byInstance(instance) : null
      if (config?.enabled === true) {
        await this.#look(config)
        await store.configs.noteLooked(instance)
        known.forget([instance])
      }
      // Another one may have been asked for meanwhile.
      if (this.#owed.get(instance) === owed) this.#owed.delete(instance)
    } catch (error) {
      const failures = (owed?.failures ?? 0) + 1
      const dueMs = performance.now() + backOffMs(failures, AGAIN_MIN_MS, EVERY_MS)
      this.#owed.set(instance, { failures, dueMs })
      const level = error instanceof ChatwootRefusal ? 'debug' : 'warn'
      logger[level]({ instanceId: instance, err: error }, 'Conversations of Chatwoot could not be looked at.')
    }
  }

  async #look(config: ChatwootConfig): Promise<void> {
    const endMs = performance.now() + LOOK_MAX_MS
    const api = createChatwootApi(this.#options, config)
    const withinMs = (await this.#options.clock.nowMs()) - missedSinceMs(config)
    const active = await api.activeConversations(config.inboxId, withinMs / 1_000 + 60)
    for (const conversation of active.slice(0, CONVERSATIONS_MAX))
      await storeMissedReplies(this.#options, api, config, conversation, endMs)
  }
}
