/**
 * What one node has done that others should look at: hints over Redis, never the truth. Whoever hears one reads SQL.
 *
 * Hints are gathered for a turn of the event loop, at most one message every 10 ms, whatever the number of instances. They may be lost,
 * so everything that listens is right without them, only later:
 * - while nothing is heard of Redis, all listeners are told "all" once a second, and once more when it is heard again;
 * - a node whose hints did not go out says "all" in the first that does;
 * - a node that is alone tells nobody of events, and of "all" when somebody has come.
 * What is remembered in each node's memory, and which of it needs a hint: docs/decisions/0008-what-nodes-remember.md.
 */
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { RedisConnections } from '../connect/redis.js'

/** Names, or that it may be any. */
export type Which<Name> = ReadonlySet<Name> | 'all'

/** Told of what other nodes did; what this node did it knows. */
export interface HintListeners {
  /** Events of these instances were committed. */
  readonly events: (instances: Which<InstanceId>) => void
  /** Rows of these instances were written by something else than their actor, or deleted: names, tokens, wishes. */
  readonly instances: (instances: Which<InstanceId>) => void
  /** These webhooks were changed, deleted or switched off, or their dead letters put back. */
  readonly webhooks: (webhooks: Which<string>) => void
  /** Shards or nodes have changed. */
  readonly table: () => void
  /** Tokens of administrators were made or ended. */
  readonly administrators: () => void
}

export interface HintOptions {
  /** Sends. */
  readonly redis: Redis | Cluster
  /** Where Redis is, for a connection that listens. */
  readonly connections: RedisConnections
  /** This process; its own hints are not heard. */
  readonly incarnation: string
  /** Of the channel. Default `posthorn`. */
  readonly keyPrefix?: string
  /** Between two messages. Default 10. */
  readonly sendEveryMs?: number
  /** How often Redis is asked whether it is there, and what listens is told "all" while it is not. Default 1000. */
  readonly checkEveryMs?: number
  /** Whether no other node lives, as far as is known, that may tell its callers of events. Default: never. */
  readonly isAlone?: () => boolean
  /** For metrics: a message went out, could not, or came in. */
  readonly observe?: (what: 'sent' | 'unsent' | 'heard') => void
  readonly logger: Logger
}

export interface Hints {
  /** Once. What listens may remember what it read before it was told of changes, so at first it is told "all". */
  follow(listeners: HintListeners): void
  /** Call after the commit. */
  events(instances: Iterable<InstanceId>): void
  instances(instances: Iterable<InstanceId>): void
  webhooks(webhooks: Iterable<string>): void
  table(): void
  administrators(): void
  /** Whether hints of others arrive, as far as is known. */
  readonly isHearing: boolean
  close(): void
}

interface Message {
  readonly from: string
  readonly events?: readonly InstanceId[] | 'all'
  readonly instances?: readonly InstanceId[] | 'all'
  readonly webhooks?: readonly string[] | 'all'
  readonly table?: true
  readonly administrators?: true
}

/** Above it, names cost more than looking at everything. */
const NAMES_MAX = 1_000
/** After so many checks without an answer the connection is made anew. */
const CHECKS_MAX = 3
const RECONNECT_MAX_MS = 2_000

export function createHints(options: HintOptions): Hints {
  const { redis, connections, incarnation, sendEveryMs = 10, checkEveryMs = 1_000 } = options
  const log = options.logger.child({ part: 'hints' })
  // One slot of a Redis Cluster, so that it can become a channel of that slot's shard alone (SPUBLISH).
  const channel = `{${options.keyPrefix ?? 'posthorn'}}:hints`
  let listeners: HintListeners | undefined
  let pending = new Pending()
  /** There were events while nobody was there to hear of them. */
  let areEventsUntold = false
  let isScheduled = false
  let isSending = false
  let sentAtMs = 0
  let isHearing = false
  let unanswered = 0
  let isClosed = false

  // Each node of a Redis Cluster passes on what was published at any.
  const subscriber = connections.toSlotOf(channel, {
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MAX_MS) * (0.5 + Math.random() / 2),
  })
  subscriber.on('error', (error: Error) => log.debug({ reason: error.message }, 'The hints connection failed.'))
  subscriber.on('ready', () => {
    subscriber
      .subscribe(channel)
      .then(hear, (error: Error) => log.debug({ reason: error.message }, 'Not subscribed yet.'))
  })
  subscriber.on('close', () => loseHearing())
  subscriber.on('message', (_channel: string, text: string) => listen(text))
  const check = setInterval(checkHearing, checkEveryMs)
  check.unref()

  return {
    follow(those) {
      listeners = those
      tellAll()
    },
    events(instances) {
      if (options.isAlone?.()) areEventsUntold = true
      else gather(() => pending.events.add(instances))
    },
    instances: (instances) => gather(() => pending.instances.add(instances)),
    webhooks: (webhooks) => gather(() => pending.webhooks.add(webhooks)),
    table: () =>
      gather(() => {
        pending.table = true
      }),
    administrators: () =>
      gather(() => {
        pending.administrators = true
      }),
    get isHearing() {
      return isHearing
    },
    close() {
      isClosed = true
      clearInterval(check)
      subscriber.disconnect()
    },
  }

  function gather(add: () => void): void {
    if (isClosed) return
    add()
    schedule()
  }

  function schedule(): void {
    if (isScheduled || isSending || pending.isEmpty) return
    isScheduled = true
    const waitMs = sentAtMs + sendEveryMs - performance.now()
    if (waitMs <= 0) setImmediate(send)
    else setTimeout(send, waitMs)
  }

  /** One at a time: a Redis that takes commands and does not answer is not given ever more of them. */
  async function send(): Promise<void> {
    isScheduled = false
    if (isClosed || redis.status !== 'ready') return
    const message = pending
    pending = new Pending()
    isSending = true
    sentAtMs = performance.now()
    try {
      await redis.publish(channel, message.text(incarnation))
      options.observe?.('sent')
    } catch (error) {
      // Whether it went out is not known, and what it said is not kept: the next one says "all".
      pending.all()
      options.observe?.('unsent')
      log.debug({ reason: (error as Error).message }, 'A hint was not sent; others look by themselves meanwhile.')
    }
    isSending = false
    if (redis.status === 'ready') schedule()
  }

  function listen(text: string): void {
    try {
      const said = JSON.parse(text) as Message
      if (said.from === incarnation) return
      if (listeners === undefined) return
      options.observe?.('heard')
      if (said.events !== undefined) listeners.events(which(said.events))
      if (said.instances !== undefined) listeners.instances(which(said.instances))
      if (said.webhooks !== undefined) listeners.webhooks(which(said.webhooks))
      if (said.table) listeners.table()
      if (said.administrators) listeners.administrators()
    } catch (error) {
      log.error({ err: error }, 'A hint could not be followed.')
    }
  }

  function hear(): void {
    if (isClosed) return
    unanswered = 0
    if (!isHearing) log.info('Hints of other nodes are heard.')
    isHearing = true
    // What was said before.
    tellAll()
  }

  function loseHearing(): void {
    if (isHearing && !isClosed) log.warn('Hints of other nodes are not heard; everything is looked at once a second.')
    isHearing = false
  }

  function checkHearing(): void {
    // What could not be sent for lack of a connection.
    if (redis.status === 'ready') schedule()
    if (!isHearing) tellAll()
    if (areEventsUntold && !options.isAlone?.()) {
      areEventsUntold = false
      gather(() => pending.events.all())
    }
    if (subscriber.status !== 'ready') return
    if (unanswered > 0) loseHearing()
    if (unanswered >= CHECKS_MAX) {
      unanswered = 0
      subscriber.disconnect(true)
      return
    }
    unanswered += 1
    subscriber.ping().then(
      () => {
        unanswered = 0
        if (!isHearing) hear()
      },
      () => {},
    )
  }

  function tellAll(): void {
    if (listeners === undefined) return
    try {
      listeners.events('all')
      listeners.instances('all')
      listeners.webhooks('all')
      listeners.table()
      listeners.administrators()
    } catch (error) {
      log.error({ err: error }, 'A look at everything failed.')
    }
  }
}

/** What is to be said next. */
class Pending {
  readonly events = new Names<InstanceId>()
  readonly instances = new Names<InstanceId>()
  readonly webhooks = new Names<string>()
  table = false
  administrators = false

  get isEmpty(): boolean {
    return !this.table && !this.administrators && this.events.isEmpty && this.instances.isEmpty && this.webhooks.isEmpty
  }

  all(): void {
    this.events.all()
    this.instances.all()
    this.webhooks.all()
    this.table = true
    this.administrators = true
  }

  text(from: string): string {
    const message: Message = {
      from,
      ...(this.events.isEmpty ? {} : { events: this.events.told }),
      ...(this.instances.isEmpty ? {} : { instances: this.instances.told }),
      ...(this.webhooks.isEmpty ? {} : { webhooks: this.webhooks.told }),
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

  get told(): readonly Name[] | 'all' {
    return this.#areAll ? 'all' : [...this.#names]
  }

  add(names: Iterable<Name>): void {
    if (this.#areAll) return
    for (const name of names) this.#names.add(name)
    if (this.#names.size > NAMES_MAX) this.all()
  }

  all(): void {
    this.#areAll = true
    this.#names.clear()
  }
}

function which<Name>(said: readonly Name[] | 'all'): Which<Name> {
  return said === 'all' ? 'all' : new Set(said)
}
