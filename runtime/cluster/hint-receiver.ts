import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
import type { RedisConnections } from '../connect/redis.js'
import { type HintListeners, type HintMessage, type HintOptions, toHintScope } from './hint-batch.js'
// Ours: hints of nodes.

export interface HintReceiverOptions {
  readonly connections: RedisConnections
  readonly channel: string
  /** This process, whose own hints are ignored. */
  readonly incarnation: string
  readonly observe: HintOptions['observe']
  readonly log: Logger
}

/** Number of checks without an answer after which the connection is made again. */
const CHECKS_MAX = 3
const RECONNECT_MIN_MS = 50
const RECONNECT_MAX_MS = 2_000

/** Receives the hints of other nodes, over a connection of its own. */
export class HintReceiver {
  readonly #options: HintReceiverOptions
  readonly #subscriber: Redis
  #listeners: HintListeners | undefined
  #isHearing = false
  #unanswered = 0
  #isClosed = false

  constructor(options: HintReceiverOptions) {
    const { connections, channel, log } = options
    this.#options = options
    // Each node of a Redis Cluster passes on messages that were published at any other.
    this.#subscriber = connections.toSlotOf(channel, {
      maxRetriesPerRequest: null,
      autoResubscribe: false,
      retryStrategy: (times) => withHalfJitter(backOffMs(times, RECONNECT_MIN_MS, RECONNECT_MAX_MS)),
    })
    this.#subscriber.on('error', (error: Error) => log.debug({ reason: error.message }, 'The hints connection failed.'))
    this.#subscriber.on('ready', () => {
      this.#subscriber.subscribe(channel).then(
        () => this.#startHearing(),
        (error: Error) => log.debug({ reason: error.message }, 'The hints channel is not subscribed yet.'),
      )
    })
    this.#subscriber.on('close', () => this.#stopHearing())
    this.#subscriber.on('message', (_channel: string, text: string) => this.#receive(text))
  }

  /** True while hints of others arrive, as far as is known. */
  get isHearing(): boolean {
    return this.#isHearing
  }

  follow(listeners: HintListeners): void {
    this.#listeners = listeners
    this.notifyAll()
  }

  /** Makes all listeners look at everything. */
  notifyAll(): void {
    const listeners = this.#listeners
    if (listeners === undefined) return
    try {
      listeners.events('all')
      listeners.instances('all')
      listeners.webhooks('all')
      listeners.table()
      listeners.administrators()
    } catch (error) {
      this.#options.log.error({ err: error }, 'A look at everything failed.')
    }
  }

  /** Asks Redis whether it is there. After several checks without an answer, connects again. */
  check(): void {
    if (this.#subscriber.status !== 'ready') return
    if (this.#unanswered > 0) this.#stopHearing()
    if (this.#unanswered >= CHECKS_MAX) {
      this.#unanswered = 0
      this.#subscriber.disconnect(true)
      return
    }
    this.#unanswered += 1
    this.#subscriber.ping().then(
      () => {
        this.#unanswered = 0
        if (!this.#isHearing) this.#startHearing()
      },
      () => {},
    )
  }

  close(): void {
    this.#isClosed = true
    this.#subscriber.disconnect()
  }

  #startHearing(): void {
    if (this.#isClosed) return
    this.#unanswered = 0
    if (!this.#isHearing) this.#options.log.info('Hints of other nodes are received.')
    this.#isHearing = true
    // Earlier hints are lost.
    this.notifyAll()
  }

  #stopHearing(): void {
    if (this.#isHearing && !this.#isClosed)
      this.#options.log.warn('Hints of other nodes are not received; this node checks everything once a second.')
    this.#isHearing = false
  }

  #receive(text: string): void {
    const listeners = this.#listeners
    try {
      const message = JSON.parse(text) as HintMessage
      if (message.from === this.#options.incarnation) return
      if (listeners === undefined) return
      this.#options.observe?.('heard')
      if (message.events !== undefined) listeners.events(toHintScope(message.events))
      if (message.instances !== undefined) listeners.instances(toHintScope(message.instances))
      if (message.webhooks !== undefined) listeners.webhooks(toHintScope(message.webhooks))
      if (message.table) listeners.table()
      if (message.administrators) listeners.administrators()
    } catch (error) {
      this.#options.log.error({ err: error }, 'A hint could not be followed.')
    }
  }
}
