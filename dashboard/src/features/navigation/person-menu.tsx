import { useNavigate } from '@tanstack/react-router'
import { BookText, CodeXml, Contrast, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { gatewayUrl } from '../../api/places.js'
import type { Session } from '../../api/session.js'
import { Avatar } from '../../components/avatar.js'
import { makeLate } from '../../components/late.js'
import { Menu } from '../../components/menu.js'
import { showUnseen } from '../../format/visible.js'
import { signOut } from '../../hooks/use-sign-in.js'
import { chooseTheme, useTheme } from '../../hooks/use-theme.js'
import { chooseLanguage, isLanguage, languages, useLanguage, useWords } from '../../words/index.js'

const RecentCalls = makeLate(async () => (await import('../recent-calls/recent-calls.js')).RecentCalls)

interface PersonMenuProps {
  readonly signedIn: Session
  readonly isSmall?: boolean
}

/** Who is signed in, with the language, the theme, what is for programmers, and the way out. */
export function PersonMenu({ signedIn, isSmall = false }: PersonMenuProps) {
  const words = useWords()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [showsCalls, setShowsCalls] = useState(false)
  const entries = useEntries(signedIn, () => setShowsCalls(true))
  const name = describeName(signedIn, words.administrator)
  return (
    <>
      <button
        type="button"
        className="flex min-h-control w-full min-w-0 items-center gap-2.5 rounded-lg p-1.5 text-start hover:bg-hover aria-expanded:bg-hover"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={isSmall ? name : undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setAnchor(event.currentTarget)
        }}
      >
        <Avatar name={name} size="small" />
        <span className="sr-only">{words.yourMenu}</span>
        <bdi className={isSmall ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{name}</bdi>
      </button>
      <Menu label={words.yourMenu} anchor={anchor} entries={entries} onClose={() => setAnchor(null)} />
      {showsCalls ? <RecentCalls onClose={() => setShowsCalls(false)} /> : null}
    </>
  )
}

function useEntries(signedIn: Session, showCalls: () => void) {
  const words = useWords()
  const language = useLanguage()
  const theme = useTheme()
  const navigate = useNavigate()
  const leave = () => {
    void signOut()
    void navigate({ to: '/sign-in' })
  }
  const themeEntries = [
    { name: 'system', text: words.themeSystem, icon: Monitor },
    { name: 'light', text: words.themeLight, icon: Sun },
    { name: 'dark', text: words.themeDark, icon: Moon },
    { name: 'contrast', text: words.themeContrast, icon: Contrast },
  ] as const
  return [
    {
      group: words.theme,
      entries: themeEntries.map(({ name, text, icon }) => ({
        text,
        icon,
        isChosen: name === theme,
        onChoose: () => chooseTheme(name),
      })),
    },
    {
      group: words.language,
      entries: Object.entries(languages).map(([name, text]) => ({
        text,
        isChosen: name === language,
        onChoose: () => {
          if (isLanguage(name)) void chooseLanguage(name)
        },
      })),
    },
    {
      group: words.forProgrammers,
      entries: [
        { text: words.recentCalls, icon: CodeXml, onChoose: showCalls },
        { text: words.apiPage, icon: BookText, onChoose: () => location.assign(`${gatewayUrl}/docs`) },
      ],
    },
    {
      group: describeName(signedIn, words.administrator),
      entries: [{ text: words.signOut, icon: LogOut, isDanger: true, onChoose: leave }],
    },
  ]
}

function describeName({ name }: Session, administrator: string): string {
  return name === null ? administrator : showUnseen(name)
}
