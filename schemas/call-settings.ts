import { isObject } from '../lib/is-object.js'

// Bound: 10,000, settings of calls.

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
    value = JSON.parse(stored || '{}')
  } catch {}
  const { people, groups } = isObject(value) ? value : {}
  return { people: ruleOf(people), groups: ruleOf(groups) }
}

function ruleOf(value: unknown): CallRule {
  const { reject, text } = isObject(value) ? value : NONE
  return { reject: reject === true, text: typeof text === 'string' ? text : '' }
}
