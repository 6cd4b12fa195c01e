import type { StoredEvent } from '../store/events.js'

interface Offer {
  readonly events: readonly StoredEvent[]
  readonly characters: number
  readonly expiresAtMs: number
}

/** Maximum of events of a lane, of characters of an event, and of characters of all. Above it, deliveries are read from the store. */
const EVENTS_MAX = 20
const BODY_MAX_CHARACTERS = 65_536
const CHARACTERS_MAX = 4 * 2 ** 20
const FIELDS_CHARACTERS = 1_000
/** Later, another node may have sent them, or they may have been given up. */
const AGE_MAX_MS = 2_000

/** First deliveries of lanes, passed on by the commits that stored them, so that runs need not read them. */
export class LaneOffers {
  readonly #offers = new Map<string, Offer>()
  #characters = 0

  /** Replaces what is known of a lane. @param events its first deliveries; undefined if others may wait before them */
  set(key: string, events: readonly StoredEvent[] | undefined): void {
    this.#drop(key)
    if (events === undefined || events.length > EVENTS_MAX) return
    if (events.some(({ body }) => body.length > BODY_MAX_CHARACTERS)) return
    // The key and the fields around the body count as well, so that the number of offers is bounded.
    const characters = events.reduce((sum, { body }) => sum + body.length + FIELDS_CHARACTERS, 0)
    this.#characters += characters
    this.#offers.set(key, { events, characters, expiresAtMs: performance.now() + AGE_MAX_MS })
    while (this.#characters > CHARACTERS_MAX) this.#dropOldest()
  }

  /** Returns the number of deliveries of a lane that are known; 1 if none is. */
  count(key: string): number {
    return Math.max(1, this.#offers.get(key)?.events.length ?? 0)
  }

  /** Returns the first deliveries of a lane, and forgets them. Returns undefined if they are unknown or too old. */
  take(key: string): readonly StoredEvent[] | undefined {
    const offer = this.#drop(key)
    return offer === undefined || offer.expiresAtMs < performance.now() ? undefined : offer.events
  }

  #drop(key: string): Offer | undefined {
    const offer = this.#offers.get(key)
    if (offer === undefined) return undefined
    this.#offers.delete(key)
    this.#characters -= offer.characters
    return offer
  }

  #dropOldest(): void {
    for (const key of this.#offers.keys()) {
      this.#drop(key)
      return
    }
  }
}
