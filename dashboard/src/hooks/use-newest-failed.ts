import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { requirePass } from './use-operation.js'
import { useThisInstance } from './use-this-instance.js'

/** Reads the newest message of the instance that was not sent, once it is asked for; null if there is none. */
export function useNewestFailed(isAsked: boolean) {
  const { id, credential } = useThisInstance()
  return useQuery({
    queryKey: ['newestFailed', id],
    enabled: isAsked && credential !== undefined,
    // Another may have failed since it was asked for last.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { messages } = await call('findMessages', requirePass(credential), {
        body: { status: 'failed', limit: 1 },
        signal,
      })
      return messages[0] ?? null
    },
  })
}
