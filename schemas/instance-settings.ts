import { isObject } from '../lib/is-object.js'

/** Calls that the owner of an instance rejects by itself. */
export interface CallSettings {
  readonly people: CallRule
  readonly groups: CallRule
}

export interface CallRule {
  readonly reject: boolean
  /** Sent to the chat after a rejection; empty: none. */
  readonly text: string
}

const NONE: CallRule = { reject: false, text: '' }

/** Reads stored settings. Anything that is not readable counts as off. */
export function parseCallSettings(stored: string): CallSettings {
  let value: unknown
  try {
    // Bound: 10,000, settings of calls.
    value = JSON.parse(stored || '{}')
  } catch {}
  const { people, groups } = isObject(value) ? value : {}
  return { people: readRule(people), groups: readRule(groups) }
}

function readRule(value: unknown): CallRule {
  const { reject, text } = isObject(value) ? value : NONE
  return { reject: reject === true, text: typeof text === 'string' ? text : '' }
}

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
    // Bound: 10,000, settings of an instance.
    value = JSON.parse(stored || '{}')
  } catch {}
  const { readMessages, readStatus, fullHistory } = isObject(value) ? value : {}
  return { readMessages: readMessages === true, readStatus: readStatus === true, fullHistory: fullHistory === true }
}
