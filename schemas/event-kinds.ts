import type { EventKind, MessageFilter } from './generated.js'

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
] as const satisfies readonly EventKind[]

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
