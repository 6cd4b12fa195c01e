import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Chat } from '../../../schemas/generated.js'
import { isObject } from '../api/problem.js'
import { createBatch } from './batch.js'
import type { ChatFilter } from './chat-filter.js'
import { ChatList } from './chat-list.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

/** Events with the whole chat. */
const WITH_CHAT = new Set(['messages', 'chats', 'chat_labels', 'leads'])

/** Returns the list of chats, patched by the stream of the instance. */
export function useChats({ search, unread, unreadFirst, groups, archived, ticket, label, attendant }: ChatFilter) {
  const { credential } = useThisInstance()
  const { header, token } = credential ?? {}
  const list = useMemo(
    () =>
      header === undefined || token === undefined
        ? undefined
        : new ChatList(
            { header, token },
            {
              ...(search === undefined ? {} : { search }),
              ...(unread === undefined ? {} : { unread }),
              ...(unreadFirst === undefined ? {} : { unreadFirst }),
              ...(groups === undefined ? {} : { groups }),
              ...(archived === undefined ? {} : { archived }),
              ...(ticket === undefined ? {} : { ticket }),
              ...(label === undefined ? {} : { label }),
              ...(attendant === undefined ? {} : { attendant }),
            },
          ),
    [header, token, search, unread, unreadFirst, groups, archived, ticket, label, attendant],
  )
  const batch = useMemo(() => createBatch<Chat>((chats) => list?.take(chats)), [list])
  useEffect(() => {
    void list?.refresh()
    return () => batch.end()
  }, [list, batch])
  useInstanceEvents((event) => {
    if (event === 'open') void list?.refresh()
    else if (WITH_CHAT.has(event.EventType ?? '') && isObject(event.chat)) batch.add(event.chat as unknown as Chat)
  })
  const state = useSyncExternalStore(list?.subscribe ?? subscribeToNothing, list?.state ?? returnNothing)
  return { state, list }
}

function subscribeToNothing(): () => void {
  return () => undefined
}

function returnNothing(): undefined {
  return undefined
}
