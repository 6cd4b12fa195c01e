import type { StoredEvent } from '../store/events.js'

interface Offer {
  readonly events: readonly StoredEvent[]
  readonly expiresAtMs: number
}

/** Maximum of lanes, of events of a lane, and of characters of an event. Above it, deliveries are read from the store. */
const LANES_MAX = 200
const EVENTS_MAX = 20
const BODY_MAX_CHARACTERS = 65_536
/** Later, another node may have sent them, or they may have been given up. */
const AGE_MAX_MS = 1_000

/** First deliveries of lanes, passed on by the commits that stored them, so that runs need not read them. */
export class LaneOffers {
  readonly #offers = new Map<string, Offer>()

  /** Replaces what is known of a lane. @param events its first deliveries; undefined if others may wait before them */
  set(key: string, events: readonly StoredEvent[] | undefined): void {
    this.#offers.delete(key)
    if (events === undefined || events.length > EVENTS_MAX) return
    if (events.some(({ body }) => body.length > BODY_MAX_CHARACTERS)) return
    if (this.#offers.size >= LANES_MAX) this.#dropOldest()
    this.#offers.set(key, { events, expiresAtMs: performance.now() + AGE_MAX_MS })
  }

  /** Returns the number of deliveries of a lane that are known; 1 if none is. */
  count(key: string): number {
    return Math.max(1, this.#offers.get(key)?.events.length ?? 0)
  }

  /** Returns the first deliveries of a lane, and forgets them. Returns undefined if they are unknown or too old. */
  take(key: string): readonly StoredEvent[] | undefined {
    const offer = this.#offers.get(key)
    this.#offers.delete(key)
    return offer === undefined || offer.expiresAtMs < performance.now() ? undefined : offer.events
  }

  #dropOldest(): void {
    for (const key of this.#offers.keys()) {
      this.#offers.delete(key)
      return
    }
  }
}
