/** Reads the leads of an instance, follows their changes, and moves them on the board. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Chat, FindChatsReply, FindChatsRequest } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import { type Scope, useRead } from './use-operation.js'
import { useInstanceEvents } from './use-this-instance.js'

/** Leads that one reading brings. */
export const LEADS_MAX = 1_000

export function useLeads(scope: Scope, filter: FindChatsRequest) {
  const client = useQueryClient()
  const patch = (chats: readonly Chat[]) => {
    const byId = new Map(chats.map((chat) => [chat.wa_chatid, chat]))
    client.setQueriesData<FindChatsReply>({ queryKey: ['findChats', scope.id] }, (before) =>
      before === undefined
        ? undefined
        : { ...before, chats: before.chats.map((one) => ({ ...one, ...byId.get(one.wa_chatid) })) },
    )
  }
  useInstanceEvents((event) => {
    if (event === 'open') void client.invalidateQueries({ queryKey: ['findChats', scope.id] })
    else if (event.EventType === 'leads' && isObject(event.chat)) patch([event.chat as unknown as Chat])
  })
  const leads = useRead(scope, 'findChats', {
    body: { ...filter, operator: 'AND', wa_isGroup: false, sort: '-wa_lastMsgTimestamp', limit: LEADS_MAX },
  })
  return { ...leads, patch }
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
