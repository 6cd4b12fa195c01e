import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { gatewayUrl } from '../api/places.js'
import { signInReason, useSession } from '../api/session.js'
import { visible } from '../format/visible.js'
import { isDemo } from '../hooks/use-demo.js'
import { signOut } from '../hooks/use-sign-in.js'
import { chooseTheme, themes, useTheme } from '../hooks/use-theme.js'
import { adminPages } from '../instance-pages.js'
import { chooseLanguage, isLanguage, languages, useLanguage, useWords } from '../words/index.js'
import { Button } from './button.js'
import { late } from './late.js'
import { Notice } from './notice.js'
import styles from './shell.module.css'
import { useKeptFocus } from './use-kept-focus.js'
import { useOpenHere } from './use-open-here.js'

const Palette = late(async () => (await import('../features/palette/palette.js')).Palette)

const RecentCalls = late(async () => (await import('../features/recent-calls/recent-calls.js')).RecentCalls)

const DemoPhones = late(async () => (await import('../features/demo/demo-phones.js')).DemoPhones)
/** Width from which the phones of the demo have room beside a page. */
const BESIDE = '(min-width: 1200px)'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Frame of all pages: navigation, language, theme, and what concerns every page. */
export function Shell() {
  const words = useWords()
  const signedIn = useSession()
  const navigate = useNavigate()
  const isOnline = useOnline()
  const [hasPhones, setPhones] = useState(() => isDemo() && matchMedia(BESIDE).matches)
  const [isOpen, setOpen] = useOpenHere()
  useFocusOnNavigation()
  useKeptFocus()
  useSignInWhenEnded()
  const leave = () => {
    void signOut()
    void navigate({ to: '/sign-in' })
  }
  return (
    <>
      <a className={styles.skip} href="#main">
        {words.skip}
      </a>
      <header className={styles.bar} data-beside={hasPhones ? '' : undefined} data-open={isOpen ? '' : undefined}>
        <Link to="/" className={styles.brand}>
          {words.product}
        </Link>
        <div className={styles.narrow}>
          <Button aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
            {words.menu}
          </Button>
        </div>
        <nav className={styles.links} id="menu" aria-label={words.product}>
          {signedIn?.kind === 'admin'
            ? adminPages.map(({ to, word }) => (
                <Link key={to} to={to}>
                  {words.pages[word]}
                </Link>
              ))
            : null}
          <a href={`${gatewayUrl}/docs`}>{words.apiPage}</a>
        </nav>
        <div className={styles.choices}>
          {signedIn === null ? null : <PaletteChoice />}
          {signedIn === null ? null : <CallsChoice />}
          {isDemo() ? (
            <Button aria-pressed={hasPhones} onClick={() => setPhones(!hasPhones)}>
              {words.demoPhones}
            </Button>
          ) : null}
          <LanguageChoice />
          <ThemeChoice />
          {signedIn === null ? null : (
            <>
              <bdi>{signedIn.name === null ? words.administrator : visible(signedIn.name)}</bdi>
              <Button onClick={leave}>{words.signOut}</Button>
            </>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main} data-beside={hasPhones ? '' : undefined}>
        {isOnline ? null : <Notice look="busy">{words.offline}</Notice>}
        {location.protocol === 'http:' && !LOOPBACK.test(location.hostname) ? (
          <Notice look="busy">{words.plainHttp}</Notice>
        ) : null}
        <Outlet />
      </main>
      {hasPhones ? <DemoPhones onClose={() => setPhones(false)} /> : null}
    </>
  )
}

/** Opens the palette by its button, or by Ctrl or Command with K. */
function PaletteChoice() {
  const words = useWords()
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
  return (
    <>
      <Button aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        {words.goTo}
      </Button>
      {isOpen ? <Palette onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Shows how a program would do what was done here. */
function CallsChoice() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={words.recentCalls} title={words.recentCalls} onClick={() => setOpen(true)}>
        {'</>'}
      </Button>
      {isOpen ? <RecentCalls onClose={() => setOpen(false)} /> : null}
    </>
  )
}

export function LanguageChoice() {
  const words = useWords()
  const language = useLanguage()
  return (
    <select
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
  const names = { system: words.themeSystem, light: words.themeLight, dark: words.themeDark }
  return (
    <select
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
      void navigate({ to: '/sign-in', search: signInReason() === 'ended' ? { back: href } : {}, replace: true })
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
