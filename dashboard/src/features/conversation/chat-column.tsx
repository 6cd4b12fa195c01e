import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { RowGuard } from '../../components/row-guard.js'
import { dateFormat } from '../../format/formats.js'
import { visible } from '../../format/visible.js'
import type { useChats } from '../../hooks/use-chats.js'
import { useLabels } from '../../hooks/use-conversation.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useTyped } from '../../hooks/use-typed.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { SavedFilters } from '../saved/saved-filters.js'
import styles from './conversation.module.css'
import { chatName } from './names.js'
import { type ConversationSearch, conversationSearch, flags } from './search.js'

const ROW_PX = 68
const AHEAD = 30

interface ChatColumnProps {
  readonly search: ConversationSearch
  readonly onSearch: (change: Partial<Record<keyof ConversationSearch, unknown>>, replace: boolean) => void
  readonly chats: ReturnType<typeof useChats>
}

/** The chats by newest, with their filters. */
export function ChatColumn({ search, onSearch, chats: { state, list } }: ChatColumnProps) {
  const words = useWords()
  const said = useConversationWords()
  const isFiltered =
    flags.some((flag) => search[flag]) ||
    search.search !== undefined ||
    search.label !== undefined ||
    search.attendant !== undefined
  return (
    <section className={styles.chats} aria-label={said.chats}>
      <Filters search={search} onSearch={onSearch} />
      {state?.error == null ? null : <Failure error={state.error} onRetry={() => void list?.refresh()} />}
      {state === undefined || (state.isLoading && state.total === null) ? <p role="status">{words.loading}</p> : null}
      {state !== undefined && state.total !== null && state.chats.length === 0 ? (
        isFiltered ? (
          <Notice>
            <p>{said.noMatch}</p>
            <Button onClick={() => onSearch(NO_FILTERS, false)}>{said.clear}</Button>
          </Notice>
        ) : (
          <Card>
            <h2>{said.noChats}</h2>
            <p>{said.noChatsHelp}</p>
          </Card>
        )
      ) : null}
      {state === undefined || state.chats.length === 0 ? null : (
        <ChatRows
          chats={state.chats}
          chosen={search.chat}
          onChoose={(chat) => onSearch({ chat, message: undefined, text: undefined }, false)}
          onEnd={() => {
            if (state.error === null) void list?.loadMore()
          }}
        />
      )}
    </section>
  )
}

const NO_FILTERS = {
  search: undefined,
  unread: undefined,
  groups: undefined,
  archived: undefined,
  ticket: undefined,
  label: undefined,
  attendant: undefined,
}

function Filters({ search, onSearch }: Pick<ChatColumnProps, 'search' | 'onSearch'>) {
  const said = useConversationWords()
  const { data: labels } = useLabels()
  const { id } = useThisInstance()
  const { chat: _chat, message: _message, text: _text, ...filtered } = search
  return (
    <search className={styles.filters}>
      <TypedField
        label={said.search}
        value={search.search ?? ''}
        onTyped={(typed) => onSearch({ search: typed || undefined }, true)}
      />
      <fieldset className={`${layout.chips} ${styles.chips}`} aria-label={said.filters}>
        {flags.map((flag) => (
          <button
            key={flag}
            type="button"
            className={layout.chip}
            aria-pressed={search[flag] === true}
            onClick={() => onSearch({ [flag]: search[flag] === true ? undefined : true }, false)}
          >
            {said[flag]}
          </button>
        ))}
        {labels === undefined || labels.length === 0 ? null : (
          <select
            aria-label={said.label}
            value={search.label ?? ''}
            onChange={({ target }) => onSearch({ label: target.value || undefined }, false)}
          >
            <option value="">{said.anyLabel}</option>
            {labels.map(({ labelid, name }) => (
              <option key={labelid} value={labelid}>
                {visible(name).slice(0, 60)}
              </option>
            ))}
          </select>
        )}
      </fieldset>
      <TypedField
        label={said.attendant}
        value={search.attendant ?? ''}
        onTyped={(typed) => onSearch({ attendant: typed || undefined }, true)}
      />
      <SavedFilters
        key={id}
        page={`chats.${id}`}
        current={filtered}
        onChoose={(saved) => onSearch({ ...NO_FILTERS, ...conversationSearch(saved) }, false)}
      />
    </search>
  )
}

interface TypedFieldProps {
  readonly label: string
  readonly value: string
  readonly onTyped: (typed: string) => void
}

export function TypedField({ label, value, onTyped }: TypedFieldProps) {
  const [typed, setTyped] = useTyped(value, onTyped)
  return (
    <input
      type="search"
      className={styles.field}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}

interface ChatRowsProps {
  readonly chats: readonly Chat[]
  readonly chosen: string | undefined
  readonly onChoose: (chatId: string) => void
  readonly onEnd: () => void
}

/** Arrows and j/k move through the chats, Enter opens one. The focus stays on the list, so that it is not lost when rows leave it. */
function ChatRows({ chats, chosen, onChoose, onEnd }: ChatRowsProps) {
  const said = useConversationWords()
  const place = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | undefined>(chosen)
  // The virtualizer computes the place of each row again when this function changes.
  const keyOf = useCallback((index: number) => chats[index]?.wa_chatid ?? index, [chats])
  const virtualizer = useVirtualizer({
    count: chats.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: keyOf,
    overscan: 6,
  })
  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? -1
  const latest = useRef({ onEnd, onChoose })
  useEffect(() => {
    latest.current = { onEnd, onChoose }
  })
  const choose = useCallback((chatId: string) => {
    setActive(chatId)
    latest.current.onChoose(chatId)
  }, [])
  useEffect(() => {
    if (lastIndex >= chats.length - AHEAD) latest.current.onEnd()
  }, [lastIndex, chats.length])
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const now = chats.findIndex((chat) => chat.wa_chatid === active)
    const next = { ArrowUp: now - 1, k: now - 1, ArrowDown: now + 1, j: now + 1, Home: 0, End: chats.length - 1 }[
      event.key
    ]
    if (next !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(chats.length - 1, next))
      setActive(chats[index]?.wa_chatid)
      virtualizer.scrollToIndex(index)
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== undefined) {
      event.preventDefault()
      choose(active)
    }
  }
  const isDrawn = items.some(({ key }) => key === active)
  return (
    <div
      ref={place}
      className={styles.rows}
      role="listbox"
      tabIndex={0}
      aria-label={said.chats}
      aria-activedescendant={isDrawn && active !== undefined ? rowId(active) : undefined}
      onKeyDown={move}
    >
      <div className={styles.sizer} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const chat = chats[index]
          return chat === undefined ? null : (
            <RowGuard key={key} instead={<BrokenRow start={start} />}>
              <ChatRow
                chat={chat}
                start={start}
                place={index + 1}
                count={chats.length}
                isChosen={chat.wa_chatid === chosen}
                isActive={chat.wa_chatid === active}
                onChoose={choose}
              />
            </RowGuard>
          )
        })}
      </div>
    </div>
  )
}

interface ChatRowProps {
  readonly chat: Chat
  readonly start: number
  readonly place: number
  readonly count: number
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly onChoose: (chatId: string) => void
}

const ChatRow = memo(function ChatRow({ chat, start, place, count, isChosen, isActive, onChoose }: ChatRowProps) {
  const said = useConversationWords()
  const { wa_unreadCount: unread = 0, wa_lastMessageTextVote: text = '', wa_lastMessageType: kind = '' } = chat
  const marks = [
    chat.wa_isPinned ? said.pinned : '',
    chat.wa_muteEndTime ? said.muted : '',
    chat.wa_isBlocked ? said.blocked : '',
  ]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys.
    <div
      id={rowId(chat.wa_chatid)}
      role="option"
      aria-selected={isChosen}
      aria-posinset={place}
      aria-setsize={count}
      className={`${styles.row} ${isActive ? styles.active : ''}`}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onChoose(chat.wa_chatid)}
    >
      <strong className={styles.rowName}>
        <bdi>{chatName(chat)}</bdi>
      </strong>
      <When at={chat.wa_lastMsgTimestamp ?? 0} />
      <span className={styles.rowText}>
        <bdi>{visible((text || said.kinds[kind.replace(/Message$/, '').toLowerCase()] || '').slice(0, 120))}</bdi>
      </span>
      <span className={styles.rowMarks}>
        {marks.filter(Boolean).join(', ')}
        {unread === 0 ? null : <span className={styles.unread}>{said.unreadCount(unread)}</span>}
      </span>
    </div>
  )
})

function BrokenRow({ start }: { readonly start: number }) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus; this row does nothing.
    <div
      role="option"
      aria-selected={false}
      aria-disabled={true}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {words.brokenRow}
    </div>
  )
}

function rowId(chatId: string): string {
  return `chat-${chatId}`
}

const HOUR = { hour: '2-digit', minute: '2-digit' } as const
const DAY = { dateStyle: 'short' } as const

/** The hour of today, else the day. */
function When({ at }: { readonly at: number }) {
  const language = useLanguage()
  const time = new Date(at)
  if (at === 0 || Number.isNaN(time.getTime())) return null
  const isToday = time.toDateString() === new Date().toDateString()
  return (
    <time className={styles.when} dateTime={time.toISOString()}>
      {dateFormat(language, isToday ? HOUR : DAY).format(time)}
    </time>
  )
}
