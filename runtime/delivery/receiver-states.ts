/**
 * The circuit breakers of all nodes as callers see them. Each node notes its breakers that are not closed in Redis, for a while: a breaker
 * lives in the memory of the node that delivers, and any node answers the caller. Nothing is delivered or held back by these notes.
 */
import { createHash } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { ReceiverState } from '../../schemas/ports/webhooks.js'
import type { BreakerState } from './circuit-breakers.js'

// Ours: the state of a receiver, as a node stored it.

export interface ReceiverStates {
  /** Notes the state of a breaker of this node. */
  note(receiver: string, state: BreakerState): void
  /** Returns the state of each receiver, of all nodes together; null where Redis does not tell. */
  read(receivers: readonly string[]): Promise<readonly (ReceiverState | null)[]>
  /** Writes what was noted, and takes no more. */
  close(): Promise<void>
}

export interface ReceiverStatesOptions {
  readonly redis: Redis | Cluster
  /** This process. */
  readonly incarnation: string
  readonly log: Logger
}

/** A note counts for so long after its next probe was due: many receivers that are away share the probes of a node. */
const OVERDUE_MS = 60_000
const KEY_PREFIX = 'posthorn:receiver:'

type OpenState = Exclude<BreakerState, { state: 'closed' }>

const CLOSED: ReceiverState = { state: 'closed', since: null, nextAttemptAt: null }

export function createReceiverStates(options: ReceiverStatesOptions): ReceiverStates {
  return new NotedStates(options)
}

class NotedStates implements ReceiverStates {
  readonly #options: ReceiverStatesOptions
  /** The latest state of each receiver that is not written yet. */
  #unwritten = new Map<string, BreakerState>()
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor(options: ReceiverStatesOptions) {
    this.#options = options
  }

  note(receiver: string, state: BreakerState): void {
    if (this.#isClosed) return
    this.#unwritten.set(receiver, state)
    // One batch at a time, so that a Redis that takes commands and does not answer is not given ever more of them.
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  async read(receivers: readonly string[]): Promise<readonly (ReceiverState | null)[]> {
    const { redis, log } = this.#options
    if (redis.status !== 'ready') return receivers.map(() => null)
    try {
      const notes = await Promise.all(receivers.map((receiver) => redis.hvals(formatKey(receiver))))
      return notes.map((texts) => mergedState(texts.map(parsedNote), Date.now()))
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'The states of receivers could not be read.')
      return receivers.map(() => null)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    // Takes what was noted in the same turn along.
    await Promise.resolve()
    while (this.#unwritten.size > 0) {
      const batch = this.#unwritten
      this.#unwritten = new Map()
      await Promise.all([...batch].map(([receiver, state]) => this.#write(receiver, state)))
    }
  }

  /** Forgets the state where it cannot be written: an older note ends by itself. */
  async #write(receiver: string, state: BreakerState): Promise<void> {
    const { redis, incarnation, log } = this.#options
    if (redis.status !== 'ready') return
    const key = formatKey(receiver)
    try {
      if (state.state === 'closed') await redis.hdel(key, incarnation)
      else
        await redis
          .multi()
          .hset(key, incarnation, JSON.stringify(state))
          .pexpire(key, Math.max(0, state.nextProbeMs - Date.now()) + OVERDUE_MS)
          .exec()
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'The state of a receiver could not be noted.')
    }
  }
}

/** Merges the notes of the nodes: a receiver is closed where no node leaves it alone. */
export function mergedState(notes: readonly OpenState[], nowMs: number): ReceiverState {
  const open = notes.filter(({ nextProbeMs }) => nextProbeMs + OVERDUE_MS > nowMs)
  if (open.length === 0) return CLOSED
  return {
    state: open.some(({ state }) => state === 'half_open') ? 'half_open' : 'open',
    since: new Date(Math.min(...open.map(({ sinceMs }) => sinceMs))),
    nextAttemptAt: new Date(Math.min(...open.map(({ nextProbeMs }) => nextProbeMs))),
  }
}

function parsedNote(text: string): OpenState {
  return JSON.parse(text) as OpenState
}

/** Hides the address, which may have a secret in it, and bounds its length. */
function formatKey(receiver: string): string {
  return `${KEY_PREFIX}${createHash('sha256').update(receiver).digest('base64url')}`
}
