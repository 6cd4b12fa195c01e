/** Lists, counts and makes instances, for administrators. */
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FindInstancesReply, FindInstancesRequest, InstanceFilter } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { readSession, useSession } from '../api/session.js'
import { encodeBase64 } from '../format/base64.js'
import { patchPages, readChange } from './instance-patch.js'
import { useRefused } from './use-access.js'
import { useStream } from './use-stream.js'

const PAGE = 100
/** Shortest time between two readings after events of instances that are not on screen. */
const QUIET_MS = 5_000
/** Time for which the list waits for the stream to open. */
const OPENING_MS = 300
/** Instances whose last status is remembered although they are not on screen. */
const UNSEEN_MAX = 10_000

type Sort = FindInstancesRequest['sort']
type Found = InfiniteData<FindInstancesReply, string | undefined>

export function useInstances(filter: InstanceFilter, sort: Sort | undefined, isReady: boolean) {
  const signedIn = useSession()
  return useInfiniteQuery({
    queryKey: makeKey(filter, sort),
    enabled: isReady && signedIn?.kind === 'admin',
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<FindInstancesReply> =>
      call('findInstances', requireAdmin(), {
        body: {
          filter,
          limit: PAGE,
          ...(sort === undefined ? {} : { sort }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
  })
}

/**
 * Puts events into the rows and the counts on screen, without a call. An instance that is not on screen may change the counts, or belong
 * into the list now: then the counts, or the list, are read again, at most once in a while. Returns true when the list may be read: an event
 * between the reading and the opening of the stream would come to nobody.
 */
export function useLiveInstances(filter: InstanceFilter, sort?: Sort): boolean {
  const queryKey = makeKey(filter, sort)
  const client = useQueryClient()
  const signedIn = useSession()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const unseen = useRef(new Map<string, string>())
  const entered = useRef(false)
  const isOpened = useRef(false)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const waiting = setTimeout(() => setReady(true), OPENING_MS)
    return () => clearTimeout(waiting)
  }, [])
  const onRefused = useRefused(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  const read = async () => {
    timer.current = undefined
    const isEntered = entered.current
    entered.current = false
    if (isEntered) return client.invalidateQueries({ queryKey })
    const { counts } = await call('findInstances', requireAdmin(), { body: { filter, limit: 1 } })
    client.setQueryData<Found>(queryKey, (before) =>
      before === undefined ? undefined : { ...before, pages: before.pages.map((page) => ({ ...page, counts })) },
    )
    return undefined
  }
  useStream(signedIn?.kind === 'admin' ? signedIn.credential : undefined, 'connection', {
    onOpen: () => {
      // Later openings go on after the last event.
      if (isOpened.current) return
      isOpened.current = true
      if (isReady) void client.invalidateQueries({ queryKey })
      else setReady(true)
    },
    onEvent: (event) => {
      const change = readChange(event)
      if (change === null) return
      const before = client.getQueryData<Found>(queryKey)
      const pages = before === undefined ? null : patchPages(before.pages, filter, change)
      if (before !== undefined && pages !== null) {
        client.setQueryData<Found>(queryKey, { ...before, pages })
        return
      }
      if (unseen.current.get(change.id) === change.status) return
      if (unseen.current.size >= UNSEEN_MAX) unseen.current.clear()
      unseen.current.set(change.id, change.status)
      if (filter.status?.includes(change.status)) entered.current = true
      timer.current ??= setTimeout(() => void read().catch(() => undefined), QUIET_MS)
    },
    onRefused,
  })
  return isReady
}

function makeKey(filter: InstanceFilter, sort: Sort) {
  return sort === undefined ? ['instances', filter] : ['instances', filter, sort]
}

/** Returns the names of instances that were read already, by id. */
export function useNames(ids: readonly string[]): Readonly<Record<string, string>> {
  const client = useQueryClient()
  const read = client.getQueriesData<{ readonly pages: readonly FindInstancesReply[] }>({ queryKey: ['instances'] })
  const known = read.flatMap(([, data]) => data?.pages.flatMap(({ instances }) => instances) ?? [])
  return Object.fromEntries(
    known.filter(({ instance }) => ids.includes(instance.id)).map(({ instance }) => [instance.id, instance.name]),
  )
}

export function useCreateInstance() {
  const client = useQueryClient()
  return useMutation({
    // The reply has the instance's token.
    gcTime: 0,
    mutationFn: (name: string) => call('initInstance', requireAdmin(), { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['instances'] }),
  })
}

interface ExportFile {
  readonly file: Blob
  readonly passphrase: string
  readonly connect: boolean
}

export function useImportInstance() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, ...rest }: ExportFile) =>
      call('importInstance', requireAdmin(), { body: { ...rest, file: await encodeBase64(file) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['instances'] }),
  })
}

function requireAdmin() {
  const signedIn = readSession()
  if (signedIn === null) throw new Error('Nobody is signed in.')
  return signedIn.credential
}
