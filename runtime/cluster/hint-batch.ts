import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { RedisConnections } from '../connect/redis.js'

/** A hint as it travels, in JSON. */
export interface HintMessage {
  readonly from: string
  readonly events?: readonly InstanceId[] | 'all'
  readonly instances?: readonly InstanceId[] | 'all'
  readonly webhooks?: readonly string[] | 'all'
  readonly table?: true
  readonly administrators?: true
}

/** Maximum number of names in a message. Above it, names cost more than a look at everything. */
const NAMES_MAX = 1_000

/** Everything that the next message has to say. */
export class HintBatch {
  readonly events = new Names<InstanceId>()
  readonly instances = new Names<InstanceId>()
  readonly webhooks = new Names<string>()
  table = false
  administrators = false

  get isEmpty(): boolean {
    return !this.table && !this.administrators && this.events.isEmpty && this.instances.isEmpty && this.webhooks.isEmpty
  }

  addAll(): void {
    this.events.addAll()
    this.instances.addAll()
    this.webhooks.addAll()
    this.table = true
    this.administrators = true
  }

  toText(from: string): string {
    const message: HintMessage = {
      from,
      ...(this.events.isEmpty ? {} : { events: this.events.listed }),
      ...(this.instances.isEmpty ? {} : { instances: this.instances.listed }),
      ...(this.webhooks.isEmpty ? {} : { webhooks: this.webhooks.listed }),
      ...(this.table ? { table: true } : {}),
      ...(this.administrators ? { administrators: true } : {}),
    }
    return JSON.stringify(message)
  }
}

class Names<Name> {
  #areAll = false
  readonly #names = new Set<Name>()

  get isEmpty(): boolean {
    return !this.#areAll && this.#names.size === 0
  }

  get listed(): readonly Name[] | 'all' {
    return this.#areAll ? 'all' : [...this.#names]
  }

  add(names: Iterable<Name>): void {
    if (this.#areAll) return
    for (const name of names) this.#names.add(name)
    if (this.#names.size > NAMES_MAX) this.addAll()
  }

  addAll(): void {
    this.#areAll = true
    this.#names.clear()
  }
}

export function toHintScope<Name>(listed: readonly Name[] | 'all'): HintScope<Name> {
  return listed === 'all' ? 'all' : new Set(listed)
}

/** The names that a hint is about. `all`: any of them. */
export type HintScope<Name> = ReadonlySet<Name> | 'all'

/** Called after other nodes did something; this node knows what it did itself. */
export interface HintListeners {
  /** Events of these instances were committed. */
  readonly events: (instances: HintScope<InstanceId>) => void
  /** Rows of these instances were written by something else than their actor, or deleted: names, tokens, wishes. */
  readonly instances: (instances: HintScope<InstanceId>) => void
  /** These webhooks were changed, deleted or switched off, or their dead letters put back. */
  readonly webhooks: (webhooks: HintScope<string>) => void
  /** Shards or nodes have changed. */
  readonly table: () => void
  /** Tokens of administrators were made or ended. */
  readonly administrators: () => void
}

export interface HintOptions {
  /** Sends. */
  readonly redis: Redis | Cluster
  /** The places of Redis, for a connection that listens. */
  readonly connections: RedisConnections
  /** This process; its own hints are ignored. */
  readonly incarnation: string
  /** Prefix of the channel. Default `posthorn`. */
  readonly keyPrefix?: string
  /** Minimum time between two messages. Default 10. */
  readonly sendEveryMs?: number
  /** Time between two checks whether Redis is there; while it is not, listeners get "all" at each check. Default 1000. */
  readonly checkEveryMs?: number
  /** Returns true when no other node lives, as far as is known, whose callers need to hear of events. Default: never. */
  readonly isAlone?: () => boolean
  /** For metrics: a message was sent, could not be sent, or was received. */
  readonly observe?: (what: 'sent' | 'unsent' | 'heard') => void
  readonly logger: Logger
}
