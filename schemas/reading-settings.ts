import { isObject } from '../lib/is-object.js'

// Bound: 10,000, settings of an instance.

/** What an instance reads by itself, and how much history it asks for. */
export interface ReadingSettings {
  /** Received messages are marked as read. */
  readonly readMessages: boolean
  /** Status posts are marked as read. */
  readonly readStatus: boolean
  /** The next pairing asks the phone for its whole history. */
  readonly fullHistory: boolean
}

/** Reads stored settings. Anything that is not readable counts as off. */
export function parseReadingSettings(stored: string): ReadingSettings {
  let value: unknown
  try {
    value = JSON.parse(stored || '{}')
  } catch {}
  const { readMessages, readStatus, fullHistory } = isObject(value) ? value : {}
  return { readMessages: readMessages === true, readStatus: readStatus === true, fullHistory: fullHistory === true }
}
