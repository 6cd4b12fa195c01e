import type { Conversation, Inbox, User } from '../model.js'
import type { Parameters } from '../parameters.js'
import { refusals } from '../refusal.js'
import type { Store } from '../store.js'
import type { Views } from '../views.js'

export interface Context {
  readonly store: Store
  readonly views: Views
  /** Of the token; undefined in public calls. */
  readonly user: User
  readonly parameters: Parameters
  /** Parts of the path. */
  readonly ids: readonly string[]
  /** Writes down what the platform takes in silence, and a client should not do. */
  mistake(sentence: string): void
}

export interface Route {
  readonly method: string
  /** Path below the account, or from the root for public calls; `*` is one part. */
  readonly path: string
  readonly isPublic?: boolean
  /** Calls that the token of an agent bot may make. */
  readonly isForBots?: boolean
  readonly run: (context: Context) => unknown
}

/** Returns the record of that number. @throws Refusal 404 */
export function found<T>(records: ReadonlyMap<number, T>, id: string | number | undefined): T {
  const record = records.get(Number(id))
  if (record === undefined) throw refusals.notFound()
  return record
}

/** @throws Refusal 401 if the user is not a member of the inbox */
export function checkMember({ user }: Context, inboxId: number): void {
  if (user.role === 'agent' && !user.inboxes.includes(inboxId)) throw refusals.noRight()
}

/** @throws Refusal */
export function findInbox(context: Context, id: string | number | undefined): Inbox {
  const inbox = found(context.store.inboxes, id)
  checkMember(context, inbox.id)
  return inbox
}

/** @throws Refusal */
export function findConversation(context: Context, id: string | undefined): Conversation {
  const conversation = found(context.store.conversations, id)
  checkMember(context, conversation.inboxId)
  return conversation
}
