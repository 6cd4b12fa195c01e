import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootState } from '../../schemas/ports/chatwoot.js'
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootRefusal } from './refusal.js'

const SENT_EVERY_MS = 5_000
const INSTANCES_MAX = 10_000
/** Lanes of an instance whose failures are remembered. */
const LANES_MAX = 1_000
/** Longer than the wait between two attempts. A lane that did not fail for this time has moved, or its deliveries were given up. */
const FAILING_MS = 15 * 60_000
/** States in which replies may be missed. A look makes calls, so it is no answer to a limit of calls. */
const AWAY: ReadonlySet<ChatwootState> = new Set<ChatwootState>(['unreachable', 'auth_failed', 'inbox_gone'])

interface Failure {
  readonly state: ChatwootState
  readonly error: string
  readonly atMs: number
}

/**
 * Writes how calls ended, for people who look at the settings: a change at once, the time of the last success now and then. While a chat fails,
 * the state names its failure, also if others are taken.
 */
export interface StateNotesOptions extends Pick<ChatwootParts, 'store' | 'known' | 'logger'> {
  /** Called when a Chatwoot that was away takes calls again. */
  readonly onBack: (instance: InstanceId) => void
}

export class StateNotes {
  readonly #parts: StateNotesOptions
  readonly #sentMs = new Map<InstanceId, number>()
  /** Failures by lane, the newest last. */
  readonly #failing = new LRUCache<InstanceId, Map<number, Failure>>(entriesMax(INSTANCES_MAX))

  constructor(parts: StateNotesOptions) {
    this.#parts = parts
  }

  succeeded(config: ChatwootConfig, lane: number): void {
    const { instance } = config
    const { state, error } = this.#failureBeside(instance, lane) ?? { state: 'ok', error: '' }
    if (config.state !== state) {
      this.#write(config, state, error)
      if (AWAY.has(config.state) && !AWAY.has(state)) this.#parts.onBack(instance)
    }
    const nowMs = performance.now()
    if (nowMs - (this.#sentMs.get(instance) ?? Number.NEGATIVE_INFINITY) < SENT_EVERY_MS) return
    if (this.#sentMs.size > 10_000) this.#sentMs.clear()
    this.#sentMs.set(instance, nowMs)
    this.#keep(this.#parts.store.configs.noteSent(instance))
  }

  failed(config: ChatwootConfig, lane: number, state: ChatwootState, error: string): void {
    this.#remember(config.instance, lane, { state, error, atMs: performance.now() })
    if (config.state === state && config.lastError === error) return
    this.#parts.logger.warn({ instanceId: config.instance, state, reason: error }, 'Chatwoot did not take an event.')
    this.#write(config, state, error)
  }

  #remember(instance: InstanceId, lane: number, failure: Failure): void {
    const lanes = this.#failing.get(instance) ?? new Map<number, Failure>()
    lanes.delete(lane)
    lanes.set(lane, failure)
    const [oldest] = lanes.keys()
    if (lanes.size > LANES_MAX && oldest !== undefined) lanes.delete(oldest)
    this.#failing.set(instance, lanes)
  }

  /** Returns the newest failure of other lanes; undefined if all are well. */
  #failureBeside(instance: InstanceId, lane: number): Failure | undefined {
    const lanes = this.#failing.get(instance)
    if (lanes === undefined) return undefined
    lanes.delete(lane)
    for (const [other, { atMs }] of lanes) if (performance.now() - atMs > FAILING_MS) lanes.delete(other)
    if (lanes.size === 0) this.#failing.delete(instance)
    return [...lanes.values()].at(-1)
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

export function chatwootState({ kind }: ChatwootRefusal): ChatwootState {
  if (kind === 'auth') return 'auth_failed'
  if (kind === 'missing') return 'inbox_gone'
  if (kind === 'away') return 'unreachable'
  return kind === 'busy' ? 'busy' : 'refused'
}
