import { Link, useLinkProps, useRouterState } from '@tanstack/react-router'
import { findPlace } from '../../api/places.js'
import { adminPages, type InstancePage, instanceGroups } from '../../instance-pages.js'
import { useWords } from '../../words/index.js'

const LINK =
  'flex min-h-8 min-w-0 items-center gap-2.5 rounded-md px-2 py-0.5 text-muted no-underline md:min-h-7 hover:bg-hover hover:text-text'
const HERE = 'bg-accent-back! font-medium text-accent-text!'

interface LinksProps {
  /** True: pictures only, with the words beside the pointer. */
  readonly isSmall?: boolean
}

/** Links to the pages of the whole gateway. */
export function AdminLinks({ isSmall = false }: LinksProps) {
  const words = useWords()
  return (
    <ul className="grid gap-px">
      {adminPages.map(({ to, word, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className={LINK}
            activeProps={{ className: HERE }}
            activeOptions={{ exact: to === '/instances', includeSearch: false }}
            title={isSmall ? words.pages[word] : undefined}
          >
            <Icon size={17} aria-hidden className="shrink-0" />
            <Word text={words.pages[word]} isSmall={isSmall} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface InstanceLinksProps extends LinksProps {
  readonly id: string
  /** Chats with unread messages. */
  readonly unread: number
}

/** Links to the pages of an instance, in groups. What a key may not see is left out. */
export function InstanceLinks({ id, unread, isSmall = false }: InstanceLinksProps) {
  const words = useWords()
  return instanceGroups.map(({ word, pages }) => {
    const shown = pages.filter(({ isFor }) => isFor === undefined || isFor())
    return shown.length === 0 ? null : (
      <div key={pages[0]?.word}>
        {word === undefined ? null : <LinksTitle word={words.groups[word]} isSmall={isSmall} />}
        <ul className="grid gap-px">
          {shown.map((page) => (
            <li key={page.word}>
              <PageLink id={id} page={page} isSmall={isSmall} count={page.word === 'conversations' ? unread : 0} />
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

/** Title of a group of links; a line where there is no room for words. */
export function LinksTitle({ word, isSmall }: { readonly word: string; readonly isSmall: boolean }) {
  return isSmall ? (
    <hr className="mx-2 mb-2" />
  ) : (
    <p className="truncate px-2 pb-0.5 text-xs font-medium text-muted">{word}</p>
  )
}

interface PageLinkProps {
  readonly id: string
  readonly page: InstancePage
  readonly isSmall: boolean
  readonly count: number
}

function PageLink({ id, page: { to, word, view, icon: Icon }, isSmall, count }: PageLinkProps) {
  const words = useWords()
  const isHere = useIsHere(to, view)
  // A view is a part of the address that only its page knows.
  const link = useLinkProps({ to, params: { id }, search: (view === undefined ? {} : { view }) as object })
  return (
    <a
      {...link}
      className={`${LINK} ${isHere ? HERE : ''}`}
      // The router would mark a page together with its view.
      aria-current={isHere ? 'page' : undefined}
      title={isSmall ? words.pages[word] : undefined}
    >
      <Icon size={17} aria-hidden className="shrink-0" />
      <Word text={words.pages[word]} isSmall={isSmall} />
      {count === 0 || isSmall ? null : (
        <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent">
          <span className="sr-only">, </span>
          {words.unreadCount(count)}
        </span>
      )}
    </a>
  )
}

/** Views that have links of their own: the page itself is not marked while one of them is shown. */
const VIEWS = new Set(['labels', 'triggers'])

function useIsHere(to: InstancePage['to'], view: InstancePage['view']): boolean {
  return useRouterState({
    select: ({ location: { pathname, search } }) => {
      const shown = 'view' in search && VIEWS.has(String(search.view)) ? search.view : undefined
      return findPlace(pathname)?.page === to.slice('/instances/$id'.length + 1) && shown === view
    },
  })
}

function Word({ text, isSmall }: { readonly text: string; readonly isSmall: boolean }) {
  return <span className={isSmall ? 'sr-only' : 'min-w-0 truncate'}>{text}</span>
}
