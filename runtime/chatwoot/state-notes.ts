import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootState } from '../../schemas/ports/chatwoot.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootRefusal } from './refusal.js'

const SENT_EVERY_MS = 5_000
/** States in which replies may be missed. A look makes calls, so it is no answer to a limit of calls. */
const AWAY: ReadonlySet<ChatwootState> = new Set<ChatwootState>(['unreachable', 'auth_failed', 'inbox_gone'])

/** Writes how calls ended, for people who look at the settings: a change at once, the time of the last success now and then. */
export interface StateNotesOptions extends Pick<ChatwootParts, 'store' | 'known' | 'logger'> {
  /** Called when a Chatwoot that was away takes calls again. */
  readonly onBack: (instance: InstanceId) => void
}

export class StateNotes {
  readonly #parts: StateNotesOptions
  readonly #sentMs = new Map<InstanceId, number>()

  constructor(parts: StateNotesOptions) {
    this.#parts = parts
  }

  succeeded(config: ChatwootConfig): void {
    const { instance } = config
    if (config.state !== 'ok') {
      this.#write(config, 'ok', '')
      if (AWAY.has(config.state)) this.#parts.onBack(instance)
    }
    const nowMs = performance.now()
    if (nowMs - (this.#sentMs.get(instance) ?? Number.NEGATIVE_INFINITY) < SENT_EVERY_MS) return
    if (this.#sentMs.size > 10_000) this.#sentMs.clear()
    this.#sentMs.set(instance, nowMs)
    this.#keep(this.#parts.store.configs.noteSent(instance))
  }

  failed(config: ChatwootConfig, state: ChatwootState, error: string): void {
    if (config.state === state && config.lastError === error) return
    this.#parts.logger.warn({ instanceId: config.instance, state, reason: error }, 'Chatwoot did not take an event.')
    this.#write(config, state, error)
  }

  #write({ instance }: ChatwootConfig, state: ChatwootState, error: string): void {
    const { store, known } = this.#parts
    known.forget([instance])
    this.#keep(store.configs.noteState(instance, state, error))
  }

  #keep(written: Promise<void>): void {
    written.catch((error: unknown) =>
      this.#parts.logger.debug({ err: error }, 'The state of a Chatwoot could not be written.'),
    )
  }
}

export function stateOf({ kind }: ChatwootRefusal): ChatwootState {
  if (kind === 'auth') return 'auth_failed'
  if (kind === 'missing') return 'inbox_gone'
  if (kind === 'away') return 'unreachable'
  return kind === 'busy' ? 'busy' : 'refused'
}
