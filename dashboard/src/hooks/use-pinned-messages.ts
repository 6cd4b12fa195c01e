/** Reads the pinned messages of a chat, and follows what is pinned and unpinned. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { Message } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { mayRead } from './use-instance.js'
import { requirePass } from './use-operation.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

const PAGE = 20
const CHANGES = new Set(['Pinned', 'Unpinned'])

interface PinnedMessages {
  readonly messages: readonly Message[]
  /** True while a part of the chat was not looked at. */
  readonly hasMore: boolean
  readonly more: () => void
}

export function usePinnedMessages(chatId: string): PinnedMessages {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open' || (event.EventType === 'messages_update' && CHANGES.has(String(event.type))))
      void client.invalidateQueries({ queryKey: ['pinned', id, chatId] })
  })
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['pinned', id, chatId],
    enabled: credential !== undefined && mayRead(),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const body = { chatid: chatId, pinned: true, limit: PAGE, ...(pageParam === '' ? {} : { before: pageParam }) }
      return call('findMessages', requirePass(credential), { body, signal })
    },
    getNextPageParam: ({ hasMore, older }) => (hasMore && older !== null ? older : undefined),
  })
  const messages = data?.pages.flatMap((page) => page.messages) ?? []
  return {
    messages,
    // A chat without pins in its newest messages shows no bar.
    hasMore: hasNextPage && messages.length > 0,
    more: () => {
      if (!isFetchingNextPage) void fetchNextPage()
    },
  }
}
