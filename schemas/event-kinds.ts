import type { EventKind, MessageFilter } from './generated.js'
import { invalidField } from './invalid-field.js'

/** Every kind of event (`schemas/records/event-kind.json`). */
export const eventKinds = [
  'connection',
  'history',
  'messages',
  'messages_update',
  'call',
  'contacts',
  'presence',
  'groups',
  'labels',
  'chats',
  'chat_labels',
  'blocks',
  'leads',
  'limits',
  'suppressions',
  'sender',
  'agents',
  'status',
  'newsletter_messages',
] as const satisfies readonly EventKind[]

/** Maximum of names in one list of events. */
const EVENT_NAMES_MAX = 50
// Bound: 1,048,576, a value of an imported row or a part of a query.
const EVENT_NAME = /^[A-Za-z0-9_.:-]{1,64}$/
const KNOWN_NAMES: ReadonlySet<string> = new Set(eventKinds)

/** Checks names that no schema has checked, by the rules of `records/event-name.json`. @throws GatewayError INVALID_REQUEST */
export function checkEventNames(names: readonly string[]): void {
  if (names.length > EVENT_NAMES_MAX) throw invalidField('events', `must have at most ${EVENT_NAMES_MAX} names`)
  if (!names.every((name) => EVENT_NAME.test(name)))
    throw invalidField('events', 'must be names of 1 to 64 letters, digits and the characters _ . : -')
}

/** Returns a sentence about each name that this release does not know. */
export function eventNameWarnings(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    KNOWN_NAMES.has(name) ? [] : [`events: ${name}: unknown event, kept; nothing is delivered for it`],
  )
}

/** Every filter (`schemas/records/message-filter.json`), in the spelling that we keep. */
export const messageFilters = [
  'wasSentByApi',
  'wasNotSentByApi',
  'fromMeYes',
  'fromMeNo',
  'isGroupYes',
  'IsGroupNo',
] as const satisfies readonly MessageFilter[]

/** The specification writes one filter in two ways; its list of names has the capital. */
export function settledFilter(filter: string): string {
  return filter === 'isGroupNo' ? 'IsGroupNo' : filter
}

/**
 * The version of the shapes of events (`schemas/events/`), which each event carries in webhooks and streams. It grows when a field changes its
 * meaning or goes; new fields and new kinds leave it as it is, since readers ignore what they do not know.
 */
export const EVENT_SCHEMA_VERSION = 1
