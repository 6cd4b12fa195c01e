import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../lib/error-text.js'
import { GatewayError } from '../../schemas/errors.js'
import { type ChatAddress, toChatId } from '../../schemas/jid.js'
import type { AccountPresence, PresenceView } from '../../schemas/presence-kind.js'
import type { Connection } from '../network/port/connection.js'
import type { NetworkEvent } from '../network/port/events.js'
import type { Change } from './ports.js'
import { RateLimit } from './rate-limit.js'
import { RecentMap } from './recent-map.js'
import type { SendsContext } from './sends/context.js'

type PresenceEvent = Extract<NetworkEvent, { type: 'presence' }>
type WatchContext = Pick<SendsContext, 'id' | 'reader' | 'logger' | 'connection'>

const MINUTE_MS = 60_000
/** Time after the last look at a person for which the presence of this person is watched. */
const WATCHED_FOR_MS = 7 * 24 * 60 * MINUTE_MS
/** Time between two writes of a look at a person who is watched already. */
const LOOK_WRITTEN_MS = 24 * 60 * MINUTE_MS
/** Maximum of new subscriptions in a minute. */
const SUBSCRIPTIONS_PER_MINUTE = 60
/** Maximum of events in a minute. People who type cost a row and a delivery each; more than these are not told. */
const EVENTS_PER_MINUTE = 300
/** Time that a caller waits for the network's first word about a person. It may never come. */
const FIRST_WORD_MS = 2_000

interface Watched {
  readonly person: ChatAddress
  lookedAtMs: number
  view: PresenceView
  /** Connection over which the network was asked. */
  connection: Connection | null
  readonly wake: Set<() => void>
}

const NOTHING: PresenceView = {
  presence: 'unknown',
  activity: null,
  lastSeenMs: null,
  isLastSeenHidden: false,
  knownAtMs: null,
}

/**
 * The presence that one account shows, and what the network tells it of others. Both are restored after each login, also by another owner:
 * the people who are watched are stored.
 */
export class PresenceWatch {
  readonly #context: WatchContext
  readonly #subscriptions = new RateLimit(SUBSCRIPTIONS_PER_MINUTE, MINUTE_MS)
  readonly #events = new RateLimit(EVENTS_PER_MINUTE, MINUTE_MS)
  /** By LID if it is known, else by number. */
  #watched = new RecentMap<string, Watched>(WATCHED_MAX)
  readonly #write: (changes: readonly Change[]) => void
  #own: Promise<AccountPresence> | null = null
  #known: AccountPresence | null = null
  #restored: Promise<void> | null = null
  /** Grows with each pairing, so that a list which was being read is not taken for another account. */
  #pairings = 0

  constructor(context: WatchContext, write: (changes: readonly Change[]) => void) {
    this.#context = context
    this.#write = write
  }

  /** Presence that the account is to show; null while it was not read. */
  get known(): AccountPresence | null {
    return this.#known
  }

  /** Returns the presence that the account is to show. */
  own(): Promise<AccountPresence> {
    if (this.#own !== null) return this.#own
    const reading = this.#context.reader.presence(this.#context.id)
    this.#own = reading
    reading.then(
      (presence) => {
        if (this.#own === reading) this.#known = presence
      },
      () => {
        if (this.#own === reading) this.#own = null
      },
    )
    return reading
  }

  /** Takes a presence over that is stored. */
  use(presence: AccountPresence): void {
    this.#own = Promise.resolve(presence)
    this.#known = presence
  }

  /** Forgets the watched people, because the instance may now be paired with another account. */
  forget(): void {
    this.#pairings += 1
    this.#watched = new RecentMap(WATCHED_MAX)
    this.#restored = Promise.resolve()
    this.#store()
  }

  /** Shows the stored presence after a login, or once the account has a name. Never throws. */
  announce(): void {
    this.#announce().catch((error: unknown) =>
      this.#context.logger.debug({ error: errorText(error) }, 'A presence was not shown after a login.'),
    )
  }

  /** Shows the stored presence now. @throws GatewayError INSTANCE_NOT_CONNECTED, PROFILE_NAME_UNKNOWN */
  async show(): Promise<void> {
    const [connection, presence] = [await this.#context.connection(0), await this.own()]
    await connection.presence.show(presence)
    if (presence === 'unavailable') for (const watched of this.#watched.values()) watched.view = NOTHING
    else {
      await this.#restore()
      this.#subscribeAgain(connection)
    }
  }

  /** Takes an event of the network. Returns false if it is one too many, and is not to be told. */
  take(event: PresenceEvent): boolean {
    const watched = this.#find(event.sender)
    if (watched !== undefined) {
      watched.view = viewAfter(watched.view, event)
      for (const wake of watched.wake) wake()
    }
    if (this.#events.take()) return true
    this.#context.logger.debug('Too many presence updates: an event was left out.')
    return false
  }

  /**
   * Returns what is known of a person. Asks the network the first time, and waits a moment for its answer.
   * @throws GatewayError ACCOUNT_UNAVAILABLE, RATE_LIMITED, INSTANCE_NOT_CONNECTED
   */
  async look(person: ChatAddress): Promise<PresenceView> {
    if ((await this.own()) !== 'available') throw new GatewayError('ACCOUNT_UNAVAILABLE')
    await this.#restore()
    const connection = await this.#context.connection()
    const watched = this.#find(person) ?? unseen(person, 0)
    if (watched.connection !== connection) {
      if (!this.#subscriptions.take()) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 60 })
      this.#watched.set(findName(person), watched)
      watched.connection = connection
      watched.view = NOTHING
      await connection.presence.subscribe(person)
    }
    this.#noteLook(watched)
    if (watched.view.knownAtMs === null) await firstWord(watched)
    return watched.view
  }

  async #announce(): Promise<void> {
    if ((await this.own()) === 'available') await this.show()
  }

  /** Reads once the people who were watched under the former owner. */
  async #restore(): Promise<void> {
    this.#restored ??= this.#read()
    const reading = this.#restored
    try {
      await reading
    } catch (error) {
      if (this.#restored === reading) this.#restored = null
      throw error
    }
  }

  async #read(): Promise<void> {
    const { id, reader } = this.#context
    const pairings = this.#pairings
    const stored = await reader.watched(id)
    if (pairings !== this.#pairings) return
    for (const { person, lookedAtMs } of parseWatched(stored))
      if (this.#find(person) === undefined) this.#watched.set(findName(person), unseen(person, lookedAtMs))
  }

  #noteLook(watched: Watched): void {
    const nowMs = Date.now()
    // Also writes a look over one in the future, which was written while the clock was ahead.
    if (Math.abs(nowMs - watched.lookedAtMs) < LOOK_WRITTEN_MS) return
    watched.lookedAtMs = nowMs
    this.#store()
  }

  #store(): void {
    const people: WatchedPerson[] = [...this.#watched.values()].map(({ person: { pn, lid }, lookedAtMs }) => ({
      person: { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) },
      lookedAtMs,
    }))
    this.#write([{ type: 'instance', set: { watched: people.length === 0 ? '' : JSON.stringify(people) } }])
  }

  #subscribeAgain(connection: Connection): void {
    for (const watched of [...this.#watched.values()]) {
      // A time far ahead was written while the clock of a node was wrong.
      if (Math.abs(Date.now() - watched.lookedAtMs) > WATCHED_FOR_MS) {
        this.#watched.delete(findName(watched.person))
        continue
      }
      if (watched.connection === connection) continue
      watched.connection = connection
      watched.view = NOTHING
      connection.presence
        .subscribe(watched.person)
        .catch((error: unknown) =>
          this.#context.logger.debug({ error: errorText(error) }, 'A presence is not watched.'),
        )
    }
  }

  /** Finds a person by either address. */
  #find({ lid, pn }: ChatAddress): Watched | undefined {
    for (const jid of [lid, pn]) {
      const watched = jid === undefined ? undefined : this.#watched.get(jid)
      if (watched !== undefined) return watched
    }
    if (pn === undefined) return undefined
    for (const watched of this.#watched.values()) if (watched.person.pn === pn) return watched
    return undefined
  }
}

function unseen(person: ChatAddress, lookedAtMs: number): Watched {
  return { person, lookedAtMs, view: NOTHING, connection: null, wake: new Set() }
}

function findName(person: ChatAddress): string {
  return person.lid ?? toChatId(person)
}

/** Resolves when the network has said something of the person, or after a moment. */
async function firstWord(watched: Watched): Promise<void> {
  const ended = new AbortController()
  let wake = (): void => {}
  const word = new Promise<void>((resolve) => {
    wake = resolve
  })
  watched.wake.add(wake)
  try {
    await Promise.race([word, pause(FIRST_WORD_MS, undefined, { signal: ended.signal }).catch(() => {})])
  } finally {
    watched.wake.delete(wake)
    ended.abort()
  }
}

function viewAfter(view: PresenceView, { state, lastSeen, isLastSeenHidden }: PresenceEvent): PresenceView {
  const knownAtMs = Date.now()
  if (state === 'available' || state === 'unavailable')
    return {
      presence: state,
      activity: null,
      lastSeenMs: lastSeen === undefined ? view.lastSeenMs : lastSeen * 1_000,
      isLastSeenHidden: isLastSeenHidden ?? false,
      knownAtMs,
    }
  return { ...view, activity: state, knownAtMs }
}

/** People whose presence an account watches, as they are stored. */

interface WatchedPerson {
  readonly person: Pick<ChatAddress, 'pn' | 'lid'>
  /** Time of the last look at this person, Unix milliseconds. */
  readonly lookedAtMs: number
}

/** Maximum of people whose presence is watched. The network is asked again for them after each login. */
const WATCHED_MAX = 200

/** Reads a stored list. Returns none if it is not of the form that this program writes. */
function parseWatched(text: string): readonly WatchedPerson[] {
  if (text === '') return []
  try {
    // Bound: 65,536, 5,000 values, people whose presence is watched.
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) && given.every(isWatched) ? given.slice(0, WATCHED_MAX) : []
  } catch {
    return []
  }
}

function isWatched(given: unknown): given is WatchedPerson {
  const { person, lookedAtMs } = (given ?? {}) as Partial<WatchedPerson>
  return (
    typeof lookedAtMs === 'number' &&
    typeof person === 'object' &&
    person !== null &&
    (typeof person.pn === 'string' || typeof person.lid === 'string')
  )
}
