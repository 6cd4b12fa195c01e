import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen, Search, Smartphone } from 'lucide-react'
import type { Session } from '../../api/session.js'
import { Button, IconButton } from '../../components/button.js'
import { useWords } from '../../words/index.js'
import { InstanceChooser } from './instance-chooser.js'
import { AdminLinks, InstanceLinks, LinksTitle } from './links.js'
import { PersonMenu } from './person-menu.js'
import { type ChosenInstance, useChosen } from './use-chosen.js'

export interface NavigationProps {
  readonly signedIn: Session
  readonly onPalette: () => void
  /** Phones of the demo; undefined in another installation. */
  readonly phones: { readonly areShown: boolean; readonly toggle: () => void } | undefined
}

interface SidebarProps extends NavigationProps {
  /** True: the window is that of a phone, and this is a bar above the page. */
  readonly isTop: boolean
  readonly isSmall: boolean
  readonly onSmall: (isSmall: boolean) => void
}

const TOP = 'sticky top-0 z-5 flex h-(--phone-top) items-center gap-1 border-b border-line bg-surface px-2 print:hidden'
const SIDE = 'sticky top-0 flex h-dvh flex-col border-e border-line bg-surface print:hidden'

/** Where one is and where one can go: beside every page of a desk; above it, without the links, on a phone. */
export function Sidebar({ signedIn, onPalette, phones, isTop, isSmall, onSmall }: SidebarProps) {
  const words = useWords()
  const chosen = useChosen()
  const isAdmin = signedIn.kind === 'admin'
  return (
    <header className={isTop ? TOP : `${SIDE} ${isSmall ? 'w-14' : 'w-60'}`}>
      <div className={isTop ? 'flex min-w-0 flex-1 items-center gap-1' : 'grid shrink-0 gap-2 p-2'}>
        {isTop ? null : <Head isSmall={isSmall} onSmall={onSmall} />}
        <div className="min-w-0 flex-1">
          {isAdmin || chosen !== undefined ? (
            <InstanceChooser chosen={chosen} isSmall={isSmall && !isTop} />
          ) : (
            <span className="sr-only">{words.product}</span>
          )}
        </div>
        <PaletteButton isSmall={isTop || isSmall} onPalette={onPalette} />
      </div>
      {isTop ? null : <Links chosen={chosen} isAdmin={isAdmin} isSmall={isSmall} />}
      <div className={isTop ? 'flex' : `flex flex-col gap-1 border-t border-line p-2 ${isSmall ? 'items-center' : ''}`}>
        <div className="min-w-0">
          <PersonMenu signedIn={signedIn} isSmall={isTop || isSmall} />
        </div>
        {phones === undefined ? null : <PhonesButton phones={phones} isSmall={isTop || isSmall} />}
      </div>
    </header>
  )
}

interface PhonesButtonProps {
  readonly phones: NonNullable<NavigationProps['phones']>
  readonly isSmall: boolean
}

/** Opens the phones of the demo: on a line of its own where there is room for the word, since nobody looks for them behind a picture. */
function PhonesButton({ phones: { areShown, toggle }, isSmall }: PhonesButtonProps) {
  const words = useWords()
  if (isSmall) return <IconButton icon={Smartphone} name={words.demoPhones} aria-pressed={areShown} onClick={toggle} />
  return (
    <Button look="plain" size="small" icon={Smartphone} aria-pressed={areShown} onClick={toggle}>
      {words.demoPhones}
    </Button>
  )
}

function Head({ isSmall, onSmall }: Pick<SidebarProps, 'isSmall' | 'onSmall'>) {
  const words = useWords()
  return (
    <div className={`flex items-center gap-1 ${isSmall ? 'flex-col' : 'justify-between'}`}>
      <Link to="/" className="flex min-h-8 min-w-0 items-center gap-2 px-1.5 text-text no-underline">
        <Mark />
        <span className={isSmall ? 'sr-only' : 'truncate text-lg font-bold tracking-tight'}>{words.product}</span>
      </Link>
      <IconButton
        icon={isSmall ? PanelLeftOpen : PanelLeftClose}
        name={isSmall ? words.widenMenu : words.narrowMenu}
        aria-expanded={!isSmall}
        onClick={() => onSmall(!isSmall)}
      />
    </div>
  )
}

interface LinksProps {
  readonly chosen: ChosenInstance | undefined
  readonly isAdmin: boolean
  readonly isSmall: boolean
}

function Links({ chosen, isAdmin, isSmall }: LinksProps) {
  const words = useWords()
  return (
    <div className="grid flex-1 content-start gap-3 overflow-y-auto overscroll-contain px-2 py-1">
      {chosen === undefined ? null : (
        <nav className="grid gap-3" aria-label={words.instance.pages}>
          <InstanceLinks id={chosen.id} unread={chosen.unread} isSmall={isSmall} />
        </nav>
      )}
      {isAdmin ? (
        <nav aria-label={words.groups.gateway}>
          <LinksTitle word={words.groups.gateway} isSmall={isSmall} />
          <AdminLinks isSmall={isSmall} />
        </nav>
      ) : null}
    </div>
  )
}

function PaletteButton({ isSmall, onPalette }: { readonly isSmall: boolean; readonly onPalette: () => void }) {
  const words = useWords()
  return (
    <button
      type="button"
      className={`flex min-h-8 items-center gap-2.5 rounded-md border border-line bg-page py-1 text-start text-muted hover:bg-hover hover:text-text ${isSmall ? 'justify-center px-1.5' : 'px-2'}`}
      aria-keyshortcuts="Control+K Meta+K"
      title={isSmall ? words.goTo : undefined}
      onClick={onPalette}
    >
      <Search size={16} aria-hidden className="shrink-0" />
      <span className={isSmall ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{words.goTo}</span>
      {isSmall ? null : (
        <kbd aria-hidden className="font-sans text-2xs">
          Ctrl K
        </kbd>
      )}
    </button>
  )
}

/** The icon of the page. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6b4f" />
      <path
        d="M7 19c0-5 4-8 9-8h9v10h-9m-4-2a4 4 0 1 0 8 0 4 4 0 1 0-8 0"
        fill="none"
        stroke="#fff"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
