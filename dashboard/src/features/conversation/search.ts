/** Search parameters of the conversations, so that every view is a link. */
export interface ConversationSearch {
  /** The chosen chat. */
  readonly chat?: string
  /** Id of the message to which the view jumps. */
  readonly message?: string
  /** Text that is searched for in the chat. */
  readonly text?: string
  /** Name or number of chats. */
  readonly search?: string
  /** The newest message that was not sent takes its place. */
  readonly failed?: true
  readonly unread?: true
  /** Unread chats stand before the others. */
  readonly unreadFirst?: true
  readonly groups?: true
  readonly archived?: true
  readonly ticket?: true
  readonly label?: string
  readonly attendant?: string
}

export const flags = ['unread', 'groups', 'archived', 'ticket'] as const
export type Flag = (typeof flags)[number]
const texts = ['chat', 'message', 'text', 'search', 'label', 'attendant'] as const
const TEXT_MAX = 200

export function readConversationSearch(given: Record<string, unknown>): ConversationSearch {
  const kept: Record<string, unknown> = {}
  // A router reads digits in an address as a number.
  for (const name of texts) {
    const value = given[name]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text !== '') kept[name] = text.slice(0, TEXT_MAX)
  }
  for (const name of ['failed', 'unreadFirst', ...flags]) if (given[name] === true) kept[name] = true
  return kept
}
