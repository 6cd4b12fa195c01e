import type { AgentConfig } from '../../schemas/agents/records.js'
import type { SendsContext } from '../instance/sends/context.js'
import { TriggerMatcher } from './trigger-match.js'

/** What decides which messages agents answer, prepared for matching. */
export interface LiveAgentConfig extends AgentConfig {
  readonly matcher: TriggerMatcher
}

/** The agents of one instance in the memory of its owner. They are read before a connection opens, and again after each edit. */
export class Agents {
  readonly #context: Pick<SendsContext, 'id' | 'reader'>
  #config: LiveAgentConfig | null = null
  #isRead = false
  /** The read that is under way, and the one that follows it. */
  #reading: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(context: Pick<SendsContext, 'id' | 'reader'>) {
    this.#context = context
  }

  /** Returns null if the chatbot is off, or no trigger is active. */
  config(): LiveAgentConfig | null {
    return this.#config
  }

  /** Reads the stored agents, unless that was done. */
  async ready(): Promise<void> {
    if (!this.#isRead) await this.reload()
  }

  /** Reads the stored agents again. Resolves when everything that was stored before the call is known. */
  reload(): Promise<void> {
    if (this.#reading === null) {
      this.#reading = this.#read().finally(() => {
        this.#reading = null
      })
      return this.#reading
    }
    // A read that is under way may have missed the edit. All who come meanwhile share the next one.
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = null
        return this.reload()
      })
    return this.#next
  }

  async #read(): Promise<void> {
    const { id, reader } = this.#context
    const config = await reader.agentConfig(id)
    this.#config = config === null ? null : { ...config, matcher: new TriggerMatcher(config) }
    this.#isRead = true
  }
}
