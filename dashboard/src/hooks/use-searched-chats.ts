import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { chooseName } from './chat-filter.js'
import { fetchAccess } from './use-access.js'
import { mayReadAll } from './use-instance.js'

const LEAST_CHARACTERS = 2

/** Finds chats of an instance by name or number, where the signed-in person may. */
export function useSearchedChats(instance: string | undefined, search: string, limit: number) {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['searched chats', instance, search, limit],
    enabled: instance !== undefined && search.length >= LEAST_CHARACTERS && mayReadAll(),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const credential = await fetchAccess(client, instance ?? '')
      return await call('findChats', credential, { body: { ...chooseName(search), limit }, signal })
    },
  })
}
