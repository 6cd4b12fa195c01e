import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isDemo } from '../api/places.js'
import { readSignInReason, useSession } from '../api/session.js'
import { useRenewedPasses } from '../hooks/use-access.js'
import { chooseTheme, themes, useTheme } from '../hooks/use-theme.js'
import { chooseLanguage, isLanguage, languages, useLanguage, useWords } from '../words/index.js'
import { makeLate } from './late.js'
import { Notice } from './notice.js'
import styles from './shell.module.css'
import { useNewestToast } from './toast.js'
import { useNarrow } from './use-narrow.js'

/** Loads with the page. */
export const Navigation = makeLate(async () => (await import('../features/navigation/navigation.js')).Navigation)
const Palette = makeLate(async () => (await import('../features/palette/palette.js')).Palette)
const Toasts = makeLate(async () => (await import('./toasts.js')).Toasts)

const DemoPhones = makeLate(async () => (await import('../features/demo/demo-phones.js')).DemoPhones)
/** Width from which the phones of the demo have room beside a page. */
const BESIDE = '(min-width: 1200px)'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Frame of all pages: navigation, language, theme, and what concerns every page. */
export function Shell() {
  const words = useWords()
  const signedIn = useSession()
  const isOnline = useOnline()
  const [hasPhones, setPhones] = useState(() => isDemo() && matchMedia(BESIDE).matches)
  const [hasPalette, openPalette, closePalette] = usePalette(signedIn !== null)
  const isNarrow = useNarrow()
  const hasToast = useNewestToast() !== undefined
  const phones = isDemo() ? { areShown: hasPhones, toggle: () => setPhones(!hasPhones) } : undefined
  useFocusOnNavigation()
  useSignInWhenEnded()
  useRenewedPasses()
  return (
    <>
      <a className={styles.skip} href="#main">
        {words.skip}
      </a>
      <div className={styles.frame} data-alone={signedIn === null ? '' : undefined}>
        {signedIn === null ? (
          <SignedOutBar />
        ) : (
          <div className={styles.place}>
            <Navigation signedIn={signedIn} isNarrow={isNarrow} onPalette={openPalette} phones={phones} />
          </div>
        )}
        <main id="main" tabIndex={-1} className={styles.main} data-beside={hasPhones ? '' : undefined}>
          {isOnline ? null : <Notice look="busy">{words.offline}</Notice>}
          {location.protocol === 'http:' && !LOOPBACK.test(location.hostname) ? (
            <Notice look="busy">{words.plainHttp}</Notice>
          ) : null}
          <Outlet />
        </main>
      </div>
      {hasPalette ? <Palette onClose={closePalette} /> : null}
      {hasToast ? <Toasts /> : null}
      {hasPhones ? <DemoPhones onClose={() => setPhones(false)} /> : null}
    </>
  )
}

/** What stands above the sign-in. */
function SignedOutBar() {
  const words = useWords()
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>{words.product}</span>
      <LanguageChoice />
      <ThemeChoice />
    </header>
  )
}

/** Opens the palette by its button, or by Ctrl or Command with K. */
function usePalette(isAllowed: boolean): readonly [boolean, () => void, () => void] {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return [isOpen && isAllowed, () => setOpen(true), () => setOpen(false)]
}

const SELECT = 'min-h-control rounded-md border border-control-line bg-surface px-2 py-1'

export function LanguageChoice() {
  const words = useWords()
  const language = useLanguage()
  return (
    <select
      className={SELECT}
      aria-label={words.language}
      value={language}
      onChange={({ target }) => {
        if (isLanguage(target.value)) void chooseLanguage(target.value)
      }}
    >
      {Object.entries(languages).map(([name, languageName]) => (
        <option key={name} value={name} lang={name}>
          {languageName}
        </option>
      ))}
    </select>
  )
}

function ThemeChoice() {
  const words = useWords()
  const theme = useTheme()
  const names = {
    system: words.themeSystem,
    light: words.themeLight,
    dark: words.themeDark,
    contrast: words.themeContrast,
  }
  return (
    <select
      className={SELECT}
      aria-label={words.theme}
      value={theme}
      onChange={({ target }) => {
        const chosen = themes.find((one) => one === target.value)
        if (chosen !== undefined) chooseTheme(chosen)
      }}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {names[name]}
        </option>
      ))}
    </select>
  )
}

/** Shows the sign-in when the pass has ended, keeps the place, and forgets what was read with the pass. */
function useSignInWhenEnded(): void {
  const signedIn = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const href = useRouterState({ select: ({ location }) => location.href })
  const isElsewhere = useRouterState({ select: ({ location }) => location.pathname !== '/sign-in' })
  useEffect(() => {
    if (signedIn !== null) return
    client.clear()
    if (isElsewhere)
      void navigate({ to: '/sign-in', search: readSignInReason() === 'ended' ? { back: href } : {}, replace: true })
  }, [signedIn, client, navigate, href, isElsewhere])
}

/** Moves the focus to the page after a navigation, as a browser does with a new document. */
function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    if (path !== undefined && document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [path])
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return isOnline
}
