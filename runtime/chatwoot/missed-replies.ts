/** Stores replies of a conversation whose webhooks did not come, so that they are sent in their place. */
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootApi, CwConversation, CwMessage } from './chatwoot-api.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'
import { ChatwootRefusal } from './refusal.js'
import { type AgentMessage, agentMessage } from './webhook-facts.js'

export interface MissedRepliesOptions extends Pick<ChatwootParts, 'store'> {
  readonly receiver: Pick<ChatwootReceiver, 'store'>
}

/** One without `lastId` is always looked at. */
export type ConversationToLookAt = Pick<CwConversation, 'id' | 'contactId' | 'sourceId' | 'phone' | 'identifier'> &
  Partial<Pick<CwConversation, 'lastId'>>

/** Clocks differ, and a reply may have been under way. */
const OVERLAP_MS = 120_000
const PAGES_MAX = 20

type Times = Pick<ChatwootConfig, 'enabledAtMs' | 'linkedAtMs' | 'lookedAtMs'>

/** Time before which replies are not looked for. Chatwoot tells times in whole seconds. */
export function missedSinceMs({ enabledAtMs, linkedAtMs, lookedAtMs }: Times): number {
  return Math.floor(Math.max(enabledAtMs, linkedAtMs, lookedAtMs - OVERLAP_MS) / 1_000) * 1_000
}

/** @throws ChatwootRefusal; its kind is `away` when it takes until `endMs`, by `performance.now()` */
export async function storeMissedReplies(
  { store, receiver }: MissedRepliesOptions,
  api: Pick<ChatwootApi, 'messages'>,
  config: ChatwootConfig,
  conversation: ConversationToLookAt,
  endMs: number,
): Promise<void> {
  const { instance } = config
  const sinceMs = missedSinceMs(config)
  const chat = await store.chats.byConversation(instance, conversation.id)
  if (chat !== null && conversation.lastId !== undefined && isSeen(conversation.lastId, chat.seenId)) return
  const { found, last } = await messagesAfter(api, conversation.id, chat?.seenId ?? 0, endMs)
  const known = await store.messages.known(
    instance,
    found.map(({ id }) => id),
  )
  const replies = found
    .map(({ raw }) => agentMessage({ ...raw, conversation: shownIn(conversation) }))
    .filter((one): one is AgentMessage => one !== null && one.sourceId === '' && !known.has(one.cwId))
    .filter(({ createdMs, isDeleted }) => createdMs >= sinceMs && !isDeleted)
  for (const reply of replies) await receiver.store(instance, 'created', reply)
  if (last > 0) await store.chats.seen(instance, conversation.id, last)
}

function isSeen(lastId: number, seenId: number): boolean {
  return lastId > 0 && lastId <= seenId
}

/** Lists all messages after this one, or the newest if it is 0. */
async function messagesAfter(
  api: Pick<ChatwootApi, 'messages'>,
  conversationId: number,
  seenId: number,
  endMs: number,
): Promise<{ readonly found: readonly CwMessage[]; readonly last: number }> {
  const found: CwMessage[] = []
  let after = seenId
  for (let page = 0; page < PAGES_MAX; page++) {
    if (performance.now() > endMs) throw new ChatwootRefusal('away', 0, 'Chatwoot answers too slowly.')
    const some = await api.messages(conversationId, after)
    found.push(...some)
    const last = some.at(-1)?.id ?? after
    const isEnd = after === 0 || last <= after
    after = Math.max(after, last)
    if (isEnd) break
  }
  return { found, last: after }
}

/** A conversation as webhooks have it. */
function shownIn({ id, contactId, sourceId, phone, identifier }: ConversationToLookAt) {
  return {
    id,
    contact_inbox: { contact_id: contactId, source_id: sourceId },
    meta: { sender: { id: contactId, phone_number: phone, identifier } },
  }
}
