/** People whose presence an account watches, as they are stored. */
import type { ChatAddress } from './jid.js'

// Bound: 65,536, 5,000 values, people whose presence is watched.

export interface WatchedPerson {
  readonly person: Pick<ChatAddress, 'pn' | 'lid'>
  /** Time of the last look at this person, Unix milliseconds. */
  readonly lookedAtMs: number
}

/** Maximum of people whose presence is watched. The network is asked again for them after each login. */
export const WATCHED_MAX = 200

/** Reads a stored list. Returns none if it is not of the form that this program writes. */
export function parseWatched(text: string): readonly WatchedPerson[] {
  if (text === '') return []
  try {
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
