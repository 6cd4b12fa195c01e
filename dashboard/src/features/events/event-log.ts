/** The newest events, bounded, as text: an event that nobody opens costs no more than its characters. */

export interface LoggedEvent {
  /** Number among all events that came. */
  readonly number: number
  readonly kind: string
  readonly atMs: number
  /** The event as JSON, or its beginning. */
  readonly text: string
  readonly isCut: boolean
}

/** Maximum of events that are kept. */
export const EVENTS_MAX = 500
/** Characters before what is searched for in an excerpt. */
const BEFORE = 60
/** Maximum of characters that are kept of one event. */
const TEXT_MAX = 100_000

export class EventLog {
  #events: LoggedEvent[] = []
  #count = 0
  #isPaused = false
  #missed = 0

  add(event: Readonly<Record<string, unknown>>, nowMs: number): void {
    this.#count += 1
    if (this.#isPaused) {
      this.#missed += 1
      return
    }
    const json = JSON.stringify(event)
    const isCut = json.length > TEXT_MAX
    // The newest come last. A slice now and then is cheaper than a shift for each event.
    this.#events.push({
      number: this.#count,
      kind: String(event.EventType ?? ''),
      atMs: nowMs,
      text: isCut ? json.slice(0, TEXT_MAX) : json,
      isCut,
    })
    if (this.#events.length >= 2 * EVENTS_MAX) this.#events = this.#events.slice(-EVENTS_MAX)
  }

  /** Stops or continues to keep events. Those that come meanwhile are counted only. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    if (!isPaused) this.#missed = 0
  }

  clear(): void {
    this.#events = []
  }

  get count(): number {
    return this.#count
  }

  get missed(): number {
    return this.#missed
  }

  /** Returns the events that fit, the newest first. */
  find(kinds: ReadonlySet<string>, search: string): readonly LoggedEvent[] {
    const wanted = search.toLowerCase()
    return this.#events
      .slice(-EVENTS_MAX)
      .filter(({ kind, text }) => (kinds.size === 0 || kinds.has(kind)) && text.toLowerCase().includes(wanted))
      .reverse()
  }
}

/** Returns the beginning of an event, or the part with what is searched for. */
export function cutExcerpt(text: string, search: string, length: number): string {
  const at = search === '' ? 0 : text.toLowerCase().indexOf(search.toLowerCase())
  return at <= BEFORE ? text.slice(0, length) : `…${text.slice(at - BEFORE, at - BEFORE + length)}`
}
