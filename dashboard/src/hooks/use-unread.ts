/** Counts the chats of an instance that have unread messages. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Credential, call } from '../api/client.js'
import { mayReadAll } from './use-instance.js'
import { useInstanceEvents } from './use-this-instance.js'

/** Shortest time between two countings while messages come. */
const QUIET_MS = 5_000
/** Events that change what is unread. */
const COUNTED = new Set(['messages', 'chats'])

export function useUnread(id: string | undefined, credential: Credential | undefined): number {
  const { data } = useQuery({
    queryKey: ['unread', id],
    enabled: id !== undefined && credential !== undefined && mayReadAll(),
    queryFn: async ({ signal }) => {
      if (credential === undefined) throw new Error('Nobody is signed in.')
      // As the filter of the inbox says it.
      const body = { wa_archived: false, wa_unreadCount: '!=0', limit: 1 }
      return (await call('findChats', credential, { body, signal })).pagination.totalRecords
    },
  })
  return data ?? 0
}

/** Counts again after events of the instance, at most once in a while. */
export function useUnreadEvents(id: string): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useInstanceEvents((event) => {
    if (event !== 'open' && !COUNTED.has(event.EventType ?? '')) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: ['unread', id] })
    }, QUIET_MS)
  })
}
