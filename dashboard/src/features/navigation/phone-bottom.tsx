import { Link } from '@tanstack/react-router'
import { Contact, Gauge, Inbox, Megaphone, Menu as MenuIcon, Network, ScanQrCode, Smartphone } from 'lucide-react'
import { Dialog } from '../../components/dialog.js'
import { useOpenHere } from '../../components/use-open-here.js'
import { mayReadAll } from '../../hooks/use-instance.js'
import { useWords } from '../../words/index.js'
import { AdminLinks, InstanceLinks, LinksTitle } from './links.js'
import type { NavigationProps } from './sidebar.js'
import { type ChosenInstance, useChosen } from './use-chosen.js'

const ITEM =
  'grid min-w-0 content-center justify-items-center gap-0.5 px-1 text-2xs text-muted no-underline aria-expanded:text-accent-text'
const HERE = { className: 'font-medium text-accent-text!' }

/** Bar below the page on a phone: the pages that are used most, and a sheet with all. */
export function PhoneBottom({ signedIn }: Pick<NavigationProps, 'signedIn'>) {
  const words = useWords()
  const chosen = useChosen()
  const [isOpen, setOpen] = useOpenHere()
  return (
    <nav
      className="fixed inset-x-0 bottom-0 z-5 grid h-(--phone-bottom) auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
      aria-label={words.product}
    >
      {chosen === undefined ? <AdminTabs /> : <InstanceTabs chosen={chosen} />}
      <button
        type="button"
        className={ITEM}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <MenuIcon size={20} aria-hidden />
        <span className="max-w-full truncate">{words.menu}</span>
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.menu}>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-start gap-4">
          {chosen === undefined ? null : <InstanceLinks id={chosen.id} unread={chosen.unread} />}
          {signedIn.kind === 'admin' ? (
            <div>
              <LinksTitle word={words.groups.gateway} isSmall={false} />
              <AdminLinks />
            </div>
          ) : null}
        </div>
      </Dialog>
    </nav>
  )
}

function AdminTabs() {
  const words = useWords()
  const tabs = [
    { to: '/overview', word: words.pages.overview, icon: Gauge },
    { to: '/instances', word: words.pages.instances, icon: Smartphone },
    { to: '/cluster', word: words.pages.cluster, icon: Network },
  ] as const
  return tabs.map(({ to, word, icon: Icon }) => (
    <Link key={to} to={to} className={ITEM} activeProps={HERE}>
      <Icon size={20} aria-hidden />
      <span className="max-w-full truncate">{word}</span>
    </Link>
  ))
}

function InstanceTabs({ chosen: { id, unread } }: { readonly chosen: ChosenInstance }) {
  const words = useWords()
  const tabs = [
    { to: '/instances/$id/chats', word: words.pages.conversations, icon: Inbox },
    ...(mayReadAll()
      ? ([
          { to: '/instances/$id/contacts', word: words.pages.contacts, icon: Contact },
          { to: '/instances/$id/campaigns', word: words.pages.campaigns, icon: Megaphone },
        ] as const)
      : ([{ to: '/instances/$id', word: words.pages.connection, icon: ScanQrCode }] as const)),
  ] as const
  return tabs.map(({ to, word, icon: Icon }, place) => (
    <Link
      key={to}
      to={to}
      params={{ id }}
      className={ITEM}
      activeProps={HERE}
      activeOptions={{ exact: true, includeSearch: false }}
    >
      <span className="relative">
        <Icon size={20} aria-hidden />
        {place === 0 && unread > 0 ? (
          <span className="absolute -top-1 left-3 rounded-full bg-accent px-1 text-2xs font-medium text-on-accent">
            {words.unreadCount(unread)}
          </span>
        ) : null}
      </span>
      <span className="max-w-full truncate">{word}</span>
    </Link>
  ))
}
