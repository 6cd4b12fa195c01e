/** Stores replies of a conversation whose webhooks did not come, so that they are sent in their place. */
import type { ChatwootConfig } from '../store/chatwoot/config-rows.js'
import type { ChatwootApi, CwConversation, CwMessage } from './chatwoot-api.js'
import type { ChatwootParts } from './parts.js'
import type { ChatwootReceiver } from './receiver.js'
import { type AgentMessage, agentMessage } from './webhook-facts.js'

export interface MissedRepliesOptions extends Pick<ChatwootParts, 'store'> {
  readonly receiver: Pick<ChatwootReceiver, 'store'>
}

/** Clocks differ, and a reply may have been under way. */
const OVERLAP_MS = 120_000
const PAGES_MAX = 20

/** Time before which replies are not looked for. */
export function missedSinceMs({ enabledAtMs, lookedAtMs }: ChatwootConfig): number {
  return Math.max(enabledAtMs, lookedAtMs - OVERLAP_MS)
}

/** @throws ChatwootRefusal */
export async function storeMissedReplies(
  { store, receiver }: MissedRepliesOptions,
  api: ChatwootApi,
  config: ChatwootConfig,
  conversation: CwConversation,
): Promise<void> {
  const { instance } = config
  const sinceMs = missedSinceMs(config)
  const chat = await store.chats.byConversation(instance, conversation.id)
  const { found, last } = await messagesAfter(api, conversation.id, chat?.seenId ?? 0)
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

/** Lists all messages after this one, or the newest if it is 0. */
async function messagesAfter(
  api: ChatwootApi,
  conversationId: number,
  seenId: number,
): Promise<{ readonly found: readonly CwMessage[]; readonly last: number }> {
  const found: CwMessage[] = []
  let after = seenId
  for (let page = 0; page < PAGES_MAX; page++) {
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
function shownIn({ id, contactId, sourceId, phone, identifier }: CwConversation) {
  return {
    id,
    contact_inbox: { contact_id: contactId, source_id: sourceId },
    meta: { sender: { id: contactId, phone_number: phone, identifier } },
  }
}
