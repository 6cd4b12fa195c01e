import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import { HintBatch, type HintListeners, type HintOptions } from './hint-batch.js'
import { HintReceiver } from './hint-receiver.js'

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

interface HintSenderOptions {
  readonly redis: Redis | Cluster
  readonly channel: string
  /** This process. */
  readonly incarnation: string
  /** Minimum time between two messages. */
  readonly sendEveryMs: number
  readonly isAlone: HintOptions['isAlone']
  readonly observe: HintOptions['observe']
  readonly log: Logger
}

/** Gathers hints of this node and publishes them, one message at a time. */
class HintSender {
  readonly #options: HintSenderOptions
  #batch = new HintBatch()
  /** True when there were events while no other node lived that needed a hint of them. */
  #hasHeldEvents = false
  #isScheduled = false
  #isSending = false
  #sentAtMs = 0
  #isClosed = false

  constructor(options: HintSenderOptions) {
    this.#options = options
  }

  /** Adds to the next message. */
  gather(add: (batch: HintBatch) => void): void {
    if (this.#isClosed) return
    add(this.#batch)
    this.#schedule()
  }

  /** Adds events to the next message, or holds them while this node is alone. */
  gatherEvents(instances: Iterable<InstanceId>): void {
    if (this.#options.isAlone?.()) this.#hasHeldEvents = true
    else this.gather((batch) => batch.events.add(instances))
  }

  /** Sends what waits for a connection. */
  resume(): void {
    if (this.#options.redis.status === 'ready') this.#schedule()
  }

  /** If there were events while this node was alone and it has company, hints at all events. */
  releaseHeldEvents(): void {
    if (!this.#hasHeldEvents || this.#options.isAlone?.()) return
    this.#hasHeldEvents = false
    this.gather((batch) => batch.events.addAll())
  }

  close(): void {
    this.#isClosed = true
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isSending || this.#batch.isEmpty) return
    this.#isScheduled = true
    const waitMs = this.#sentAtMs + this.#options.sendEveryMs - performance.now()
    const send = (): void => void this.#send()
    if (waitMs <= 0) setImmediate(send)
    else setTimeout(send, waitMs)
  }

  /** Sends one message at a time, so that a Redis that takes commands and does not answer is not given ever more of them. */
  async #send(): Promise<void> {
    const { redis, channel, incarnation, observe, log } = this.#options
    this.#isScheduled = false
    if (this.#isClosed || redis.status !== 'ready') return
    const batch = this.#batch
    this.#batch = new HintBatch()
    this.#isSending = true
    this.#sentAtMs = performance.now()
    try {
      await redis.publish(channel, batch.toText(incarnation))
      observe?.('sent')
    } catch (error) {
      // Nobody knows whether the message went out, and its content is not kept, so the next one says "all".
      this.#batch.addAll()
      observe?.('unsent')
      log.debug(
        { reason: (error as Error).message },
        'A hint was not sent; other nodes find the change by their own checks.',
      )
    }
    this.#isSending = false
    this.resume()
  }
}
