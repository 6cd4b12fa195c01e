/** Lists, counts and makes instances, for administrators. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { FindInstancesReply, InstanceFilter } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { session, useSession } from '../api/session.js'
import { useRefused } from './use-access.js'
import { useStream } from './use-stream.js'

const PAGE = 100
/** Shortest time between two readings of the list after events. */
const QUIET_MS = 1_000

export function useInstances(filter: InstanceFilter) {
  const signedIn = useSession()
  return useInfiniteQuery({
    queryKey: ['instances', filter],
    enabled: signedIn?.kind === 'admin',
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<FindInstancesReply> =>
      call('findInstances', admin(), {
        body: { filter, limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
  })
}

/** Reads the list again when instances change, at most once in a while: events of all instances name none by id. */
export function useLiveInstances(): void {
  const client = useQueryClient()
  const signedIn = useSession()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const onRefused = useRefused(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: ['instances'] })
    }, QUIET_MS)
  }
  useStream(signedIn?.kind === 'admin' ? signedIn.credential : undefined, 'connection', {
    onOpen: () => undefined,
    onEvent: refresh,
    onRefused,
  })
}

export function useCreateInstance() {
  const client = useQueryClient()
  return useMutation({
    // The reply has the instance's token.
    gcTime: 0,
    mutationFn: (name: string) => call('initInstance', admin(), { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['instances'] }),
  })
}

function admin() {
  const signedIn = session()
  if (signedIn === null) throw new Error('Nobody is signed in.')
  return signedIn.credential
}
