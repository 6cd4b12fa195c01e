/** A part of a chat's messages, oldest first: what pages and events put into it. Pure, so that tests can follow it. */
import type { FindMessagesReply, Message } from '../../../schemas/generated.js'

export interface MessageWindow {
  readonly items: readonly Message[]
  /** Cursor of older messages; null if there are none. */
  readonly older: string | null
  /** Cursor of newer messages. */
  readonly newer: string | null
  /** True if the newest message of the chat is in the window. */
  readonly isAtEnd: boolean
}

export type Page = Pick<FindMessagesReply, 'messages' | 'hasMore' | 'older' | 'newer'>

export const emptyWindow: MessageWindow = { items: [], older: null, newer: null, isAtEnd: true }

/** Maximum of messages in the memory of the page. Those at the far end are let go, and read again when they are needed. */
export const WINDOW_MAX = 6_000

const ORDER = ['scheduled', 'queued', 'pending', 'sent', 'delivered', 'read', 'played']

export function openWindow({ messages, hasMore, older, newer }: Page): MessageWindow {
  return { items: messages.toReversed(), older: hasMore ? older : null, newer, isAtEnd: true }
}

export function openWindowAround({ messages, older, newer }: Page): MessageWindow {
  return { items: messages.toReversed(), older, newer, isAtEnd: false }
}

export function addOlder(window: MessageWindow, { messages, hasMore, older }: Page): MessageWindow {
  const known = new Set(window.items.map(({ id }) => id))
  const items = [...messages.toReversed().filter(({ id }) => !known.has(id)), ...window.items]
  const next = { ...window, items, older: hasMore ? older : null }
  if (items.length <= WINDOW_MAX) return next
  // The end of the window can be found again by its last message only, so that `around` of it reads the rest.
  return { ...next, items: items.slice(0, WINDOW_MAX), newer: null, isAtEnd: false }
}

export function addNewer(window: MessageWindow, { messages, hasMore, newer }: Page): MessageWindow {
  const fresh = new Map(messages.map((message) => [message.id, message]))
  const kept = window.items.map((message) => fresh.get(message.id) ?? message)
  const known = new Set(kept.map(({ id }) => id))
  const items = [...kept, ...messages.toReversed().filter(({ id }) => !known.has(id))]
  const next = { ...window, items, newer: newer ?? window.newer, isAtEnd: !hasMore }
  return items.length <= WINDOW_MAX ? next : { ...next, items: items.slice(-WINDOW_MAX), older: null }
}

/** Puts messages of events into a window that has the end of the chat. A message that is known is replaced where it is. */
export function addArrived(window: MessageWindow, arrived: readonly Message[]): MessageWindow {
  const byId = new Map(arrived.map((message) => [message.id, message]))
  const items = window.items.map((message) => {
    const fresh = byId.get(message.id)
    if (fresh === undefined) return message
    byId.delete(message.id)
    return mergeMessage(message, fresh)
  })
  if (window.isAtEnd)
    // Events come in the order of the messages. Their times are of several clocks.
    items.push(...byId.values())
  if (items.length <= WINDOW_MAX) return { ...window, items }
  return { ...window, items: items.slice(-WINDOW_MAX), older: null }
}

/** A change that an event `messages_update` announces. */
export interface MessageUpdate {
  readonly ids: readonly string[]
  readonly type: string
  readonly state: string
  readonly text: string | undefined
  readonly atMs: number
  readonly votes: readonly { readonly option: string; readonly votes: number }[] | undefined
  /** Until when it is pinned. */
  readonly pinnedUntil?: number
}

export function applyUpdate(window: MessageWindow, update: MessageUpdate): MessageWindow {
  const ids = new Set(update.ids)
  let isChanged = false
  const items = window.items.map((message) => {
    if (!ids.has(message.messageid)) return message
    const next = updateMessage(message, update)
    isChanged ||= next !== message
    return next
  })
  return isChanged ? { ...window, items } : window
}

function updateMessage(message: Message, { type, state, text, atMs, votes, pinnedUntil = 0 }: MessageUpdate): Message {
  if (type === 'Edited')
    return { ...message, edited: JSON.stringify([...listEdits(message), { text: text ?? '', at: atMs }]) }
  if (type === 'PollVote') return votes === undefined ? message : { ...message, vote: JSON.stringify(votes) }
  if (type === 'Fallback') return text === undefined ? message : { ...message, text }
  if (type === 'Pinned' || type === 'Unpinned') return { ...message, pinnedUntil }
  if (type === 'Starred' || type === 'Unstarred') return { ...message, starred: type === 'Starred' }
  const status = state.toLowerCase() as Message['status']
  return { ...message, status: chooseLaterStatus(message.status, status) }
}

/** An answer may be older than an event that came before it. */
function mergeMessage(known: Message, fresh: Message): Message {
  return { ...fresh, status: chooseLaterStatus(known.status, fresh.status) }
}

/** The status grows only; an end, such as `failed`, stays. */
export function chooseLaterStatus(known: Message['status'], next: Message['status']): Message['status'] {
  const [from, to] = [ORDER.indexOf(known), ORDER.indexOf(next)]
  if (from < 0) return known
  if (to < 0) return ['failed', 'canceled', 'deleted'].includes(next) ? next : known
  return to > from ? next : known
}

export interface Edit {
  readonly text: string
  readonly at: number
}

/** Returns the edits of a message, oldest first. Release 0.1.0 kept the present text alone. */
export function listEdits({
  edited = '',
  messageTimestamp,
}: Pick<Message, 'edited' | 'messageTimestamp'>): readonly Edit[] {
  if (edited === '') return []
  try {
    const read: unknown = JSON.parse(edited)
    if (Array.isArray(read))
      return read.filter(
        (one): one is Edit =>
          typeof one === 'object' && one !== null && typeof one.text === 'string' && typeof one.at === 'number',
      )
  } catch {
    // It is a text.
  }
  return [{ text: edited, at: messageTimestamp }]
}

export interface Reaction {
  readonly emoji: string
  readonly sender: string
  readonly name: string
  readonly fromMe: boolean
  readonly at: number
}

/** Returns the reactions to each message. The newest of each person counts, and an empty one takes it back. */
export function groupReactions(items: readonly Message[]): ReadonlyMap<string, readonly Reaction[]> {
  const found = new Map<string, Map<string, Reaction>>()
  for (const {
    messageType,
    reaction = '',
    text = '',
    sender = '',
    senderName = '',
    fromMe,
    messageTimestamp: at,
  } of items) {
    if (messageType !== 'reaction' || reaction === '') continue
    const of = found.get(reaction) ?? new Map<string, Reaction>()
    const who = fromMe ? 'me' : sender
    if (at >= (of.get(who)?.at ?? 0)) of.set(who, { emoji: text, sender, name: senderName, fromMe, at })
    found.set(reaction, of)
  }
  return new Map([...found].map(([id, of]) => [id, [...of.values()].filter(({ emoji }) => emoji !== '')]))
}
