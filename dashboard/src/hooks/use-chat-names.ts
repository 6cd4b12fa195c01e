/** Finds the names of chats by their ids, for lists that have only ids. */
import { useQueries } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { describeChat, formatJid } from '../features/conversation/names.js'
import { mayReadAll } from './use-instance.js'
import { useThisInstance } from './use-this-instance.js'

/** Chats whose names are asked for. Further ones show their numbers. */
const CHATS_MAX = 30
const KEPT_MS = 5 * 60_000

/** Returns the name of each chat, or its number: while it is not known, and where the signed-in person may not read chats. */
export function useChatNames(chatIds: readonly string[]): (chatId: string) => string {
  const { id, credential } = useThisInstance()
  // A broken record has an id of another kind.
  const asked = [...new Set(chatIds)].filter((chatId) => typeof chatId === 'string').slice(0, CHATS_MAX)
  const found = useQueries({
    queries: asked.map((chatId) => ({
      queryKey: ['chat name', id, chatId],
      enabled: credential !== undefined && mayReadAll(),
      staleTime: KEPT_MS,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        if (credential === undefined) return null
        const field = chatId.endsWith('@lid') ? 'wa_chatlid' : 'wa_chatid'
        const { chats } = await call('findChats', credential, { body: { [field]: chatId, limit: 1 }, signal })
        return chats[0] === undefined ? null : describeChat(chats[0])
      },
    })),
  })
  return (chatId) => found[asked.indexOf(chatId)]?.data ?? formatJid(chatId)
}
