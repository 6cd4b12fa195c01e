/** The filters of webhooks and streams: `excludeMessages` names kinds of messages that are not told. */
import type { EventKind } from '../../schemas/generated.js'

const SENT_BY_API = 1
const FROM_ME = 2
const GROUP = 4

/** Kinds of events with messages. */
const FILTERED: ReadonlySet<EventKind> = new Set(['messages', 'status', 'newsletter_messages'])

/** Properties that filters check, as bits. Stored with the event. */
export function messageFlags(message: { wasSentByApi?: boolean; fromMe: boolean; isGroup: boolean }): number {
  return (message.wasSentByApi ? SENT_BY_API : 0) | (message.fromMe ? FROM_ME : 0) | (message.isGroup ? GROUP : 0)
}

/** A message that any of the filters names is left out. Other kinds of events are never. */
export function isExcluded(kind: EventKind, flags: number | null, filters: readonly string[]): boolean {
  if (!FILTERED.has(kind) || flags === null || filters.length === 0) return false
  return filters.some((filter) => excludes(filter, flags))
}

/** Unknown names exclude nothing; case does not matter (the specification itself writes one of them in two ways). */
function excludes(filter: string, flags: number): boolean {
  switch (filter.toLowerCase()) {
    case 'wassentbyapi':
      return (flags & SENT_BY_API) !== 0
    case 'wasnotsentbyapi':
      return (flags & SENT_BY_API) === 0
    case 'frommeyes':
      return (flags & FROM_ME) !== 0
    case 'frommeno':
      return (flags & FROM_ME) === 0
    case 'isgroupyes':
      return (flags & GROUP) !== 0
    case 'isgroupno':
      return (flags & GROUP) === 0
    default:
      return false
  }
}
