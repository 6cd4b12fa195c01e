/** Reads and changes scheduled messages. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditScheduledRequest, ScheduledQuery } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { useInstanceEvents } from './use-this-instance.js'

type ScheduledState = NonNullable<ScheduledQuery['status']>

const PAGE = 100
/** Changes of a message that may concern the list. */
const CHANGES = ['Scheduled', 'Rescheduled', 'Canceled', 'Queued', 'Failed']

export function useScheduled(id: string, credential: Credential | undefined, status: ScheduledState) {
  return useInfiniteQuery({
    queryKey: ['scheduled', id, status],
    enabled: credential !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('listScheduled', requireCredential(credential), {
        query: { status, limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Reads the list again when a message was scheduled, changed, or has left. */
export function useLiveScheduled(id: string): void {
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open' || (event.EventType === 'messages_update' && CHANGES.includes(String(event.state))))
      void client.invalidateQueries({ queryKey: ['scheduled', id] })
  })
}

export function useEditScheduled(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: EditScheduledRequest) => call('editScheduled', requireCredential(credential), { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['scheduled', id] }),
  })
}

export function useCancelScheduled(id: string, credential: Credential | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (messageId: string) =>
      call('cancelScheduled', requireCredential(credential), { query: { id: messageId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['scheduled', id] }),
  })
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}
