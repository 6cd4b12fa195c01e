import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Problem } from '../api/problem.js'
import type { StreamEvent } from '../api/stream-event.js'
import { Button } from '../components/button.js'
import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { StatusPill } from '../components/status-pill.js'
import { useOpenHere } from '../components/use-open-here.js'
import { visible } from '../format/visible.js'
import { useAccess, useRefused } from '../hooks/use-access.js'
import { mayRead, mayReadAll, useConnectionEvents, useStatus } from '../hooks/use-instance.js'
import { useStream } from '../hooks/use-stream.js'
import { INSTANCE_EVENTS, InstanceContext } from '../hooks/use-this-instance.js'
import { instancePages } from '../instance-pages.js'
import { useWords } from '../words/index.js'
import styles from './instance-frame.module.css'

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

/** Name, state and pages of one instance, around each of its pages. */
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
    return error === null ? (
      <p role="status">{words.loading}</p>
    ) : (
      <Failure error={error} onRetry={() => void refetch()} />
    )
  const { instance } = here.told
  return (
    <InstanceContext value={here}>
      <div className={styles.head}>
        <p className={styles.name}>
          <bdi>{visible(instance.name)}</bdi>
        </p>
        <span role="status">
          <StatusPill status={instance.status} word={words.status[instance.status]} />
        </span>
      </div>
      <Pages id={id} />
      <Page />
    </InstanceContext>
  )
}

/** The page of the address, or the right that a key lacks for it. */
function Page() {
  const words = useWords()
  const name = usePageName()
  const isForAll = name !== undefined && READ_ALL.has(name)
  if ((isForAll || name === 'chats') && !mayRead()) return <Notice>{words.instance.needsRead}</Notice>
  if (isForAll && !mayReadAll()) return <Notice>{words.instance.oneChat}</Notice>
  return <Outlet />
}

/** Returns the part of the address behind the id, such as `chats`; undefined on the page of the connection. */
function usePageName(): string | undefined {
  return useRouterState({ select: ({ location }) => /\/instances\/[^/]+\/([^/]+)/.exec(location.pathname)?.[1] })
}

function Pages({ id }: { readonly id: string }) {
  const words = useWords()
  const [isOpen, setOpen] = useOpenHere()
  const name = usePageName()
  const here = instancePages.find(({ to }) => to === ['/instances/$id', name].filter(Boolean).join('/'))
  return (
    <nav className={styles.nav} aria-label={words.instance.pages} data-open={isOpen ? '' : undefined}>
      <div className={styles.narrow}>
        <Button aria-expanded={isOpen} aria-controls="pages" onClick={() => setOpen(!isOpen)}>
          {here === undefined ? words.instance.pages : words.instance.pagesAt(words.pages[here.word])}
        </Button>
      </div>
      <div className={styles.pages} id="pages">
        {instancePages
          .filter(({ isFor }) => isFor === undefined || isFor())
          .map(({ to, word }) => (
            <Link key={to} to={to} params={{ id }} activeOptions={{ exact: to === '/instances/$id' }}>
              {words.pages[word]}
            </Link>
          ))}
      </div>
    </nav>
  )
}
