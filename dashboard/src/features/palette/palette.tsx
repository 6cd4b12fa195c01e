import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { findPlace } from '../../api/places.js'
import { readSession } from '../../api/session.js'
import { Dialog } from '../../components/dialog.js'
import { showUnseen } from '../../format/visible.js'
import { useSearchedInstances } from '../../hooks/use-fleet.js'
import { mayConnect, mayReadAll } from '../../hooks/use-instance.js'
import { useSearchedChats } from '../../hooks/use-searched-chats.js'
import { signOut } from '../../hooks/use-sign-in.js'
import { chooseTheme, themes } from '../../hooks/use-theme.js'
import { adminPages, instancePages } from '../../instance-pages.js'
import { chooseLanguage, isLanguage, languages, useWords } from '../../words/index.js'
import { usePaletteWords } from '../../words/palette/index.js'
import { describeChat } from '../conversation/names.js'
import styles from './palette.module.css'

const FOUND_MAX = 8

interface Entry {
  readonly id: string
  readonly group: string
  readonly name: string
  readonly go: () => void
}

/** Finds pages, instances, chats and actions by their names, with the keyboard alone. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = usePaletteWords()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const entries = useEntries(typed, onClose)
  const active = Math.min(chosen, entries.length - 1)
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(entries.length - 1, active + 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, active - 1))
    else if (event.key === 'Enter') entries[active]?.go()
    else return
    event.preventDefault()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <input
        className={styles.input}
        type="text"
        role="combobox"
        aria-label={words.label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id={listId} aria-label={words.results} className={styles.list}>
        {entries.map(({ id, group, name, go }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys of its options.
          <div
            key={id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onClick={go}
          >
            <bdi>{name}</bdi> <span className={styles.group}>{group}</span>
          </div>
        ))}
      </div>
      <p role="status" className={styles.group}>
        {entries.length === 0 ? words.nothing : words.found(entries.length)}
      </p>
    </Dialog>
  )
}

function useEntries(typed: string, onClose: () => void): readonly Entry[] {
  const words = usePaletteWords()
  const navigate = useNavigate()
  const here = useRouterState({ select: ({ location }) => findPlace(location.pathname)?.id })
  const search = useDeferredValue(typed.trim())
  const { data } = useSearchedInstances(search, FOUND_MAX)
  const { data: foundChats } = useSearchedChats(here, search, FOUND_MAX)
  const then: Then = (go) => () => {
    onClose()
    void go()
  }
  const pages = usePages(here, then)
  const actions = useActions(here, then)
  const wanted = simplify(typed.trim())
  const instances = (search === '' ? [] : (data?.instances ?? [])).map(({ instance }) => ({
    id: instance.id,
    group: words.instance,
    name: showUnseen(instance.name) || instance.id,
    go: then(() => navigate({ to: '/instances/$id', params: { id: instance.id } })),
  }))
  const chats = (search === '' || here === undefined ? [] : (foundChats?.chats ?? [])).map((chat) => ({
    id: `chat ${chat.wa_chatid}`,
    group: words.chat,
    name: describeChat(chat),
    go: then(() =>
      navigate({ to: '/instances/$id/chats', params: { id: here ?? '' }, search: { chat: chat.wa_chatid } }),
    ),
  }))
  return [...[...pages, ...actions].filter(({ name }) => simplify(name).includes(wanted)), ...instances, ...chats]
}

type Then = (go: () => unknown) => () => void

function usePages(here: string | undefined, then: Then): readonly Entry[] {
  const common = useWords()
  const words = usePaletteWords()
  const navigate = useNavigate()
  const isAdmin = readSession()?.kind === 'admin'
  return [
    ...(isAdmin ? adminPages : []).map(({ to, word }) => ({
      id: to,
      group: words.page,
      name: common.pages[word],
      go: then(() => navigate({ to })),
    })),
    ...(here === undefined ? [] : instancePages)
      .filter(({ isFor }) => isFor === undefined || isFor())
      .map(({ to, word, view }) => ({
        id: word,
        group: words.ofThisInstance,
        name: common.pages[word],
        go: then(() =>
          navigate({ to, params: { id: here ?? '' }, search: (view === undefined ? {} : { view }) as object }),
        ),
      })),
  ]
}

function useActions(here: string | undefined, then: Then): readonly Entry[] {
  const common = useWords()
  const words = usePaletteWords()
  const navigate = useNavigate()
  const themeNames = {
    system: common.themeSystem,
    light: common.themeLight,
    dark: common.themeDark,
    contrast: common.themeContrast,
  }
  const action = (id: string, name: string, go: () => unknown) => ({ id, group: words.action, name, go: then(go) })
  return [
    ...(readSession()?.kind === 'admin'
      ? [
          action('new', common.create.title, () => navigate({ to: '/instances/new' })),
          action('missing', words.showMissing, () => navigate({ to: '/instances', search: { missing: true } })),
        ]
      : []),
    ...(here === undefined || !mayReadAll()
      ? []
      : [
          action('unread', words.showUnread, () =>
            navigate({ to: '/instances/$id/chats', params: { id: here }, search: { unread: true } }),
          ),
          action('board', words.showBoard, () =>
            navigate({ to: '/instances/$id/leads', params: { id: here }, search: { view: 'board' } }),
          ),
        ]),
    ...(here === undefined || !mayConnect()
      ? []
      : [
          action('campaign', words.newCampaign, () =>
            navigate({ to: '/instances/$id/campaigns/new', params: { id: here } }),
          ),
          action('dead', words.showDead, () =>
            navigate({ to: '/instances/$id/webhooks', params: { id: here }, search: { view: 'dead' } }),
          ),
        ]),
    ...themes.map((theme) =>
      action(`theme ${theme}`, `${common.theme}: ${themeNames[theme]}`, () => chooseTheme(theme)),
    ),
    ...Object.entries(languages).map(([name, languageName]) => ({
      id: `language ${name}`,
      group: common.language,
      name: languageName,
      go: then(() => {
        if (isLanguage(name)) void chooseLanguage(name)
      }),
    })),
    action('sign-out', common.signOut, async () => {
      void signOut()
      await navigate({ to: '/sign-in' })
    }),
  ]
}

/** Drops case and accents, so that "conexao" finds "Conexão". */
function simplify(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
