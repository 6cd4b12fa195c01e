/** Reads the leads of an instance, follows their changes, and moves them on the board. */
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { Chat, FindChatsReply, FindChatsRequest } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import { findNextLeads, firstLeads, LEADS_PAGE, type LeadPlace, makeIdCursor } from './lead-pages.js'
import { requirePass, type Scope } from './use-operation.js'
import { useInstanceEvents } from './use-this-instance.js'

type LeadData = InfiniteData<FindChatsReply, LeadPlace>

export function useLeads(scope: Scope, filter: FindChatsRequest) {
  const client = useQueryClient()
  const patch = (chats: readonly Chat[]) => {
    const byId = new Map(chats.map((chat) => [chat.wa_chatid, chat]))
    client.setQueriesData<LeadData>({ queryKey: ['findChats', scope.id, 'leads'] }, (before) =>
      before === undefined
        ? undefined
        : {
            ...before,
            pages: before.pages.map((page) => ({
              ...page,
              chats: page.chats.map((one) => ({ ...one, ...byId.get(one.wa_chatid) })),
            })),
          },
    )
  }
  useInstanceEvents((event) => {
    if (event === 'open') void client.invalidateQueries({ queryKey: ['findChats', scope.id] })
    else if (event.EventType === 'leads' && isObject(event.chat)) patch([event.chat as unknown as Chat])
  })
  const pages = useInfiniteQuery({
    queryKey: ['findChats', scope.id, 'leads', filter],
    enabled: scope.credential !== undefined,
    placeholderData: keepPreviousData,
    initialPageParam: firstLeads,
    queryFn: ({ pageParam, signal }) =>
      call('findChats', requirePass(scope.credential), {
        body: { ...filterPeople(filter), sort: '-wa_lastMsgTimestamp', ...pageParam },
        signal,
      }),
    getNextPageParam: (_, all) => findNextLeads(all),
  })
  // A chat that moved to the front meanwhile stands on two pages.
  const found = pages.data?.pages.flatMap(({ chats }) => chats)
  const leads = found === undefined ? undefined : [...new Map(found.map((chat) => [chat.wa_chatid, chat])).values()]
  return { ...pages, leads, total: pages.data?.pages[0]?.pagination.totalRecords ?? 0, patch }
}

/** Reads all leads that match, in pages by their ids, so that none is left out or doubled while chats move. */
export function useExportLeads({ credential }: Scope) {
  const [count, setCount] = useState(0)
  const all = useMutation({
    mutationFn: async (filter: FindChatsRequest): Promise<readonly Chat[]> => {
      const found: Chat[] = []
      setCount(0)
      let cursor: { readonly id?: string } | undefined = {}
      while (cursor !== undefined) {
        const page: FindChatsReply = await call('findChats', requirePass(credential), {
          body: { ...filterPeople(filter), sort: '+id', limit: LEADS_PAGE, ...cursor },
        })
        found.push(...page.chats)
        setCount(found.length)
        cursor = makeIdCursor(page)
      }
      return found
    },
  })
  return { ...all, count }
}

function filterPeople(filter: FindChatsRequest): FindChatsRequest {
  return { ...filter, operator: 'AND', wa_isGroup: false }
}

export interface LeadMove {
  readonly id: string
  readonly lead_status?: string
  readonly lead_kanbanOrder: number
}

/** Stores the status and numbers of moved cards. If one is refused, the board is read again. */
export function useMoveLeads({ id, credential }: Scope) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (moves: readonly LeadMove[]) => {
      if (credential === undefined) throw new Error('There is no pass yet.')
      for (const body of moves) await call('editLead', credential, { body })
    },
    onError: () => client.invalidateQueries({ queryKey: ['findChats', id] }),
  })
}
