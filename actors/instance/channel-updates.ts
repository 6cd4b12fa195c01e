import { errorText } from '../../lib/error-text.js'
import { GatewayError } from '../../schemas/errors.js'
import type { Jid } from '../../schemas/ids.js'
import { CHANNEL_UPDATES_KIND } from '../../schemas/sealed-kinds.js'
import type { SendsContext } from './sends/context.js'

/** Maximum of channels of an instance whose live updates are wanted at the same time. */
const WANTED_MAX = 20
/** Part of the time of a request after which it is renewed. */
const RENEWED_AFTER = 0.8
/** Time until a request that failed is made again. */
const RETRY_MS = 30_000

interface Wanted {
  readonly untilMs: number
  /** Time at which the network is asked again. */
  renewAtMs: number
}

/**
 * Live updates of channels. The network forgets a request after some minutes, and with each connection: it is renewed for as long as a caller
 * wants it. What is wanted is stored, so that a later connection, also of another owner, goes on.
 */
export class ChannelUpdates {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger' | 'connection'>
  readonly #wanted = new Map<Jid, Wanted>()
  #restored: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #isOpen = false

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'journal' | 'logger' | 'connection'>) {
    this.#context = context
  }

  /**
   * Asks for live updates of a channel until then. Returns for how many seconds the network keeps the request.
   * @throws GatewayError CHANNELS_WATCHED_FULL; the refusals of the network, which then sends none
   */
  async want(channel: Jid, untilMs: number): Promise<number> {
    await this.#restore()
    this.#forgetEnded()
    if (!this.#wanted.has(channel) && this.#wanted.size >= WANTED_MAX) throw new GatewayError('CHANNELS_WATCHED_FULL')
    const { channels } = await this.#context.connection()
    const seconds = await channels.liveUpdates(channel)
    await this.#store(channel, Buffer.from(String(untilMs)))
    this.#wanted.set(channel, { untilMs, renewAtMs: Date.now() + seconds * 1000 * RENEWED_AFTER })
    this.#setTimer()
    return seconds
  }

  /** Renews nothing for a channel from now on. The network forgets its last request by itself. */
  async drop(channel: Jid): Promise<void> {
    await this.#restore()
    await this.#store(channel, null)
    this.#wanted.delete(channel)
  }

  /** Asks again for all that is wanted, over a new connection. */
  opened(): void {
    this.#isOpen = true
    this.#restore()
      .then(() => {
        for (const wanted of this.#wanted.values()) wanted.renewAtMs = 0
        this.#setTimer()
      })
      .catch((error: unknown) => this.#failed(error))
  }

  /** Ends the timer, because the connection or the actor has ended. */
  closed(): void {
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Forgets all, because the instance may now be paired with another account. The keys of the former one are deleted. */
  forget(): void {
    this.#wanted.clear()
    this.#restored = Promise.resolve()
  }

  #restore(): Promise<void> {
    this.#restored ??= this.#read().catch((error: unknown) => {
      this.#restored = null
      throw error
    })
    return this.#restored
  }

  async #read(): Promise<void> {
    const { id, reader } = this.#context
    const page = await reader.keyPage(id, CHANNEL_UPDATES_KIND, '', WANTED_MAX)
    for (const [channel, bytes] of page) {
      const untilMs = Number(Buffer.from(bytes).toString())
      if (Number.isSafeInteger(untilMs)) this.#wanted.set(channel as Jid, { untilMs, renewAtMs: 0 })
    }
  }

  #forgetEnded(): void {
    const nowMs = Date.now()
    for (const [channel, { untilMs }] of this.#wanted)
      if (untilMs <= nowMs) {
        this.#wanted.delete(channel)
        this.#store(channel, null).catch((error: unknown) => this.#failed(error))
      }
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    if (!this.#isOpen || this.#wanted.size === 0) return
    const nextMs = Math.min(...[...this.#wanted.values()].map(({ renewAtMs }) => renewAtMs))
    this.#timer = setTimeout(() => void this.#renew(), Math.max(0, nextMs - Date.now()))
    this.#timer.unref()
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    this.#forgetEnded()
    for (const [channel, wanted] of [...this.#wanted]) {
      if (wanted.renewAtMs > Date.now()) continue
      // Set first, so that another timer does not ask for the same.
      wanted.renewAtMs = Date.now() + RETRY_MS
      try {
        const { channels } = await this.#context.connection(0)
        wanted.renewAtMs = Date.now() + (await channels.liveUpdates(channel)) * 1000 * RENEWED_AFTER
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#setTimer()
  }

  async #store(channel: Jid, value: Uint8Array | null): Promise<void> {
    await this.#context.journal.write([{ type: 'keys', entries: [{ kind: CHANNEL_UPDATES_KIND, id: channel, value }] }])
  }

  #failed(error: unknown): void {
    if (this.#isOpen)
      this.#context.logger.debug({ error: errorText(error) }, 'Live updates of a channel were not renewed.')
  }
}
