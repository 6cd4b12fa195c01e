/**
 * Hints between nodes over Redis: this node has done something that others should look at. A hint is never the truth; its receiver reads
 * SQL.
 *
 * Hints are gathered for a turn of the event loop, at most one message every 10 ms, whatever the number of instances. They may be lost,
 * so every listener is right without them, only later:
 * - while Redis is not heard, all listeners get "all" once a second, and once more when it is heard again;
 * - a node whose hints did not go out says "all" in the first message that does;
 * - a node that is alone sends no hints of events, and "all" when another node has come.
 * Each node's memory, and the parts of it that need a hint: docs/decisions/0008-what-nodes-remember.md.
 */
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { RedisConnections } from '../connect/redis.js'
import { HintReceiver } from './hint-receiver.js'
import { HintSender } from './hint-sender.js'

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

export interface Hints {
  /** Call once. Listeners get "all" at first, since they may remember rows that changed before they could hear of it. */
  follow(listeners: HintListeners): void
  /** Call after the commit. */
  events(instances: Iterable<InstanceId>): void
  instances(instances: Iterable<InstanceId>): void
  webhooks(webhooks: Iterable<string>): void
  table(): void
  administrators(): void
  /** True while hints of others arrive, as far as is known. */
  readonly isHearing: boolean
  close(): void
}

export function createHints(options: HintOptions): Hints {
  const { redis, connections, incarnation, isAlone, observe, sendEveryMs = 10, checkEveryMs = 1_000 } = options
  const log = options.logger.child({ part: 'hints' })
  // One slot of a Redis Cluster, so that it can become a channel of that slot's shard alone (SPUBLISH).
  const channel = `{${options.keyPrefix ?? 'posthorn'}}:hints`
  const sender = new HintSender({ redis, channel, incarnation, sendEveryMs, isAlone, observe, log })
  const receiver = new HintReceiver({ connections, channel, incarnation, observe, log })
  const checks = setInterval(() => {
    sender.resume()
    if (!receiver.isHearing) receiver.notifyAll()
    sender.releaseHeldEvents()
    receiver.check()
  }, checkEveryMs)
  checks.unref()

  return {
    follow: (listeners) => receiver.follow(listeners),
    events: (instances) => sender.gatherEvents(instances),
    instances: (instances) => sender.gather((batch) => batch.instances.add(instances)),
    webhooks: (webhooks) => sender.gather((batch) => batch.webhooks.add(webhooks)),
    table: () =>
      sender.gather((batch) => {
        batch.table = true
      }),
    administrators: () =>
      sender.gather((batch) => {
        batch.administrators = true
      }),
    get isHearing() {
      return receiver.isHearing
    },
    close() {
      sender.close()
      clearInterval(checks)
      receiver.close()
    },
  }
}
