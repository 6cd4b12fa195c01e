/** Filters of the list of chats: as the gateway takes them, and the same test for chats that events bring. */
import type { Chat, FindChatsRequest } from '../../../schemas/generated.js'
import type { ConversationSearch } from '../features/conversation/search.js'

export type ChatFilter = Pick<
  ConversationSearch,
  'search' | 'unread' | 'unreadFirst' | 'groups' | 'archived' | 'ticket' | 'label' | 'attendant'
>

export function makeFilterRequest(filter: ChatFilter): FindChatsRequest {
  const { search, unread, groups, archived = false, ticket, label, attendant } = filter
  return {
    wa_archived: archived,
    ...(search === undefined ? {} : chooseName(search)),
    ...(unread ? { wa_unreadCount: '!=0' } : {}),
    ...(groups ? { wa_isGroup: true } : {}),
    ...(ticket ? { lead_isTicketOpen: true } : {}),
    ...(label === undefined ? {} : { wa_label: [label] }),
    ...(attendant === undefined ? {} : { lead_assignedAttendant_id: `~${attendant}` }),
  }
}

/** Chats with the newest messages that a short search looks at. */
export const SHORT_SEARCH_CHATS = 5_000

/** Returns true for a search that no index of the gateway serves: it would read every chat of the instance. Names have one from two letters on. */
export function isShort(search: string): boolean {
  const digits = findDigits(search)
  if (digits !== undefined) return digits.length < 3
  return search.startsWith('@') ? search.length < 4 : [...search].length < 2
}

/** A search that looks like a number is for one, any other for a name. */
export function chooseName(search: string): FindChatsRequest {
  const digits = findDigits(search)
  const newest = isShort(search) ? { newest: SHORT_SEARCH_CHATS } : {}
  if (search.startsWith('@')) return { wa_username: `~${search.slice(1)}`, ...newest }
  return { ...(digits === undefined ? { name: `~${search}` } : { wa_chatid: `~${search}` }), ...newest }
}

export function fitsFilter(chat: Chat, filter: ChatFilter): boolean {
  const { search, unread, groups, archived = false, ticket, label, attendant } = filter
  const digits = findDigits(search)
  const has = (text: string | undefined, part: string) => (text ?? '').toLowerCase().includes(part.toLowerCase())
  const found = (text: string) => {
    if (text.startsWith('@')) return has(chat.wa_username, text.slice(1))
    return digits === undefined ? has(chat.name, text) : has(chat.wa_chatid, digits)
  }
  return (
    (chat.wa_archived ?? false) === archived &&
    (search === undefined || found(search)) &&
    (!unread || (chat.wa_unreadCount ?? 0) !== 0) &&
    (!groups || chat.wa_isGroup === true) &&
    (!ticket || chat.lead_isTicketOpen === true) &&
    (label === undefined || readLabels(chat).includes(label)) &&
    (attendant === undefined || has(chat.lead_assignedAttendant_id, attendant))
  )
}

/** Returns the ids of the labels of a chat. The record has them as JSON. */
export function readLabels({ wa_label: labels }: Pick<Chat, 'wa_label'>): readonly string[] {
  if (Array.isArray(labels)) return labels.map(String)
  try {
    const read: unknown = JSON.parse(labels ?? '[]')
    return Array.isArray(read) ? read.map(String) : []
  } catch {
    return []
  }
}

/** Returns the digits of a search that looks like a number, else undefined. */
function findDigits(search: string | undefined): string | undefined {
  if (search === undefined || !/^[+\d][\d\s().-]*$/.test(search)) return undefined
  const digits = search.replace(/\D/g, '')
  return digits === '' ? undefined : digits
}
