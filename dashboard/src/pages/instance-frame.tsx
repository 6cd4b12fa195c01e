import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { findPlace } from '../api/places.js'
import { Problem } from '../api/problem.js'
import type { StreamEvent } from '../api/stream-event.js'
import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { Skeleton } from '../components/skeleton.js'
import { useAccess, useRefused } from '../hooks/use-access.js'
import { mayRead, mayReadAll, useConnectionEvents, useStatus } from '../hooks/use-instance.js'
import { useStream } from '../hooks/use-stream.js'
import { INSTANCE_EVENTS, InstanceContext } from '../hooks/use-this-instance.js'
import { useUnreadEvents } from '../hooks/use-unread.js'
import { useWords } from '../words/index.js'

/** Pages that read more than one chat. Those that need the token of the instance say so themselves. */
const READ_ALL = new Set([
  'scheduled',
  'contacts',
  'leads',
  'groups',
  'account',
  'agents',
  'knowledge',
  'functions',
  'quick-replies',
  'campaigns',
  'opt-outs',
  'events',
])

/** Access, state and stream of one instance, around each of its pages. */
export function InstanceFrame() {
  const { id } = useParams({ from: '/instances/$id' })
  return <Frame key={id} id={id} />
}

function Frame({ id }: { readonly id: string }) {
  const words = useWords()
  const access = useAccess(id)
  const { credential } = access
  const { data: told, error, refetch } = useStatus(id, credential)
  const [listeners] = useState(() => new Set<(event: StreamEvent | 'open') => void>())
  const onConnection = useConnectionEvents(id)
  const onRefused = useRefused(id)
  // A key that may not read, or for one chat, gets no streams.
  useStream(mayReadAll() ? credential : undefined, INSTANCE_EVENTS, {
    onOpen: () => {
      void refetch()
      for (const listener of listeners) listener('open')
    },
    onEvent: (event) => {
      if (event.EventType === 'connection') onConnection(event)
      for (const listener of listeners) listener(event)
    },
    onRefused,
  })
  const here = useMemo(
    () => (told === undefined ? undefined : { id, credential, told, error, listeners }),
    [id, credential, told, error, listeners],
  )

  if (access.error !== null)
    return access.error instanceof Problem && access.error.status === 404 ? (
      <Notice>{words.instance.unknown}</Notice>
    ) : (
      <Failure error={access.error} onRetry={access.retry} />
    )
  if (here === undefined)
    return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => void refetch()} />
  return (
    <InstanceContext value={here}>
      <Page id={id} />
    </InstanceContext>
  )
}

/** The page of the address, or the right that a key lacks for it. */
function Page({ id }: { readonly id: string }) {
  const words = useWords()
  useUnreadEvents(id)
  const name = usePageName()
  const isForAll = READ_ALL.has(name)
  if ((isForAll || name === 'chats') && !mayRead()) return <Notice>{words.instance.needsRead}</Notice>
  if (isForAll && !mayReadAll()) return <Notice>{words.instance.oneChat}</Notice>
  return <Outlet />
}

/** Returns the part of the address behind the id, such as `chats`; empty on the page of the connection. */
function usePageName(): string {
  return useRouterState({ select: ({ location }) => findPlace(location.pathname)?.page ?? '' })
}
